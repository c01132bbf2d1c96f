import Broadsheet
import BroadsheetHTTP
import BroadsheetStores
import Testing

@testable import BroadsheetService

@Suite("The OpenAPI document (docs/api.md, Other endpoints; OpenAPI 3.1)")
struct OpenAPITests {
    private let document: JSONValue

    init() throws {
        document = try JSONDocument(OpenAPIDocument.bytes()).root
    }

    /// Every operation of the document, with its path and its method in capitals.
    private var operations: [(path: String, method: String, node: JSONValue)] {
        guard let paths = document["paths"] else { return [] }
        return paths.members.flatMap { path, item in
            item.members.map { (path.string, $0.name.string.uppercased(), $0.value) }
        }
    }

    @Test("The document is served as JSON with OpenAPI 3.1, a title and the version")
    func served() async throws {
        let response = try await TestService().send("GET", "/openapi.json")
        #expect(response.response.headers[.contentType] == "application/json")
        #expect(response.response.body == OpenAPIDocument.bytes())
        #expect(try response.string("/openapi").hasPrefix("3.1."))
        #expect(try response.string("/info/version") == BroadsheetVersion.current)
        #expect(try !response.string("/info/title").isEmpty)
    }

    @Test("Every routed operation is described")
    func routedIsDescribed() {
        let described = Set(operations.map { "\($0.method) \($0.path)" })
        #expect(described == Set(Operation.all.map { "\($0.method) \($0.path)" }))
    }

    @Test("Every described operation is routed")
    func describedIsRouted() async throws {
        let service = try await TestService(store: ScreenStore.inMemory(history: HistoryBounds()))
        try await service.send("PUT", "/v1/screens/s/pages/0", Pages.list([]))
        for (path, method, _) in operations where method != "DELETE" {
            // A font needs a catalog that has one, as in CatalogCellsTests.
            guard !path.hasPrefix("/v1/fonts") else { continue }
            let target = path.replacing("{screen}", with: "s").replacing("{page}", with: "0")
                .replacing("{clientFile}", with: "client.js")
                .replacing("{inspectorFile}", with: "inspector.js")
            // Of changes, both operations need more than a page.
            let query = path.hasSuffix("/changes") && method == "GET" ? "?since=1" : ""
            let (body, headers) = Self.sample(method, path)
            let response = try await service.send(method, target + query, body, headers: headers)
            #expect((200..<300).contains(response.status), "\(method) \(path)")
        }
        for (path, method, _) in operations.reversed() where method == "DELETE" {
            try await service.send("PUT", "/v1/screens/s/pages/0", Pages.list([]))
            let target = path.replacing("{screen}", with: "s").replacing("{page}", with: "0")
                .replacing("{clientFile}", with: "client.js")
                .replacing("{inspectorFile}", with: "inspector.js")
            #expect(try await service.send(method, target).status == 204, "\(method) \(path)")
        }
    }

    /// Returns the body and the headers of a request that an operation accepts.
    private static func sample(_ method: String, _ path: String) -> (String, HTTPHeaders) {
        if method == "PATCH" { return ("[]", [.contentType: PatchMedia.operations.rawValue]) }
        if method == "PUT", path.hasSuffix("{screen}") {
            return (#"{"pages":[\#(Pages.list([]))]}"#, [:])
        }
        if path.hasSuffix("/changes") {
            return (#"{"from":{"pages":[]},"to":{"pages":[]}}"#, [:])
        }
        if path.hasSuffix("/revert") { return (#"{"revision":1}"#, [:]) }
        if path.hasSuffix("/events") { return (#"{"events":[{"type":"scroll"}]}"#, [:]) }
        guard path.hasSuffix("/updates") else { return (Pages.list([]), [:]) }
        return (#"{"operations":[{"op":"deleteSections","sections":[]}]}"#, [:])
    }

    @Test("Operation ids are distinct, tags are declared, responses have descriptions")
    func shape() {
        let ids = operations.compactMap { $0.node["operationId"]?.string }
        #expect(Set(ids).count == operations.count)
        let tags = document["tags"]?.elements.compactMap { $0["name"]?.string } ?? []
        for (path, method, node) in operations {
            #expect(node["summary"]?.string?.isEmpty == false)
            #expect(node["tags"]?.elements.allSatisfy { tags.contains($0.string ?? "") } == true)
            let responses = node["responses"].map { Array($0.members) } ?? []
            #expect(responses.contains { $0.name.string.hasPrefix("2") }, "\(method) \(path)")
            #expect(responses.contains { $0.name.string == "default" })
            #expect(Set(responses.map(\.name.string)).count == responses.count, "\(path)")
            for (status, response) in responses {
                #expect(response["description"]?.string?.isEmpty == false, "\(status)")
                #expect(response["headers"]?["X-Request-Id"] != nil)
            }
            #expect((node["requestBody"] != nil) == ["PATCH", "PUT", "POST"].contains(method))
        }
    }

    @Test("Every reference has a component, and every component is referenced")
    func references() throws {
        var reached: Set<String> = []
        for reference in Self.references(in: document) {
            let pointer = try JSONPointer(String(reference.dropFirst()))
            #expect(reference.hasPrefix("#/components/"))
            #expect(pointer.evaluate(on: document) != nil, "\(reference)")
            reached.insert(reference)
        }
        for (_, _, node) in operations {
            for requirement in node["security"].map({ Array($0.elements) }) ?? [] {
                for (name, _) in requirement.members {
                    reached.insert("#/components/securitySchemes/\(name.string)")
                }
            }
        }
        for (kind, components) in try #require(document["components"]).members {
            for (name, _) in components.members {
                #expect(reached.contains("#/components/\(kind.string)/\(name.string)"))
            }
        }
    }

    private static func references(in value: JSONValue) -> [String] {
        let own = value["$ref"]?.string.map { [$0] } ?? []
        let members = value.members.flatMap { references(in: $0.value) }
        return own + members + value.elements.flatMap { references(in: $0) }
    }

    @Test("The path parameters of an operation are those in its path, and are required")
    func pathParameters() throws {
        for (path, method, node) in operations {
            let parameters = try Self.parameters(of: node, in: document)
            let inPath = parameters.filter { $0["in"]?.string == "path" }
            let braces = path.matches(of: /\{([A-Za-z]+)\}/).map { String($0.1) }
            #expect(inPath.compactMap { $0["name"]?.string } == braces, "\(method) \(path)")
            #expect(inPath.allSatisfy { $0["required"]?.bool == true })
            let keys = parameters.map {
                "\($0["in"]?.string ?? "?") \($0["name"]?.string ?? "?")"
            }
            #expect(Set(keys).count == keys.count)
        }
    }

    private static func parameters(
        of operation: JSONValue, in document: JSONValue
    ) throws -> [JSONValue] {
        try (operation["parameters"].map { Array($0.elements) } ?? []).map { parameter in
            guard let reference = parameter["$ref"]?.string else { return parameter }
            let pointer = try JSONPointer(String(reference.dropFirst()))
            return try #require(pointer.evaluate(on: document))
        }
    }

    @Test(
        "Every operation that returns a tree has every layout parameter")
    func layoutParameters() throws {
        let all = Set(LayoutParameter.all.map(\.name) + [CatalogParameter.name])
        for (path, method, node) in operations {
            let id = node["operationId"]?.string ?? ""
            guard ["compose", "getLayout", "putPage", "postPage"].contains(id) else { continue }
            let names = try Self.parameters(of: node, in: document)
                .filter { $0["in"]?.string == "query" }.compactMap { $0["name"]?.string }
            #expect(all.isSubset(of: names), "\(method) \(path)")
        }
    }

    @Test("A problem of any request fits the operation's response for its status")
    func problemsOfAnyRequest() throws {
        let codes: [ProblemCode] = [
            .badRequest, .requestTimeout, .lengthRequired, .bodyTooLarge, .uriTooLong,
            .expectationFailed, .headersTooLarge, .internal, .notImplemented, .overloaded,
            .httpVersionNotSupported,
        ]
        for (path, method, node) in operations {
            for code in codes {
                let responses = try #require(node["responses"])
                let response = try #require(
                    responses[String(code.status.code)] ?? responses["default"])
                let schema = response["content"]?[Problem.mediaType]?["schema"]
                #expect(schema != nil, "\(method) \(path): \(code)")
                let description = response["description"]?.string ?? ""
                let isDefault = responses[String(code.status.code)] == nil
                #expect(
                    description.contains(code.rawValue) || isDefault,
                    "\(method) \(path): \(code)")
            }
        }
    }

    @Test(
        "Every problem code is described, and operations name theirs in the response of the status")
    func problemCodes() throws {
        let pointer: JSONPointer = "/components/schemas/ProblemCode"
        let schema = try #require(pointer.evaluate(on: document))
        let codes = schema["enum"]?.elements.compactMap(\.string)
        #expect(codes == ProblemCode.allCases.map(\.rawValue))
        let description = schema["description"]?.string ?? ""
        #expect(ProblemCode.allCases.allSatisfy { description.contains($0.summary) })
        for operation in Operation.all {
            let node = try #require(
                operations.first { $0.node["operationId"]?.string == operation.id }?.node)
            for code in operation.problems {
                let description = node["responses"]?[String(code.status.code)]?["description"]
                #expect(description?.string?.contains(code.rawValue) == true, "\(operation.id)")
            }
        }
    }
}
