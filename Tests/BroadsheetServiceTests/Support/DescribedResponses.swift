import Broadsheet
import BroadsheetHTTP
import Testing

@testable import BroadsheetService

/// The responses of the OpenAPI document, which those that tests receive are compared with.
struct DescribedResponses: Sendable {
    /// The largest content that is compared, in bytes: the validator is not fast.
    private static let maxBytes = 8 << 10
    /// The schemas of what the document leaves open, or of which clients post members.
    private static let open: Set = ["OpenAPIDocument", "PageSchema", "Catalog", "Page"]

    private static let shared = try? DescribedResponses()

    private let document: JSONValue
    private let validator: SchemaValidator

    private init() throws {
        document = try JSONDocument(OpenAPIDocument.bytes()).root
        validator = SchemaValidator(document: document)
    }

    /// Expects that the document describes a response to a request.
    static func expect(_ received: ReceivedResponse, to method: String, _ target: String) throws {
        guard !received.body.isEmpty, received.body.count <= maxBytes,
            received.response.headers[.contentEncoding] == nil,
            let contentType = received.response.headers[.contentType]
        else { return }
        let described = try #require(shared)
        let mediaType = String(contentType.prefix { $0 != ";" })
        let path = String(target.prefix { $0 != "?" })
        let name =
            mediaType == Problem.mediaType
            ? "Problem"
            : described.schema(of: received.status, mediaType, to: method, path)
        guard let name else { return }
        var validator = described.validator
        validator.refusesUnnamedMembers = !open.contains(name)
        let violations = try validator.violations(of: received.json, schema: name)
        #expect(violations == [], "\(method) \(target): \(name)")
    }

    /// Returns the name of the schema of a content; `nil` for a text.
    private func schema(
        of status: Int, _ mediaType: String, to method: String, _ path: String
    ) -> String? {
        let operation = Operation.all.first {
            $0.method.token == method && $0.paths.contains { Self.matches(path, $0) }
        }
        guard let operation else { return nil }
        let responses = document["paths"]?[operation.path]?[method.lowercased()]?["responses"]
        let content = (responses?[String(status)] ?? responses?["default"])?["content"]
        let schema = content?[mediaType]?["schema"]
        #expect(schema != nil, "\(method) \(path): \(status) \(mediaType) is not described")
        return schema?["$ref"]?.string?.split(separator: "/").last.map(String.init)
    }

    private static func matches(_ path: String, _ template: String) -> Bool {
        let (segments, names) = (path.split(separator: "/"), template.split(separator: "/"))
        return segments.count == names.count
            && zip(segments, names).allSatisfy { $1.hasPrefix("{") || $0 == $1 }
    }
}
