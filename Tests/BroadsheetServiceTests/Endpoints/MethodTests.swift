import Broadsheet
import BroadsheetHTTP
import Testing

@testable import BroadsheetService

@Suite("Methods and request ids (docs/api.md, Errors and Other endpoints)")
struct MethodTests {
    /// Every path with the methods that it takes, in the order of Allow.
    private static let table: [(path: String, methods: String)] = [
        ("/v1/layout", "OPTIONS, POST"), ("/v1/screens", "GET, HEAD, OPTIONS"),
        ("/v1/screens/home", "DELETE, OPTIONS"),
        ("/v1/screens/home/layout", "GET, HEAD, OPTIONS"),
        ("/v1/screens/home/layout.svg", "GET, HEAD, OPTIONS"),
        ("/v1/screens/home/pages", "DELETE, GET, HEAD, OPTIONS, POST"),
        ("/v1/screens/home/pages/0", "DELETE, GET, HEAD, OPTIONS, PUT"),
        ("/v1/catalog", "GET, HEAD, OPTIONS"), ("/livez", "GET, HEAD, OPTIONS"),
        ("/readyz", "GET, HEAD, OPTIONS"), ("/metrics", "GET, HEAD, OPTIONS"),
        ("/openapi.json", "GET, HEAD, OPTIONS"),
    ]

    @Test("OPTIONS answers 204 with Allow, any other method 405 with it", arguments: table)
    func allow(path: String, methods: String) async throws {
        let service = try await TestService()
        let options = try await service.send("OPTIONS", path)
        #expect(options.status == 204)
        #expect(options.response.body.isEmpty)
        #expect(options.response.headers[.allow] == methods)
        for method in ["GET", "HEAD", "POST", "PUT", "DELETE", "PATCH", "BREW", "get"] {
            guard !methods.split(separator: ", ").contains(method[...]) else { continue }
            let answer = try await service.send(method, path, Pages.list([]))
            #expect(answer.status == 405, "\(method)")
            #expect(answer.code == "METHOD_NOT_ALLOWED")
            #expect(answer.response.headers[.allow] == methods)
        }
    }

    @Test("OPTIONS of * answers every method there is")
    func asterisk() async throws {
        let answer = try await TestService().send("OPTIONS", "*")
        #expect(answer.status == 204)
        #expect(answer.response.headers[.allow] == "DELETE, GET, HEAD, OPTIONS, POST, PUT")
    }

    @Test("HEAD answers what GET does: the same status and headers, and the length of its content")
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
            #expect(head.response == get.response, "\(path)")
        }
    }

    @Test(
        "a sane X-Request-Id is taken over, in good answers and bad",
        arguments: ["a", "Az09._~+/=:-", String(repeating: "x", count: 128)])
    func requestID(id: String) async throws {
        let service = try await TestService()
        for (method, path) in [
            ("GET", "/livez"), ("GET", "/nowhere"), ("OPTIONS", "/livez"), ("PUT", "/livez"),
            ("PUT", "/v1/screens/home/pages/0"), ("DELETE", "/v1/screens/home/pages"),
        ] {
            let answer = try await service.send(
                method, path, Pages.list([]), headers: [.requestID: id])
            #expect(answer.response.headers.values(of: .requestID) == [id], "\(method) \(path)")
        }
        let problem = try await service.send("GET", "/nowhere", headers: [.requestID: id])
        #expect(try problem.string("/instance") == "urn:broadsheet:request:\(id)")
    }

    @Test(
        "any other is replaced by a new one",
        arguments: ["", " ", "a b", "é", "a\"b", "a\\", "a,b", String(repeating: "x", count: 129)])
    func insaneRequestID(id: String) async throws {
        let service = try await TestService()
        let answer = try await service.send("GET", "/livez", headers: [.requestID: id])
        let made = try #require(answer.response.headers[.requestID])
        #expect(made != id)
        #expect(RequestID(made) != nil)
    }

    @Test("new ids differ from one another")
    func distinct() async throws {
        let service = try await TestService()
        var ids: Set<String> = []
        for _ in 0..<100 {
            ids.insert(try await service.send("GET", "/livez").response.headers[.requestID] ?? "")
        }
        #expect(ids.count == 100)
    }

    @Test("GET and DELETE ignore a body")
    func ignoredBody() async throws {
        let service = try await TestService()
        try await service.send("PUT", "/v1/screens/home/pages/0", Pages.list(["a"]))
        let headers: HTTPHeaders = [.contentType: "text/plain"]
        let get = try await service.send("GET", "/v1/screens/home/layout", "{", headers: headers)
        #expect(get.status == 200)
        let delete = try await service.send("DELETE", "/v1/screens/home", "{", headers: headers)
        #expect(delete.status == 204)
    }

    @Test("livez and readyz answer plain text")
    func health() async throws {
        let service = try await TestService()
        for path in ["/livez", "/readyz"] {
            let answer = try await service.send("GET", path)
            #expect(answer.status == 200)
            #expect(answer.text == "ok\n")
            #expect(answer.response.headers[.contentType] == "text/plain; charset=utf-8")
        }
    }
}
