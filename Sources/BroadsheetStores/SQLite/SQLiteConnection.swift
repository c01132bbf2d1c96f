internal import CSQLite

/// One connection to a database file.
///
/// Belongs to one thread at a time; SQLite's own mutexes are switched off. Statements that were
/// prepared on it keep it open: `sqlite3_close_v2` waits for the last of them.
final class SQLiteConnection {
    private let handle: OpaquePointer

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

    /// How long a statement waits for a lock of another program before it is refused: long enough
    /// for a backup's short locks, short enough that a client gets its 503 while it still waits.
    static let busyTimeoutMilliseconds: Int32 = 2000

    /// Opens the file at `path`.
    init(path: String, mode: Mode) throws(SQLiteFailure) {
        var opened: OpaquePointer?
        let code = sqlite3_open_v2(path, &opened, mode.flags, nil)
        guard let opened, code == SQLITE_OK else {
            // Even a failed opening may leave a handle, which holds the message and must be closed.
            let failure = Self.failure(of: opened, code: code)
            sqlite3_close_v2(opened)
            throw failure
        }
        handle = opened
        sqlite3_extended_result_codes(opened, 1)
        sqlite3_busy_timeout(opened, Self.busyTimeoutMilliseconds)
    }

    deinit { sqlite3_close_v2(handle) }

    /// Runs one statement or more that need no values and whose rows nobody reads.
    func execute(_ sql: String) throws(SQLiteFailure) {
        let code = sqlite3_exec(handle, sql, nil, nil, nil)
        guard code == SQLITE_OK else { throw Self.failure(of: handle, code: code) }
    }

    /// Compiles a statement that will be run many times.
    func prepare(_ sql: String) throws(SQLiteFailure) -> SQLiteStatement {
        var statement: OpaquePointer?
        let flags = UInt32(SQLITE_PREPARE_PERSISTENT)
        let code = sqlite3_prepare_v3(handle, sql, -1, flags, &statement, nil)
        guard let statement, code == SQLITE_OK else {
            throw Self.failure(of: handle, code: code)
        }
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

    /// Whether a transaction is open: some failures roll back by themselves.
    var isInTransaction: Bool { sqlite3_get_autocommit(handle) == 0 }

    /// The row id of the last insertion.
    var lastInsertedRow: Int64 { sqlite3_last_insert_rowid(handle) }

    private static func failure(of handle: OpaquePointer?, code: Int32) -> SQLiteFailure {
        let message = handle.flatMap(sqlite3_errmsg) ?? sqlite3_errstr(code)
        return SQLiteFailure(
            code: code, message: message.map { String(cString: $0) } ?? "no message")
    }
}
