import Testing

@testable import BroadsheetStores

@Suite("Requests to fold the log", .timeLimit(.minutes(1)))
struct FoldingRequestsTests {
    @Test("are under way from being asked for until they are finished")
    func round() {
        let requests = FoldingRequests()
        #expect(requests.isIdle)
        requests.ask()
        #expect(!requests.isIdle)
        #expect(requests.wait())
        #expect(!requests.isIdle)
        requests.finish()
        #expect(requests.isIdle)
        requests.waitUntilIdle()
    }

    @Test("are under way still when one is finished and the next waits, and share what waits")
    func overlapping() {
        let requests = FoldingRequests()
        requests.ask()
        #expect(requests.wait())
        for _ in 0..<3 { requests.ask() }
        requests.finish()
        #expect(!requests.isIdle)
        #expect(requests.wait())
        requests.finish()
        #expect(requests.isIdle)
    }

    @Test("hold whoever waits for them until they are finished, and no longer")
    func waiting() {
        let requests = FoldingRequests()
        requests.ask()
        let thread = StoreThread("test-fold") {
            while requests.wait() { requests.finish() }
        }
        requests.waitUntilIdle()
        #expect(requests.isIdle)
        requests.close()
        thread.join()
    }

    @Test("that nobody serves keep nobody waiting, before or after")
    func abandoned() {
        let requests = FoldingRequests()
        requests.ask()
        requests.abandon()
        #expect(requests.isIdle)
        requests.ask()
        #expect(requests.isIdle)
        requests.waitUntilIdle()
    }

    @Test("end when they are closed, the last one served")
    func closing() {
        let requests = FoldingRequests()
        requests.ask()
        requests.close()
        #expect(requests.wait())
        #expect(!requests.wait())
    }
}
