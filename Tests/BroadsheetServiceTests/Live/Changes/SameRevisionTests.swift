import Broadsheet
import BroadsheetClient
import BroadsheetHTTP
import BroadsheetStores
import TestSupport
import Testing

@testable import BroadsheetService

@Suite(
    "The same revision, the same tree (docs/api.md, Revisions)", .timeLimit(.minutes(hangMinutes)))
struct SameRevisionTests {
    private let home = "/v1/screens/home"

    private func put(_ page: Int, to service: TestService) async throws {
        let body = Pages.list(["a\(page)", "b\(page)"], section: "Section \(page)", hasNext: true)
        try await service.send("PUT", "\(home)/pages/\(page)", body)
    }

    private func tree(_ service: TestService, _ query: String = "") async throws -> ReceivedResponse
    {
        try await service.send("GET", "\(home)/layout?\(query)")
    }

    private func changes(
        _ service: TestService, _ query: String, waits: Bool = false
    ) async throws -> ReceivedResponse {
        try await service.send(
            "GET", "\(home)/changes?\(query)", headers: waits ? [.prefer: "wait=20"] : [:])
    }

    private func tag(_ response: ReceivedResponse) throws -> String {
        try #require(response.etag).filter { $0 != "\"" }
    }

    /// Returns a service, and the trees of all pages before and after page 1 is removed, which are
    /// of the revisions 3 and 4 and have a next page.
    private func removed(
        store: ScreenStore = ScreenStore.inMemory(),
        sleep: @escaping @Sendable (Duration) async -> Void = { _ in }
    ) async throws -> (service: TestService, three: ReceivedResponse, four: ReceivedResponse) {
        let service = try await TestService(store: store, sleep: sleep)
        for page in [0, 1, 0] { try await put(page, to: service) }
        let three = try await tree(service, "pages=all")
        try await service.send("DELETE", "\(home)/pages/1")
        return (service, three, try await tree(service, "pages=all"))
    }

    @Test(
        "A page that is removed behind a page with hasNext is a revision of the tree of all pages")
    func removal() async throws {
        let (service, three, four) = try await removed()
        #expect(try three.number("/revision") == 3)
        #expect(try four.number("/revision") == 4)
        for (since, old) in [("3", three), ("4", four), ("4.\(try tag(four))", four)] {
            let received = try await changes(service, "pages=all&since=\(since)")
            #expect(try received.value("/reset")?.bool == false)
            #expect(
                try ChangesEndpointTests.applied(received, to: old)
                    == ChangesEndpointTests.tree(four))
            #expect(try received.value("/stages")?.count == (since == "3" ? 1 : 0))
            #expect(try received.number("/to/revision") == 4)
        }
        // The tree of revision 3 had page 1, and another tag.
        let other = try await changes(service, "pages=all&since=3.\(tag(four))")
        #expect(try other.value("/reset")?.bool == true)
    }

    @Test("The tree of the first page keeps its revision, its tag and its 304")
    func firstPage() async throws {
        let (service, _, four) = try await removed()
        let first = try await tree(service)
        #expect(try first.number("/revision") == 3)
        #expect(first.etag != four.etag)
        for (query, response) in [("", first), ("pages=all", four)] {
            let again = try await service.send(
                "GET", "\(home)/layout?\(query)",
                headers: [.ifNoneMatch: try #require(response.etag)])
            #expect(again.status == 304)
        }
        try await put(1, to: service)
        #expect(try await tree(service).etag == first.etag)
        #expect(try await tree(service, "pages=all").number("/revision") == 5)
    }

    @Test("A daemon that has observed nothing agrees, and knows the current tree only")
    func restarted() async throws {
        let store = ScreenStore.inMemory()
        let (_, _, four) = try await removed(store: store)
        let service = try await TestService(store: store)
        #expect(try await tree(service, "pages=all").response.body == four.response.body)
        for (since, isReset) in [("3", true), ("4", false)] {
            let received = try await changes(service, "pages=all&since=\(since)")
            #expect(try received.value("/reset")?.bool == isReset)
        }
    }

    @Test("Up to a page that is not stored, higher pages that come and go are revisions")
    func missingPage() async throws {
        let (service, _, four) = try await removed()
        let received = try await changes(service, "since=4&page=3")
        #expect(try received.value("/reset")?.bool == false)
        #expect(try received.string("/to/tag") == tag(four))
        // Page 9 is above the bound, too, and the first page above the tree.
        try await put(9, to: service)
        let next = try await changes(service, "since=4&page=3")
        #expect(try next.number("/to/revision") == 5)
        #expect(try next.value("/stages")?.count == 0)
    }

    @Test("A page that was removed is known although one was inserted behind it: a reset")
    func insertedBehind() async throws {
        let service = try await TestService(historyBytes: 0)
        for page in [0, 2, 5] { try await put(page, to: service) }
        try await service.send("DELETE", "\(home)/pages/2")
        try await put(4, to: service)
        for (query, isReset) in [("since=3&page=3", true), ("since=5&page=3", false)] {
            let received = try await changes(service, query)
            #expect(try received.value("/reset")?.bool == isReset, "\(query)")
        }
    }

    @Test(
        "A client of all pages waits until there is another tree, with and without page and tag",
        arguments: ["", "&page=0"])
    func waiting(page: String) async throws {
        let (service, _, four) = try await removed()
        for since in ["4", "4.\(try tag(four))"] {
            let received = try await changes(
                service, "pages=all&since=\(since)\(page)", waits: true)
            #expect(received.status == 204, "\(since): \(received.text)")
        }
        let late = try await changes(service, "pages=all&since=3", waits: true)
        #expect(late.status == 200)
    }

    @Test("A stream of all pages has an event for the removal, and continues after it")
    func stream() async throws {
        let (service, three, four) = try await removed { try? await Task.sleep(for: $0) }
        let headers: HTTPHeaders = ["Last-Event-ID": "3.\(try tag(three))"]
        let reader = try await service.stream("?changes=true&pages=all", headers: headers)
        let event = try #require(try await reader.next())
        #expect(event.id == "4.\(try tag(four))")
        #expect(event.type == "changes")
        var view = try CollectionView(TreeValue(try three.json))
        try view.apply(try event.value)
        #expect(view.tree == (try TreeValue(four.json)))
        reader.close()
    }

    @Test("Trees with two revisions of one content share its layout, and each stays in the cache")
    func cached() async throws {
        let (service, _, _) = try await removed()
        func misses(_ kind: String) async throws -> Double {
            try await service.metric("broadsheet_layout_cache_misses_total{kind=\"\(kind)\"}")
        }
        let before = try await misses("layout")
        for _ in 0..<3 {
            for query in ["", "pages=all"] { _ = try await tree(service, query) }
        }
        #expect(try await misses("layout") == before)
        // Two trees of all pages, and the one of the first page.
        #expect(try await misses("answer") == 3)
    }
}
