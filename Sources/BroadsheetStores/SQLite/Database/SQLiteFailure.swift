import CSQLite

/// A failure that SQLite reported: an extended result code and a message for the operator.
struct SQLiteFailure: Error, Hashable, Sendable {
    /// SQLite's extended result code, or ``checksumCode``.
    let code: Int32
    let message: String

    var primaryCode: Int32 { code & 0xFF }

    var storeError: StoreError {
        switch (primaryCode, code) {
        case (SQLITE_CORRUPT, _), (SQLITE_NOTADB, _), (SQLITE_MISMATCH, _):
            .corrupt("the database file is damaged (\(message))")
        case (SQLITE_FULL, _), (SQLITE_TOOBIG, _):
            .full("the database cannot grow (\(message))")
        case (_, Self.sharedMemoryFull):
            // Not `full`: the transaction may already be in the log when this failure occurs.
            .unavailable("the database's shared memory cannot grow (\(message))")
        case (_, Self.movedCode):
            .unavailable("the database is no longer at its path (\(message))")
        case (SQLITE_BUSY, _), (SQLITE_LOCKED, _):
            .unavailable("another program keeps the database locked (\(message))")
        default:
            .unavailable("the database cannot be used (\(message), code \(code))")
        }
    }

    /// A Boolean value that indicates whether the structure of the file is damaged, so that rows
    /// may exist although they are not found.
    ///
    /// A wrong checksum or an invalid value concerns one row only.
    var isStructural: Bool {
        (primaryCode == SQLITE_CORRUPT && code != Self.checksumCode) || primaryCode == SQLITE_NOTADB
    }

    /// A Boolean value that indicates whether a file of the database was removed or replaced.
    var isMoved: Bool { code == Self.movedCode }

    /// A Boolean value that indicates whether a write changed nothing because the disk is full.
    var isFull: Bool { primaryCode == SQLITE_FULL }

    /// A Boolean value that indicates whether the failure was caused by a lack of disk space.
    var isOutOfSpace: Bool { isFull || code == Self.sharedMemoryFull }

    /// A Boolean value that indicates whether the next statement would fail as well, whatever row
    /// it concerns.
    var affectsAllRows: Bool {
        switch primaryCode {
        case SQLITE_CORRUPT, SQLITE_TOOBIG, SQLITE_FULL, SQLITE_RANGE: false
        default: true
        }
    }

    /// The code of a row with a wrong checksum or an invalid value: `SQLITE_CORRUPT` with an
    /// extension that SQLite does not use.
    private static let checksumCode = SQLITE_CORRUPT | 0x7F00
    /// `SQLITE_READONLY_DBMOVED`, whose macro is an expression that Swift does not import.
    private static let movedCode = SQLITE_READONLY | (4 << 8)
    /// `SQLITE_IOERR_SHMSIZE`, whose macro is an expression that Swift does not import.
    private static let sharedMemoryFull = SQLITE_IOERR | (19 << 8)
}

extension SQLiteFailure {
    /// Creates the failure of a checksum that does not match.
    static func damaged(_ what: String) -> SQLiteFailure {
        SQLiteFailure(code: checksumCode, message: "the checksum of \(what) does not match")
    }

    /// Creates the failure of a value that its column never contains, found without a checksum.
    static func invalid(_ what: String) -> SQLiteFailure {
        SQLiteFailure(code: checksumCode, message: "\(what) is not valid")
    }

    /// Creates the failure of a value that the core finds damaged.
    static func found(_ damage: BinaryDamage) -> SQLiteFailure {
        SQLiteFailure(code: checksumCode, message: damage.description)
    }

    /// Creates the failure of a damaged structure.
    static func broken(_ what: String) -> SQLiteFailure {
        SQLiteFailure(code: SQLITE_CORRUPT, message: what)
    }

    static func moved(_ what: String) -> SQLiteFailure {
        SQLiteFailure(code: movedCode, message: what)
    }

    /// Creates the failure of an environment in which the database cannot be used.
    static func unsupported(_ why: String) -> SQLiteFailure {
        SQLiteFailure(code: SQLITE_CANTOPEN, message: why)
    }
}
