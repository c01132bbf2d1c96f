import BroadsheetStores
import Synchronization
import TestSupport

extension BackendConformance {
    static let randomBatches = Requirement("random batches leave what they leave in a dictionary") {
        tested in
        for seed in [UInt64.random(in: 0 ... .max), 1, 2] {
            var run = try await RandomBatches(seed: seed, tested)
            for step in 0..<120 {
                try await run.performOne("seed \(seed), step \(step)")
            }
        }
    }
}

/// Random batches to a backend, and to a dictionary, which must have the same after each.
private struct RandomBatches {
    private let tested: TestedBackend
    private let model: DictionaryBackend
    /// The seconds that have passed.
    private let clock: Clock
    private let screens: [ScreenName]
    private var random: SeededGenerator
    /// All keys that were stored.
    private var keys: [ObjectKey] = []

    /// The clock of the dictionary.
    private final class Clock: Sendable {
        let milliseconds = Atomic<Int64>(0)
    }

    init(seed: UInt64, _ tested: TestedBackend) async throws {
        let clock = Clock()
        self.tested = tested
        self.clock = clock
        random = SeededGenerator(seed: seed)
        model = DictionaryBackend(
            limits: tested.backend.limits,
            now: { clock.milliseconds.load(ordering: .relaxed) })
        screens = try ["a", "ab", "b"].map { try name("\($0)-\(seed)") }
        // New screens begin above the same floor.
        let floor = try await tested.backend.reply(screens[0]).floor.revision
        var batch = StoreBatch(screen: screens[0], line: 1, expecting: .unchecked)
        batch.floor = RevisionFloor(revision: floor, line: 1)
        _ = model.applyNow(batch)
    }

    private mutating func chance(_ probability: Double) -> Bool {
        Double.random(in: 0..<1, using: &random) < probability
    }

    mutating func performOne(_ place: String) async throws {
        if chance(0.1) {
            // Lifetimes end 5,000 seconds apart from this, whatever the time that checks take.
            let seconds = 10_000 * Int.random(in: 1...3, using: &random)
            try await tested.letPass(seconds)
            clock.milliseconds.wrappingAdd(Int64(seconds) * 1_000, ordering: .relaxed)
        }
        let screen = screens.randomElement(using: &random) ?? screens[0]
        let batch = try await randomBatch(screen)
        var sent = batch
        sent.line = try await tested.backend.reply(screen).line
        if let floor = batch.floor {
            sent.floor = RevisionFloor(revision: floor.revision, line: sent.line)
        }
        let expected = model.applyNow(batch)
        let found = try await tested.backend.apply(sent)
        let comment = "\(place): \(batch)"
        switch (found, expected) {
        case (.applied, .applied): break
        case (.conflict(let found), .conflict(let expected)):
            try expect(found.comparable, equals: expected.comparable, comment)
        case (.applied, .conflict), (.conflict, .applied):
            throw StoreConformance.Violation("\(found), expected \(expected), \(comment)")
        }
        try await compare(screen, comment)
    }

    private func compare(_ screen: ScreenName, _ comment: String) async throws {
        let backend = tested.backend
        let queries = screens.map { RecordQuery(screen: $0) }
        try await expect(
            backend.records(queries).comparable, equals: model.records(queries).comparable, comment)
        try await expect(
            backend.objects(keys, of: screen, within: .max),
            equals: model.objects(keys, of: screen, within: .max), comment)
        let own = Set(screens)
        func listed(_ backend: any StoreBackend) async throws -> [ScreenListing] {
            try await backend.names(after: nil, prefix: .none, limit: 1_000).filter {
                own.contains($0.name)
            }
        }
        try await expect(listed(backend), equals: listed(model), comment)
        guard !backend.limits.removesExpired else { return }
        for time in [0, 60_000, .max] as [Int64] {
            let found = try await backend.due(before: time, limit: 1_000)
            let expected = try await model.due(before: time, limit: 1_000)
            try expect(own.intersection(found), equals: Set(expected), comment)
        }
    }

    /// Returns a batch that mostly expects what is there, with a legal change.
    private mutating func randomBatch(_ screen: ScreenName) async throws -> StoreBatch {
        let found = try await model.reply(screen)
        let record = try await model.record(screen)
        var batch = StoreBatch(screen: screen, line: 1, expecting: .unchecked)
        var version = record?.version ?? RecordVersion(revision: 1, edit: 0)
        if chance(0.1) { version = chance(0.5) ? version.next : version.nextRevision }
        let hasExpired = record?.hasExpired ?? false
        let fits: StoreBatch.Expectation =
            record == nil ? .absent : hasExpired ? .expired(version) : .current(version)
        let all: [StoreBatch.Expectation] = [
            .absent, .alive, .current(version), .expired(version), .unchecked,
        ]
        batch.expectation =
            chance(0.6) ? fits : all.randomElement(using: &random) ?? .unchecked
        if chance(0.2) {
            let offset = UInt64.random(in: 0...9, using: &random)
            batch.floor = RevisionFloor(revision: found.floor.revision + offset, line: 1)
        }
        switch batch.expectation {
        case .unchecked: return batch
        case .alive: break
        case .absent:
            let offset = UInt64.random(in: 0...3, using: &random)
            let revision = max(1, found.floor.revision + offset)
            batch.change = .write(randomWrite(RecordVersion(revision: revision, edit: 0)))
        case .current, .expired:
            let next = chance(0.5) ? version.next : version.nextRevision
            batch.change = chance(0.15) ? .remove : .write(randomWrite(next))
            if case .current = batch.expectation, chance(0.1) { batch.change = .none }
        }
        if case .remove = batch.change { return batch }
        addValues(&batch, record)
        return batch
    }

    private mutating func randomWrite(_ version: RecordVersion) -> StoreBatch.RecordWrite {
        var write = StoreBatch.RecordWrite.at(version)
        let steps = [nil, 30_000, 60_000, 90_000] as [Int64?]
        write.due = steps.randomElement(using: &random) ?? nil
        write.weight = Int.random(in: 0...100, using: &random)
        let lifetimes: [ScreenLifetime] = [
            .unchanged, .unchanged, .indefinite, .seconds(5_000), .seconds(25_000),
        ]
        write.lifetime = lifetimes.randomElement(using: &random) ?? .unchanged
        return write
    }

    /// Adds objects, and sometimes a feed record.
    private mutating func addValues(_ batch: inout StoreBatch, _ record: StoredRecord?) {
        let stored = model.objects(of: batch.screen).keys.sorted {
            ($0.number, $0.revision) < ($1.number, $1.revision)
        }
        if !batch.clears, batch.expectation != .absent {
            batch.deletes = stored.filter { _ in Bool.random(using: &random) }
        }
        for _ in 0..<Int.random(in: 0...3, using: &random) {
            let key = ObjectKey.sample(
                UInt64(keys.count), kind: UInt8.random(in: 0...3, using: &random))
            keys.append(key)
            batch.puts.append(StoreBatch.Put(key: key, bytes: key.sampleBytes))
        }
        guard chance(0.4) else { return }
        let version = record?.feedVersion ?? 0
        batch.feed = StoreBatch.FeedWrite(
            expected: chance(0.8) ? version : version + 1,
            version: UInt64.random(in: 1...1_000_000, using: &random),
            bytes: [UInt8(keys.count % 256)],
            weight: 1)
    }
}

extension RecordReply {
    /// The reply without its lines, and with 1 or 0 in place of the times that are left.
    fileprivate var comparable: RecordReply {
        var reply = self
        (reply.line, reply.floor.line) = (0, 0)
        reply.records = records.map { state in
            switch state {
            case .absent: return state
            case .unchanged(let timeLeft):
                return .unchanged(timeLeft: timeLeft.map { $0 > 0 ? 1 : 0 })
            case .present(var record):
                record.timeLeft = record.timeLeft.map { $0 > 0 ? 1 : 0 }
                return .present(record)
            }
        }
        return reply
    }
}
