import BroadsheetStores
import FoundationEssentials

// A database of one's own (docs/swift.md, "A store of one's own").

// [embedded-backend]
/// A backend over a dictionary, which ends with the process.
actor DictionaryBackend: StoreBackend {
    private struct Row {
        var record: StoreBatch.RecordWrite
        var expiry: Int64?
        var feedVersion: UInt64
        var feed: [UInt8]?
        var objects: [ObjectKey: [UInt8]] = [:]
    }

    let limits = BackendLimits()
    private let id = StoreIdentity.random()
    private let now: @Sendable () -> Int64
    private var rows: [ScreenName: Row] = [:]
    private var floor = RevisionFloor(revision: 0, line: 1)

    /// Creates an empty backend; `now` has the milliseconds since 1970.
    init(
        now: @escaping @Sendable () -> Int64 = { Int64(Date().timeIntervalSince1970 * 1000) }
    ) {
        self.now = now
    }

    func identity() async throws(StoreError) -> StoreIdentity { id }

    func records(_ wanted: [RecordQuery]) async throws(StoreError) -> RecordReply {
        let records = wanted.map { query -> RecordState in
            guard let row = rows[query.screen] else { return .absent }
            let timeLeft = row.expiry.map { $0 - now() }
            if row.record.version == query.known { return .unchanged(timeLeft: timeLeft) }
            return .present(
                StoredRecord(
                    version: row.record.version, bytes: row.record.bytes, timeLeft: timeLeft,
                    feedVersion: row.feedVersion, feed: row.feed))
        }
        return RecordReply(line: 1, floor: floor, records: records)
    }

    func objects(
        _ keys: [ObjectKey], of screen: ScreenName, within byteCount: Int
    ) async throws(StoreError) -> [ObjectReply] {
        var rest = byteCount
        return keys.map { key in
            guard let bytes = rows[screen]?.objects[key] else { return .absent }
            rest = bytes.count <= rest ? rest - bytes.count : -1
            return rest < 0 ? .length(bytes.count) : .bytes(bytes)
        }
    }

    func apply(_ batch: StoreBatch) async throws(StoreError) -> BatchOutcome {
        let found = try await records([RecordQuery(screen: batch.screen)])
        guard batch.matches(found) else { return .conflict(found) }
        floor = batch.floor(over: floor)
        var row = batch.clears ? nil : rows[batch.screen]
        if case .write(let record) = batch.change {
            let expiry = record.lifetime.expiry(at: now(), before: row?.expiry)
            row = row ?? Row(record: record, feedVersion: record.version.revision)
            row?.record = record
            row?.expiry = expiry
        }
        if let feed = batch.feed {
            row?.feedVersion = feed.version
            row?.feed = feed.bytes
        }
        for key in batch.deletes { row?.objects[key] = nil }
        for put in batch.puts { row?.objects[put.key] = put.bytes }
        rows[batch.screen] = row
        return .applied
    }

    func names(
        after name: ScreenName?, prefix: ScreenNamePrefix, limit: Int
    ) async throws(StoreError) -> [ScreenListing] {
        let listed = rows.filter { screen, row in
            prefix.matches(screen) && name.map { screen > $0 } ?? true
                && row.expiry.map { $0 > now() } ?? true
        }
        return listed.sorted { $0.key < $1.key }.prefix(limit).map { screen, row in
            ScreenListing(
                name: screen, revision: row.record.version.revision,
                byteCount: row.record.listedBytes)
        }
    }

    func due(before time: Int64, limit: Int) async throws(StoreError) -> [ScreenName] {
        let times = rows.compactMap { screen, row in row.record.due.map { ($0, screen) } }
        let due = times.filter { $0.0 < time }.sorted { $0 < $1 }.prefix(limit)
        let expiries = rows.compactMap { screen, row in row.expiry.map { ($0, screen) } }
        let expired = expiries.filter { $0.0 <= now() }.sorted { $0 < $1 }.prefix(limit)
        return Array(Set((due + expired).map(\.1)))
    }

    func weight() async throws(StoreError) -> Int {
        rows.values.reduce(0) { $0 + $1.record.weight }
    }
}
// [/embedded-backend]
