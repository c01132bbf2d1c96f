import Broadsheet
import BroadsheetHTTP
import BroadsheetStores
import Testing

@testable import BroadsheetService

@Suite("Limits across a screen (docs/cli.md)")
struct LimitTests {
    private static let tight = ScreenLimits(maxSections: 3, maxItems: 5, maxPages: 4)

    private func service() async throws -> TestService {
        let service = try await TestService(limits: Self.tight)
        try await service.send("PUT", "/v1/screens/home/pages/0", Pages.list(["a", "b"]))
        return service
    }

    private func expectRefusal(_ received: ReceivedResponse, flag: String, limit: Int) throws {
        #expect(received.status == 422)
        #expect(received.code == "INVALID_CONTRACT")
        #expect(try received.string("/detail").contains(flag))
        #expect(try received.string("/detail").contains("\(limit)"))
        #expect(try received.errors.count == 1)
    }

    @Test("Items beyond --max-items are refused, and nothing is changed")
    func items() async throws {
        let service = try await service()
        let page = Pages.list(["c", "d", "e", "f"])
        let before = try await service.send("GET", "/v1/screens/home/pages").text
        try expectRefusal(
            try await service.send("PUT", "/v1/screens/home/pages/1", page), flag: "--max-items",
            limit: 5)
        #expect(try await service.send("GET", "/v1/screens/home/pages").text == before)
        #expect(try await service.send("PUT", "/v1/screens/home/pages/0", page).status == 200)
        let one = try await service.send("PUT", "/v1/screens/home/pages/1", Pages.list(["g"]))
        #expect(one.status == 201)
    }

    @Test("Sections beyond --max-sections are refused, and nothing is changed")
    func sections() async throws {
        let service = try await service()
        let page = #"{"sections":[[],[],[]]}"#
        try expectRefusal(
            try await service.send("PUT", "/v1/screens/home/pages/1", page),
            flag: "--max-sections", limit: 3)
        #expect(try await service.send("GET", "/v1/screens/home/pages").number("/revision") == 1)
        let fits = try await service.send("PUT", "/v1/screens/home/pages/0", page)
        #expect(fits.status == 200)
    }

    @Test("Pages beyond --max-pages are refused; replacing a page is not")
    func pages() async throws {
        let service = try await service()
        for page in 1...3 {
            let body = #"{"sections":[]}"#
            #expect(
                try await service.send("PUT", "/v1/screens/home/pages/\(page)", body).status == 201)
        }
        let fifth = try await service.send("POST", "/v1/screens/home/pages", #"{"sections":[]}"#)
        try expectRefusal(fifth, flag: "--max-pages", limit: 4)
        let replaced = try await service.send(
            "PUT", "/v1/screens/home/pages/3", Pages.list(["x"]))
        #expect(replaced.status == 200)
    }

    @Test("Pages of more than --max-screen-bytes together are refused, and nothing is changed")
    func bytes() async throws {
        let page = Pages.list(["a", "b"])
        let path = "/v1/screens/home/pages"
        let service = try await TestService(maxScreenBytes: 2 * page.utf8.count)
        for number in 0..<2 { try await service.send("PUT", "\(path)/\(number)", page) }
        let before = try await service.send("GET", path).text
        let refused = try await service.send("PUT", "\(path)/2", #"{"sections":[]}"#)
        #expect(refused.status == 422)
        #expect(refused.code == "SCREEN_TOO_LARGE")
        #expect(try refused.string("/detail").contains("\(2 * page.utf8.count) bytes"))
        #expect(try refused.string("/detail").contains("--max-screen-bytes"))
        #expect(try await service.send("GET", path).text == before)
        // A page of the same size replaces one; after a removal there is space again.
        #expect(try await service.send("PUT", "\(path)/1", Pages.list(["c", "d"])).status == 200)
        #expect(try await service.send("DELETE", "\(path)/1").status == 204)
        #expect(try await service.send("PUT", "\(path)/2", page).status == 201)
    }

    @Test("A single page beyond a limit is refused")
    func onePage() async throws {
        let service = try await TestService(limits: Self.tight)
        let many = Pages.list((0..<6).map { "i\($0)" })
        let items = try await service.send("PUT", "/v1/screens/home/pages/0", many)
        #expect(items.code == "INVALID_CONTRACT")
        #expect(items.text.contains("--max-items"))
        let sections = try await service.send(
            "PUT", "/v1/screens/home/pages/0", #"{"sections":[[],[],[],[]]}"#)
        #expect(sections.text.contains("--max-sections"))
        #expect(try await service.send("GET", "/v1/screens").text == #"{"screens":[]}"#)
    }

    @Test("A refused screen is not created")
    func noTrace() async throws {
        let service = try await TestService(limits: ScreenLimits(maxPages: 0))
        let received = try await service.send("PUT", "/v1/screens/home/pages/0", Pages.list([]))
        try expectRefusal(received, flag: "--max-pages", limit: 0)
        #expect(try await service.send("GET", "/v1/screens/home/pages").code == "SCREEN_NOT_FOUND")
        #expect(try await service.send("GET", "/v1/screens").text == #"{"screens":[]}"#)
    }
}
