import Broadsheet
import BroadsheetIO
import BroadsheetStores
import StoreTestSupport
import Testing

@testable import BroadsheetService

@Suite("The cache of resolved screens")
struct SnapshotCacheTests {
    private let page = #"{"sections":[]}"#

    @Test("The size stays below the limit for any number of screens")
    func bounded() async throws {
        let limit = 64 * 1024
        let store = ScreenStore.inMemory()
        let metrics = ServiceMetrics()
        var configuration = ServiceConfiguration()
        configuration.screenCacheBytes = limit
        let screens = Screens(
            WriteStatus(of: store, gauge: metrics.storeWritable, log: .silent), configuration,
            layouts: LayoutCache(limit: 0, metrics: metrics), metrics: metrics, clock: .system,
            observers: ScreenObservers(limit: 1, sleep: { _ in }))
        let work = Work(
            pool: nil, client: ClientKey(.unspecified), metrics: metrics, in: .unlimited)
        let catalog = CatalogSlot(CatalogSet(try .init(Array(Catalogs.shop.utf8)))).current.unnamed
        for number in 0..<200 {
            let name = try #require(ScreenName("s\(number)"))
            _ = try await store.commit(
                .put(page: 0, bytes: Array(page.utf8)), to: name, expecting: nil)
            #expect(try await screens.current(name, by: catalog, work)?.revision == 1)
            #expect(screens.cache.byteCount <= limit)
        }
        #expect(screens.cache.count > 1)
        #expect(screens.cache.count < 20)
        let first = try #require(ScreenName("s0"))
        #expect(try await screens.current(first, by: catalog, work)?.revision == 1)
    }

    @Test("A read during a restart of the store returns the contents after the restart")
    func restartDuringRead() async throws {
        let backend = InterceptingBackend()
        let service = try await TestService(store: backend.store)
        let path = "/v1/screens/home/pages/0"
        try await service.send("PUT", path, Pages.list(["lost"]))
        // Another daemon wrote a page that has the same revision.
        let left = MemoryBackend()
        let kept = Pages.list(["kept"])
        _ = try await InterceptingBackend(left).store.commit(
            .put(page: 0, bytes: Array(kept.utf8)), to: try #require(ScreenName("home")),
            expecting: nil)
        backend.pause()
        async let held = service.send("GET", path)
        await until { backend.isHolding }
        backend.restart(with: left)
        backend.resume()
        #expect(try await held.text == kept)
        #expect(try await service.send("GET", path).text == kept)
    }

    @Test("A snapshot from before a restart of the store is not kept after it")
    func beforeRestart() throws {
        let cache = SnapshotCache(limit: 1 << 20)
        let catalog = CatalogSlot(CatalogSet(try .init(Array(Catalogs.shop.utf8)))).current.unnamed
        let home = try #require(ScreenName("home"))
        func snapshot() throws -> ScreenSnapshot {
            try ScreenResolver(catalog: catalog, limits: ScreenLimits(), restarts: cache.restarts)
                .snapshot(StoredScreen(revision: 1), of: home, reusing: nil)
        }
        let (old, ticket) = (try snapshot(), cache.lookUp(ScreenKey(home)).ticket)
        cache.restart()
        cache.publish(old, ticket: ticket)
        cache.publish(old)
        #expect(cache.count == 0)
        cache.publish(try snapshot())
        #expect(cache.count == 1)
    }

    @Test("With a limit of 0 no screen is kept, and every request succeeds")
    func none() async throws {
        let service = try await TestService(screenCacheBytes: 0)
        for number in 0..<3 {
            let put = try await service.send("PUT", "/v1/screens/home/pages/\(number)", page)
            #expect(put.status == 201)
            #expect(put.etag == "\"r\(number + 1)\"")
        }
        #expect(try await service.send("GET", "/v1/screens/home/layout?pages=all").status == 200)
        let metrics = try await service.send("GET", "/metrics").text
        #expect(metrics.contains("\nbroadsheet_screens_in_memory 0.0\n"))
        #expect(metrics.contains("\nbroadsheet_screens_in_memory_bytes 0.0\n"))
    }

    @Test("A screen's estimated size changes with its pages")
    func estimate() async throws {
        let service = try await TestService()
        func bytes() async throws -> Double {
            try await service.metric("broadsheet_screens_in_memory_bytes")
        }
        let path = "/v1/screens/home/pages"
        try await service.send("PUT", "\(path)/0", page)
        let one = try await bytes()
        try await service.send("PUT", "\(path)/1", page + String(repeating: " ", count: 1000))
        #expect(try await bytes() >= one + 1000)
        try await service.send("DELETE", "\(path)/1")
        #expect(try await bytes() == one)
        try await service.send("DELETE", path)
        #expect(try await bytes() == Double(ScreenSnapshot.ownByteCount))
        try await service.send("DELETE", "/v1/screens/home")
        #expect(try await bytes() == 0)
    }
}
