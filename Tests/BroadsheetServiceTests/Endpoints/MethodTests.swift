import Broadsheet
import BroadsheetHTTP
import Testing

@testable import BroadsheetService

@Suite("Methods and request ids (docs/api.md, Errors and Other endpoints)")
struct MethodTests {
    /// Every path with its methods in the order of Allow.
    private static let table: [(path: String, methods: String)] = [
        ("/v1/layout", "OPTIONS, POST"), ("/v1/changes", "OPTIONS, POST"),
        ("/v1/screens", "GET, HEAD, OPTIONS"),
        ("/v1/screens/home", "DELETE, GET, HEAD, OPTIONS, PUT"),
        ("/v1/screens/home/layout", "GET, HEAD, OPTIONS"),
        ("/v1/screens/home/layout.svg", "GET, HEAD, OPTIONS"),
        ("/v1/screens/home/changes", "GET, HEAD, OPTIONS"),
        ("/v1/screens/home/stream", "GET, HEAD, OPTIONS"),
        ("/v1/screens/home/pages", "DELETE, GET, HEAD, OPTIONS, POST"),
        ("/v1/screens/home/pages/0", "DELETE, GET, HEAD, OPTIONS, PATCH, PUT"),
        ("/v1/screens/home/updates", "OPTIONS, POST"),
        ("/v1/screens/home/events", "OPTIONS, POST"),
        ("/v1/screens/home/journey", "GET, HEAD, OPTIONS"),
        ("/v1/screens/home/feed", "GET, HEAD, OPTIONS"),
        ("/v1/catalog", "GET, HEAD, OPTIONS"), ("/livez", "GET, HEAD, OPTIONS"),
        ("/readyz", "GET, HEAD, OPTIONS"), ("/metrics", "GET, HEAD, OPTIONS"),
        ("/openapi.json", "GET, HEAD, OPTIONS"),
        ("/v1/catalog/schema", "GET, HEAD, OPTIONS"),
        ("/v1/catalog/cells", "GET, HEAD, OPTIONS"), ("/v1/fonts/f/0", "GET, HEAD, OPTIONS"),
        ("/v1/catalogs", "GET, HEAD, OPTIONS"), ("/inspector", "GET, HEAD, OPTIONS"),
        ("/inspector/common.js", "GET, HEAD, OPTIONS"),
        ("/client.js", "GET, HEAD, OPTIONS"), ("/element.js", "GET, HEAD, OPTIONS"),
        ("/catalog.js", "GET, HEAD, OPTIONS"), ("/client.d.ts", "GET, HEAD, OPTIONS"),
        ("/element.d.ts", "GET, HEAD, OPTIONS"),
    ]

    @Test("OPTIONS returns 204 with Allow, and any other method 405 with Allow", arguments: table)
    func allow(path: String, methods: String) async throws {
        let service = try await TestService()
        let options = try await service.send("OPTIONS", path)
        #expect(options.status == 204)
        #expect(options.response.body.isEmpty)
        #expect(options.response.headers[.allow] == methods)
        for method in ["GET", "HEAD", "POST", "PUT", "DELETE", "PATCH", "BREW", "get"] {
            guard !methods.split(separator: ", ").contains(method[...]) else { continue }
            let received = try await service.send(method, path, Pages.list([]))
            #expect(received.status == 405, "\(method)")
            #expect(received.code == "METHOD_NOT_ALLOWED")
            #expect(received.response.headers[.allow] == methods)
        }
    }

    @Test("HEAD returns the status and headers of GET, including the length of the content")
    func head() async throws {
        let service = try await TestService()
        try await service.send("PUT", "/v1/screens/home/pages/0", Pages.list(["a"], hasNext: true))
        let paths = Self.table.filter { $0.methods.contains("HEAD") }.map(\.path)
        for path in paths + ["/v1/screens/gone/layout", "/v1/screens/home/layout?width=0"] {
            let id: HTTPHeaders = [.requestID: "same"]
            let get = try await service.send("GET", path, headers: id)
            let head = try await service.send("HEAD", path, headers: id)
            #expect(head.status == get.status, "\(path)")
            guard path != "/metrics" else { continue }
            var (one, other) = (head.response, get.response)
            // Each response that is written over time has a source of its own.
            #expect((one.stream == nil) == (other.stream == nil), "\(path)")
            (one.stream, other.stream) = (nil, nil)
            #expect(one == other, "\(path)")
        }
    }

    @Test(
        "An invalid X-Request-Id is replaced",
        arguments: ["", " ", "a b", "é", "a\"b", "a\\", "a,b", String(repeating: "x", count: 129)])
    func insaneRequestID(id: String) async throws {
        let service = try await TestService()
        let received = try await service.send("GET", "/livez", headers: [.requestID: id])
        let made = try #require(received.response.headers[.requestID])
        #expect(made != id)
        #expect(RequestID(made) != nil)
    }

    @Test("Generated request ids are distinct")
    func distinct() async throws {
        let service = try await TestService()
        var ids: Set<String> = []
        for _ in 0..<100 {
            ids.insert(try await service.send("GET", "/livez").response.headers[.requestID] ?? "")
        }
        #expect(ids.count == 100)
    }
}
