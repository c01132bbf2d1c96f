import Broadsheet
import BroadsheetHTTP
import BroadsheetStores
import StoreTestSupport
import Synchronization
import TestSupport
import Testing

@testable import BroadsheetService

@Suite("Fetches of pages at the same time (docs/operations.md, Pages on demand)")
struct FetchTests {
    private let layout = "/v1/screens/home/layout"
    private let path = "/v1/screens/home/pages"

    /// Creates an origin with four pages that responds when a gate is open.
    private func origin(behind gate: Gate) -> FakeOrigin {
        FakeOrigin { request throws(OriginError) in
            await gate.wait()
            return try FakeOrigin.fourPages(request)
        }
    }

    @Test("However many requests need a page, it is fetched once")
    func once() async throws {
        let gate = Gate()
        let origin = origin(behind: gate)
        let service = try await TestService(origin: origin)
        let statuses = try await withThrowingTaskGroup(of: Int.self) { group in
            for number in 0..<100 {
                group.addTask {
                    try await service.send("GET", "\(layout)?width=\(300 + number)").status
                }
            }
            await until { service.service.originMetrics.waiting.value == 100 }
            gate.open()
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(statuses == [Int](repeating: 200, count: 100))
        #expect(origin.requests.count == 1)
    }

    @Test("A request whose client goes away does not cancel the fetch that others wait for")
    func clientGone() async throws {
        let gate = Gate()
        let origin = origin(behind: gate)
        let service = try await TestService(origin: origin)
        let first = Task { try await service.send("GET", layout) }
        await until { origin.requests.count == 1 }
        let second = Task { try await service.send("GET", layout) }
        let third = Task { try await service.send("GET", layout) }
        await until { service.service.originMetrics.waiting.value == 3 }
        first.cancel()
        third.cancel()
        #expect(try await third.value.status == 499)
        gate.open()
        #expect(try await second.value.status == 200)
        #expect(try await first.value.status == 499)
        #expect(origin.requests.count == 1)
    }

    @Test("A page that is fetched for clients that have all gone is stored nevertheless")
    func allGone() async throws {
        let gate = Gate()
        let origin = origin(behind: gate)
        let service = try await TestService(origin: origin)
        let only = Task { try await service.send("GET", layout) }
        await until { origin.requests.count == 1 }
        only.cancel()
        gate.open()
        _ = try await only.value
        await service.service.waitForFetches()
        #expect(try await service.send("GET", "\(path)/0").status == 200)
    }

    @Test("A page that is posted during its fetch stays")
    func posted() async throws {
        let gate = Gate()
        let origin = origin(behind: gate)
        let service = try await TestService(origin: origin)
        let request = Task { try await service.send("GET", layout) }
        await until { origin.requests.count == 1 }
        try await service.send("PUT", "\(path)/0", Pages.list(["posted"]))
        gate.open()
        #expect(try await request.value.itemIds == [["posted"]])
        #expect(try await service.send("GET", "/v1/screens/home").number("/revision") == 1)
    }

    @Test("A page of a screen that is removed during the fetch is not stored")
    func removed() async throws {
        let gate = Gate()
        let origin = FakeOrigin { request throws(OriginError) in
            if request.page == 1 { await gate.wait() }
            return try FakeOrigin.fourPages(request)
        }
        let service = try await TestService(origin: origin)
        let token = try await service.send("GET", layout).string("/nextPageToken")
        let request = Task { try await service.send("GET", "\(layout)?pageToken=\(token)") }
        await until { origin.requests.count == 2 }
        try await service.send("DELETE", "/v1/screens/home")
        gate.open()
        // The request begins again: it needs both pages.
        #expect(try await request.value.itemIds == [["p0", "p1"]])
        #expect(origin.pages == ["home/0", "home/1", "home/0", "home/1"])
    }

    @Test("Two daemons that fetch a page at the same time store it once")
    func daemons() async throws {
        let gate = Gate()
        let store = ScreenStore.inMemory()
        let origins = [origin(behind: gate), origin(behind: gate)]
        let services = [
            try await TestService(store: store, origin: origins[0]),
            try await TestService(store: store, origin: origins[1]),
        ]
        let requests = services.map { service in
            Task { try await service.send("GET", layout) }
        }
        await until { origins.allSatisfy { $0.requests.count == 1 } }
        gate.open()
        for request in requests { #expect(try await request.value.status == 200) }
        #expect(try await services[0].send("GET", "/v1/screens/home").number("/revision") == 1)
    }

    @Test("A write of another daemon between reading and storing is kept")
    func contested() async throws {
        let backend = InterceptingBackend.contested(times: 1)
        let service = try await TestService(store: backend.store, origin: FakeOrigin())
        #expect(try await service.send("GET", layout).status == 200)
        let state = try await service.send("GET", "/v1/screens/home")
        #expect(try state.number("/page") == 1000)
        #expect(try state.number("/pageCount") == 1)
    }

    @Test("At most --origin-fetches pages are fetched at one time; others wait their turn")
    func slots() async throws {
        let gate = Gate()
        let (running, most) = (Shared(0), Shared(0))
        let origin = FakeOrigin { request throws(OriginError) in
            let count = running.withLock { running in
                running += 1
                return running
            }
            most.withLock { $0 = max($0, count) }
            await gate.wait()
            running.withLock { $0 -= 1 }
            return try FakeOrigin.fourPages(request)
        }
        var onDemand = OriginConfiguration.patient
        onDemand.maxFetches = 2
        let service = try await TestService(origin: origin, onDemand: onDemand)
        let requests = (0..<10).map { number in
            Task { try await service.send("GET", "/v1/screens/s\(number)/layout").status }
        }
        await until { service.service.origin?.count == 10 && running.value == 2 }
        gate.open()
        for request in requests { #expect(try await request.value == 200) }
        #expect(most.value == 2)
    }

    @Test("A fetch that finds too many others waiting, or waits too long, is 503 OVERLOADED")
    func queue() async throws {
        let (gate, time) = (Gate(), Gate())
        let origin = origin(behind: gate)
        var onDemand = OriginConfiguration.patient
        onDemand.maxFetches = 1
        let service = try await TestService(
            origin: origin, onDemand: onDemand, sleep: { _ in await time.wait() })
        let first = Task { try await service.send("GET", layout).status }
        await until { origin.requests.count == 1 }
        let others = (0..<FetchSlots.maxWaitingPerSlot).map { number in
            Task { try await service.send("GET", "/v1/screens/s\(number)/layout") }
        }
        await until {
            service.service.origin?.waitingCount == FetchSlots.maxWaitingPerSlot
        }
        let refused = try await service.send("GET", "/v1/screens/last/layout")
        #expect(refused.code == "OVERLOADED" && refused.text.contains("--origin-fetches"))
        time.open()
        for other in others { #expect(try await other.value.code == "OVERLOADED") }
        gate.open()
        #expect(try await first.value == 200)
        #expect(origin.requests.count == 1)
    }

    @Test(
        "A fetch that waited for most of its time and is late is 503, not a failure of the origin")
    func late() async throws {
        let (gate, clock, sleep) = (Gate(), ManualClock(), ManualSleep())
        let origin = FakeOrigin { request throws(OriginError) in
            guard request.screen.text == "home" else { throw .timeout }
            await gate.wait()
            return try FakeOrigin.fourPages(request)
        }
        var onDemand = OriginConfiguration()
        onDemand.maxFetches = 1
        let service = try await TestService(
            clock: clock.time, origin: origin, onDemand: onDemand, sleep: sleep.sleep)
        let first = Task { try await service.send("GET", layout).status }
        await until { origin.requests.count == 1 }
        let others = (0..<OriginCircuit.maxFailures).map { number in
            Task { try await service.send("GET", "/v1/screens/s\(number)/layout").code }
        }
        await until { service.service.origin?.waitingCount == others.count }
        clock.advance(milliseconds: 1001)
        gate.open()
        #expect(try await first.value == 200)
        for other in others { #expect(try await other.value == "OVERLOADED") }
        #expect(try await service.send("GET", "/v1/screens/s/layout").code == "ORIGIN_TIMEOUT")
    }

    @Test("Closing ends the fetches, and returns when none is in progress")
    func close() async throws {
        let gate = Gate()
        let origin = FakeOrigin { _ throws(OriginError) in
            await gate.wait()
            throw .closed
        }
        let service = try await TestService(origin: origin)
        let request = Task { try await service.send("GET", layout) }
        await until { origin.requests.count == 1 }
        let isClosed = Shared(false)
        let closing = Task {
            await service.service.closeOrigin()
            isClosed.withLock { $0 = true }
        }
        for _ in 0..<100 { await Task.yield() }
        #expect(!isClosed.value)
        gate.open()
        await closing.value
        #expect(try await request.value.code == "OVERLOADED")
        #expect(try await service.send("GET", layout).code == "OVERLOADED")
        #expect(origin.requests.count == 1)
    }
}
