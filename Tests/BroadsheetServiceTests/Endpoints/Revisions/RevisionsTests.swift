import Broadsheet
import BroadsheetHTTP
import BroadsheetStores
import StoreTestSupport
import TestSupport
import Testing

@testable import BroadsheetService

@Suite("Earlier revisions of a screen (docs/api.md, History)")
struct RevisionsTests {
    static let path = "/v1/screens/home"

    /// Creates a service over a store in memory with a history.
    static func service(
        _ store: ScreenStore = ScreenStore.inMemory(history: HistoryBounds()),
        access: AccessConfiguration = AccessConfiguration()
    ) async throws -> TestService {
        try await TestService(store: store, access: access)
    }

    /// The targets whose responses depend on nothing but the screen, without a next page.
    private static let targets = [
        "layout?pages=all", "layout?width=300", "layout?rect=0,0,400,300&pages=all",
        "layout?fields=frames&lint=true&pages=all", "layout.svg?pages=all", "pages", "pages/0",
        "pages/2", "pages?sectionId=S",
    ]

    @Test("Every response with revision= is what it was then, with its tag")
    func sameAsThen() async throws {
        let service = try await Self.service()
        var responses: [[ReceivedResponse]] = []
        func write(_ method: String, _ target: String, _ body: String = "") async throws {
            try await service.send(method, "\(Self.path)/\(target)", body)
            var all: [ReceivedResponse] = []
            for target in Self.targets {
                all.append(try await service.send("GET", "\(Self.path)/\(target)"))
            }
            responses.append(all)
        }
        try await write("PUT", "pages/0", ChangesEndpointTests.page([1, 2, 3]))
        try await write("PUT", "pages/2", ChangesEndpointTests.page([4, 5]))
        try await write("PUT", "pages/0", ChangesEndpointTests.page([3, 1, 9]))
        try await write("DELETE", "pages/2")
        try await write("DELETE", "pages")
        try await write("PUT", "pages/0", ChangesEndpointTests.page([7]))
        for (index, then) in responses.enumerated() {
            for (target, expected) in zip(Self.targets, then) {
                let join = target.contains("?") ? "&" : "?"
                let found = try await service.send(
                    "GET", "\(Self.path)/\(target)\(join)revision=\(index + 1)")
                #expect(found.status == expected.status, "\(target) at \(index + 1)")
                guard expected.status == 200, expected.body != found.body else { continue }
                let isPaged = try expected.value("/nextPageToken") != nil
                #expect(isPaged, "\(target) at \(index + 1): \(found.text)")
            }
        }
        // Nothing of it is in the place of the current tree.
        let now = try await service.send("GET", "\(Self.path)/layout?pages=all")
        #expect(now.body == responses.last?.first?.body)
    }

    @Test("A store without a history knows the current revision")
    func withoutHistory() async throws {
        let service = try await Self.service(InterceptingBackend().store)
        for ids in [[1], [2]] {
            try await service.send("PUT", "\(Self.path)/pages/0", ChangesEndpointTests.page(ids))
        }
        let list = try await service.send("GET", "\(Self.path)/revisions")
        #expect(try list.number("/first") == 2)
        #expect(try list.value("/revisions")?.count == 1)
        #expect(try list.value("/revisions/0/at")?.isNull == false)
        let current = try await service.send("GET", "\(Self.path)/layout?revision=2")
        #expect(current.status == 200)
        let earlier = try await service.send("GET", "\(Self.path)/layout?revision=1")
        #expect(earlier.code == "REVISION_NOT_FOUND")
        #expect(try await service.send("DELETE", "\(Self.path)/revisions").status == 204)
        #expect(
            try await service.send("DELETE", "/v1/screens/none/revisions").code
                == "SCREEN_NOT_FOUND")
    }

    @Test("After DELETE of the revisions only the current one is known, also in memory")
    func delete() async throws {
        let service = try await Self.service()
        for ids in [[1, 2], [2, 3], [3, 4]] {
            try await service.send("PUT", "\(Self.path)/pages/0", ChangesEndpointTests.page(ids))
            try await service.send("GET", "\(Self.path)/layout")
        }
        let before = try await service.send("GET", "\(Self.path)/changes?since=2")
        #expect(try before.value("/reset")?.bool == false)
        #expect(try await service.metric("broadsheet_store_history_bytes") > 0)
        #expect(try await service.send("DELETE", "\(Self.path)/revisions").status == 204)
        let after = try await service.send("GET", "\(Self.path)/changes?since=2")
        #expect(try after.value("/reset")?.bool == true)
        let gone = try await service.send("GET", "\(Self.path)/pages/0?revision=2")
        #expect(gone.code == "REVISION_NOT_FOUND")
        #expect(try await service.metric("broadsheet_store_history_bytes") == 0)
    }
}
