import Broadsheet
import BroadsheetHTTP
import BroadsheetIO
import BroadsheetStores
import StoreTestSupport
import Testing

@testable import BroadsheetService

@Suite("Problem documents (RFC 9457; docs/api.md, Errors)")
struct ProblemTests {
    @Test("The table of codes in docs/api.md has every code with its status and description")
    func codes() throws {
        let rows = try APIDocument.rows(of: "| code | status | description |")
        #expect(
            rows
                == ProblemCode.allCases.map {
                    ["`\($0.rawValue)`", String($0.status.code), "\($0.summary)."]
                })
    }

    @Test(
        "A store failure is a problem, with Retry-After unless it is INTERNAL, and fails /readyz",
        arguments: [
            (StoreError.unavailable("secret: redis://u:p@h"), "STORE_UNAVAILABLE", 503),
            (.full("/var/lib/x"), "STORE_UNAVAILABLE", 503),
            (.corrupt("page 7 at /var/lib/x"), "INTERNAL", 500),
        ])
    func storeFailures(error: StoreError, code: String, status: Int) async throws {
        let backend = InterceptingBackend()
        let service = try await TestService(store: backend.store)
        try await service.send("PUT", "/v1/screens/home/pages/0", Pages.list(["a"]))
        backend.fail(with: error)
        for (method, path) in [
            ("GET", "/v1/screens"), ("GET", "/v1/screens/home/layout"),
            ("GET", "/v1/screens/home/pages"), ("GET", "/v1/screens/home/pages/0"),
            ("PUT", "/v1/screens/home/pages/0"), ("POST", "/v1/screens/home/pages"),
            ("DELETE", "/v1/screens/home/pages/0"), ("DELETE", "/v1/screens/home/pages"),
            ("DELETE", "/v1/screens/home"),
        ] {
            let received = try await service.send(method, path, Pages.list(["b"]))
            #expect(received.status == status, "\(method) \(path)")
            #expect(received.code == code)
            #expect((received.response.headers[.retryAfter] == "1") == (status == 503))
            #expect(!received.text.contains("secret") && !received.text.contains("/var/lib"))
        }
        #expect(try await service.send("GET", "/readyz").status == 503)
        #expect(try await service.send("GET", "/livez").status == 200)
        #expect(try await service.send("POST", "/v1/layout", Pages.list([])).status == 200)
        backend.fail(with: nil)
        #expect(try await service.send("GET", "/readyz").status == 200)
        #expect(try await service.send("GET", "/v1/screens/home/layout").itemIds == [["a"]])
    }

    @Test("A screen that other daemons write continuously is OVERLOADED after all attempts")
    func contested() async throws {
        let few = try await TestService(
            store: InterceptingBackend.contested(times: Screens.maxCommitAttempts - 1).store)
        let won = try await few.send("PUT", "/v1/screens/home/pages/0", Pages.list(["a"]))
        #expect(won.status == 201)
        #expect(won.etag == "\"r\(Screens.maxCommitAttempts)\"")
        let many = try await TestService(store: InterceptingBackend.contested(times: 1000).store)
        let lost = try await many.send("PUT", "/v1/screens/home/pages/0", Pages.list(["a"]))
        #expect(lost.status == 503)
        #expect(lost.code == "OVERLOADED")
        #expect(lost.response.headers[.retryAfter] == "1")
    }

    @Test(
        "An error of HTTP is a problem document with a request id",
        arguments: [
            (HTTPError.badRequest(.missingHost), "BAD_REQUEST"),
            (.requestTimeout, "REQUEST_TIMEOUT"),
            (.lengthRequired, "LENGTH_REQUIRED"), (.bodyTooLarge(limit: 9), "BODY_TOO_LARGE"),
            (.chunkExtensionsTooLarge(limit: 9), "BODY_TOO_LARGE"),
            (.uriTooLong(limit: 9), "URI_TOO_LONG"), (.expectationFailed, "EXPECTATION_FAILED"),
            (.headersTooLarge(limit: 9), "HEADERS_TOO_LARGE"),
            (.tooManyHeaders(limit: 9), "HEADERS_TOO_LARGE"),
            (.trailersTooLarge(limit: 9), "HEADERS_TOO_LARGE"),
            (.tooManyTrailers(limit: 9), "HEADERS_TOO_LARGE"),
            (.methodNotImplemented, "NOT_IMPLEMENTED"),
            (.unsupportedTransferCoding, "NOT_IMPLEMENTED"), (.overloaded, "OVERLOADED"),
            (.versionNotSupported, "HTTP_VERSION_NOT_SUPPORTED"),
            (.invalidHeader(.ifMatch, .notEntityTags), "INVALID_PARAMETER"),
            (.invalidParameter(name: "x", .repeated), "INVALID_PARAMETER"),
        ])
    func http(error: HTTPError, code: String) async throws {
        let response = try await TestService().service.response(
            to: error, in: nil, from: .unspecified)
        let received = ReceivedResponse(response)
        #expect(received.code == code)
        #expect(received.status == error.status.code)
        #expect(try received.number("/status") == Double(error.status.code))
        #expect(try received.string("/detail") == error.detail)
        #expect(received.response.headers[.requestID] != nil)
        #expect((received.response.headers[.retryAfter] != nil) == (error == .overloaded))
    }

    @Test("Details are escaped")
    func escaping() throws {
        let id = try #require(RequestID("x"))
        let problem = Problem(.notFound, "a \"b\" \n \\")
        let received = ReceivedResponse(problem.response(to: id))
        #expect(try received.string("/detail") == "a \"b\" \n \\")
    }
}
