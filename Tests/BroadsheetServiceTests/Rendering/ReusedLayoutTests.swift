import Broadsheet
import BroadsheetIO
import BroadsheetStores
import Testing

@testable import BroadsheetService

@Suite("Layouts that continue those of fewer pages (docs/architecture.md, The layout cache)")
struct ReusedLayoutTests {
    private static let pageItems = 200

    private func service(
        pages: Int, layoutCacheBytes: Int? = nil, memory: MemoryBudget
    ) async throws
        -> TestService
    {
        let service = try await TestService(memory: memory, layoutCacheBytes: layoutCacheBytes)
        for number in 0..<pages {
            let ids = (0..<Self.pageItems).map { "\(number)-\($0)" }
            let put = try await service.send(
                "PUT", "/v1/screens/home/pages/\(number)", Pages.list(ids, hasNext: true))
            #expect(put.status == 201)
        }
        return service
    }

    /// Reads page after page as changes, and returns the length of the last response, which does
    /// not keep its layout any longer.
    private func read(
        _ pages: Int, of service: TestService
    ) async throws -> Int {
        var token = try await service.send("GET", "/v1/screens/home/layout")
            .string("/nextPageToken")
        var last: Int?
        for number in 0..<pages - 1 {
            let changes = try await service.send(
                "GET",
                "/v1/screens/home/changes?since=\(pages)&page=\(number)&pageToken=\(token)")
            #expect(changes.status == 200)
            #expect(try changes.value("/stages/0/insertItems")?.count == Self.pageItems)
            token = try changes.string("/tree/nextPageToken")
            last = changes.body.count
        }
        return try #require(last)
    }

    @Test("The trees of successive pages count once in the cache and in the budget")
    func cost() async throws {
        let memory = MemoryBudget(limit: 1 << 30)
        let pages = 40
        let service = try await service(pages: pages, memory: memory)
        let idle = memory.statistics.used(by: .layouts)
        let last = try await read(pages, of: service)
        let tree = try await service.send("GET", "/v1/screens/home/layout?pages=all").body.count
        let layouts = service.service.renderer.cache
        // One layout of all items takes 8,000 times 33 bytes; all of them by themselves, 20 times
        // as much.
        let responses = pages * 3 * last + 3 * tree
        let whole = pages * Self.pageItems * 100 + pages * 4096
        #expect(layouts.byteCount < responses + whole)
        #expect(memory.statistics.used(by: .layouts) - idle < responses + whole)
        layouts.removeAll()
        #expect(memory.statistics.used(by: .layouts) == idle)
        #expect(layouts.byteCount == 0)
    }

    @Test("A layout counts by itself again when the one that continues it is evicted")
    func eviction() async throws {
        let memory = MemoryBudget(limit: 1 << 30)
        let limit = 300_000
        let service = try await service(pages: 30, layoutCacheBytes: limit, memory: memory)
        _ = try await read(30, of: service)
        #expect(service.service.renderer.cache.byteCount <= limit)
        _ = try await read(30, of: service)
        #expect(service.service.renderer.cache.byteCount <= limit)
        service.service.renderer.cache.removeAll()
        #expect(service.service.renderer.cache.byteCount == 0)
    }
}
