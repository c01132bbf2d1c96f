import Broadsheet
import BroadsheetHTTP
import BroadsheetIO
import BroadsheetStores
import StoreTestSupport
import Testing
import TestSupport

@testable import BroadsheetService

@Suite("The memory and the work of PUT of a screen (docs/operations.md, Memory)")
struct PutScreenMemoryTests {
    private let path = PutScreenTests.path
    private static let minimal: HTTPHeaders = [.prefer: "return=minimal"]

    private func body(pages: Int, items: Int, _ text: String = "item") -> String {
        PutScreenTests.body(
            (0..<pages).map { page in Pages.list((0..<items).map { "\(text) \(page) \($0)" }) })
    }

    @Test("A PUT without memory for one of its stages receives 503 and leaves all as it was")
    func refused() async throws {
        let limit = 32 << 20
        let memory = MemoryBudget(limit: limit) { _ in await Task.yield() }
        let service = try await TestService(memory: memory)
        let (old, new) = (body(pages: 3, items: 20), body(pages: 4, items: 300, "new"))
        try await service.send("PUT", path, old, headers: Self.minimal)
        let idle = memory.statistics.total
        var refusals = 0
        while true {
            // Each attempt has more memory than the one before, so it gets further.
            let free = (refusals + 1) * 50_000
            let holder = try #require(
                memory.reservation(of: limit - idle - free, for: .work), "all of it is enough")
            let before = memory.statistics.total
            let response = try await service.send("PUT", path, new, headers: Self.minimal)
            guard response.status == 503 else {
                #expect(response.status == 200)
                break
            }
            refusals += 1
            #expect(response.code == "OVERLOADED")
            #expect(memory.statistics.total == before)
            #expect(try await service.send("GET", path).number("/revision") == 1)
            holder.shrink(to: 0)
        }
        #expect(refusals > 2)
        #expect(try await service.send("GET", path).number("/pageCount") == 4)
        #expect(memory.statistics.used(by: .screens) > new.utf8.count)
    }

    @Test("Many pages take the memory of one at a time besides what they keep")
    func manyPages() async throws {
        // The index of all items at once would take several times as much.
        let pages = body(pages: 200, items: 200)
        let memory = MemoryBudget(limit: 96 << 20)
        let service = try await TestService(memory: memory)
        let made = try await service.send("PUT", path, pages, headers: Self.minimal)
        #expect(made.status == 201, "\(pages.utf8.count) bytes: \(made.text)")
        #expect(try await service.send("GET", path).number("/pageCount") == 200)
    }

    @Test("Many small pages are read by a worker; without the client nothing is stored")
    func worker() async throws {
        let backend = InterceptingBackend()
        let blocked = try await BlockedService(store: backend.store)
        defer { blocked.end() }
        let many = Array(body(pages: 300, items: 1).utf8)
        #expect(many.count < Work.maxInlineBody)
        let lost = blocked.start("PUT", path, many)
        await blocked.waitForQueue(of: 1)
        let few = Array(body(pages: 3, items: 1).utf8)
        #expect(try await blocked.start("PUT", path, few).value.status == 201)
        lost.cancel()
        await blocked.release()
        #expect(try await lost.value.status == 499)
        let put = try await blocked.start("PUT", path, many).value
        #expect(put.status == 200 && put.etag == "\"r2\"")
        #expect(try put.number("/pageCount") == 300)
    }
}
