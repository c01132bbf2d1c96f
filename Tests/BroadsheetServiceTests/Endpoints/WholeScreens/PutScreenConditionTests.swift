import BroadsheetHTTP
import Testing

@testable import BroadsheetService

@Suite("Conditions of PUT of a screen (RFC 9110 §13; docs/api.md, Conditional requests)")
struct PutScreenConditionTests {
    private let path = PutScreenTests.path

    /// The state of the screen before each write: none, at revision 1 with a page, or at revision 2
    /// without pages.
    enum Situation: CaseIterable {
        case nothing
        case page
        case emptied
    }

    private func service(_ situation: Situation) async throws -> TestService {
        let service = try await TestService()
        guard situation != .nothing else { return service }
        try await service.send("PUT", "\(path)/pages/0", Pages.list(["old"]))
        if situation == .emptied { try await service.send("DELETE", "\(path)/pages") }
        return service
    }

    @Test(
        "The target of the conditions is the screen, by its revision",
        arguments: [
            ([:], [201, 200, 200]),
            ([.ifMatch: "*"], [412, 200, 200]),
            ([.ifMatch: "\"r1\""], [412, 200, 412]),
            ([.ifMatch: "\"r2\""], [412, 412, 200]),
            ([.ifMatch: "\"x\", \"r1\", \"r2\""], [412, 200, 200]),
            ([.ifMatch: "W/\"r1\""], [412, 412, 412]),
            ([.ifNoneMatch: "*"], [201, 412, 412]),
            ([.ifNoneMatch: "\"r1\""], [201, 412, 200]),
            ([.ifNoneMatch: "\"r9\""], [201, 200, 200]),
        ] as [(HTTPHeaders, [Int])], Situation.allCases)
    func matrix(row: (headers: HTTPHeaders, statuses: [Int]), situation: Situation) async throws {
        let service = try await service(situation)
        let before = try await service.send("GET", "\(path)/pages")
        let received = try await service.send(
            "PUT", path, PutScreenTests.body(Pages.list(["new"]), Pages.list(["more"])),
            headers: row.headers)
        let index = try #require(Situation.allCases.firstIndex(of: situation))
        #expect(received.status == row.statuses[index])
        let after = try await service.send("GET", "\(path)/pages")
        if received.status == 412 {
            #expect(received.code == "PRECONDITION_FAILED")
            #expect(after.status == before.status && after.etag == before.etag)
        } else {
            #expect(try after.number("/pageCount") == 2)
        }
    }

    @Test("The tag of the page state matches, and that of a page does not")
    func tags() async throws {
        let service = try await service(.page)
        let page = try #require(try await service.send("GET", "\(path)/pages/0").etag)
        let state = try #require(try await service.send("GET", "\(path)/pages").etag)
        let body = PutScreenTests.body(Pages.list(["new"]))
        let byPage = try await service.send("PUT", path, body, headers: [.ifMatch: page])
        #expect(byPage.status == 412)
        let byState = try await service.send("PUT", path, body, headers: [.ifMatch: state])
        #expect(byState.status == 200 && byState.etag == "\"r2\"")
    }

    @Test("Problems of the body come before 412, and 412 also if nothing would change")
    func order() async throws {
        let service = try await service(.page)
        let headers: HTTPHeaders = [.ifMatch: "\"r9\""]
        for (body, status) in [
            ("[", 400), (PutScreenTests.body("{}"), 422),
            (PutScreenTests.body(Pages.list(["old"])), 412),
        ] {
            for query in ["", "?validateOnly=true"] {
                let received = try await service.send("PUT", path + query, body, headers: headers)
                #expect(received.status == status)
            }
        }
    }
}
