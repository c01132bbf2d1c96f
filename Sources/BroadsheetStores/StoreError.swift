import CSQLite

/// Why a store did not do what it was asked.
///
/// Whatever the case, nothing was changed, but for ``unavailable(_:)``, whose write may or may not
/// have arrived.
package enum StoreError: Error, Hashable, Sendable {
    /// The screen is not at the revision that the write expected, but at `current`; nil when there
    /// is no such screen. Load it again and decide anew.
    case conflict(current: UInt64?)
    /// The store cannot be reached or is too busy; it may be back soon. The text says what is wrong,
    /// for the operator.
    case unavailable(String)
    /// The store has no room left. The text says of what, for the operator.
    case full(String)
    /// What the store holds cannot be right, and so is not answered. The text says where.
    case corrupt(String)
}

extension StoreError {
    /// What is wrong, for the operator; may name places that are nobody else's to know.
    package var reason: String {
        switch self {
        case .conflict(let current?): "the screen is at revision \(current) by now"
        case .conflict(nil): "there is no such screen by now"
        case .unavailable(let reason), .full(let reason), .corrupt(let reason): reason
        }
    }
}

/// Why a store could not be opened; nothing was changed.
///
/// Each case's words are for the operator who reads them at the start of the daemon.
package enum StoreOpenError: Error, Hashable, Sendable {
    /// The file at `path` is no database, or one of another program.
    case notADatabase(path: String, detail: String)
    /// The file was written by a newer version of this program.
    case newerSchema(path: String, detail: String)
    /// The file or its folder cannot be written.
    case readOnly(path: String, detail: String)
    /// Another program holds the file.
    case locked(path: String, detail: String)
    /// The file is damaged.
    case corrupt(path: String, detail: String)
    /// The file system has no room for the file, or for what SQLite puts beside it.
    case full(path: String, detail: String)
    /// The file cannot be opened at all.
    case cannotOpen(path: String, detail: String)

    init(_ failure: SQLiteFailure, path: String) {
        let detail = failure.message
        self =
            switch failure.primaryCode {
            case SQLITE_NOTADB: .notADatabase(path: path, detail: detail)
            case SQLITE_SCHEMA: .newerSchema(path: path, detail: detail)
            case SQLITE_READONLY, SQLITE_PERM: .readOnly(path: path, detail: detail)
            case SQLITE_BUSY, SQLITE_LOCKED: .locked(path: path, detail: detail)
            case SQLITE_CORRUPT: .corrupt(path: path, detail: detail)
            case _ where failure.isOutOfSpace: .full(path: path, detail: detail)
            default: .cannotOpen(path: path, detail: detail)
            }
    }
}

extension StoreOpenError: CustomStringConvertible {
    /// What is wrong and what to do about it, in one sentence.
    package var description: String {
        switch self {
        case .notADatabase(let path, let detail):
            "\(path) is not a Broadsheet database (\(detail)); name another file"
        case .newerSchema(let path, let detail):
            "\(path) was written by a newer Broadsheet (\(detail)); upgrade, or name another file"
        case .readOnly(let path, let detail):
            "\(path) cannot be written (\(detail)); check the owner and mode of the file and its folder"
        case .locked(let path, let detail):
            "\(path) is in use (\(detail)); stop the other daemon, or name another file"
        case .corrupt(let path, let detail):
            "\(path) is damaged (\(detail)); restore it from a backup"
        case .full(let path, let detail):
            "\(path) has no room on its disk (\(detail)); make room, or name another file"
        case .cannotOpen(let path, let detail):
            "\(path) cannot be opened (\(detail))"
        }
    }
}
