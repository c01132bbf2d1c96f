import BroadsheetIO
import Testing

@testable import BroadsheetStores

@Suite("Requests to fold the log", .timeLimit(.minutes(1)))
struct CheckpointRequestsTests {
    @Test("are under way from being asked for until they are finished")
    func round() {
        let requests = CheckpointRequests()
        #expect(requests.isIdle)
        requests.request()
        #expect(!requests.isIdle)
        #expect(requests.wait())
        #expect(!requests.isIdle)
        requests.finish()
        #expect(requests.isIdle)
        requests.waitUntilIdle()
    }

    @Test("are under way still when one is finished and the next waits, and share what waits")
    func overlapping() {
        let requests = CheckpointRequests()
        requests.request()
        #expect(requests.wait())
        for _ in 0..<3 { requests.request() }
        requests.finish()
        #expect(!requests.isIdle)
        #expect(requests.wait())
        requests.finish()
        #expect(requests.isIdle)
    }

    @Test("hold whoever waits for them until they are finished, and no longer")
    func waiting() throws {
        let requests = CheckpointRequests()
        requests.request()
        let thread = try WorkerThread("test-fold") {
            while requests.wait() { requests.finish() }
        }
        requests.waitUntilIdle()
        #expect(requests.isIdle)
        requests.close()
        thread.join()
    }

    @Test("that nobody serves keep nobody waiting, before or after")
    func abandoned() {
        let requests = CheckpointRequests()
        requests.request()
        requests.abandon()
        #expect(requests.isIdle)
        requests.request()
        #expect(requests.isIdle)
        requests.waitUntilIdle()
    }

    @Test("end when they are closed, the last one served")
    func closing() {
        let requests = CheckpointRequests()
        requests.request()
        requests.close()
        #expect(requests.wait())
        #expect(!requests.wait())
    }
}
