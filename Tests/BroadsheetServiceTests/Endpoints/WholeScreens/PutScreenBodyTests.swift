import Broadsheet
import BroadsheetHTTP
import BroadsheetIO
import BroadsheetStores
import Testing

@testable import BroadsheetService

@Suite("The body of PUT of a screen, and its limits (docs/api.md, Whole screens)")
struct PutScreenBodyTests {
    private let path = PutScreenTests.path
    @Test("A stored screen above a limit can be replaced by one that is not larger")
    func aboveLimits() async throws {
        let pages = (0..<6).map { Pages.list(["p\($0)-a", "p\($0)-b"]) }
        let limits = [
            ScreenLimits(maxPages: 4), ScreenLimits(maxItems: 7), ScreenLimits(maxSections: 3),
        ]
        for limit in limits + [ScreenLimits()] {
            let store = ScreenStore.inMemory()
            let first = try await TestService(store: store)
            try await first.send("PUT", path, PutScreenTests.body(pages))
            let small = pages[0].utf8.count * 5
            let service = try await TestService(
                store: store, limits: limit,
                maxScreenBytes: limit == ScreenLimits() ? small : 1 << 20)
            let layout = try await service.send("GET", "\(path)/layout?pages=all")
            #expect(layout.code == "STORED_SCREEN_TOO_LARGE")
            let larger = try await service.send(
                "PUT", path, PutScreenTests.body(pages + [Pages.list(["more"])]))
            #expect(larger.status == 422)
            let same = try await service.send("PUT", path, PutScreenTests.body(pages))
            #expect(same.status == 200 && same.body.isEmpty)
            #expect(same.response.headers[.preferenceApplied] == "return=minimal")
            let fewer = try await service.send(
                "PUT", path, PutScreenTests.body(Array(pages[1...3])))
            #expect(fewer.status == 200)
            #expect(try fewer.itemIds.joined().count == 6, "\(fewer.text)")
            let tree = try await service.send("GET", "\(path)/layout?pages=all")
            #expect(tree.text == fewer.text)
            let other = try await TestService(store: store, limits: limit)
            #expect(try await other.send("GET", "\(path)/layout?pages=all").etag == tree.etag)
        }
    }
}
