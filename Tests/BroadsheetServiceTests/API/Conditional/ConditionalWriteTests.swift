import BroadsheetHTTP
import Testing

@testable import BroadsheetService

@Suite("Conditional writes (RFC 9110 §13; docs/api.md, Conditional requests)")
struct ConditionalWriteTests {
    /// The state of the screen before each write.
    enum Situation: String, Sendable, CaseIterable {
        /// No screen.
        case nothing
        /// The screen at revision 1, with page 0.
        case page
        /// The screen at revision 2, without pages.
        case emptied
    }

    /// A row of the matrix: headers, and the status of PUT of page 0 in each situation.
    struct Case: Sendable, CustomTestStringConvertible {
        let headers: [String: String]
        let expected: [Situation: Int]

        init(_ headers: [String: String], nothing: Int, page: Int, emptied: Int) {
            self.headers = headers
            expected = [.nothing: nothing, .page: page, .emptied: emptied]
        }

        var testDescription: String {
            headers.map { "\($0): \($1)" }.sorted().joined(separator: "; ")
        }

        var fields: HTTPHeaders {
            get throws {
                var fields = HTTPHeaders()
                for (name, value) in headers {
                    fields.append(try #require(HTTPFieldName(token: name)), value)
                }
                return fields
            }
        }
    }

    private static let cases = [
        Case([:], nothing: 201, page: 200, emptied: 201),
        Case(["If-Match": "*"], nothing: 412, page: 200, emptied: 201),
        Case(["If-Match": "\"r1\""], nothing: 412, page: 200, emptied: 412),
        Case(["If-Match": "\"r2\""], nothing: 412, page: 412, emptied: 201),
        Case(["If-Match": "\"r1\", \"r2\""], nothing: 412, page: 200, emptied: 201),
        Case(["If-Match": "W/\"r1\""], nothing: 412, page: 412, emptied: 412),
        Case(["If-Match": "\"r01\""], nothing: 412, page: 412, emptied: 412),
        Case(["If-Match": "\"\""], nothing: 412, page: 412, emptied: 412),
        Case(["If-None-Match": "*"], nothing: 201, page: 412, emptied: 201),
        Case(["If-None-Match": "\"r1\""], nothing: 201, page: 412, emptied: 201),
        Case(["If-None-Match": "W/\"r1\""], nothing: 201, page: 412, emptied: 201),
        Case(["If-None-Match": "\"r9\""], nothing: 201, page: 200, emptied: 201),
        Case(["If-Match": "*", "If-None-Match": "*"], nothing: 412, page: 412, emptied: 201),
        Case(
            ["If-Match": "\"r1\"", "If-None-Match": "\"r2\""], nothing: 412, page: 200, emptied: 412
        ),
    ]

    private func service(_ situation: Situation) async throws -> TestService {
        let service = try await TestService()
        if situation != .nothing {
            try await service.send("PUT", "/v1/screens/home/pages/0", Pages.list(["old"]))
        }
        if situation == .emptied {
            try await service.send("DELETE", "/v1/screens/home/pages/0")
        }
        return service
    }

    /// Returns the state of the screen as a client sees it.
    private func state(_ service: TestService) async throws -> String {
        let state = try await service.send("GET", "/v1/screens/home/pages")
        let page = try await service.send("GET", "/v1/screens/home/pages/0")
        return state.code ?? (state.text + (page.code ?? page.text))
    }

    @Test("PUT of page 0 respects its conditions", arguments: cases, Situation.allCases)
    func put(condition: Case, situation: Situation) async throws {
        let service = try await service(situation)
        let before = try await state(service)
        let received = try await service.send(
            "PUT", "/v1/screens/home/pages/0", Pages.list(["new"]), headers: condition.fields)
        #expect(received.status == condition.expected[situation])
        if received.status == 412 {
            #expect(received.code == "PRECONDITION_FAILED")
            #expect(try await state(service) == before)
        }
    }

    @Test(
        "POST of a page with the number 0 respects its conditions", arguments: cases,
        Situation.allCases)
    func post(condition: Case, situation: Situation) async throws {
        let service = try await service(situation)
        let before = try await state(service)
        let received = try await service.send(
            "POST", "/v1/screens/home/pages", Pages.list(["new"], page: 0),
            headers: condition.fields)
        #expect(received.status == condition.expected[situation])
        if received.status == 412 { #expect(try await state(service) == before) }
    }

    @Test(
        "DELETE of a page, all pages and the screen respects If-Match",
        arguments: ["/pages/0", "/pages", ""])
    func delete(rest: String) async throws {
        let path = "/v1/screens/home\(rest)"
        for (value, status) in [("\"r2\"", 412), ("W/\"r1\"", 412), ("\"r1\"", 204)] {
            let service = try await service(.page)
            let received = try await service.send("DELETE", path, headers: [.ifMatch: value])
            #expect(received.status == status, "\(value)")
        }
        let service = try await service(.page)
        #expect(try await service.send("DELETE", path, headers: [.ifMatch: "*"]).status == 204)
    }

    @Test(
        "If-Match for a screen that does not exist is 412, also for DELETE",
        arguments: ["/pages/0", "/pages", ""])
    func deleteNothing(rest: String) async throws {
        let service = try await service(.nothing)
        for value in ["*", "\"r1\""] {
            let received = try await service.send(
                "DELETE", "/v1/screens/home\(rest)", headers: [.ifMatch: value])
            #expect(received.code == "PRECONDITION_FAILED")
        }
        let plain = try await service.send("DELETE", "/v1/screens/home\(rest)")
        #expect(plain.code == "SCREEN_NOT_FOUND")
    }

    @Test(
        "The tag of a page makes a write to that page conditional, and to no other",
        arguments: ["PUT", "POST", "DELETE"])
    func pageTag(method: String) async throws {
        let service = try await service(.page)
        try await service.send("PUT", "/v1/screens/home/pages/1", Pages.list(["b"]))
        let path = "/v1/screens/home/pages/0"
        let stale = try #require(try await service.send("GET", path).etag)
        try await service.send("PUT", path, Pages.list(["old"]))
        let tag = try #require(try await service.send("GET", path).etag)
        let other = try await service.send("GET", "/v1/screens/home/pages/1").etag
        // A write to another page leaves the page's tag valid.
        try await service.send("PUT", "/v1/screens/home/pages/2", Pages.list(["c"]))
        let target = method == "POST" ? "/v1/screens/home/pages" : path
        let body = Pages.list(["new"], page: 0)
        for (value, status) in [
            (stale, 412), (try #require(other), 412), ("W/\(tag)", 412),
            ("\"x\", \(tag)", method == "DELETE" ? 204 : 200),
        ] {
            let received = try await service.send(
                method, target, body, headers: [.ifMatch: value])
            #expect(received.status == status, "\(value)")
            if status == 412 { #expect(try received.string("/detail").contains(tag)) }
        }
        let gone = try await service.send(method, target, body, headers: [.ifMatch: tag])
        #expect(gone.code == "PRECONDITION_FAILED")
        let all = try await service.send(
            "DELETE", "/v1/screens/home/pages", headers: [.ifMatch: try #require(other)])
        #expect(all.code == "PRECONDITION_FAILED", "a page's tag is not one of all pages")
    }

    @Test("If-None-Match with the tag of a page refuses a write to the page as it is")
    func pageTagMismatch() async throws {
        let service = try await service(.page)
        let path = "/v1/screens/home/pages/0"
        let tag = try #require(try await service.send("GET", path).etag)
        for status in [412, 200] {
            let received = try await service.send(
                "PUT", path, Pages.list(["new"]), headers: [.ifNoneMatch: tag])
            #expect(received.status == status)
            try await service.send("PUT", path, Pages.list(["other"]))
        }
    }

    @Test("Writes return the revision for the next If-Match")
    func chain() async throws {
        let service = try await service(.nothing)
        var tag: String?
        for page in 0..<5 {
            let headers: HTTPHeaders = tag.map { [.ifMatch: $0] } ?? [.ifNoneMatch: "*"]
            let received = try await service.send(
                "PUT", "/v1/screens/home/pages/\(page)", Pages.list(["x"]), headers: headers)
            #expect(received.status == 201)
            tag = received.etag
        }
        #expect(tag == "\"r5\"")
        let state = try await service.send("GET", "/v1/screens/home/pages")
        #expect(try state.number("/revision") == 5)
        for value in [tag, state.etag] {
            let received = try await service.send(
                "PUT", "/v1/screens/home/pages/0", "{}", headers: [.ifMatch: value ?? ""])
            #expect(received.code == "INVALID_CONTRACT", "held, or else PRECONDITION_FAILED")
        }
    }

    @Test("A problem of the body takes precedence over a failed condition (RFC 9110 §13.2.1)")
    func order() async throws {
        let service = try await service(.page)
        let failing: HTTPHeaders = [.ifMatch: "\"r9\""]
        for (body, code) in [
            ("{", "INVALID_JSON"), ("{}", "INVALID_CONTRACT"),
            (Pages.list([], page: 4), "PAGE_MISMATCH"), (Pages.list([]), "PRECONDITION_FAILED"),
        ] {
            let received = try await service.send(
                "PUT", "/v1/screens/home/pages/0", body, headers: failing)
            #expect(received.code == code)
        }
    }

    @Test("Malformed conditions are 400 and change nothing")
    func malformed() async throws {
        let service = try await service(.page)
        for headers in [[.ifMatch: "r1"], [.ifNoneMatch: "\"a"]] as [HTTPHeaders] {
            for (method, path) in [
                ("PUT", "/pages/0"), ("POST", "/pages"), ("DELETE", "/pages/0"),
                ("DELETE", "/pages"), ("DELETE", ""),
            ] {
                let received = try await service.send(
                    method, "/v1/screens/home\(path)", Pages.list([]), headers: headers)
                #expect(received.code == "INVALID_PARAMETER")
            }
        }
        #expect(try await service.send("GET", "/v1/screens/home/pages").number("/revision") == 1)
    }
}
