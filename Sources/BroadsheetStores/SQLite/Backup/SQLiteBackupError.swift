internal import CSQLite

/// Why a backup was not taken or not put back; nothing was changed.
package enum SQLiteBackupError: Error, Hashable, Sendable {
    /// There is a file already where the backup is to be.
    case exists(path: String)
    /// A backup cannot be put in its own place.
    case sameFile(path: String)
    /// A daemon runs on the database.
    case inUse(path: String)
    /// The file to copy cannot be read, or is none of ours, or of a newer version.
    case unreadable(StoreOpenError)
    /// The file to copy is damaged.
    case damaged(path: String, detail: String)
    /// The copy cannot be written.
    case cannotWrite(path: String, detail: String)

    /// What a failure means that came up while the copy of `source` was made at `target`.
    init(_ failure: SQLiteFailure, source: String, target: String) {
        switch failure.primaryCode {
        case SQLITE_CORRUPT: self = .damaged(path: source, detail: failure.message)
        case SQLITE_FULL, SQLITE_IOERR, SQLITE_READONLY, SQLITE_PERM:
            self = .cannotWrite(path: target, detail: failure.message)
        default: self = .unreadable(StoreOpenError(failure, path: source))
        }
    }
}

extension SQLiteBackupError: CustomStringConvertible {
    /// What is wrong and what to do about it, in one sentence.
    package var description: String {
        switch self {
        case .exists(let path): "\(path) exists already; name another file"
        case .sameFile(let path): "\(path) cannot be restored from itself"
        case .inUse(let path): "\(path) is in use; stop the daemon first"
        case .unreadable(let error): error.description
        case .damaged(let path, let detail): "\(path) is damaged (\(detail)) and was not copied"
        case .cannotWrite(let path, let detail): "\(path) cannot be written (\(detail))"
        }
    }
}
