import Broadsheet
import BroadsheetHTTP
import BroadsheetIO
import BroadsheetStores
import Dispatch
import StoreTestSupport
import Testing
import TestSupport

@testable import BroadsheetService

@Suite(
    "Work on worker threads (docs/operations.md, Expensive requests)",
    .timeLimit(.minutes(hangMinutes)))
struct WorkTests {
    private let path = "/v1/screens/home/pages/0"

    /// A page of at least `count` bytes, without items.
    private func page(ofBytes count: Int) -> [UInt8] {
        Array(#"{"sections":[]}"#.utf8) + [UInt8](repeating: 0x20, count: count)
    }

    /// A page of `count` items in little more than 20 bytes each.
    private func page(ofItems count: Int) -> [UInt8] {
        let items = (0..<count).map { #"{"id":"item \#($0)"}"# }.joined(separator: ",")
        return Array(Pages.list(["first"]).replacing(#"{"id":"first"}"#, with: items).utf8)
    }

    @Test("The event loop responds while every worker thread computes")
    func responsive() async throws {
        let blocked = try await BlockedService()
        defer { blocked.end() }
        let small = page(ofBytes: 100)
        #expect(try await blocked.start("PUT", path, small).value.status == 201)
        let layout = "/v1/screens/home/layout"
        #expect(try await blocked.start("GET", layout).value.status == 200)
        let large = page(ofBytes: Work.maxInlineBody)
        let composed = blocked.start("POST", "/v1/layout", large)
        let stored = blocked.start("PUT", "/v1/screens/other/pages/0", large)
        await blocked.waitForQueue(of: 2)
        for _ in 0..<3 {
            #expect(try await blocked.start("GET", "/livez").value.status == 200)
            #expect(try await blocked.start("GET", layout).value.status == 200)
            #expect(try await blocked.start("POST", "/v1/layout", small).value.status == 200)
            #expect(try await blocked.start("PUT", path, small).value.status == 200)
        }
        #expect(blocked.pool.queueLength == 2)
        await blocked.release()
        #expect(try await composed.value.status == 200)
        #expect(try await stored.value.status == 201)
        #expect(blocked.pool.workCount == 0)
    }

    @Test("A large screen is resolved, laid out and drawn by a worker; what is cached is at hand")
    func largeScreen() async throws {
        let store = ScreenStore.inMemory()
        let body = page(ofItems: 5_000)
        _ = try await store.commit(
            .put(page: 0, bytes: body), to: try #require(ScreenName("home")), expecting: nil)
        let blocked = try await BlockedService(store: store)
        defer { blocked.end() }
        let targets = ["layout", "layout?lint=true", "layout.svg", "layout?rect=0,0,100,100"]
        let cold = targets.map { blocked.start("GET", "/v1/screens/home/\($0)") }
        await blocked.waitForQueue(of: targets.count)
        await blocked.release()
        for request in cold { #expect(try await request.value.status == 200) }

        let again = try await BlockedService(store: store, isBlocked: false)
        defer { again.end() }
        let first = try await again.start("GET", "/v1/screens/home/layout").value
        let starts = Recorder<UInt64>()
        again.pool.observeStarts { starts.record($0) }
        let second = try await again.start("GET", "/v1/screens/home/layout").value
        #expect(second.response.body == first.response.body && starts.count == 0)
        // A small write to the large screen: its tree is expensive, the write is not.
        let minimal: HTTPHeaders = [.prefer: "return=minimal"]
        let other = "/v1/screens/home/pages/1"
        let small = page(ofBytes: 10)
        #expect(try await again.start("PUT", other, small, headers: minimal).value.status == 201)
        #expect(starts.count == 0)
        #expect(try await again.start("PUT", other, small).value.status == 200)
        #expect(starts.count == 1)
    }

    @Test("A small body with many values or with a catalog is read by a worker")
    func denseBodies() async throws {
        let blocked = try await BlockedService()
        defer { blocked.end() }
        let values = String(repeating: "[],", count: 30_000) + "[]"
        let dense = Array(#"{"sections":[],"more":[\#(values)]}"#.utf8)
        #expect(dense.count < Work.maxInlineBody)
        let rules = String(repeating: " ", count: 10_000)
        let catalog = Array(#"{"pages":[],"catalog":\#(Catalogs.shop)\#(rules)}"#.utf8)
        let requests = [
            blocked.start("POST", "/v1/layout", dense), blocked.start("PUT", path, dense),
            blocked.start("POST", "/v1/layout", catalog),
        ]
        await blocked.waitForQueue(of: 3)
        await blocked.release()
        #expect(try await requests[0].value.status == 200)
        #expect(try await requests[1].value.status == 201)
        #expect(try await requests[2].value.status == 200)
    }

    @Test("Above the limit of a client, an expensive request is 503 with Retry-After")
    func overloaded() async throws {
        var limits = WorkerPool.Limits()
        limits.perClient = 2
        let blocked = try await BlockedService(limits: limits)
        defer { blocked.end() }
        let large = page(ofBytes: Work.maxInlineBody)
        // The blocking job is of the same client.
        let waiting = blocked.start("POST", "/v1/layout", large)
        await blocked.waitForQueue(of: 1)
        let refused = try await blocked.start("POST", "/v1/layout", large).value
        #expect(refused.status == 503 && refused.code == "OVERLOADED")
        #expect(refused.response.headers[.retryAfter] == "1")
        #expect(try await blocked.start("GET", "/livez").value.status == 200)
        await blocked.release()
        #expect(try await waiting.value.status == 200)
        let metrics = try ScrapedMetrics(await blocked.start("GET", "/metrics").value.text)
        #expect(metrics["broadsheet_work_refused_total"] == 1)
        #expect(metrics["broadsheet_work_dropped_total"] == 0)
        #expect(metrics["broadsheet_work_queue_jobs"] == 0)
        #expect(metrics["broadsheet_work_requests"] == 0)
        #expect(try #require(metrics["broadsheet_work_wait_seconds_count"]) >= 1)
    }

    @Test("Work whose connection is lost is dropped before it starts, and nothing is stored")
    func dropped() async throws {
        let backend = InterceptingBackend()
        let blocked = try await BlockedService(store: backend.store)
        defer { blocked.end() }
        let write = blocked.start("PUT", path, page(ofBytes: Work.maxInlineBody))
        await blocked.waitForQueue(of: 1)
        write.cancel()
        await blocked.release()
        #expect(try await write.value.status == 499)
        let metrics = try ScrapedMetrics(await blocked.start("GET", "/metrics").value.text)
        #expect(metrics["broadsheet_work_dropped_total"] == 1)
        #expect(backend.batchCount == 0)
        #expect(try await blocked.start("GET", path).value.status == 404)
    }

    @Test("A write that is with the store is completed and visible although its connection is lost")
    func completedWrite() async throws {
        let (isCommitting, mayCommit) = (Gate(), Gate())
        let backend = InterceptingBackend { call, _ throws(StoreError) in
            guard case .apply = call else { return }
            isCommitting.open()
            await mayCommit.wait()
        }
        let blocked = try await BlockedService(store: backend.store, isBlocked: false)
        defer { blocked.end() }
        let body = page(ofBytes: Work.maxInlineBody)
        let write = blocked.start("PUT", path, body)
        await isCommitting.wait()
        write.cancel()
        mayCommit.open()
        let response = try await write.value
        #expect(response.status == 201 && response.response.body.isEmpty)
        #expect(try await blocked.start("GET", path).value.response.body == body)
    }
}
