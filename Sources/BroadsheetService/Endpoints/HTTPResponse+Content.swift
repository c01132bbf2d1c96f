import Broadsheet
import BroadsheetHTTP
import BroadsheetIO

extension HTTPResponse {
    /// Creates a response of JSON.
    static func json(
        _ body: [UInt8], status: HTTPStatus = .ok, tag: EntityTag? = nil
    ) -> HTTPResponse {
        var headers: HTTPHeaders = [.contentType: "application/json"]
        if let tag { headers.append(.etag, tag.description) }
        return HTTPResponse(status: status, headers: headers, body: body)
    }

    /// Creates a response of trees.
    ///
    /// - Parameter memory: The reservation for the trees, of which the response keeps what it
    ///   needs.
    static func json(
        _ content: LayoutContent, status: HTTPStatus = .ok, tag: EntityTag? = nil,
        _ memory: MemoryReservation
    ) -> HTTPResponse {
        switch content {
        case .bytes(let bytes):
            var response = json(bytes, status: status, tag: tag)
            memory.shrink(to: bytes.capacity)
            response.owner = memory
            return response
        case .source(let source):
            var response = json([], status: status, tag: tag)
            content.takeMemory(from: memory)
            response.source = source
            response.owner = source
            return response
        }
    }

    /// Creates a response of an SVG picture.
    static func picture(
        _ body: [UInt8], tag: EntityTag? = nil, as media: PictureMedia = .svg
    ) -> HTTPResponse {
        var headers: HTTPHeaders = [
            .contentType: media.rawValue, .contentSecurityPolicy: PictureMedia.securityPolicy,
        ]
        if let tag { headers.append(.etag, tag.description) }
        return HTTPResponse(status: .ok, headers: headers, body: body)
    }

    /// Creates a response of plain text.
    static func text(_ text: String, status: HTTPStatus = .ok) -> HTTPResponse {
        HTTPResponse(
            status: status, headers: [.contentType: "text/plain; charset=utf-8"],
            body: Array(text.utf8))
    }

    /// Creates a 304 response, for a client that already has the representation with `tag` (RFC
    /// 9110 §15.4.5).
    static func notModified(_ tag: EntityTag) -> HTTPResponse {
        HTTPResponse(status: .notModified, headers: [.etag: tag.description])
    }

    /// Creates the response to a removal.
    ///
    /// - Parameter revision: The revision of the screen; `nil` if the screen was removed.
    static func removed(revision: UInt64?) -> HTTPResponse {
        var headers: HTTPHeaders = [:]
        if let revision {
            headers.append(.etag, EntityTags.revision(revision).description)
        }
        return HTTPResponse(status: .noContent, headers: headers)
    }

    /// Returns this response with the number of diagnostics in `Broadsheet-Diagnostics`, and adds
    /// the diagnostics to the metrics.
    func reporting(
        _ diagnostics: DiagnosticCounts, in metrics: ServiceMetrics
    ) -> HTTPResponse {
        metrics.count(diagnostics)
        var response = self
        response.headers.append(.diagnostics, String(diagnostics.total))
        return response
    }

    /// Adds the fields that all responses have: the id of the request, and the rule for browsers to
    /// use the content as the type that it has, and as no other.
    mutating func finish(_ id: RequestID) {
        headers.append(.contentTypeOptions, "nosniff")
        headers.append(.requestID, id.text)
    }

    /// Creates the response to OPTIONS; with `Accept-Patch` for a resource that can be patched
    /// (RFC 5789 §3.1).
    static func options(allow: [HTTPMethod]) -> HTTPResponse {
        var headers: HTTPHeaders = [.allow: allow.map(\.token).joined(separator: ", ")]
        if allow.contains(.patch) { headers.append(.acceptPatch, PatchMedia.accepted) }
        return HTTPResponse(status: .noContent, headers: headers)
    }
}

/// The media types of a picture.
///
/// `text/xml` is for programs without support for images: generated clients have text, JSON and
/// bytes only.
enum PictureMedia: String, Sendable, Hashable, CaseIterable {
    /// An image.
    case svg = "image/svg+xml"
    /// The same document as plain XML.
    case xml = "text/xml"

    /// The rules for a browser that opens a picture as a document: it loads nothing, runs no
    /// script, has no origin, and only its own styles apply.
    ///
    /// This is a second barrier, because the writer escapes all posted texts.
    static let securityPolicy =
        "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; sandbox"

    /// Chooses the type that a request prefers; an image if it prefers neither.
    init(acceptedBy headers: HTTPHeaders) {
        let accepted = AcceptedMedia(in: headers)
        func quality(_ media: Self) -> Int {
            MediaType(media.rawValue).map(accepted.quality) ?? 0
        }
        self = quality(.xml) > quality(.svg) ? .xml : .svg
    }
}
