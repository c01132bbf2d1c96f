import BroadsheetIO
import BroadsheetTesting
import StoreTestSupport
import Synchronization
import TestSupport
import Testing

@testable import BroadsheetStores

@Suite("Stores over a shared backend", .timeLimit(.minutes(hangMinutes)))
struct SharedBackendTests {
    private let clock = ManualClock()

    private func dictionary() -> DictionaryBackend {
        DictionaryBackend(
            limits: BackendLimits(isShared: true), now: { [clock] in clock.time.unixMilliseconds })
    }

    private func store(
        over backend: any StoreBackend, inspectionPauseFactor: Int? = nil,
        onEvent: @escaping StoreEvent.Handler = { _ in }
    ) -> ScreenStore {
        ScreenStore(
            backend, bounds: StoreBounds(history: HistoryBounds()), clock: clock.time,
            timeout: .seconds(5), inspectionPauseFactor: inspectionPauseFactor, onEvent: onEvent)
    }

    private func name(_ text: String) throws -> ScreenName { try #require(ScreenName(text)) }

    @Test("Reads that wait while a query is in progress share the next one")
    func sharedQueries() async throws {
        let backend = InterceptingBackend(dictionary())
        let store = store(over: backend)
        for index in 0..<20 {
            _ = try await store.commit(
                .put(page: 0, bytes: [0x7B, 0x7D]), to: try name("screen-\(index)"),
                expecting: nil)
        }
        let before = backend.calls.count
        backend.pause()
        let names = try (0..<20).map { try name("screen-\($0)") }
        try await withThrowingTaskGroup(of: UInt64?.self) { group in
            group.addTask { try await store.page(nil, of: names[0], atMost: nil)?.screen.revision }
            #expect(await eventually { backend.isHolding })
            for name in names {
                group.addTask { try await store.page(nil, of: name, atMost: nil)?.screen.revision }
            }
            #expect(await eventually { store.queries.waitingCount == 20 })
            backend.resume()
            for try await revision in group { #expect(revision == 1) }
        }
        let sizes = backend.calls[before...].compactMap { call in
            if case .records(let names) = call { names.count } else { nil }
        }
        #expect(sizes == [1, 20])
    }

    @Test("Writes that meet a full store while space is reclaimed share the next reclaim")
    func sharedReclaim() async throws {
        let isFull = Mutex(true)
        let backend = InterceptingBackend(dictionary()) { call, _ throws(StoreError) in
            if case .apply = call, isFull.withLock({ $0 }) { throw .full("no space left") }
        }
        let store = store(over: backend)
        let names = try (0..<9).map { try name("screen-\($0)") }
        func write(to name: ScreenName) async throws -> UInt64 {
            try await store.commit(.put(page: 0, bytes: [0x7B, 0x7D]), to: name, expecting: nil)
        }
        backend.pause(.reclaims)
        try await withThrowingTaskGroup(of: UInt64.self) { group in
            group.addTask { try await write(to: names[0]) }
            #expect(await eventually { backend.isHolding })
            for name in names[1...] { group.addTask { try await write(to: name) } }
            #expect(await eventually { store.reclaim.waitingCount == 8 })
            isFull.withLock { $0 = false }
            backend.resume()
            for try await revision in group { #expect(revision == 1) }
        }
        let reclaims = backend.calls.count { if case .reclaim = $0 { true } else { false } }
        #expect(reclaims == 2)
    }

    @Test("A batch of events alone tells other daemons that the screen was written")
    func messageOfEvents() async throws {
        let backend = InterceptingBackend(dictionary())
        let store = ScreenStore(
            backend, bounds: StoreBounds(feeds: FeedBounds()), clock: clock.time)
        let home = try name("home")
        _ = try await store.commit(.put(page: 0, bytes: [0x7B, 0x7D]), to: home, expecting: nil)
        #expect(try await store.append([[1]], to: home))
        let messages = backend.calls.compactMap { call in
            if case .apply(let batch) = call { batch.message } else { nil }
        }
        let written = StoreInvalidation.written(home, lowest: 1)
        #expect(messages == [written, written])
    }

    @Test("A query without a reply holds up later ones for a tenth of the timeout")
    func heldQuery() async throws {
        let backend = InterceptingBackend(dictionary())
        let store = store(over: backend)
        let name = try name("home")
        backend.pause()
        let held = Task { try await store.load(name, unlessAt: nil) }
        #expect(await eventually { backend.isHolding })
        clock.advance(by: .milliseconds(500))
        let later = Task { try await store.load(name, unlessAt: nil) }
        #expect(await eventually { backend.calls.count == 2 })
        backend.resume()
        #expect(try await held.value == .absent)
        #expect(try await later.value == .absent)
    }

    @Test("A write whose replies are lost is sent again until the timeout, and is then unknown")
    func lostReplies() async throws {
        let backend = InterceptingBackend(dictionary()) {
            [clock] call, _ throws(StoreError) in
            guard case .apply = call else { return }
            clock.advance(by: .seconds(1))
            throw .unknown("the reply is lost")
        }
        let store = store(over: backend)
        await #expect(
            throws: StoreError.unavailable(
                "it is not known whether a write to screen home was applied")
        ) {
            _ = try await store.commit(
                .put(page: 0, bytes: [0x7B, 0x7D]), to: try name("home"), expecting: nil)
        }
        #expect(backend.batchCount == 5)
        #expect(store.commitsSentAgain.unknown == 1)
    }

    @Test(
        "A write whose first reply is lost is applied once, and counted as sent again",
        arguments: [true, false])
    func oneLostReply(isApplied: Bool) async throws {
        let isFirst = Mutex(true)
        let base = dictionary()
        let backend = InterceptingBackend(base) { call, _ throws(StoreError) in
            guard case .apply(let batch) = call,
                isFirst.withLock({ first in
                    defer { first = false }
                    return first
                })
            else { return }
            if isApplied { _ = base.applyNow(batch) }
            throw .unknown("the reply is lost")
        }
        let store = store(over: backend)
        let revision = try await store.commit(
            .put(page: 0, bytes: [0x7B, 0x7D]), to: try name("home"), expecting: nil)
        #expect(revision == 1)
        #expect(store.commitsSentAgain.done == 1)
        #expect(store.commitsSentAgain.unknown == 0)
    }

    @Test("A write that other writes keep from being applied ends with the timeout")
    func contested() async throws {
        let name = try name("home")
        let base = dictionary()
        let bounds = StoreBounds(feeds: FeedBounds(maxEvents: 10, maxBytes: 1000))
        let other = ScreenStore(base, bounds: bounds, clock: clock.time)
        _ = try await other.commit(.put(page: 0, bytes: [0x7B, 0x7D]), to: name, expecting: nil)
        let backend = InterceptingBackend(base) { [clock] call, _ throws(StoreError) in
            guard case .apply = call else { return }
            clock.advance(by: .seconds(1))
            // It changes the feed, and so the record that a write is planned from.
            _ = try await other.append([[0x7B, 0x7D]], to: name)
        }
        let store = ScreenStore(backend, bounds: bounds, clock: clock.time)
        await #expect(throws: StoreError.self) { _ = try await store.append([[0x7B]], to: name) }
        #expect(backend.batchCount <= 6)
    }

    @Test("The inspection after the start reports each damaged value once")
    func inspection() async throws {
        let base = dictionary()
        let backend = InterceptingBackend(base)
        let writer = store(over: base)
        for screen in ["a", "b", "c"] {
            let name = try name(screen)
            for number in 0..<(screen == "b" ? 4 : 3) {
                _ = try await writer.commit(
                    .put(page: number, bytes: Array(#"{"sections":[]}"#.utf8)), to: name,
                    expecting: number == 0 ? nil : UInt64(number))
            }
        }
        // No other screen has an object with this key.
        let pages = base.objects(of: try name("b")).keys.filter(\.isPage)
        backend.damage(try #require(pages.max { $0.number < $1.number }))
        let log = EventLog()
        let store = store(over: backend, inspectionPauseFactor: 0, onEvent: log.handler)
        await log.wait { $0 == .inspected(screens: 3, damaged: 1) }
        await #expect(throws: StoreError.corrupt("page 3 of screen b is damaged")) {
            _ = try await store.load(try name("b"), unlessAt: nil)
        }
        // A damaged page is an error alone, not with its screen.
        #expect(try await store.page(1, of: try name("b"), atMost: .max)?.bytes != nil)
        #expect(
            log.events == [
                .damaged("page 3 of screen b is damaged"), .inspected(screens: 3, damaged: 1),
            ])
    }

    @Test("Of many screens that have expired 1,000 are removed at once, until all are")
    func manyExpired() async throws {
        let base = dictionary()
        let store = store(over: base)
        for number in 0..<2100 {
            _ = try await store.commit(
                .put(page: 0, bytes: [0x7B, 0x7D]), to: try name("s\(number)"), expecting: nil,
                lifetime: .seconds(10))
        }
        // So that only this test sweeps.
        await store.close()
        clock.advance(seconds: 11)
        var left: [Int] = []
        try await store.sweepAll {
            left.append(try await base.due(before: .min, limit: .max).count)
        }
        #expect(left == [1100, 100])
        #expect(try await base.due(before: .min, limit: .max).isEmpty)
    }

    @Test("Screens that have expired are removed by a sweep, whose event has their number")
    func expiry() async throws {
        let log = EventLog()
        let store = store(over: dictionary(), onEvent: log.handler)
        for screen in ["a", "b", "c"] {
            _ = try await store.commit(
                .put(page: 0, bytes: [0x7B, 0x7D]), to: try name(screen), expecting: nil,
                lifetime: screen == "c" ? .indefinite : .seconds(10))
        }
        clock.advance(seconds: 11)
        try await store.sweep()
        #expect(log.events == [.expired(2)])
    }
}
