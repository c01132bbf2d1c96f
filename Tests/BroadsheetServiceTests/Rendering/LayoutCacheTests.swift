import Broadsheet
import BroadsheetHTTP
import BroadsheetIO
import BroadsheetStores
import StoreTestSupport
import Testing

@testable import BroadsheetService

@Suite("The layout cache (docs/architecture.md)")
struct LayoutCacheTests {
    private let path = "/v1/screens/home/layout"
    /// The label of trees and pictures in metrics, which is part of the API.
    private static let rendered = "answer"

    private func hits(_ kind: String, of service: TestService) async throws -> Double {
        try await service.metric("broadsheet_layout_cache_hits_total{kind=\"\(kind)\"}")
    }

    private func misses(_ kind: String, of service: TestService) async throws -> Double {
        try await service.metric("broadsheet_layout_cache_misses_total{kind=\"\(kind)\"}")
    }

    @Test("A response is rendered once for each revision and set of parameters")
    func once() async throws {
        let service = try await TestService()
        try await service.send("PUT", "/v1/screens/home/pages/0", Pages.list(["a"]))
        let first = try await service.send("GET", path)
        let second = try await service.send("GET", path)
        #expect(first.response.body == second.response.body)
        #expect(try await misses(Self.rendered, of: service) == 1)
        #expect(try await hits(Self.rendered, of: service) == 1)
        // Other options of the tree use the same layout, another viewport needs a new one.
        try await service.send("GET", "\(path)?fields=frames")
        #expect(try await misses("layout", of: service) == 1)
        #expect(try await hits("layout", of: service) == 1)
        try await service.send("GET", "\(path)?width=100")
        #expect(try await misses("layout", of: service) == 2)
        // Parts of the tree use the layout in the cache.
        for _ in 0..<3 { try await service.send("GET", "\(path)?rect=0,0,10,10") }
        #expect(try await hits("layout", of: service) == 4)
        try await service.send("GET", "\(path).svg")
        try await service.send("GET", "\(path).svg")
        #expect(try await hits(Self.rendered, of: service) == 2)
        #expect(try await service.metric("broadsheet_layout_cache_evictions_total") == 0)
        #expect(try await service.metric("broadsheet_layout_cache_bytes") > 0)
    }

    @Test(
        "Responses equal those of a service without a cache, for random requests",
        arguments: 1...6)
    func transparent(seed: UInt64) async throws {
        var screens = RandomScreens(seed: seed)
        let keeping = try await TestService(catalog: RandomScreens.catalog)
        // One store for all: the same revisions, and the same seal for tokens and tags.
        let forgetting = try await TestService(
            store: keeping.store, catalog: RandomScreens.catalog, layoutCacheBytes: 0)
        let few = try await TestService(
            store: keeping.store, catalog: RandomScreens.catalog, layoutCacheBytes: 40_000)
        let catalogs = [RandomScreens.catalog, RandomScreens.catalog.replacing("33", with: "44")]
        for step in 0..<40 {
            let screen = ["home", "away"][screens.number(in: 0...1)]
            let target = "/v1/screens/\(screen)"
            let writer = [keeping, forgetting, few][screens.number(in: 0...2)]
            switch screens.number(in: 0...9) {
            case 0: try await writer.send("DELETE", target)
            case 1: try await writer.send("DELETE", "\(target)/pages")
            case 2:
                let catalog = try Catalog(Array(catalogs[screens.number(in: 0...1)].utf8))
                for service in [keeping, forgetting, few] {
                    service.service.reload(catalogs: CatalogSet(catalog))
                }
            case 3, 4:
                let page = screens.number(in: 0...2)
                try await writer.send("PUT", "\(target)/pages/\(page)", screens.page())
            default: break
            }
            let query = [
                "layout", "layout?pages=all", "layout?fields=frames&pretty=true", "layout.svg",
                "layout?pages=all&lint=true", "layout?rect=0,0,390,300", "layout?width=500",
            ][screens.number(in: 0...6)]
            let expected = try await forgetting.send("GET", "\(target)/\(query)")
            for service in [keeping, few] {
                let received = try await service.send("GET", "\(target)/\(query)")
                #expect(received.etag == expected.etag, "seed \(seed), step \(step): \(query)")
                if received.status == 200 {
                    #expect(
                        received.response.body == expected.response.body,
                        "seed \(seed), step \(step): \(query)")
                } else {
                    #expect(received.code == expected.code, "seed \(seed), step \(step)")
                }
            }
            #expect(try await few.metric("broadsheet_layout_cache_bytes") <= 40_000)
            #expect(try await forgetting.metric("broadsheet_layout_cache_bytes") == 0)
        }
    }

    @Test("The least recently used entries are evicted to stay within the limit")
    func bounded() async throws {
        let service = try await TestService(layoutCacheBytes: 20_000)
        try await service.send(
            "PUT", "/v1/screens/home/pages/0", Pages.list((0..<20).map(String.init)))
        for width in 100..<140 {
            try await service.send("GET", "\(path)?width=\(width)")
            #expect(try await service.metric("broadsheet_layout_cache_bytes") <= 20_000)
        }
        #expect(try await service.metric("broadsheet_layout_cache_evictions_total") > 30)
        #expect(try await hits(Self.rendered, of: service) == 0)
        try await service.send("GET", "\(path)?width=139")
        #expect(try await hits(Self.rendered, of: service) == 1)
    }

    @Test("Old revisions of a screen are removed when it is written or removed")
    func released() async throws {
        let service = try await TestService()
        let bytes = "broadsheet_layout_cache_bytes"
        try await service.send("PUT", "/v1/screens/home/pages/0", Pages.list(["a"]))
        try await service.send("GET", path)
        #expect(try await service.metric(bytes) > 0)
        try await service.send("PUT", "/v1/screens/home/pages/0", Pages.list(["b"]))
        #expect(try await service.metric(bytes) == 0)
        try await service.send("GET", path)
        try await service.send("PUT", "/v1/screens/other/pages/0", Pages.list(["b"]))
        #expect(try await service.metric(bytes) > 0)
        try await service.send("DELETE", "/v1/screens/home")
        #expect(try await service.metric(bytes) == 0)
    }

    @Test("Old revisions of a screen are removed when another daemon writes it")
    func releasedByOthers() async throws {
        let backend = InterceptingBackend()
        let service = try await TestService(store: backend.store)
        let bytes = "broadsheet_layout_cache_bytes"
        let home = try #require(ScreenName("home"))
        try await service.send("PUT", "/v1/screens/home/pages/0", Pages.list(["a"]))
        try await service.send("GET", path)
        // The invalidation of the daemon's own write removes nothing.
        backend.notify(.written(home, lowest: 1))
        #expect(try await service.metric(bytes) > 0)
        backend.notify(.written(home, lowest: 2))
        #expect(try await service.metric(bytes) == 0)
        // Only the cache was cleared, not the store.
        #expect(try await service.send("GET", path).status == 200)
    }

    @Test("All entries and resolved screens are removed when the store may have lost writes")
    func restarted() async throws {
        let backend = InterceptingBackend()
        let service = try await TestService(store: backend.store)
        for screen in ["home", "other"] {
            try await service.send("PUT", "/v1/screens/\(screen)/pages/0", Pages.list(["a"]))
            try await service.send("GET", "/v1/screens/\(screen)/layout")
        }
        #expect(try await service.metric("broadsheet_screens_in_memory_bytes") > 0)
        backend.notify(.restarted)
        #expect(try await service.metric("broadsheet_screens_in_memory_bytes") == 0)
        #expect(try await service.metric("broadsheet_layout_cache_bytes") == 0)
        #expect(try await service.send("GET", path).status == 200)
        #expect(try await service.metric("broadsheet_screens_in_memory_bytes") > 0)
    }

    @Test("The outcomes of fewer pages are computed while the lock of the cache is free")
    func outcomes() throws {
        let cache = LayoutCache(limit: 1 << 20, metrics: ServiceMetrics())
        func key(_ page: Int) throws -> LayoutKey {
            LayoutKey(
                screen: try #require(ScreenName("home")), tree: LayoutKey.Tree(page: page),
                version: LayoutKey.Version(restarts: 0, catalog: 0, revision: 1),
                parameters: LayoutParameters(), content: .picture)
        }
        let (first, last) = (try key(0), try key(2))
        let memory = MemoryReservation(in: .unlimited, for: .work)
        _ = try cache.content(for: first, memory) { .bytes([1]) }
        var pages: [Int] = []
        let earlier = cache.layoutToContinue(for: last, after: 1) { page in
            // The count takes the lock.
            if cache.count == 1 { pages.append(page) }
            return .none
        }
        #expect(earlier?.key == nil)
        #expect(pages == [1, 0])
    }

    @Test("Entries of an older version than the newest known one are not inserted")
    func stale() throws {
        let cache = LayoutCache(limit: 1 << 20, metrics: ServiceMetrics())
        func key(
            _ revision: UInt64, catalog: UInt64 = 0, restarts: UInt64 = 0
        ) throws -> LayoutKey {
            LayoutKey(
                screen: try #require(ScreenName("home")), tree: LayoutKey.Tree(page: 0),
                version: LayoutKey.Version(
                    restarts: restarts, catalog: catalog, revision: revision),
                parameters: LayoutParameters(), content: .picture)
        }
        func cached(
            _ revision: UInt64, catalog: UInt64 = 0, restarts: UInt64 = 0, _ byte: UInt8
        ) throws -> [UInt8] {
            let key = try key(revision, catalog: catalog, restarts: restarts)
            let memory = MemoryReservation(in: .unlimited, for: .work)
            let content = try cache.content(for: key, memory) { .bytes([byte]) }
            guard case .bytes(let cached) = content else { return [] }
            return cached.bytes
        }
        #expect(try cached(2, 1) == [1])
        // A slow reader that resolved an older revision.
        #expect(try cached(1, 2) == [2])
        #expect(cache.count == 1)
        #expect(try cached(1, 3) == [3])
        #expect(try cached(2, 4) == [1])
        // Any revision by a replaced catalog is older than one by the next catalog.
        #expect(try cached(1, catalog: 1, 5) == [5])
        #expect(try cached(2, 6) == [6])
        #expect(cache.count == 1)
        // So is any revision that was read before the store lost writes.
        #expect(try cached(1, restarts: 1, 7) == [7])
        #expect(try cached(1, catalog: 1, 8) == [8])
        #expect(try cached(1, restarts: 1, 9) == [7])
        #expect(cache.count == 1)
        cache.drop(try #require(ScreenName("home")), before: nil)
        #expect(cache.count == 0)
        #expect(cache.byteCount == 0)
    }
}
