internal import CSQLite

/// What SQLite said when it refused: an extended result code and its words for the operator.
struct SQLiteFailure: Error, Hashable, Sendable {
    /// SQLite's extended result code.
    let code: Int32
    /// SQLite's own words.
    let message: String

    /// The result code without its extension: what kind of failure it was.
    var primaryCode: Int32 { code & 0xFF }

    /// What the failure means to somebody who called a store.
    var storeError: StoreError {
        switch primaryCode {
        case SQLITE_CORRUPT, SQLITE_NOTADB, SQLITE_MISMATCH:
            .corrupt("the database file is damaged (\(message))")
        case SQLITE_FULL, SQLITE_TOOBIG:
            .full("the database cannot grow (\(message))")
        case SQLITE_BUSY, SQLITE_LOCKED:
            .unavailable("another program keeps the database locked (\(message))")
        default:
            .unavailable("the database cannot be used (\(message), code \(code))")
        }
    }
}

extension SQLiteFailure {
    /// A checksum does not fit what it stands beside.
    static func damaged(_ what: String) -> SQLiteFailure {
        SQLiteFailure(code: SQLITE_CORRUPT, message: "the checksum of \(what) does not fit")
    }

    /// The database cannot work here.
    static func notPossible(_ why: String) -> SQLiteFailure {
        SQLiteFailure(code: SQLITE_CANTOPEN, message: why)
    }
}
