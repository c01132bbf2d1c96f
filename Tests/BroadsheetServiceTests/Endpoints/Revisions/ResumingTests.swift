import Broadsheet
import BroadsheetHTTP
import BroadsheetStores
import StoreTestSupport
import TestSupport
import Testing

@testable import BroadsheetService

@Suite("Clients go on from what they have after a restart, and at another daemon")
struct ResumingTests {
    private let path = RevisionsTests.path

    @Test("Over 20 restarts under writes no client receives a reset")
    func restarts() async throws {
        let store = ScreenStore.inMemory(history: HistoryBounds())
        var service = try await RevisionsTests.service(store)
        try await service.send("PUT", "\(path)/pages/0", ChangesEndpointTests.page([1, 2, 3]))
        let queries = ["", "&pages=all", "&width=700", "&coordinates=content"]
        var trees: [ReceivedResponse] = []
        for query in queries {
            trees.append(try await service.send("GET", "\(path)/layout?x-none\(query)"))
        }
        for restart in 0..<20 {
            for write in 0..<3 {
                let ids = [restart, 100 + write, 2, 3]
                try await service.send(
                    "PUT", "\(path)/pages/\(write == 2 ? 4 : 0)", ChangesEndpointTests.page(ids))
            }
            service = try await RevisionsTests.service(store)
            for (index, query) in queries.enumerated() {
                let revision = Int(try trees[index].number("/revision"))
                let changes = try await service.send(
                    "GET", "\(path)/changes?since=\(revision)\(query)")
                #expect(try changes.value("/reset")?.bool == false, "\(restart)\(query)")
                let tree = try await service.send("GET", "\(path)/layout?x-none\(query)")
                #expect(
                    try ChangesEndpointTests.applied(changes, to: trees[index])
                        == ChangesEndpointTests.tree(tree), "\(restart)\(query)")
                trees[index] = tree
            }
        }
    }

    @Test("The tag of a tree is known at another daemon, and that of another tree is a reset")
    func tags() async throws {
        let store = ScreenStore.inMemory(history: HistoryBounds())
        let one = try await RevisionsTests.service(store)
        try await one.send("PUT", "\(path)/pages/0", ChangesEndpointTests.page([1, 2, 3]))
        let tree = try await one.send("GET", "\(path)/layout")
        let tag = try #require(tree.etag).filter { $0 != "\"" }
        try await one.send("PUT", "\(path)/pages/0", ChangesEndpointTests.page([1, 2, 3, 4]))
        let other = try await RevisionsTests.service(store)
        let known = try await other.send("GET", "\(path)/changes?since=1.\(tag)")
        #expect(try known.value("/reset")?.bool == false)
        let unknown = try await other.send("GET", "\(path)/changes?since=1.\(tag)&width=700")
        #expect(try unknown.value("/reset")?.bool == true)
    }

    @Test("Without memory for earlier revisions they are read from the store each time")
    func withoutMemory() async throws {
        let store = ScreenStore.inMemory(history: HistoryBounds())
        let service = try await TestService(store: store, historyBytes: 0)
        for ids in [[1, 2, 3], [2, 3, 4]] {
            try await service.send("PUT", "\(path)/pages/0", ChangesEndpointTests.page(ids))
        }
        let changes = try await service.send("GET", "\(path)/changes?since=1")
        #expect(try changes.value("/reset")?.bool == false)
    }

    @Test("A revision that is not kept any more is a reset")
    func notKept() async throws {
        let store = ScreenStore.inMemory(history: HistoryBounds(maxRevisions: 1))
        let service = try await RevisionsTests.service(store)
        for ids in [[1, 2], [2, 3], [3, 4]] {
            try await service.send("PUT", "\(path)/pages/0", ChangesEndpointTests.page(ids))
        }
        let other = try await RevisionsTests.service(store)
        for (since, isReset) in [(1, true), (2, false), (3, false)] {
            let changes = try await other.send("GET", "\(path)/changes?since=\(since)")
            #expect(try changes.value("/reset")?.bool == isReset, "\(since)")
        }
    }

    @Test("Revisions that another daemon has removed are not kept in memory either")
    func removed() async throws {
        let backend = InterceptingBackend()
        let service = try await RevisionsTests.service(backend.store)
        for ids in [[1, 2, 3], [2, 3, 4], [2, 3, 4, 5]] {
            try await service.send("PUT", "\(path)/pages/0", ChangesEndpointTests.page(ids))
        }
        let before = try await service.send("GET", "\(path)/changes?since=1")
        #expect(try before.value("/reset")?.bool == false)
        backend.notify(.revisionsRemoved(try #require(ScreenName("home"))))
        #expect(try await service.metric("broadsheet_history_bytes") == 0)
        let after = try await service.send("GET", "\(path)/changes?since=1")
        #expect(try after.value("/reset")?.bool == true)
    }

    @Test("A stream goes on with changes at a daemon that has not seen its tree")
    func stream() async throws {
        let store = ScreenStore.inMemory(history: HistoryBounds())
        let one = try await RevisionsTests.service(store)
        try await one.send("PUT", "\(path)/pages/0", ChangesEndpointTests.page([1, 2, 3]))
        let tree = try await one.send("GET", "\(path)/layout")
        let tag = try #require(tree.etag).filter { $0 != "\"" }
        try await one.send("PUT", "\(path)/pages/0", ChangesEndpointTests.page([1, 2, 3, 4]))
        let other = try await RevisionsTests.service(store)
        let reader = try StreamReader(
            try await other.send(
                "GET", "\(path)/stream?changes=true", headers: [.lastEventID: "1.\(tag)"]
            ).response)
        let event = try #require(try await reader.next())
        #expect(event.type == "changes")
        #expect(event.id?.hasPrefix("2.") == true)
        reader.close()
    }

    @Test(
        "The changes from any kept revision lead to the current tree, at a new daemon",
        arguments: SeededGenerator.seeds(of: "resumed histories", count: 6))
    func randomHistories(seed: UInt64) async throws {
        var random = SeededGenerator(seed: seed)
        let store = ScreenStore.inMemory(history: HistoryBounds())
        let writer = try await RevisionsTests.service(store)
        var trees: [Int: ReceivedResponse] = [:]
        try await writer.send("PUT", "\(path)/pages/2", ChangesEndpointTests.page([1]))
        for _ in 0..<12 {
            let page = Int.random(in: 0...3, using: &random)
            let ids = (0..<Int.random(in: 0...6, using: &random)).map { _ in
                Int.random(in: 0...9, using: &random)
            }
            if Int.random(in: 0...5, using: &random) == 0 {
                try await writer.send("DELETE", "\(path)/pages/\(page)")
            } else {
                try await writer.send(
                    "PUT", "\(path)/pages/\(page)",
                    ChangesEndpointTests.page(Array(Set(ids)).sorted()))
            }
            let tree = try await writer.send("GET", "\(path)/layout?pages=all")
            trees[Int(try await writer.send("GET", path).number("/revision"))] = tree
        }
        let reader = try await RevisionsTests.service(store)
        let now = try await reader.send("GET", "\(path)/layout?pages=all")
        for (revision, tree) in trees {
            let then = try await reader.send(
                "GET", "\(path)/layout?pages=all&revision=\(revision)")
            #expect(then.body == tree.body, "\(revision)")
            let changes = try await reader.send(
                "GET", "\(path)/changes?since=\(revision)&pages=all")
            #expect(
                try ChangesEndpointTests.applied(changes, to: tree)
                    == ChangesEndpointTests.tree(now), "\(revision)")
        }
    }
}
