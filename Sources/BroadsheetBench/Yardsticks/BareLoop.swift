internal import BroadsheetStores
internal import CSQLite

/// The yardstick of durable writes: a loop that does nothing but write one page again and again, with
/// the store's settings and the shape of its table of pages.
final class BareLoop {
    private let database: OpaquePointer
    private let page: [UInt8]
    private let rows: Int
    private var insert: OpaquePointer?
    /// How many writes there were since the start, and how many there should be after as many
    /// transactions.
    private var (written, due) = (0, 0.0)

    /// Makes a database at `path` in which `rows` rows are written in turn.
    init(path: String, page: [UInt8], rows: Int) throws {
        var opened: OpaquePointer?
        guard sqlite3_open(path, &opened) == SQLITE_OK, let opened else {
            throw BenchmarkError("no database can be made at \(path)")
        }
        database = opened
        self.page = page
        self.rows = rows
        try execute(
            """
            PRAGMA journal_mode = WAL;
            PRAGMA synchronous = FULL;
            PRAGMA secure_delete = OFF;
            PRAGMA wal_autocheckpoint = \(SQLiteStoreOptions.defaultAutocheckpointPages);
            CREATE TABLE pages (
                key INTEGER PRIMARY KEY,
                revision INTEGER NOT NULL,
                checksum INTEGER NOT NULL,
                bytes BLOB NOT NULL
            );
            """)
        let sql = "INSERT OR REPLACE INTO pages VALUES (?, ?, ?, ?)"
        try check(sqlite3_prepare_v2(database, sql, -1, &insert, nil), SQLITE_OK)
    }

    deinit {
        sqlite3_finalize(insert)
        sqlite3_close(database)
    }

    /// Writes for so many seconds, and answers how many writes a second were on the disk.
    ///
    /// - Parameter batch: Writes a transaction, on average.
    func rate(batch: Double, seconds: Double) throws -> Double {
        let first = written
        let start = ContinuousClock.now
        var elapsed = 0.0
        while elapsed < seconds {
            due += batch
            try execute("BEGIN IMMEDIATE")
            while Double(written) < due.rounded(.down) { try write() }
            try execute("COMMIT")
            elapsed = (ContinuousClock.now - start).seconds
        }
        return Double(written - first) / elapsed
    }

    private func write() throws {
        try page.withUnsafeBytes { bytes in
            sqlite3_bind_int64(insert, 1, Int64(written % rows))
            sqlite3_bind_int64(insert, 2, Int64(written))
            sqlite3_bind_int64(insert, 3, Int64(written))
            sqlite3_bind_blob(insert, 4, bytes.baseAddress, Int32(bytes.count), nil)
            try check(sqlite3_step(insert), SQLITE_DONE)
            sqlite3_reset(insert)
        }
        written += 1
    }

    private func execute(_ sql: String) throws {
        try check(sqlite3_exec(database, sql, nil, nil, nil), SQLITE_OK)
    }

    private func check(_ code: Int32, _ wanted: Int32) throws {
        guard code == wanted else {
            throw BenchmarkError("the bare loop: \(String(cString: sqlite3_errmsg(database)))")
        }
    }
}
