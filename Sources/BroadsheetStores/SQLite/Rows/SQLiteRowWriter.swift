/// Writes to screens on one connection, in a transaction of the caller.
struct SQLiteRowWriter {
    private let reader: SQLiteRowReader
    private let meta: SQLiteMeta
    private let pages: SQLitePages
    private let saveScreen: SQLiteStatement
    private let deleteScreen: SQLiteStatement
    private let base: UInt64
    private var folders = FolderAllocator()

    /// Prepares the statements on a connection with the current schema.
    init(on connection: SQLiteConnection) throws(SQLiteFailure) {
        reader = try SQLiteRowReader(on: connection)
        meta = try SQLiteMeta(on: connection)
        pages = try SQLitePages(on: connection)
        saveScreen = try connection.prepare(
            """
            INSERT INTO screens (name, \(ScreenRow.columns)) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)
            ON CONFLICT (name) DO UPDATE SET
                folder = excluded.folder, revision = excluded.revision,
                latest_page = excluded.latest_page, pages_sum = excluded.pages_sum,
                expires_at = excluded.expires_at, checksum = excluded.checksum
            """)
        deleteScreen = try connection.prepare("DELETE FROM screens WHERE name = ?1")
        base = try meta.number(.base)
    }

    /// A write with the parameters of ``ScreenStore/commit(_:to:expecting:lifetime:)``.
    struct Write: Sendable {
        var change: ScreenChange
        var screen: ScreenName
        var expected: UInt64?
        var lifetime: ScreenLifetime
    }

    /// The outcome of a write.
    enum Outcome: Hashable {
        /// The new revision of the screen and its expiry.
        case written(UInt64, expiry: Int64?)
        /// The last revision of the screen, which was removed.
        case removed(UInt64)
        /// The revision of the screen, which was not changed; `nil` if there is no such screen.
        case conflict(UInt64?)
    }

    /// Performs a compare-and-set at the time `now`.
    ///
    /// If it throws, the caller must roll back.
    ///
    /// - Complexity: O(bytes of the page).
    mutating func commit(_ write: Write, at now: Int64) throws(SQLiteFailure) -> Outcome {
        let found = try liveRow(of: write.screen, at: now)
        guard found?.revision == write.expected else { return .conflict(found?.revision) }
        let made = found == nil ? try makeRow(for: write.change) : nil
        guard var row = found ?? made else { return .conflict(nil) }
        if write.change == .removeScreen {
            try retire(row, of: write.screen)
            return .removed(row.revision)
        }
        row.revision = max(row.revision, base) &+ 1
        row.expiry = write.lifetime.expiry(at: now, before: row.expiry)
        try apply(write.change, to: &row)
        try save(row, write.screen)
        return .written(row.revision, expiry: row.expiry)
    }

    /// Removes a screen and records its revision, so that no later screen repeats it.
    func retire(_ row: ScreenRow, of screen: ScreenName) throws(SQLiteFailure) {
        try pages.discard(row.folder)
        try deleteScreen.run { statement throws(SQLiteFailure) in
            try statement.bind(screen.text, at: 1)
            _ = try statement.step()
        }
        try meta.set(.screens, to: try meta.number(.screens) &- 1)
        if row.revision > (try meta.number(.floor)) { try meta.set(.floor, to: row.revision) }
    }

    /// Returns the row of a screen, after removing it if it has expired.
    private func liveRow(
        of screen: ScreenName, at now: Int64
    ) throws(SQLiteFailure) -> ScreenRow? {
        let row = try reader.row(of: screen)
        guard let row, row.isExpired(at: now) else { return row }
        try retire(row, of: screen)
        return nil
    }

    /// Returns a row for a new screen, or `nil` if the change does not create one.
    private func makeRow(for change: ScreenChange) throws(SQLiteFailure) -> ScreenRow? {
        guard case .put = change else { return nil }
        try meta.set(.screens, to: try meta.number(.screens) &+ 1)
        return ScreenRow(revision: try meta.number(.floor), expiry: nil)
    }

    private mutating func apply(
        _ change: ScreenChange, to row: inout ScreenRow
    ) throws(SQLiteFailure) {
        switch change {
        case .put(let number, let bytes):
            try put(
                StoredPage(number: number, revision: row.revision, bytes: bytes), into: &row)
        case .removePage(let number): try remove(number, from: &row)
        case .removeAllPages, .removeScreen:
            try pages.discard(row.folder)
            row = ScreenRow(revision: row.revision, expiry: row.expiry)
        }
    }

    private mutating func put(
        _ page: StoredPage, into row: inout ScreenRow
    ) throws(SQLiteFailure) {
        if row.folder == 0 { row.folder = try folders.allocate(in: pages) }
        guard let key = PageKey.key(page.number, in: row.folder) else {
            throw .outOfRange("\(page.number) is not a page number")
        }
        row.pagesSum &+= try pages.put(page, key: key)
        row.latestPage = Int64(page.number)
    }

    private func remove(
        _ number: Int, from row: inout ScreenRow
    ) throws(SQLiteFailure) {
        guard row.folder != 0, let key = PageKey.key(number, in: row.folder),
            let former = try pages.remove(key)
        else { return }
        row.pagesSum &-= former
        guard row.latestPage == Int64(number) else { return }
        let last = try pages.last(in: row.folder)
        row.latestPage = last.map { Int64(PageKey.number(of: $0)) } ?? 0
        // An empty folder can be assigned to another screen.
        if last == nil { row.folder = 0 }
    }

    private func save(_ row: ScreenRow, _ screen: ScreenName) throws(SQLiteFailure) {
        try saveScreen.run { statement throws(SQLiteFailure) in
            try statement.bind(screen.text, at: 1)
            try statement.bind(row.folder, at: 2)
            try statement.bind(Int64(bitPattern: row.revision), at: 3)
            try statement.bind(row.latestPage, at: 4)
            try statement.bind(row.pagesSum, at: 5)
            try statement.bind(row.expiry, at: 6)
            try statement.bind(row.checksum(name: screen), at: 7)
            _ = try statement.step()
        }
    }
}
