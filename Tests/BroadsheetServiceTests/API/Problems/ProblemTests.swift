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

    @Test("A document has type, title, status, detail, instance and code, in this order")
    func document() async throws {
        let service = try await TestService()
        let received = try await service.send(
            "GET", "/v1/screens/home/layout", headers: [.requestID: "abc-1"])
        #expect(received.response.headers[.contentType] == "application/problem+json")
        #expect(
            received.text == """
                {"type":"urn:broadsheet:problem:SCREEN_NOT_FOUND",\
                "title":"Screen not found","status":404,\
                "detail":"The screen \\"home\\" does not exist; PUT a page to create it.",\
                "instance":"urn:broadsheet:request:abc-1","code":"SCREEN_NOT_FOUND"}
                """)
    }

    @Test(
        "INVALID_JSON has the offset, the line and the column",
        arguments: [
            ("", 0, 1, 1), ("{", 1, 1, 2), ("{\"a\": tru", 9, 1, 10), ("[1,\n 2,]", 7, 2, 4),
            ("{\"sections\":[]} x", 16, 1, 17), ("\u{FEFF}nul", 6, 1, 4),
        ])
    func invalidJSON(body: String, offset: Int, line: Int, column: Int) async throws {
        let service = try await TestService()
        for (method, path) in [
            ("PUT", "/v1/screens/home/pages/0"), ("POST", "/v1/screens/home/pages"),
            ("POST", "/v1/layout"),
        ] {
            let received = try await service.send(method, path, body)
            #expect(received.status == 400)
            #expect(received.code == "INVALID_JSON")
            #expect(try received.number("/offset") == Double(offset), "\(body)")
            #expect(try received.number("/line") == Double(line))
            #expect(try received.number("/column") == Double(column))
        }
        #expect(try await service.send("GET", "/v1/screens").text == #"{"screens":[]}"#)
    }

    @Test("JSON that is nested deeper than --max-depth is INVALID_JSON at its offset")
    func tooDeep() async throws {
        let service = try await TestService(limits: ScreenLimits(maxDepth: 5))
        let body = #"{"sections":[{"units":[{"unitType":"LIST","unitData":[[1]]}]}]}"#
        let received = try await service.send("PUT", "/v1/screens/home/pages/0", body)
        #expect(received.code == "INVALID_JSON")
        #expect(try received.number("/offset") == Double(body.prefix { $0 != "1" }.utf8.count - 2))
        let deep = String(repeating: "[", count: 100_000)
        let deepest = try await TestService().send("POST", "/v1/layout", deep)
        #expect(try deepest.number("/offset") == 128)
    }

    @Test("INVALID_CONTRACT lists every violation with its pointer")
    func invalidContract() async throws {
        let service = try await TestService()
        let received = try await service.send(
            "PUT", "/v1/screens/home/pages/0",
            #"{"hasNext":1,"sections":[{"sectionId":true,"units":[{"unitType":7},{}]},8]}"#)
        #expect(received.status == 422)
        #expect(
            try received.errors.map { String($0.prefix { $0 != " " }) } == [
                "/hasNext", "/sections/0/sectionId", "/sections/0/units/0/unitType",
                "/sections/0/units/1/unitType", "/sections/1",
            ])
        let missing = try await service.send("PUT", "/v1/screens/home/pages/0", "{}")
        #expect(try missing.errors == ["/sections is missing"])
        #expect(try missing.string("/detail") == "/sections is missing.")
        #expect(try await service.send("GET", "/v1/screens").text == #"{"screens":[]}"#)
    }

    @Test(
        "A body that is not sent as plain JSON is 415, with instructions in the detail",
        arguments: [
            ("Content-Type", "text/plain"), ("Content-Type", "application/x-www-form-urlencoded"),
            ("Content-Type", "application/jsonx"), ("Content-Type", "json"),
            ("Content-Type", "application/json; charset=latin1"), ("Content-Type", ""),
            ("Content-Encoding", "gzip"), ("Content-Encoding", "identity"),
        ])
    func mediaType(name: String, value: String) async throws {
        let service = try await TestService()
        var headers = HTTPHeaders()
        headers.append(try #require(HTTPFieldName(token: name)), value)
        for (method, path) in [
            ("PUT", "/v1/screens/home/pages/0"), ("POST", "/v1/screens/home/pages"),
            ("POST", "/v1/layout"),
        ] {
            let received = try await service.send(method, path, Pages.list([]), headers: headers)
            #expect(received.status == 415)
            #expect(received.code == "UNSUPPORTED_MEDIA_TYPE")
            #expect(try received.string("/detail").contains("curl --json"))
        }
    }

    @Test(
        "Every media type of JSON is accepted, and so is an omitted one",
        arguments: [
            nil, "application/json", "Application/JSON", "application/json; charset=UTF-8",
            "application/json;charset=\"utf-8\"", "application/vnd.shop+json", "text/x+json",
        ])
    func jsonTypes(value: String?) async throws {
        let service = try await TestService()
        let headers: HTTPHeaders = value.map { [.contentType: $0] } ?? [:]
        let received = try await service.send(
            "PUT", "/v1/screens/home/pages/0", Pages.list([]), headers: headers)
        #expect(received.status == 201)
    }

    @Test("An unknown path is NOT_FOUND for every method")
    func notFound() async throws {
        let service = try await TestService()
        for path in ["/", "/v1", "/v1/screens/", "/v1/screens/a/b", "/V1/screens", "/v2/layout"] {
            for method in ["GET", "POST", "OPTIONS", "BREW"] {
                let received = try await service.send(method, path)
                #expect(received.status == 404)
                #expect(received.code == "NOT_FOUND")
            }
        }
    }

    @Test("A path that cannot be decoded is INVALID_PARAMETER")
    func malformedPath() async throws {
        let service = try await TestService()
        for path in ["/v1/screens/%ff/layout", "/v1/screens/a/pages/%ff"] {
            let received = try await service.send("GET", path)
            #expect(received.code == "INVALID_PARAMETER")
        }
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
