import CSQLite

/// An error of a call to a store.
///
/// Nothing was changed, except that after ``unavailable(_:)`` a write may or may not have been
/// applied.
public enum StoreError: Error, Hashable, Sendable {
    /// The screen is not at the expected revision but at `current`; `nil` if there is no such
    /// screen. Load it again before the next attempt.
    case conflict(current: UInt64?)
    /// The store cannot be reached or is too busy, perhaps temporarily. The text is for the
    /// operator.
    case unavailable(String)
    /// The store has no space left. The text is for the operator and specifies where.
    case full(String)
    /// The pages of a write, or those of the screen after it, have more bytes together than the
    /// store accepts, however much space it has.
    case tooLarge(byteCount: Int, limit: Int)
    /// It is not known whether a batch was applied: the error of a backend, after which its store
    /// sends the batch again. The store itself throws ``unavailable(_:)`` in the end.
    case unknown(String)
    /// The stored data is damaged and was not returned. The text is for the operator and specifies
    /// where.
    case corrupt(String)
}

extension StoreError {
    /// The cause, for the operator.
    ///
    /// It may contain paths and addresses that clients must not see.
    public var reason: String {
        switch self {
        case .conflict(let current?): "the screen is at revision \(current)"
        case .conflict(nil): "there is no such screen"
        case .tooLarge(let byteCount, let limit):
            "the pages have \(byteCount) bytes together, the limit of the store is \(limit)"
        case .unavailable(let reason), .full(let reason), .corrupt(let reason),
            .unknown(let reason):
            reason
        }
    }
}

/// An error in opening a store; nothing was changed.
package enum StoreOpenError: Error, Hashable, Sendable {
    /// The file at `path` is not a database, or belongs to another program.
    case notADatabase(path: String, detail: String)
    case newerSchema(path: String, detail: String)
    /// The file has a format of before the first version.
    case formerFormat(path: String, detail: String)
    /// The file or its folder is not writable.
    case readOnly(path: String, detail: String)
    /// Another program has locked the file.
    case locked(path: String, detail: String)
    case corrupt(path: String, detail: String)
    /// The file system has no space for the file or for the files that SQLite creates beside it.
    case full(path: String, detail: String)
    case cannotOpen(path: String, detail: String)

    init(_ failure: SQLiteFailure, path: String) {
        let detail = failure.message
        self =
            switch failure.primaryCode {
            case SQLITE_NOTADB: .notADatabase(path: path, detail: detail)
            case SQLITE_SCHEMA: .newerSchema(path: path, detail: detail)
            case SQLITE_FORMAT: .formerFormat(path: path, detail: detail)
            case SQLITE_READONLY, SQLITE_PERM: .readOnly(path: path, detail: detail)
            case SQLITE_BUSY, SQLITE_LOCKED: .locked(path: path, detail: detail)
            case SQLITE_CORRUPT: .corrupt(path: path, detail: detail)
            case _ where failure.isOutOfSpace: .full(path: path, detail: detail)
            default: .cannotOpen(path: path, detail: detail)
            }
    }
}

extension StoreOpenError: CustomStringConvertible {
    /// The cause and the remedy, in one sentence.
    package var description: String {
        switch self {
        case .notADatabase(let path, let detail):
            "\(path) is not a Broadsheet database (\(detail)); name another file"
        case .newerSchema(let path, let detail):
            "\(path) was written by a newer Broadsheet (\(detail)); upgrade, or name another file"
        case .formerFormat(let path, let detail):
            "\(path) was written by an earlier Broadsheet (\(detail)); name another file"
        case .readOnly(let path, let detail):
            "\(path) cannot be written (\(detail)); check the owner and mode of the file and its folder"
        case .locked(let path, let detail):
            "\(path) is in use (\(detail)); stop the other daemon, or name another file"
        case .corrupt(let path, let detail):
            "\(path) is damaged (\(detail)); restore it from a backup"
        case .full(let path, let detail):
            "\(path) has no space on its disk (\(detail)); free space, or name another file"
        case .cannotOpen(let path, let detail):
            "\(path) cannot be opened (\(detail))"
        }
    }
}

extension StoreError: CustomStringConvertible {
    /// The cause, for the operator.
    public var description: String { reason }
}
