import BroadsheetIO
import BroadsheetTesting
import Synchronization
import TestSupport
import Testing

@testable import BroadsheetStores

@Suite("Random histories of the core of the stores")
struct RandomHistoryTests {
    @Test(
        "Daemons that write, fail and fail over leave what the value semantics say, and nothing else",
        .timeLimit(.minutes(hangMinutes)))
    func histories() async throws {
        for seed in SeededGenerator.seeds(of: "RandomHistoryTests", count: 60) {
            let world = RandomWorld(seed: seed)
            try await world.run(operations: 120)
        }
    }

    @Test(
        "Daemons that write and fail leave the same in a SQLite file",
        .timeLimit(.minutes(hangMinutes)))
    func sqliteHistories() async throws {
        for seed in SeededGenerator.seeds(of: "RandomHistoryTests.sqlite", count: 12) {
            let clock = ManualClock()
            let file = try DatabaseFile()
            let backend = try SQLiteBackend(
                path: file.path, options: SQLiteStoreOptions(clock: clock.time))
            do {
                try await RandomWorld(seed: seed, clock: clock, over: backend).run(operations: 120)
            } catch {
                await backend.close()
                throw error
            }
            await backend.close()
        }
    }

    @Test(
        "Daemons that write, fail and see another line leave the same in PostgreSQL",
        .timeLimit(.minutes(hangMinutes)))
    func postgresHistories() async throws {
        for seed in SeededGenerator.seeds(of: "RandomHistoryTests.postgres", count: 8) {
            try await withPostgresBackend { backend, server, database in
                let world = RandomWorld(seed: seed, on: server.tested(backend, database))
                try await world.run(operations: 120)
            }
        }
    }

    @Test(
        "Daemons that write, fail and see another line leave the same on a Redis server",
        .timeLimit(.minutes(hangMinutes)))
    func redisHistories() async throws {
        for seed in SeededGenerator.seeds(of: "RandomHistoryTests.redis", count: 12) {
            try await withRedisBackend { redis in
                let world = RandomWorld(seed: seed, on: redis.tested())
                try await world.run(operations: 120)
            }
        }
    }
}

/// Daemons on one backend, whose calls other daemons precede, and which are lost at times.
private final class RandomWorld: StoreBackend {
    private struct State {
        var random: SeededGenerator
        var stores: [ScreenStore] = []
        /// The indexes of the daemons whose operations wait for a call.
        var busy: Set<Int> = []
        var delayed: [(batch: StoreBatch, operation: StoreOperation?)] = []
    }

    private let state: Mutex<State>
    private let clock: ManualClock
    private let base: DictionaryBackend
    /// The backend that the daemons use, which must have what the one over a dictionary has; `nil`
    /// if they use that itself.
    private let tested: (any StoreBackend)?
    /// The description of that backend if it has a clock and lines of its own.
    private let server: TestedBackend?
    /// The factor of all times, so that those that a server takes make no difference.
    private let scale: Int
    private let judge: HistoryJudge
    private let names: [ScreenName]
    private let failureRate: Double
    private let pages: Int
    private let losesWrites: Bool
    private let bounds: StoreBounds
    let limits: BackendLimits

    init(
        seed: UInt64, clock: ManualClock = ManualClock(), over backend: (any StoreBackend)? = nil,
        on server: TestedBackend? = nil
    ) {
        let tested = backend ?? server?.backend
        self.server = server
        scale = server == nil ? 1 : 1000
        var random = SeededGenerator(seed: seed)
        let now: @Sendable () -> Int64 = { clock.time.unixMilliseconds }
        self.clock = clock
        self.tested = tested
        let removesExpired = Int.random(in: 0..<5, using: &random) < 2
        limits = tested?.limits ?? BackendLimits(removesExpired: removesExpired)
        base = DictionaryBackend(limits: limits, now: now)
        judge = HistoryJudge(now: now)
        names = ["a", "ab", "b"].prefix(Int.random(in: 1...3, using: &random)).compactMap {
            ScreenName($0)
        }
        failureRate = [0, 0.02, 0.15].randomElement(using: &random) ?? 0
        pages = [3, 12, 60].randomElement(using: &random) ?? 3
        losesWrites = Bool.random(using: &random) && tested == nil
        bounds = StoreBounds(
            history: HistoryBounds(
                maxRevisions: [0, 1, 3, 20, 1000].randomElement(using: &random) ?? 0,
                maxAge: [2, 60, 86_400].randomElement(using: &random) ?? 2,
                maxBytes: [200, 2000, 1 << 20].randomElement(using: &random) ?? 200),
            feeds: FeedBounds(
                maxEvents: [3, 10].randomElement(using: &random) ?? 3,
                maxBytes: [40, 1000].randomElement(using: &random) ?? 40),
            nodeCapacity: [4, 4, 8, 64].randomElement(using: &random) ?? 4)
        state = Mutex(State(random: random))
    }

    /// The backend that the daemons use.
    private var backend: any StoreBackend { tested ?? base }

    private func choose(_ body: (inout SeededGenerator) -> Int) -> Int {
        state.withLock { body(&$0.random) }
    }

    private func number(_ range: Range<Int>) -> Int {
        choose { Int.random(in: range, using: &$0) }
    }

    private func chance(_ probability: Double) -> Bool {
        number(0..<10_000) < Int(probability * 10_000)
    }

    private func newStore() -> ScreenStore {
        ScreenStore(self, bounds: bounds, clock: clock.time)
    }

    func run(operations: Int) async throws {
        let count = number(1..<4)
        state.withLock { $0.stores = (0..<count).map { _ in newStore() } }
        for _ in 0..<operations {
            if chance(0.1) {
                try await letPass(milliseconds: [1, 300, 3000, 40_000][number(0..<4)] * scale)
            }
            if chance(0.03) { restart() }
            if chance(0.03), tested == nil || server != nil { try await failOver() }
            try await performOne()
            for name in names { try judge.check(base, name) }
        }
        for store in state.withLock({ $0.stores }) { await store.close() }
        try await expectNames()
    }

    /// Replaces a daemon by a new one, which knows nothing.
    private func restart() {
        let store = newStore()
        let index = number(0..<state.withLock { $0.stores.count })
        state.withLock { if !$0.busy.contains(index) { $0.stores[index] = store } }
    }

    private func letPass(milliseconds: Int) async throws {
        clock.advance(milliseconds: Int64(milliseconds))
        try await server?.letPass(milliseconds / 1000)
    }

    private func failOver() async throws {
        try await server?.beginLine?()
        let lost = base.failOver(losing: losesWrites ? number(0..<4) : 0)
        judge.failOver(losing: lost)
        state.withLock { $0.delayed = [] }
    }

    /// Performs an operation by a daemon that is not busy, if there is one.
    private func performOne() async throws {
        let index = number(0..<state.withLock { $0.stores.count })
        let store: ScreenStore? = state.withLock { state in
            state.busy.insert(index).inserted ? state.stores[index] : nil
        }
        guard let store else { return }
        defer { state.withLock { _ = $0.busy.remove(index) } }
        let name = names[number(0..<names.count)]
        switch number(0..<100) {
        case ..<50: try await commit(store, name)
        case ..<60: try await append(store, name)
        case ..<64: try await forget(store, name)
        case ..<68: try await sweep(store)
        case ..<72: _ = try await store.feed(of: name, after: 0, byteCount: 1000)
        case ..<85: try await load(store, name)
        default: try await loadEarlier(store, name)
        }
    }

    private func page(_ number: Int) -> PutPage {
        let length = [0, 3, 20, 60][self.number(0..<4)]
        let bytes = (0..<length).map { _ in UInt8(self.number(0..<256)) }
        let counts = [
            nil, ContentCounts(sections: 1, items: 2), ContentCounts(sections: 3, items: 5),
        ]
        return PutPage(number: number, bytes: bytes, counts: counts[self.number(0..<3)])
    }

    private func newPages(_ count: Int) -> [PutPage] {
        let numbers = state.withLock { (0...pages).shuffled(using: &$0.random) }
        return numbers.prefix(count).map(page)
    }

    private func randomCommit(_ value: StoredScreen?) -> ScreenCommit {
        let totals = chance(0.2) ? ContentCounts(sections: 9, items: 9) : nil
        switch number(0..<22) {
        case ..<8: return .putPages([page(number(0..<pages + 1))], totals: totals)
        case ..<11: return .putPages(newPages(number(1..<5)), totals: totals)
        case ..<12: return .putPages(newPages(40), totals: totals)
        case ..<15:
            let put = newPages(number(0..<4))
            let kept = (value?.pages ?? []).map(\.number).filter { number in
                chance(0.6) && !put.contains { $0.number == number }
            }
            return .replacePages(put, keeping: kept, totals: totals)
        case ..<20:
            let own = value?.pages.map(\.number) ?? []
            return .removePage(
                own.isEmpty || chance(0.2) ? number(0..<pages + 1) : own[number(0..<own.count)])
        case 20: return .removeAllPages
        default: return .removeScreen
        }
    }

    private func randomEvents() -> [[UInt8]] {
        (0..<number(1..<4)).map { _ in (0..<number(0..<20)).map { UInt8($0) } }
    }

    private func commit(_ store: ScreenStore, _ name: ScreenName) async throws {
        let value = judge.alive(name)?.value
        let commit = randomCommit(value)
        let expected = chance(0.1) ? [nil, 1][number(0..<2)] : value?.revision
        let lifetimes: [ScreenLifetime] = [
            .indefinite, .seconds(scale), .seconds(5 * scale),
        ]
        let lifetime = chance(0.6) ? .unchanged : lifetimes[number(0..<3)]
        let events = chance(0.2) && commit != .removeScreen ? randomEvents() : []
        let operation = StoreOperation(
            .commit(commit, expecting: expected, lifetime: lifetime), events: events, bounds: bounds
        )
        var note = RevisionNote(operation: "putPage")
        note.forwarded = events
        let result = await result(of: operation) { () async throws(StoreError) -> UInt64 in
            try await store.commit(
                commit, to: name, expecting: expected, lifetime: lifetime, as: note)
        }
        switch result {
        case .success(let revision):
            // A removal that is sent again may find that another daemon has removed the screen.
            if commit == .removeScreen, operation.revisions.isEmpty { return }
            #expect(operation.revisions.contains(revision), "acknowledged, and not applied")
            #expect(operation.count > 0 || losesWrites, "acknowledged, and lost")
        case .failure(.conflict): #expect(operation.count == 0, "applied, and refused")
        case .failure(.unavailable): #expect(failureRate > 0)
        case .failure(let error): Issue.record(error)
        }
    }

    private func result<Value: Sendable>(
        of operation: StoreOperation, _ body: () async throws(StoreError) -> Value
    ) async -> Result<Value, StoreError> {
        await StoreOperation.$current.withValue(operation) {
            do throws(StoreError) {
                return .success(try await body())
            } catch {
                return .failure(error)
            }
        }
    }

    private func append(_ store: ScreenStore, _ name: ScreenName) async throws {
        let operation = StoreOperation(.append, events: randomEvents(), bounds: bounds)
        let result = await result(of: operation) { () async throws(StoreError) -> Bool in
            try await store.append(operation.events, to: name)
        }
        switch result {
        case .success(true): #expect(!operation.revisions.isEmpty, "events were lost")
        case .success(false): #expect(operation.count == 0, "stored, and refused")
        case .failure(.unavailable): #expect(failureRate > 0)
        case .failure(let error): Issue.record(error)
        }
    }

    private func forget(_ store: ScreenStore, _ name: ScreenName) async throws {
        let operation = StoreOperation(.forget(everything: true), bounds: bounds)
        let result = await result(of: operation) { () async throws(StoreError) -> Bool in
            try await store.removeRevisions(of: name)
        }
        if case .failure(let error) = result { Issue.record(error) }
    }

    private func sweep(_ store: ScreenStore) async throws {
        let operation = StoreOperation(.forget(everything: false), bounds: bounds)
        let result = await result(of: operation) { () async throws(StoreError) -> Int in
            try await store.sweep()
        }
        if case .failure(let error) = result { Issue.record(error) }
    }

    private func load(_ store: ScreenStore, _ name: ScreenName) async throws {
        let moment = judge.moment(of: name)
        let wasAlive = judge.alive(name) != nil
        let found = try await store.load(name, unlessAt: nil)
        let values = judge.values(of: name, since: moment)
        switch found {
        case .screen(let stored): #expect(values.contains(stored), "no moment had this screen")
        case .absent:
            #expect(!wasAlive || values.contains(nil) || judge.alive(name) == nil)
        case .unchanged, .tooLarge: Issue.record("\(found)")
        }
    }

    private func loadEarlier(_ store: ScreenStore, _ name: ScreenName) async throws {
        let kept = judge.alive(name)?.kept.map(\.value.revision) ?? []
        let revision = kept.isEmpty ? 1 : kept[number(0..<kept.count)]
        let found = try await store.load(name, at: revision, .all, within: .unlimited)
        guard case .screen(let stored) = found else { return }
        #expect(stored == judge.contents(of: name, at: revision))
        let list = try await store.revisions(of: name, before: nil, limit: 1000)
        #expect(list == nil || list?.entries.isEmpty == false)
    }

    private func expectNames() async throws {
        for prefix in ["", "a", "ab", "x"] {
            let wanted = names.sorted().filter { $0.text.hasPrefix(prefix) }.compactMap { name in
                judge.alive(name).map { ScreenListing(name, $0.value.head) }
            }
            let prefix = try #require(ScreenNamePrefix(prefix))
            #expect(try await backend.names(after: nil, prefix: prefix, limit: 99) == wanted)
        }
    }
}

extension RandomWorld {
    /// Lets other daemons precede a call.
    private func precede() async {
        while chance(0.15) {
            guard state.withLock({ $0.busy.count < $0.stores.count }) else { return }
            await StoreOperation.$current.withValue(nil) {
                do { try await performOne() } catch { Issue.record(error) }
            }
        }
    }

    func identity() async throws(StoreError) -> StoreIdentity { try await backend.identity() }

    func records(_ wanted: [RecordQuery]) async throws(StoreError) -> RecordReply {
        await precede()
        return try await backend.records(wanted)
    }

    func objects(
        _ keys: [ObjectKey], of screen: ScreenName, within byteCount: Int
    ) async throws(StoreError) -> [ObjectReply] {
        await precede()
        return try await backend.objects(keys, of: screen, within: byteCount)
    }

    func apply(_ batch: StoreBatch) async throws(StoreError) -> BatchOutcome {
        await precede()
        let operation = StoreOperation.current
        if chance(failureRate / 5) {
            // The connection is lost, and the server applies the batch later.
            state.withLock { $0.delayed.append((batch, operation)) }
            throw .unknown("delayed")
        }
        if chance(failureRate / 2) { throw .unknown("the request is lost") }
        if chance(0.05), let late = state.withLock({ $0.delayed.popLast() }) {
            _ = try await applyNow(late.batch, late.operation)
        }
        let outcome = try await applyNow(batch, operation)
        if chance(failureRate / 2) { throw .unknown("the reply is lost") }
        return outcome
    }

    private func applyNow(
        _ batch: StoreBatch, _ operation: StoreOperation?
    ) async throws(StoreError) -> BatchOutcome {
        let missing = batch.deletes.filter { base.objects(of: batch.screen)[$0] == nil }
        let outcome = base.applyNow(batch)
        if let tested {
            let found = try await tested.apply(batch)
            #expect(found.withoutTimes == outcome.withoutTimes, "the backends differ")
        }
        guard outcome == .applied else { return outcome }
        if !batch.clears { #expect(missing.isEmpty, "deletes what is not there") }
        judge.apply(batch, of: operation)
        do { try judge.check(base, batch.screen) } catch { Issue.record(error) }
        return outcome
    }

    func names(
        after name: ScreenName?, prefix: ScreenNamePrefix, limit: Int
    ) async throws(StoreError) -> [ScreenListing] {
        try await backend.names(after: name, prefix: prefix, limit: limit)
    }

    func due(before time: Int64, limit: Int) async throws(StoreError) -> [ScreenName] {
        // A store sweeps by the system's clock, too, in a task that performs no operation.
        guard StoreOperation.current != nil else { return [] }
        return try await backend.due(before: time, limit: limit)
    }

    func weight() async throws(StoreError) -> Int { try await backend.weight() }
}

extension BatchOutcome {
    /// The outcome with 1 or 0 in place of the time that is left.
    fileprivate var withoutTimes: BatchOutcome {
        guard case .conflict(var reply) = self else { return self }
        reply.records = reply.records.map { state in
            guard case .present(var record) = state else { return state }
            record.timeLeft = record.timeLeft.map { $0 > 0 ? 1 : 0 }
            return .present(record)
        }
        return .conflict(reply)
    }
}
