import Broadsheet
import BroadsheetHTTP
import BroadsheetIO
import BroadsheetStores
import Testing
import TestSupport

@testable import BroadsheetService

@Suite("Keys and their rights (docs/operations.md, Keys)")
struct KeyTests {
    /// The rights of operations, from the document: of which scopes a key needs one, and whether
    /// its patterns count.
    private static let rights: [String: (scopes: [AccessScope], isOfScreen: Bool)] = [
        "compose": ([.read], false), "listScreens": ([.read, .admin], false),
        "getScreen": ([.read], true), "putScreen": ([.write], true),
        "deleteScreen": ([.write], true),
        "getLayout": ([.read], true), "getPicture": ([.read], true),
        "getChanges": ([.read], true), "compareLayouts": ([.read], false),
        "getStream": ([.read], true),
        "getPageState": ([.read], true), "postPage": ([.write], true),
        "getRevisions": ([.write], true), "deleteRevisions": ([.write], true),
        "revertScreen": ([.write], true),
        "deletePages": ([.write], true), "getPage": ([.read], true), "putPage": ([.write], true),
        "patchPage": ([.write], true), "updateScreen": ([.write], true),
        "postEvents": ([.events], true), "getJourney": ([.read], true),
        "getFeed": ([.write], true),
        "deletePage": ([.write], true), "getCatalog": ([.admin], false),
        "getCatalogSchema": ([.admin], false), "getCatalogCells": ([.read], false),
        "getFont": ([.read], false),
        "getLiveness": ([], false), "getReadiness": ([], false), "getMetrics": ([.admin], false),
        "getOpenAPI": ([], false), "getClientFile": ([], false),
        "listCatalogs": ([.read, .admin], false), "getInspector": ([], false),
        "getInspectorFile": ([], false),
    ]

    private static let scopeSets: [[AccessScope]] = (1..<16).map { bits in
        AccessScope.allCases.enumerated().filter { bits >> $0.offset & 1 == 1 }.map(\.element)
    }

    private func path(_ operation: Operation, _ screen: String) -> String {
        operation.path.replacing("{screen}", with: screen).replacing("{page}", with: "0")
            .replacing("{clientFile}", with: "client.js")
            .replacing("{inspectorFile}", with: "inspector.js")
            .replacing("{font}", with: "f").replacing("{file}", with: "0")
    }

    @Test("Every operation has a row", arguments: Operation.all)
    func complete(operation: Operation) throws {
        let right = try #require(Self.rights[operation.id])
        #expect(operation.access.scopes == right.scopes)
    }

    @Test(
        "An operation needs its scope and, for a screen, a pattern; whether the screen exists or not",
        arguments: Operation.all)
    func table(operation: Operation) async throws {
        let right = try #require(Self.rights[operation.id])
        let keys = Self.scopeSets.flatMap { scopes in
            [("*", true), ("home*", true), ("gone,away-*", false)].map { (scopes, $0.0, $0.1) }
        }
        let lines = keys.enumerated().map { index, key in
            "k\(index) \(key.0.map(\.rawValue).joined(separator: ",")) \(key.1) never"
        }
        let service = try await TestService(
            access: AccessConfiguration(keys: KeyRing(ofLines: lines)))
        for (index, (scopes, _, isOwn)) in keys.enumerated() {
            let mayCall =
                right.scopes.isEmpty
                || right.scopes.contains(where: scopes.contains) && (isOwn || !right.isOfScreen)
            for screen in ["home", "home-2"] {
                let received = try await service.send(
                    operation.method.token, path(operation, screen), Pages.list(["a"]),
                    headers: .key("k\(index)"))
                let isForbidden = received.status == 403 && received.code == "FORBIDDEN"
                #expect(isForbidden == !mayCall, "\(lines[index]): \(received.status)")
                #expect(received.status != 401)
            }
        }
    }

    @Test("403 is the same for a screen that exists and for one that does not")
    func existence() async throws {
        let service = try await TestService(
            access: AccessConfiguration(
                keys: KeyRing(of: "own read,write home never", "all write * never")))
        try await service.send(
            "PUT", "/v1/screens/other/pages/0", Pages.list([]), headers: .key("all"))
        for operation in Operation.all where Self.rights[operation.id]?.isOfScreen == true {
            var headers = HTTPHeaders.key("own")
            headers.append(.requestID, "same")
            let (exists, missing) = (
                try await service.send(
                    operation.method.token, path(operation, "other"), "", headers: headers),
                try await service.send(
                    operation.method.token, path(operation, "missing"), "", headers: headers)
            )
            #expect(exists.status == 403, "\(operation.id)")
            #expect(exists.response == missing.response, "\(operation.id)")
        }
    }

    @Test(
        "A request without a valid key is 401 with a challenge (RFC 9110 §11.6.1, RFC 6750 §3)",
        arguments: [
            (nil, "Bearer realm=\"broadsheet\""),
            ("Basic c2VjcmV0LWs6", "Bearer realm=\"broadsheet\""),
            ("Bearer", "Bearer realm=\"broadsheet\""), ("", "Bearer realm=\"broadsheet\""),
            ("Bearer secret-k more", "Bearer realm=\"broadsheet\""),
            ("secret-k", "Bearer realm=\"broadsheet\""),
            ("Bearer wrong", "Bearer realm=\"broadsheet\", error=\"invalid_token\""),
            ("Bearer secret-K", "Bearer realm=\"broadsheet\", error=\"invalid_token\""),
            ("Bearer secret-k,", "Bearer realm=\"broadsheet\", error=\"invalid_token\""),
            ("Bearer \u{1F511}", "Bearer realm=\"broadsheet\", error=\"invalid_token\""),
            ("Bearer secret-old", "Bearer realm=\"broadsheet\", error=\"invalid_token\""),
        ] as [(String?, String)])
    func unauthenticated(field: String?, challenge: String) async throws {
        let ring = try KeyRing(
            of: "k read,write,events,admin * never", "old read,admin * 2020-01-01T00:00:00Z")
        let service = try await TestService(access: AccessConfiguration(keys: ring))
        let headers: HTTPHeaders = field.map { [.authorization: $0] } ?? [:]
        for operation in Operation.all {
            let received = try await service.send(
                operation.method.token, path(operation, "home"), Pages.list([]), headers: headers)
            let isOpen = Self.rights[operation.id]?.scopes.isEmpty == true
            #expect((received.code == "UNAUTHENTICATED") == !isOpen, "\(operation.id)")
            #expect(received.response.headers[.wwwAuthenticate] == (isOpen ? nil : challenge))
        }
    }

    @Test(
        "OPTIONS, unknown paths and unknown methods need no key; the metrics none if they are open")
    func withoutKey() async throws {
        var access = AccessConfiguration(keys: try KeyRing(of: "k read * never"))
        let service = try await TestService(access: access)
        #expect(try await service.send("OPTIONS", "/v1/screens/home").status == 204)
        #expect(try await service.send("OPTIONS", "*").status == 204)
        #expect(try await service.send("GET", "/v2").status == 404)
        #expect(try await service.send("PATCH", "/v1/screens").status == 405)
        #expect(try await service.send("GET", "/metrics").status == 401)
        #expect(try await service.send("GET", "/metrics", headers: .key("k")).status == 403)
        access.isMetricsOpen = true
        let open = try await TestService(access: access)
        #expect(try await open.send("GET", "/metrics").status == 200)
        #expect(try await open.send("GET", "/v1/catalog").status == 401)
    }

    @Test("The log has the name of the key and never its secret", arguments: LogFormat.allCases)
    func log(format: LogFormat) async throws {
        let sink = MemoryLogSink()
        let clock = ManualClock()
        let service = try await TestService(
            access: AccessConfiguration(
                keys: KeyRing(of: "app read * never", "old read * 2000-01-01T00:00:00Z")),
            log: Log(format: format, sink: sink), clock: clock.time)
        for name in ["app", "old", "unknown"] {
            for path in ["/v1/screens", "/v1/catalog", "/v1/screens/secret/layout"] {
                let received = try await service.send("GET", path, headers: .key(name))
                #expect(received.response.client?.name == (name == "app" ? "app" : nil))
            }
        }
        #expect(sink.lines.count == 8)
        let named = sink.lines.filter {
            $0.contains(format == .json ? #""key":"app""# : " key=app")
        }
        #expect(named.count == 2)
        #expect(sink.lines.contains { $0.contains("the key old") })
        #expect(!sink.lines.contains { $0.contains("secret-") })
    }

    @Test("A request with a large body is refused by its head, as the whole request would be")
    func refusedEarly() async throws {
        let service = try await TestService(
            access: AccessConfiguration(keys: KeyRing(of: "app write own never")))
        for (fields, path, status) in [
            ([:], "/v1/screens/own/pages/0", 401), (.key("app"), "/v1/screens/own/pages/0", nil),
            (.key("app"), "/v1/screens/home/pages/0", 403), (.key("app"), "/v1/layout", 403),
            ([:], "/v2", nil), ([:], "/livez", nil),
        ] as [(HTTPHeaders, String, Int?)] {
            let head = HTTPRequestHead(
                method: path.hasSuffix("/0") ? .put : .post,
                target: try #require(RequestTarget(path)), headers: fields, host: "localhost")
            let refusal = service.service.refusal(of: head, from: .unspecified)
            #expect(refusal?.status.code == status)
            #expect(status == nil || refusal?.headers[.requestID] != nil)
        }
    }

    @Test("The OpenAPI document has the scopes of operations, which are optional without keys")
    func openAPI() async throws {
        let access = AccessConfiguration(keys: try KeyRing(of: "app read * never"))
        for hasKeys in [true, false] {
            let service = try await TestService(access: hasKeys ? access : AccessConfiguration())
            let document = try await service.send("GET", "/openapi.json")
            for operation in Operation.all {
                let pointer = "/paths/\(operation.path.replacing("/", with: "~1"))"
                let node = try #require(
                    try document.value("\(pointer)/\(operation.method.token.lowercased())"))
                let security = Array(try #require(node["security"]).elements)
                let scopes = security.compactMap { $0["key"]?.elements.map(\.string)[0] }
                #expect(scopes == Self.rights[operation.id]?.scopes.map(\.rawValue))
                let isOptional = security.contains { $0.count == 0 }
                #expect(isOptional == (!hasKeys && !scopes.isEmpty))
                for status in ["401", "403"] where !scopes.isEmpty {
                    let pointer = try JSONPointer("/responses/\(status)/headers/WWW-Authenticate")
                    #expect(pointer.evaluate(on: node) != nil)
                }
                #expect(node["responses"]?["421"] != nil)
            }
        }
    }
}
