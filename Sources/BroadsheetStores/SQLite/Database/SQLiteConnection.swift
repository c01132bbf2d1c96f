import CSQLite

/// One connection to a database file.
///
/// Belongs to one thread at a time; SQLite's own mutexes are switched off. Statements that were
/// prepared on it keep it open: `sqlite3_close_v2` waits for the last of them.
final class SQLiteConnection {
    /// SQLite's own handle, for what this type has no word for.
    let handle: OpaquePointer
    private let busyTimeout: Duration

    /// How the file is opened.
    enum Mode {
        /// The file is made when it is missing.
        case readWrite
        /// The file must exist.
        case readOnly

        fileprivate var flags: Int32 {
            switch self {
            case .readWrite: SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX
            case .readOnly: SQLITE_OPEN_READONLY | SQLITE_OPEN_NOMUTEX
            }
        }
    }

    /// Opens the file at `path`; statements wait up to `busyTimeout` for locks of others.
    init(
        path: String, mode: Mode, busyTimeout: Duration = SQLiteStoreOptions.defaultBusyTimeout
    ) throws(SQLiteFailure) {
        var opened: OpaquePointer?
        let code = sqlite3_open_v2(path, &opened, mode.flags, nil)
        guard let opened, code == SQLITE_OK else {
            // Even a failed opening may leave a handle, which holds the message and must be closed.
            let failure = Self.failure(of: opened, code: code)
            sqlite3_close_v2(opened)
            throw failure
        }
        handle = opened
        self.busyTimeout = busyTimeout
        sqlite3_extended_result_codes(opened, 1)
        sqlite3_busy_timeout(opened, busyTimeout.wholeMilliseconds)
        // Pages are looked over when they are first read, so that most damage is found at the door.
        try execute("PRAGMA cell_size_check = ON; PRAGMA trusted_schema = OFF")
    }

    deinit { sqlite3_close_v2(handle) }

    /// Runs `body`, whose statements wait up to `timeout` for locks of others.
    func withBusyTimeout(
        _ timeout: Duration, _ body: () throws(SQLiteFailure) -> Void
    ) throws(SQLiteFailure) {
        sqlite3_busy_timeout(handle, timeout.wholeMilliseconds)
        defer { sqlite3_busy_timeout(handle, busyTimeout.wholeMilliseconds) }
        try body()
    }

    /// Runs one statement or more that need no values and whose rows nobody reads.
    func execute(_ sql: String) throws(SQLiteFailure) {
        try check(sqlite3_exec(handle, sql, nil, nil, nil))
    }

    /// Compiles a statement that will be run many times.
    func prepare(_ sql: String) throws(SQLiteFailure) -> SQLiteStatement {
        var statement: OpaquePointer?
        let flags = UInt32(SQLITE_PREPARE_PERSISTENT)
        try check(sqlite3_prepare_v3(handle, sql, -1, flags, &statement, nil))
        guard let statement else { throw Self.failure(of: handle, code: SQLITE_MISUSE) }
        return SQLiteStatement(statement)
    }

    /// The first column of the first row that `sql` answers, as an integer; nil without a row.
    func integer(_ sql: String) throws(SQLiteFailure) -> Int64? {
        let statement = try prepare(sql)
        return try statement.run { row throws(SQLiteFailure) in
            try row.step() ? row.integer(0) : nil
        }
    }

    /// The first column of the first row that `sql` answers, as text; nil without a row.
    func text(_ sql: String) throws(SQLiteFailure) -> String? {
        let statement = try prepare(sql)
        return try statement.run { row throws(SQLiteFailure) in try row.step() ? row.text(0) : nil }
    }

    /// Runs `body` in a transaction that may write: all of it happens, or nothing.
    func transaction<Value>(
        _ body: () throws(SQLiteFailure) -> Value
    ) throws(SQLiteFailure) -> Value {
        try execute("BEGIN IMMEDIATE")
        do throws(SQLiteFailure) {
            let value = try body()
            try execute("COMMIT")
            return value
        } catch {
            // A full disk or an I/O error may have rolled back by itself.
            if isInTransaction { try? execute("ROLLBACK") }
            throw error
        }
    }

    /// How many rows the last statement changed.
    var changedRows: Int { Int(sqlite3_changes(handle)) }

    /// Throws what SQLite has to say about `code`, unless that means that all is well.
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
    /// The duration in milliseconds, rounded down, as SQLite takes it.
    fileprivate var wholeMilliseconds: Int32 {
        let (seconds, attoseconds) = components
        let (whole, overflow) = seconds.multipliedReportingOverflow(by: 1000)
        guard !overflow else { return .max }
        return Int32(clamping: whole + attoseconds / 1_000_000_000_000_000)
    }
}
