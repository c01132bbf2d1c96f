import BroadsheetHTTP
import BroadsheetIO
import Testing

@testable import BroadsheetService

@Suite("Fields that protect browsers (docs/threat-model.md)")
struct BrowserProtectionTests {
    private func values(_ name: HTTPFieldName, _ response: HTTPResponse) -> [String] {
        response.headers.values(of: name)
    }

    @Test("Every operation, and every problem of a request, has nosniff once")
    func nosniff() async throws {
        let service = try await TestService()
        for operation in Operation.all {
            let path = operation.path.replacing("{screen}", with: "home")
                .replacing("{page}", with: "0")
                .replacing("{clientFile}", with: "client.js")
                .replacing("{inspectorFile}", with: "inspector.js")
                .replacing("{font}", with: "f").replacing("{file}", with: "0")
            for method in ["GET", "HEAD", "PUT", "POST", "DELETE", "OPTIONS", "PATCH"] {
                let body = method == "PUT" || method == "POST" ? Pages.list(["a"]) : ""
                let received = try await service.send(method, path, body)
                #expect(
                    values(.contentTypeOptions, received.response) == ["nosniff"],
                    "\(method) \(path): \(received.status)")
            }
        }
        for target in ["/", "/v1/screens/%/layout", "*"] {
            let received = try await service.send("OPTIONS", target)
            #expect(values(.contentTypeOptions, received.response) == ["nosniff"])
        }
    }

    @Test("Failures of HTTP itself have nosniff too")
    func failures() async throws {
        let service = try await TestService().service
        for error: HTTPError in [
            .badRequest(.malformedRequestLine), .overloaded, .requestTimeout, .methodNotImplemented,
        ] {
            let response = service.response(to: error, in: nil, from: .unspecified)
            #expect(values(.contentTypeOptions, response) == ["nosniff"])
        }
    }

    @Test("Pictures have a policy that permits their styles alone; other responses have none")
    func policy() async throws {
        let service = try await TestService()
        let page = Pages.list(["a"])
        let stored = try await service.send("PUT", "/v1/screens/home/pages/0", page)
        #expect(values(.contentSecurityPolicy, stored.response) == [])
        let picture = "/v1/screens/home/layout.svg"
        let pictures = [
            try await service.send("GET", picture),
            try await service.send("HEAD", picture, headers: ["Accept-Encoding": "gzip"]),
            try await service.send("GET", picture, headers: ["Accept": "text/xml"]),
            try await service.send(
                "POST", "/v1/layout", page, headers: ["Accept": "image/svg+xml"]),
        ]
        for picture in pictures {
            let policy = try #require(values(.contentSecurityPolicy, picture.response).first)
            #expect(policy.hasPrefix("default-src 'none'; style-src 'unsafe-inline'; "))
            #expect(policy.hasSuffix("sandbox"))
        }
    }
}
