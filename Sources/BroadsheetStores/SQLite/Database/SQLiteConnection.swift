import CSQLite

/// A connection to a database file.
///
/// Used by one thread at a time; SQLite's own mutexes are disabled. Prepared statements keep the
/// connection open: `sqlite3_close_v2` waits for the last of them.
final class SQLiteConnection {
    /// SQLite's handle, for operations that this type does not provide.
    let handle: OpaquePointer
    private let busyTimeout: Duration

    /// The access to the file.
    enum Mode {
        /// Reading and writing; a missing file is created.
        case readWrite
        /// Reading; the file must exist.
        case readOnly

        fileprivate var flags: Int32 {
            switch self {
            case .readWrite: SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX
            case .readOnly: SQLITE_OPEN_READONLY | SQLITE_OPEN_NOMUTEX
            }
        }
    }

    /// Opens the file at `path`; statements wait up to `busyTimeout` for locks of other
    /// connections.
    init(
        path: String, mode: Mode, busyTimeout: Duration = SQLiteStoreOptions.defaultBusyTimeout
    ) throws(SQLiteFailure) {
        var opened: OpaquePointer?
        let code = sqlite3_open_v2(path, &opened, mode.flags, nil)
        guard let opened, code == SQLITE_OK else {
            // A handle may exist even after a failure; it holds the message and must be closed.
            let failure = Self.failure(of: opened, code: code)
            sqlite3_close_v2(opened)
            throw failure
        }
        handle = opened
        self.busyTimeout = busyTimeout
        sqlite3_extended_result_codes(opened, 1)
        sqlite3_busy_timeout(opened, busyTimeout.wholeMilliseconds)
        // Checks each page when it is first read, so most damage is found early.
        try execute("PRAGMA cell_size_check = ON; PRAGMA trusted_schema = OFF")
    }

    deinit { sqlite3_close_v2(handle) }

    func withBusyTimeout(
        _ timeout: Duration, _ body: () throws(SQLiteFailure) -> Void
    ) throws(SQLiteFailure) {
        sqlite3_busy_timeout(handle, timeout.wholeMilliseconds)
        defer { sqlite3_busy_timeout(handle, busyTimeout.wholeMilliseconds) }
        try body()
    }

    /// Runs statements without parameters and ignores their rows.
    func execute(_ sql: String) throws(SQLiteFailure) {
        try check(sqlite3_exec(handle, sql, nil, nil, nil))
    }

    /// Prepares a statement that will be run many times.
    func prepare(_ sql: String) throws(SQLiteFailure) -> SQLiteStatement {
        var statement: OpaquePointer?
        let flags = UInt32(SQLITE_PREPARE_PERSISTENT)
        try check(sqlite3_prepare_v3(handle, sql, -1, flags, &statement, nil))
        guard let statement else { throw Self.failure(of: handle, code: SQLITE_MISUSE) }
        return SQLiteStatement(statement)
    }

    /// Returns the first column of the first row of a query as an integer, or `nil` without a row.
    func integer(_ sql: String) throws(SQLiteFailure) -> Int64? {
        let statement = try prepare(sql)
        return try statement.run { row throws(SQLiteFailure) in
            try row.step() ? row.integer(0) : nil
        }
    }

    /// Returns the first column of the first row of a query as text, or `nil` without a row.
    func text(_ sql: String) throws(SQLiteFailure) -> String? {
        let statement = try prepare(sql)
        return try statement.run { row throws(SQLiteFailure) in try row.step() ? row.text(0) : nil }
    }

    /// Runs `body` in a write transaction, which is committed if `body` returns and rolled back if
    /// it throws.
    func transaction<Value>(
        _ body: () throws(SQLiteFailure) -> Value
    ) throws(SQLiteFailure) -> Value {
        try execute("BEGIN IMMEDIATE")
        do throws(SQLiteFailure) {
            let value = try body()
            try execute("COMMIT")
            return value
        } catch {
            // SQLite itself may have rolled back after a full disk or an I/O error.
            if isInTransaction { try? execute("ROLLBACK") }
            throw error
        }
    }

    var lastInsertedRow: Int64 { sqlite3_last_insert_rowid(handle) }

    func check(_ code: Int32) throws(SQLiteFailure) {
        guard code == SQLITE_OK else { throw Self.failure(of: handle, code: code) }
    }

    private var isInTransaction: Bool { sqlite3_get_autocommit(handle) == 0 }

    private static func failure(of handle: OpaquePointer?, code: Int32) -> SQLiteFailure {
        let message = handle.flatMap(sqlite3_errmsg) ?? sqlite3_errstr(code)
        return SQLiteFailure(
            code: code, message: message.map { String(cString: $0) } ?? "no message")
    }
}

extension Duration {
    /// The duration in milliseconds, rounded down, in SQLite's type.
    fileprivate var wholeMilliseconds: Int32 {
        let (seconds, attoseconds) = components
        let (whole, overflow) = seconds.multipliedReportingOverflow(by: 1000)
        guard !overflow else { return .max }
        return Int32(clamping: whole + attoseconds / 1_000_000_000_000_000)
    }
}
