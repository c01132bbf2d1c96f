import BroadsheetHTTP
import Testing

@testable import BroadsheetService

@Suite("Requests of web pages (docs/threat-model.md, Browsers)")
struct BrowserRulesTests {
    private static let page = "/v1/screens/home/pages/0"
    private static let allowed = "https://shop.example"

    private func service() async throws -> TestService {
        var access = AccessConfiguration()
        access.allowedHosts = try ["localhost", "Layouts.Example.com"].map {
            try #require(HostName($0))
        }
        access.corsOrigins = try [Self.allowed, "http://localhost:3000"].map {
            try #require(WebOrigin($0))
        }
        return try await TestService(access: access)
    }

    @Test(
        "A host that the daemon serves, an address, and HTTP/1.0 without Host are accepted",
        arguments: [
            "localhost", "LOCALHOST:8080", "localhost.", "layouts.example.com",
            "layouts.EXAMPLE.com.:443", "127.0.0.1:8080", "192.0.2.7", "[::1]:8080", "[::1]", nil,
        ])
    func served(host: String?) async throws {
        let service = try await service()
        #expect(try await service.send("GET", "/v1/screens", host: host).status == 200)
    }

    @Test(
        "Another host is 421 for every method and path (RFC 9110 §15.5.20)",
        arguments: [
            "attacker.example", "localhost.attacker.example", "xlocalhost", "localhost:8080.evil",
            "layouts.example.co", "layouts.example.com..", "127.1", "2130706433", "0x7f.1",
            "127.0.0.1.attacker.example", "[v1.x]", "%6cocalhost", ".", "localhost%00",
        ])
    func notServed(host: String) async throws {
        let service = try await service()
        for (method, path) in [
            ("GET", "/v1/screens"), ("HEAD", "/v1/screens"), ("PUT", Self.page),
            ("OPTIONS", "/v1/screens"), ("OPTIONS", "*"), ("GET", "/livez"), ("GET", "/v2"),
            ("GET", "/openapi.json"), ("GET", "/metrics"),
        ] {
            let received = try await service.send(method, path, Pages.list([]), host: host)
            #expect(received.status == 421, "\(method) \(path)")
            #expect(received.code == "MISDIRECTED_REQUEST")
        }
        #expect(try await service.send("GET", "/v1/screens").text == #"{"screens":[]}"#)
    }

    @Test("Without a list of hosts every host is served")
    func anyHost() async throws {
        #expect(try await TestService().send("GET", "/livez", host: "a.example").status == 200)
    }

    @Test(
        "A page of the daemon's own host, or of an allowed origin, may write",
        arguments: [
            ("localhost:8080", "http://localhost:8080"), ("localhost", "https://localhost"),
            ("localhost:80", "http://LOCALHOST"), ("localhost", "http://localhost:443"),
            ("[::1]:8080", "http://[::1]:8080"), ("127.0.0.1:1", "https://127.0.0.1:1"),
            ("localhost:8080", allowed), ("127.0.0.1:1", "http://localhost:3000"),
        ])
    func ownOrigin(host: String, origin: String) async throws {
        let headers: HTTPHeaders = [.origin: origin, .contentType: "application/json"]
        let received = try await service().send(
            "PUT", Self.page, Pages.list([]), headers: headers, host: host)
        #expect(received.status == 201)
    }

    @Test(
        "A page of another origin may not write, whatever its type of body, and gets no CORS fields",
        arguments: [
            "https://attacker.example", "null", "", "http://localhost:8081",
            "http://127.0.0.1:8080",
            "https://shop.example:444", "http://shop.example", "https://shop.example.evil.example",
            "https://shop.example/", "localhost:8080",
            "https://shop.example, http://localhost:8080",
        ])
    func otherOrigin(origin: String) async throws {
        let service = try await service()
        for (method, path) in [
            ("PUT", Self.page), ("POST", "/v1/screens/home/pages"), ("POST", "/v1/layout"),
            ("DELETE", "/v1/screens/home"), ("POST", "/v2"), ("BREW", "/v1/screens"),
        ] {
            for type in ["application/json", "text/plain", nil] {
                var headers: HTTPHeaders = [.origin: origin]
                if let type { headers.append(.contentType, type) }
                let received = try await service.send(
                    method, path, Pages.list([]), headers: headers, host: "localhost:8080")
                #expect(received.code == "FORBIDDEN_ORIGIN", "\(method) \(path)")
                #expect(received.status == 403)
                #expect(received.response.headers[.accessControlAllowOrigin] == nil)
            }
        }
        for method in ["GET", "HEAD", "OPTIONS"] {
            let received = try await service.send(
                method, "/v1/screens", headers: [.origin: origin], host: "localhost:8080")
            #expect((200..<300).contains(received.status))
            #expect(received.response.headers[.accessControlAllowOrigin] == nil)
        }
        #expect(try await service.send("GET", "/v1/screens").text == #"{"screens":[]}"#)
    }

    @Test("Two Origin fields are those of no page, even if both are allowed")
    func repeatedOrigin() async throws {
        var headers: HTTPHeaders = [.origin: Self.allowed]
        headers.append(.origin, Self.allowed)
        let service = try await service()
        let received = try await service.send("PUT", Self.page, Pages.list([]), headers: headers)
        #expect(received.code == "FORBIDDEN_ORIGIN")
        let read = try await service.send("GET", "/v1/screens", headers: headers)
        #expect(read.response.headers[.accessControlAllowOrigin] == nil)
    }

    @Test("Every response to an allowed origin can be read, also an error (Fetch, CORS protocol)")
    func corsFields() async throws {
        let service = try await service()
        for (method, path) in [
            ("GET", "/v1/screens"), ("GET", "/v1/screens/home/layout"), ("PUT", Self.page),
            ("GET", "/v2"), ("GET", "/livez"),
        ] {
            let headers: HTTPHeaders = [.origin: Self.allowed, .contentType: "application/json"]
            let received = try await service.send(method, path, Pages.list([]), headers: headers)
            let fields = received.response.headers
            #expect(fields[.accessControlAllowOrigin] == Self.allowed)
            #expect(
                fields[.accessControlExposeHeaders]
                    == "ETag, Location, X-Request-Id, Retry-After, Broadsheet-Diagnostics")
            #expect(fields.values(of: .vary).contains("Origin"))
            let other = try await service.send(method, path, Pages.list([]))
            #expect(other.response.headers.values(of: .vary).contains("Origin"))
            #expect(other.response.headers[.accessControlAllowOrigin] == nil)
        }
        let plain = try await TestService().send("GET", "/v1/screens")
        #expect(plain.response.headers[.vary] == nil)
    }

    @Test("A preflight of an allowed origin needs no key and lists methods and fields")
    func preflight() async throws {
        var access = AccessConfiguration(keys: try KeyRing(of: "k read * never"))
        access.corsOrigins = [try #require(WebOrigin(Self.allowed))]
        let service = try await TestService(access: access)
        let request: HTTPHeaders = [
            .origin: Self.allowed, .accessControlRequestMethod: "PUT",
            "Access-Control-Request-Headers": "authorization,content-type",
        ]
        let received = try await service.send("OPTIONS", Self.page, headers: request)
        let fields = received.response.headers
        #expect(received.status == 204)
        #expect(fields[.accessControlAllowOrigin] == Self.allowed)
        #expect(fields[.accessControlAllowMethods] == "DELETE, GET, HEAD, OPTIONS, PATCH, PUT")
        #expect(
            fields[.accessControlAllowHeaders]
                == "Authorization, Content-Type, If-Match, If-None-Match, Prefer, Broadsheet-TTL, "
                + "Last-Event-ID")
        #expect(fields[.accessControlMaxAge] == "7200")
        #expect(fields.values(of: .vary) == ["Origin"])
        var other = request
        other[.origin] = "https://attacker.example"
        let refused = try await service.send("OPTIONS", Self.page, headers: other)
        #expect(refused.response.headers[.accessControlAllowMethods] == nil)
        #expect(refused.response.headers[.accessControlAllowOrigin] == nil)
        let missing = try await service.send("GET", "/v1/screens", headers: [.origin: Self.allowed])
        #expect(missing.status == 401)
        #expect(missing.response.headers[.accessControlAllowOrigin] == Self.allowed)
    }

    @Test(
        "A body without Content-Type is accepted only without Origin and Sec-Fetch-*",
        arguments: [
            ([:], 201), ([.origin: "http://localhost"], 415),
            (["Sec-Fetch-Site": "same-origin"], 415), (["sec-fetch-mode": "no-cors"], 415),
            (["SEC-FETCH-DEST": "empty"], 415), (["Sec-Fetch": "x"], 201),
            (["Sec-Fetcher": "x"], 201),
            ([.origin: "http://localhost", .contentType: "application/json"], 201),
            (["Sec-Fetch-Site": "cross-site", .contentType: "application/json"], 201),
        ] as [(HTTPHeaders, Int)])
    func untyped(headers: HTTPHeaders, status: Int) async throws {
        let service = try await service()
        for (method, path) in [("PUT", Self.page), ("POST", "/v1/screens/other/pages")] {
            let received = try await service.send(method, path, Pages.list([]), headers: headers)
            #expect(received.status == status)
            #expect(status == 201 || received.code == "UNSUPPORTED_MEDIA_TYPE")
        }
    }
}
