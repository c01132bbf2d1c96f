package import BroadsheetIO
import BroadsheetCollections
import Synchronization

/// A backend in the memory of the process.
///
/// The bytes of objects are shared with the caller that stored them, not copied. One lock protects
/// the state; it is held for a batch, and, if a screen is created or removed, for a move in a
/// sorted array of names.
package final class MemoryBackend: StoreBackend {
    private let ownIdentity: StoreIdentity
    private let state = Mutex(State())
    private let clock: TimeSource
    /// The memory of the state; changed only while the lock is held.
    private let memory: MemoryReservation
    private let historyLimit: Int
    private let feedLimit: Int

    /// The limits: none; the record of a kept revision takes about 200 bytes.
    package let limits = BackendLimits(weightPerRevision: 200)

    /// Creates an empty backend.
    ///
    /// - Parameters:
    ///   - identity: The identity.
    ///   - clock: The clock by which records expire.
    ///   - memory: The budget of which the backend uses its share.
    ///   - historyLimit: The maximum weight of all histories.
    ///   - feedLimit: The maximum weight of all feeds.
    package init(
        identity: StoreIdentity = .random(), clock: TimeSource = .system,
        memory: MemoryBudget = .unlimited, historyLimit: Int = .max, feedLimit: Int = .max
    ) {
        ownIdentity = identity
        self.clock = clock
        self.memory = MemoryReservation(in: memory, for: .store, isPermanent: true)
        self.historyLimit = historyLimit
        self.feedLimit = feedLimit
    }

    /// The number of records, including expired ones.
    package var count: Int { state.withLock { $0.rows.count } }

    var historyExcess: Int { state.withLock { $0.weight - historyLimit } }

    /// The weight of all feeds that is beyond their limit; a part of the limit is free then.
    var feedExcess: Int {
        state.withLock { state in
            guard state.feedWeight > feedLimit || state.isShrinkingFeeds else { return 0 }
            // So that the next events do not cause another search for the largest feed.
            let excess = state.feedWeight - (feedLimit - feedLimit / 16)
            state.isShrinkingFeeds = excess > 0
            return excess
        }
    }

    var heaviestFeed: (screen: ScreenName, weight: Int)? {
        state.withLock { state in
            state.rows.max { $0.value.feedWeight < $1.value.feedWeight }.map {
                ($0.key, $0.value.feedWeight)
            }
        }
    }

    package func identity() async throws(StoreError) -> StoreIdentity { ownIdentity }

    /// Returns records; never throws.
    package func records(_ wanted: [RecordQuery]) async throws(StoreError) -> RecordReply {
        let now = clock.unixMilliseconds
        return state.withLock { $0.reply(to: wanted, at: now) }
    }

    /// Returns objects; never throws.
    package func objects(
        _ keys: [ObjectKey], of screen: ScreenName, within byteCount: Int
    ) async throws(StoreError) -> [ObjectReply] {
        state.withLock { state in
            let objects = state.rows[screen]?.objects
            var rest = byteCount
            return keys.map { key in
                guard let bytes = objects?[key] else { return .absent }
                guard bytes.count <= rest else {
                    rest = -1
                    return .length(bytes.count)
                }
                rest -= bytes.count
                return .bytes(bytes)
            }
        }
    }

    /// Applies a batch; throws that the store is full if there is no memory for it.
    package func apply(_ batch: StoreBatch) async throws(StoreError) -> BatchOutcome {
        let now = clock.unixMilliseconds
        return try state.withLock { state throws(StoreError) in
            let found = state.reply(to: [RecordQuery(screen: batch.screen)], at: now)
            guard batch.matches(found) else { return .conflict(found) }
            let growth = State.growth(by: batch)
            // What frees memory must not fail for want of it.
            guard batch.frees || memory.resize(to: max(state.byteCount + growth, memory.count))
            else {
                throw .full("the memory for screens is in use (--memory)")
            }
            state.apply(batch, at: now)
            memory.charge(to: state.byteCount)
            return .applied
        }
    }

    /// Returns up to `limit` screens in name order; never throws.
    package func names(
        after name: ScreenName?, prefix: ScreenNamePrefix, limit: Int
    ) async throws(StoreError) -> [ScreenListing] {
        let now = clock.unixMilliseconds
        return state.withLock { state in
            let bound = prefix.lowerBound(after: name)
            let start = state.names.partitioningIndex {
                !$0.text.utf8.lexicographicallyPrecedes(bound.utf8)
            }
            var listed: [ScreenListing] = []
            for name in state.names[start...] {
                guard listed.count < limit, prefix.matches(name) else { break }
                guard let row = state.current(name, at: now) else { continue }
                listed.append(
                    ScreenListing(
                        name: name, revision: row.version.revision, byteCount: row.listedBytes))
            }
            return listed
        }
    }

    /// Returns screens that have expired or are due; never throws.
    package func due(
        before time: Int64, limit: Int
    ) async throws(StoreError) -> [ScreenName] {
        let now = clock.unixMilliseconds
        return state.withLock { state in
            let end = now.addingReportingOverflow(1).partialValue
            let expired = state.expiries.first(limit, before: end)
            let gone = Set(expired)
            let others = state.dues.first(limit, before: time).filter { !gone.contains($0) }
            return expired + others
        }
    }

    package func isKnown(_ name: ScreenName, toBeAt revision: UInt64) -> Bool {
        let now = clock.unixMilliseconds
        return state.withLock { $0.current(name, at: now)?.version.revision } == revision
    }

    /// Returns the weight of all histories; never throws.
    package func weight() async throws(StoreError) -> Int { state.withLock { $0.weight } }
}

extension MemoryBackend {
    /// A record with its objects.
    fileprivate struct Row: Sendable {
        var version: RecordVersion
        var bytes: [UInt8]
        var expiry: Int64?
        var due: Int64?
        var weight = 0
        var listedBytes = 0
        var feedVersion: UInt64
        var feed: [UInt8]?
        var feedWeight = 0
        var objects: [ObjectKey: [UInt8]] = [:]

        func isExpired(at now: Int64) -> Bool { expiry.map { $0 <= now } ?? false }
    }

    /// Screens in the order of times, and of their arrival at the same time.
    fileprivate struct Schedule: Sendable {
        /// The screens of one time in the order of their arrival, with some that have left since.
        private struct Group: Sendable {
            var places: [ScreenName: UInt64] = [:]
            var order: [(place: UInt64, name: ScreenName)] = []
            var start = 0

            func has(_ entry: (place: UInt64, name: ScreenName)) -> Bool {
                places[entry.name] == entry.place
            }

            mutating func remove(_ name: ScreenName) {
                places[name] = nil
                while start < order.count, !has(order[start]) { start += 1 }
                guard order.count > 2 * places.count + 16 else { return }
                order = order[start...].filter { has($0) }
                start = 0
            }
        }

        private var groups: [Int64: Group] = [:]
        /// The times of the groups, ascending.
        private var times: [Int64] = []
        private var last: UInt64 = 0

        mutating func move(_ name: ScreenName, from former: Int64?, to time: Int64?) {
            guard former != time else { return }
            if let former {
                groups[former]?.remove(name)
                if groups[former]?.places.isEmpty ?? false {
                    groups[former] = nil
                    times.remove(at: times.partitioningIndex { $0 >= former })
                }
            }
            guard let time else { return }
            if groups[time] == nil {
                times.insert(time, at: times.partitioningIndex { $0 >= time })
            }
            last += 1
            groups[time, default: Group()].places[name] = last
            groups[time]?.order.append((last, name))
        }

        /// Returns up to `limit` screens before a time, the earliest first.
        func first(_ limit: Int, before time: Int64) -> [ScreenName] {
            var found: [ScreenName] = []
            for key in times {
                guard key < time, found.count < limit else { break }
                guard let group = groups[key] else { continue }
                for entry in group.order[group.start...] where group.has(entry) {
                    guard found.count < limit else { break }
                    found.append(entry.name)
                }
            }
            return found
        }
    }

    /// The records and objects, as a value.
    fileprivate struct State: Sendable {
        /// The estimated sizes of a record and of an object without their bytes.
        private static let (rowOverhead, objectOverhead) = (1024, 96)

        private(set) var rows: [ScreenName: Row] = [:]
        /// The names of the rows, ascending.
        private(set) var names: [ScreenName] = []
        private(set) var expiries = Schedule()
        private(set) var dues = Schedule()
        private(set) var weight = 0
        private(set) var feedWeight = 0
        private(set) var byteCount = 0
        private var floor = RevisionFloor(revision: 0, line: line)
        /// A Boolean value that indicates whether feeds are being shrunk below their limit.
        var isShrinkingFeeds = false

        /// The only line: a process loses all or nothing.
        private static let line: UInt64 = 1

        func current(_ name: ScreenName, at now: Int64) -> Row? {
            guard let row = rows[name], !row.isExpired(at: now) else { return nil }
            return row
        }

        func reply(to queries: [RecordQuery], at now: Int64) -> RecordReply {
            let records = queries.map { query -> RecordState in
                guard let row = rows[query.screen] else { return .absent }
                let timeLeft = row.expiry.map { $0 - now }
                if row.version == query.known { return .unchanged(timeLeft: timeLeft) }
                return .present(
                    StoredRecord(
                        version: row.version, bytes: row.bytes, timeLeft: timeLeft,
                        feedVersion: row.feedVersion, feed: row.feed))
            }
            return RecordReply(line: Self.line, floor: floor, records: records)
        }

        static func growth(by batch: StoreBatch) -> Int {
            let created = if case .absent = batch.expectation { rowOverhead } else { 0 }
            return created + batch.byteCount + batch.puts.count * objectOverhead
        }

        private static func size(of row: Row) -> Int {
            rowOverhead + row.bytes.count + (row.feed?.count ?? 0)
        }

        private static func size(of object: [UInt8]) -> Int { objectOverhead + object.count }

        mutating func apply(_ batch: StoreBatch, at now: Int64) {
            floor = batch.floor(over: floor)
            if batch.clears { remove(batch.screen) }
            if case .remove = batch.change { return }
            // Taken out, so that its objects are changed in place.
            let isNew = rows[batch.screen] == nil
            guard var row = rows.removeValue(forKey: batch.screen) ?? batch.newRow else { return }
            if isNew { insertName(batch.screen) } else { byteCount -= Self.size(of: row) }
            let before = (
                expiry: row.expiry, due: row.due, weight: row.weight, feedWeight: row.feedWeight
            )
            row.write(batch, at: now)
            for key in batch.deletes {
                if let bytes = row.objects.removeValue(forKey: key) {
                    byteCount -= Self.size(of: bytes)
                }
            }
            for put in batch.puts {
                byteCount += Self.size(of: put.bytes)
                row.objects[put.key] = put.bytes
            }
            expiries.move(batch.screen, from: before.expiry, to: row.expiry)
            dues.move(batch.screen, from: before.due, to: row.due)
            weight += row.weight - before.weight
            feedWeight += row.feedWeight - before.feedWeight
            byteCount += Self.size(of: row)
            rows[batch.screen] = row
        }

        private mutating func remove(_ name: ScreenName) {
            guard let row = rows.removeValue(forKey: name) else { return }
            names.remove(at: names.partitioningIndex { $0 >= name })
            expiries.move(name, from: row.expiry, to: nil)
            dues.move(name, from: row.due, to: nil)
            weight -= row.weight
            feedWeight -= row.feedWeight
            byteCount -= row.objects.reduce(Self.size(of: row)) { $0 + Self.size(of: $1.value) }
        }

        private mutating func insertName(_ name: ScreenName) {
            names.insert(name, at: names.partitioningIndex { $0 >= name })
        }
    }
}

extension MemoryBackend.Row {
    fileprivate mutating func write(_ batch: StoreBatch, at now: Int64) {
        if case .write(let record) = batch.change {
            version = record.version
            bytes = record.bytes
            due = record.due
            weight = record.weight
            listedBytes = record.listedBytes
            expiry = record.lifetime.expiry(at: now, before: expiry)
        }
        if let written = batch.feed {
            feedVersion = written.version
            feed = written.bytes
            feedWeight = written.weight
        }
    }
}

extension StoreBatch {
    /// The row that the batch creates; `nil` if it writes no record.
    fileprivate var newRow: MemoryBackend.Row? {
        guard case .write(let record) = change else { return nil }
        return MemoryBackend.Row(
            version: record.version, bytes: [], feedVersion: record.version.revision)
    }
}
