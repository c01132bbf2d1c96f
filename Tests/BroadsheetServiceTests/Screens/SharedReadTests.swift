import Broadsheet
import BroadsheetHTTP
import BroadsheetIO
import BroadsheetStores
import StoreTestSupport
import Testing
import TestSupport

@testable import BroadsheetService

@Suite(
    "Requests that read one large screen (docs/operations.md, Memory)",
    .timeLimit(.minutes(hangMinutes)))
struct SharedReadTests {
    private static let layout = "/v1/screens/home/layout"

    /// A page of 400 kB with 100 items.
    private static func page(_ title: Character = "x") -> String {
        let text = String(repeating: title, count: 4000)
        let items = (0..<100).map { #"{"id":"P\#($0)","title":"\#(text)"}"# }
        return Pages.list(["P"]).replacing(#"{"id":"P"}"#, with: items.joined(separator: ","))
    }

    private func store(_ page: String) async throws -> (InterceptingBackend, ScreenName) {
        let backend = InterceptingBackend()
        let screen = try #require(ScreenName("home"))
        _ = try await backend.other.commit(
            .put(page: 0, bytes: Array(page.utf8)), to: screen, expecting: nil)
        return (backend, screen)
    }

    @Test(
        "The screen is read and laid out once for all, with the memory of one", arguments: [0, 2])
    func once(threads: Int) async throws {
        let page = Self.page()
        let (backend, _) = try await store(page)
        // A wait is over at once. One reader takes 4 MB, two would take 8.
        let memory = MemoryBudget(limit: 6 << 20) { _ in await Task.yield() }
        let pool = threads > 0 ? try WorkerPool(threads: threads) : nil
        defer { pool?.stop() }
        let service = try await TestService(
            store: backend.store, screenCacheBytes: 0, memory: memory, workers: pool,
            layoutCacheBytes: 0)
        let responses = try await withThrowingTaskGroup(of: ReceivedResponse.self) { group in
            for _ in 0..<16 {
                group.addTask { try await service.send("GET", Self.layout) }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(responses.allSatisfy { $0.status == 200 && $0.body == responses[0].body })
        #expect(backend.bytesRead == page.utf8.count)
        #expect(memory.statistics.refused(.work) == 0)
        #expect(memory.statistics.used(by: .screens) < 2 * page.utf8.count)
        #expect(memory.statistics.used(by: .layouts) < 100 * 200)
        // Other forms and parts share the page.
        for target in ["?width=500", "?pages=all", "?rect=0,0,300,300"] {
            #expect(try await service.send("GET", Self.layout + target).status == 200)
        }
        #expect(backend.bytesRead == page.utf8.count)
    }

    @Test("A request sees the writes before it, also if a read that began earlier is shared")
    func fresh() async throws {
        let (backend, screen) = try await store(Self.page())
        let service = try await TestService(
            store: backend.store, screenCacheBytes: 0, layoutCacheBytes: 0)
        let screens = service.service.screens
        let catalog = service.service.catalogs.current.unnamed
        let read = ScreenRead(screen: screen, end: .lowest, catalog: catalog)
        let work = Work(
            pool: nil, client: ClientKey(.unspecified), metrics: screens.metrics, in: .unlimited)
        let old = try await screens.current(screen, upTo: .lowest, by: catalog, work)
        let gate = Gate()
        let earlier = Task {
            try await screens.loads.perform(read, releasing: work.memory) { () throws(Problem) in
                await gate.wait()
                return old
            }
        }
        await until { screens.loads.waiterCount(for: read) == 0 }
        _ = try await backend.other.commit(
            .put(page: 0, bytes: Array(Self.page("y").utf8)), to: screen, expecting: 1)
        async let response = service.send("GET", Self.layout)
        await until { screens.loads.waiterCount(for: read) == 1 }
        gate.open()
        #expect(try await earlier.value.value?.revision == 1)
        #expect(try await response.text.contains("yyyy"))
    }

    @Test("A screen in use is dropped with the screen, and after a restart of the store")
    func dropped() async throws {
        let (backend, screen) = try await store(Self.page())
        let service = try await TestService(
            store: backend.store, screenCacheBytes: 0, layoutCacheBytes: 0)
        let held = try await service.send("GET", Self.layout)
        #expect(held.text.contains("xxxx"))
        let other = MemoryBackend()
        _ = try await InterceptingBackend(other).store.commit(
            .put(page: 0, bytes: Array(Self.page("y").utf8)), to: screen, expecting: nil)
        backend.restart(with: other)
        #expect(try await service.send("GET", Self.layout).text.contains("yyyy"))
        #expect(try await service.send("DELETE", "/v1/screens/home").status == 204)
        #expect(try await service.send("GET", Self.layout).status == 404)
    }
}
