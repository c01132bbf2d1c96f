import Broadsheet
import BroadsheetHTTP
import BroadsheetIO
import BroadsheetStores
import StoreTestSupport
import Testing
import TestSupport

@testable import BroadsheetService

@Suite("The time of the store (--store-timeout)", .timeLimit(.minutes(hangMinutes)))
struct StoreTimeoutTests {
    private let path = "/v1/screens/home/pages/0"

    @Test("Writers of a screen wait for its lock no longer than the store has from their arrival")
    func writers() async throws {
        let (gate, sleep, clock) = (Gate(), ManualSleep(), ManualClock())
        let backend = InterceptingBackend { call, _ throws(StoreError) in
            if case .apply = call { await gate.wait() }
        }
        let service = try await TestService(
            store: backend.store, clock: clock.time, storeTimeout: .seconds(5), sleep: sleep.sleep)
        let lock = service.service.screens.writeLock
        let home = try #require(ScreenName("home"))
        func put() -> Task<ReceivedResponse, any Error> {
            Task { try await service.send("PUT", path, Pages.list(["a"])) }
        }
        let first = put()
        await until { lock.waiterCount(for: home) == 0 }
        clock.advance(by: .seconds(2))
        let others = (0..<10).map { _ in put() }
        await until { sleep.durations.count == 10 }
        #expect(sleep.durations == Array(repeating: .seconds(5), count: 10))
        sleep.end()
        for other in others {
            let response = try await other.value
            #expect(response.status == 503 && response.code == "STORE_UNAVAILABLE")
            #expect(response.response.headers[.retryAfter] != nil)
        }
        gate.open()
        #expect(try await first.value.status == 201)
        #expect(lock.waiterCount(for: home) == nil)
        #expect(try await put().value.status == 200)
    }

    @Test("A store on no server has no such time: writers wait for the lock")
    func withoutServer() async throws {
        let (gate, sleep) = (Gate(), ManualSleep())
        let backend = InterceptingBackend { call, _ throws(StoreError) in
            if case .apply = call { await gate.wait() }
        }
        let service = try await TestService(store: backend.store, sleep: sleep.sleep)
        let lock = service.service.screens.writeLock
        let home = try #require(ScreenName("home"))
        let writers = (0..<3).map { _ in
            Task { try await service.send("PUT", path, Pages.list(["a"])).status }
        }
        await until { lock.waiterCount(for: home) == 2 }
        #expect(sleep.durations.isEmpty)
        gate.open()
        for writer in writers { #expect(try await writer.value < 300) }
    }
}
