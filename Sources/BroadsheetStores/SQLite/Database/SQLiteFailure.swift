import CSQLite

/// What SQLite said when it refused: an extended result code and its words for the operator.
struct SQLiteFailure: Error, Hashable, Sendable {
    /// SQLite's extended result code, or ``checksumCode``.
    let code: Int32
    /// SQLite's own words.
    let message: String

    /// The result code without its extension: what kind of failure it was.
    var primaryCode: Int32 { code & 0xFF }

    /// What the failure means to somebody who called a store.
    var storeError: StoreError {
        switch (primaryCode, code) {
        case (SQLITE_CORRUPT, _), (SQLITE_NOTADB, _), (SQLITE_MISMATCH, _):
            .corrupt("the database file is damaged (\(message))")
        case (SQLITE_FULL, _), (SQLITE_TOOBIG, _):
            .full("the database cannot grow (\(message))")
        case (_, Self.sharedMemoryFull):
            // Not "full": that may come to light when the transaction is in the log already.
            .unavailable("the database's shared memory cannot grow (\(message))")
        case (SQLITE_BUSY, _), (SQLITE_LOCKED, _):
            .unavailable("another program keeps the database locked (\(message))")
        default:
            .unavailable("the database cannot be used (\(message), code \(code))")
        }
    }

    /// Whether the file's structure is broken, so that what is not found in it may be there.
    ///
    /// A checksum that does not fit tells of one row only.
    var isStructural: Bool {
        (primaryCode == SQLITE_CORRUPT && code != Self.checksumCode) || primaryCode == SQLITE_NOTADB
    }

    /// Whether a write found no room, and changed nothing.
    var isFull: Bool { primaryCode == SQLITE_FULL }

    /// Whether there was no room, for whatever it was.
    var isOutOfSpace: Bool { isFull || code == Self.sharedMemoryFull }

    /// Whether the next statement would fail likewise, whatever it is about.
    var affectsAllRows: Bool {
        switch primaryCode {
        case SQLITE_CORRUPT, SQLITE_TOOBIG, SQLITE_FULL, SQLITE_RANGE: false
        default: true
        }
    }

    /// The code of a row whose checksum does not fit: of the kind `SQLITE_CORRUPT`, with an extension
    /// that SQLite does not use.
    private static let checksumCode = SQLITE_CORRUPT | 0x7F00
    /// `SQLITE_IOERR_SHMSIZE`, whose macro is an expression that Swift does not import.
    private static let sharedMemoryFull = SQLITE_IOERR | (19 << 8)
}

extension SQLiteFailure {
    /// A checksum does not fit what it stands beside.
    static func damaged(_ what: String) -> SQLiteFailure {
        SQLiteFailure(code: checksumCode, message: "the checksum of \(what) does not fit")
    }

    /// The structure of the file is broken.
    static func broken(_ what: String) -> SQLiteFailure {
        SQLiteFailure(code: SQLITE_CORRUPT, message: what)
    }

    /// The database cannot work here.
    static func unsupported(_ why: String) -> SQLiteFailure {
        SQLiteFailure(code: SQLITE_CANTOPEN, message: why)
    }

    /// A number is none that a screen or a page can have.
    static func outOfRange(_ what: String) -> SQLiteFailure {
        SQLiteFailure(code: SQLITE_RANGE, message: what)
    }
}
