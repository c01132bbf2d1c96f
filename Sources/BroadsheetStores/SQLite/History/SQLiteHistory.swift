/// The earlier revisions of screens, in a transaction of the caller.
///
/// Used on the thread of the writer.
final class SQLiteHistory {
    /// The bounds of the history of each screen.
    let bounds: HistoryBounds
    /// The bytes of pages.
    let contents: SQLiteContents
    private let records: SQLiteRecords
    private let insertDiscarded: SQLiteStatement
    /// The change of the bytes of all earlier pages by the transaction.
    private(set) var growth = 0

    /// The numbers of creations: above those of all folders, so that what is discarded is either.
    static let creations: ClosedRange<Int64> = (PageKey.folders.upperBound + 1)...Int64.max

    /// The maximum number of records that a step deletes of a screen that was removed.
    static let recordsPerStep = 64

    /// Prepares the statements on a connection with the current schema.
    init(on connection: SQLiteConnection, bounds: HistoryBounds) throws(SQLiteFailure) {
        self.bounds = bounds
        contents = try SQLiteContents(on: connection)
        records = try SQLiteRecords(on: connection)
        insertDiscarded = try connection.prepare(
            "INSERT OR REPLACE INTO discarded (folder, checksum) VALUES (?1, ?2)")
    }

    /// Begins a transaction.
    func begin() {
        growth = 0
        contents.begin()
    }

    /// Returns the draft of the state of a screen before a commit; `nil` if no history is kept.
    func draft(of row: ScreenRow) -> FormerDraft? {
        guard !bounds.isNone else { return nil }
        return FormerDraft(
            FormerState(
                folder: row.folder,
                head: ScreenHead(
                    revision: row.revision, latestPage: Int(row.latestPage),
                    size: row.size ?? ScreenSize()),
                treeFloor: row.knownTreeFloor))
    }

    /// Stores the record of a revision, and drops the revisions that are beyond the bounds.
    ///
    /// - Parameters:
    ///   - record: The record; its creation is set.
    ///   - former: The state before the revision; `nil` for a new screen.
    ///   - row: The row of the screen after the commit.
    ///   - now: The time, in milliseconds since 1970.
    func save(
        _ record: RevisionRecord, _ former: FormerState?, into row: inout ScreenRow, at now: Int64
    ) throws(SQLiteFailure) {
        guard !bounds.isNone else {
            if row.creation != nil { try removeAll(of: &row) }
            return
        }
        let creation = row.creation ?? .random(in: Self.creations)
        if row.creation == nil {
            row.creation = creation
            row.firstRevision = record.before
            row.historyBytes = 0
        }
        var record = record
        record.creation = creation
        record.note.at = record.note.at ?? now
        if former == nil { row.firstRevision = record.revision } else { record.former = former }
        try records.save(record)
        row.historyBytes += record.byteCount
        growth += record.byteCount
        try prune(&row)
    }

    /// Drops the oldest revisions of a screen that are beyond the bounds.
    ///
    /// - Parameter now: The time by which revisions are too old, in milliseconds since 1970; `nil`
    ///   to leave these to the search for them (``SQLiteSweeper``).
    func prune(_ row: inout ScreenRow, at now: Int64? = nil) throws(SQLiteFailure) {
        let cutoff = now.map { bounds.cutoff(at: $0) }
        let most = bounds.maxBytes(beside: row.size?.byteCount ?? 0)
        guard let creation = row.creation else { return }
        while row.firstRevision < row.revision {
            let isBeyond =
                row.revision - row.firstRevision > UInt64(clamping: bounds.maxRevisions)
                || row.historyBytes > most || bounds.isNone
            guard isBeyond || cutoff != nil, let oldest = try oldest(of: creation, &row) else {
                return
            }
            guard isBeyond || cutoff.map({ oldest.at <= $0 }) ?? false else { return }
            try drop(oldest, of: &row)
        }
    }

    /// Drops all earlier revisions of a screen.
    func removeAll(of row: inout ScreenRow) throws(SQLiteFailure) {
        guard let creation = row.creation else { return }
        var last: SQLiteRecords.Stored?
        while row.firstRevision < row.revision, let oldest = try oldest(of: creation, &row) {
            try drop(oldest, of: &row)
            last = oldest
        }
        // Otherwise a damaged record has ended the history.
        if let last, last.revision == row.firstRevision { try records.removeFormer(of: last) }
    }

    /// Returns the first record after the oldest revision; a damaged one ends the history.
    private func oldest(
        of creation: Int64, _ row: inout ScreenRow
    ) throws(SQLiteFailure) -> SQLiteRecords.Stored? {
        do throws(SQLiteFailure) {
            if let found = try records.oldest(of: creation, after: row.firstRevision) {
                return found
            }
        } catch {
            guard case .corrupt = error.storeError, !error.isStructural else { throw error }
        }
        try records.delete(of: creation, upTo: row.revision)
        growth -= row.historyBytes
        (row.firstRevision, row.historyBytes) = (row.revision, 0)
        return nil
    }

    private func drop(
        _ oldest: SQLiteRecords.Stored, of row: inout ScreenRow
    ) throws(SQLiteFailure) {
        let former = oldest.former
        try records.delete(of: oldest.creation, below: oldest.revision)
        if let former { try release(former) }
        row.firstRevision = oldest.revision
        // Without earlier revisions there are no bytes, whatever their records say.
        let isLast = row.firstRevision == row.revision
        let byteCount = isLast ? row.historyBytes : former?.byteCount ?? 0
        row.historyBytes -= byteCount
        growth -= byteCount
    }

    /// Deletes the pages that only a record refers to.
    private func release(_ former: FormerState) throws(SQLiteFailure) {
        if former.hasWholeFolder { try discard(former.folder) }
        for page in former.pages {
            guard let content = page.replaced else { continue }
            try contents.release(content.place, byteCount: content.size.byteCount)
        }
    }

    /// Discards the history of a screen that was removed, whose rows are deleted later.
    func discard(historyOf row: ScreenRow) throws(SQLiteFailure) {
        guard let creation = row.creation else { return }
        growth -= row.historyBytes
        // The pages before the oldest revision are deleted, but its record may still name them.
        try records.delete(of: creation, upTo: row.firstRevision)
        try discard(creation)
    }

    /// Deletes some of the rows of a discarded history; returns `true` after the last one.
    func deleteSome(of creation: Int64) throws(SQLiteFailure) -> Bool {
        var last: UInt64 = 0
        for _ in 0..<Self.recordsPerStep {
            let record: SQLiteRecords.Stored?
            do throws(SQLiteFailure) {
                record = try records.oldest(of: creation, after: last)
            } catch {
                // The contents that a damaged record refers to stay.
                guard case .corrupt = error.storeError, !error.isStructural else { throw error }
                try records.delete(of: creation, upTo: .max)
                return true
            }
            guard let record else { return true }
            if let former = record.former { try release(former) }
            try records.delete(of: creation, upTo: record.revision)
            last = record.revision
        }
        return false
    }

    /// Discards a folder, a creation or the id of a feed, whose rows are deleted later.
    func discard(_ number: Int64) throws(SQLiteFailure) {
        guard number != 0 else { return }
        try insertDiscarded.run { statement throws(SQLiteFailure) in
            _ = try statement.step(number, RowChecksum.value(of: number))
        }
    }
}
