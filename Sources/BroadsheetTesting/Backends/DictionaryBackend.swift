import BroadsheetIO
package import BroadsheetStores
import Synchronization

/// A backend over a dictionary, whose server can fail over: what a backend does, as a value.
package final class DictionaryBackend: CopyableBackend {
    /// A screen.
    package struct Row: Sendable {
        var record: StoreBatch.RecordWrite
        /// The time at which it expires, in milliseconds; `nil` for never.
        var expiry: Int64?
        var feedVersion: UInt64
        var feed: [UInt8]?
        package var objects: [ObjectKey: [UInt8]] = [:]
    }

    /// All that the backend has.
    package struct State: Sendable {
        package var rows: [ScreenName: Row] = [:]
        var floor = RevisionFloor(revision: 0, line: 1)
        var line: UInt64 = 1
        /// The states before the last batches, the newest last.
        var former: [State] = []
    }

    private let state = Mutex(State())
    private let now: @Sendable () -> Int64
    /// The identity; `nil` for the mark of a store that is not filled.
    private let id = Mutex<StoreIdentity?>(.random())
    private let observer = Observer<StoreInvalidation>()
    package let limits: BackendLimits

    /// The number of batches that a failover can lose.
    package static let maxLost = 4

    /// `now` is the clock, in milliseconds.
    package init(limits: BackendLimits = BackendLimits(), now: @escaping @Sendable () -> Int64) {
        self.limits = limits
        self.now = now
    }

    package func identity() async throws(StoreError) -> StoreIdentity {
        guard let id = id.withLock({ $0 }) else {
            throw .unavailable(StoreIdentity.incompleteReason)
        }
        return id
    }

    package func isIncomplete() async throws(StoreError) -> Bool { id.withLock { $0 == nil } }

    package func setIdentity(_ identity: StoreIdentity?) async throws(StoreError) {
        id.withLock { $0 = identity }
    }

    package func records(_ wanted: [RecordQuery]) async throws(StoreError) -> RecordReply {
        state.withLock { reply(to: wanted, &$0) }
    }

    package func objects(
        _ keys: [ObjectKey], of screen: ScreenName, within byteCount: Int
    ) async throws(StoreError) -> [ObjectReply] {
        var rest = byteCount
        let objects = objects(of: screen)
        return keys.map { key in
            guard let bytes = objects[key] else { return .absent }
            rest = bytes.count <= rest ? rest - bytes.count : -1
            return rest < 0 ? .length(bytes.count) : .bytes(bytes)
        }
    }

    package func apply(_ batch: StoreBatch) async throws(StoreError) -> BatchOutcome {
        let outcome = applyNow(batch)
        if case .applied = outcome, let message = batch.message {
            observer.notify(message)
        }
        return outcome
    }

    package func observe(_ handler: @escaping StoreInvalidation.Handler) {
        observer.set(handler)
    }

    /// Applies a batch, completely or not at all.
    package func applyNow(_ batch: StoreBatch) -> BatchOutcome {
        state.withLock { state in
            let screen = batch.screen
            let found = reply(to: [RecordQuery(screen: screen)], &state)
            guard batch.matches(found) else { return .conflict(found) }
            var former = state
            former.former = []
            state.former = state.former.suffix(Self.maxLost - 1) + [former]
            state.floor = batch.floor(over: state.floor)
            if batch.clears { state.rows[screen] = nil }
            if case .write(let record) = batch.change {
                var row =
                    state.rows[screen]
                    ?? Row(record: record, feedVersion: record.version.revision)
                row.record = record
                row.expiry = record.lifetime.expiry(at: now(), before: row.expiry)
                state.rows[screen] = row
            }
            if let feed = batch.feed {
                state.rows[screen]?.feedVersion = feed.version
                state.rows[screen]?.feed = feed.bytes
            }
            for key in batch.deletes { state.rows[screen]?.objects[key] = nil }
            for put in batch.puts { state.rows[screen]?.objects[put.key] = put.bytes }
            return .applied
        }
    }

    package func names(
        after name: ScreenName?, prefix: ScreenNamePrefix, limit: Int
    ) async throws(StoreError) -> [ScreenListing] {
        let bound = prefix.lowerBound(after: name)
        let current = state.withLock { $0.rows }.filter { $0.value.expiry ?? .max > now() }
        let listed = current.sorted { $0.key < $1.key }.filter {
            prefix.matches($0.key) && !$0.key.text.utf8.lexicographicallyPrecedes(bound.utf8)
        }
        return listed.prefix(limit).map {
            ScreenListing(
                name: $0.key, revision: $0.value.record.version.revision,
                byteCount: $0.value.record.listedBytes)
        }
    }

    package func due(before time: Int64, limit: Int) async throws(StoreError) -> [ScreenName] {
        let rows = state.withLock { $0.rows }
        let expired = rows.filter { $0.value.expiry ?? .max <= now() }.sorted {
            $0.value.expiry ?? .max < $1.value.expiry ?? .max
        }
        let due = rows.filter { $0.value.record.due ?? .max < time }.sorted {
            $0.value.record.due ?? .max < $1.value.record.due ?? .max
        }
        return Array(Set(expired.prefix(limit).map(\.key) + due.prefix(limit).map(\.key)))
    }

    package func weight() async throws(StoreError) -> Int {
        state.withLock { $0.rows.values.reduce(0) { $0 + $1.record.weight } }
    }
}

extension DictionaryBackend {
    private func reply(to wanted: [RecordQuery], _ state: inout State) -> RecordReply {
        if limits.removesExpired {
            state.rows = state.rows.filter { $0.value.expiry ?? .max > now() }
        }
        let records = wanted.map { query -> RecordState in
            guard let row = state.rows[query.screen] else { return .absent }
            let timeLeft = row.expiry.map { $0 - now() }
            guard row.record.version != query.known else { return .unchanged(timeLeft: timeLeft) }
            return .present(
                StoredRecord(
                    version: row.record.version, bytes: row.record.bytes, timeLeft: timeLeft,
                    feedVersion: row.feedVersion, feed: row.feed))
        }
        return RecordReply(line: state.line, floor: state.floor, records: records)
    }

    package func objects(of screen: ScreenName) -> [ObjectKey: [UInt8]] {
        state.withLock { $0.rows[screen]?.objects ?? [:] }
    }

    /// Returns the record of a screen, also if it has expired.
    package func record(of screen: ScreenName) -> StoredRecord? {
        let found = state.withLock { reply(to: [RecordQuery(screen: screen)], &$0) }
        guard case .present(let record)? = found.records.first else { return nil }
        return record
    }

    /// Loses up to a number of the last batches, and begins a new line; returns how many were lost.
    package func failOver(losing count: Int) -> Int {
        state.withLock { state in
            let lost = min(count, state.former.count)
            let line = state.line + 1
            if lost > 0 { state = state.former[state.former.count - lost] }
            state.former = []
            state.line = line
            return lost
        }
    }
}
