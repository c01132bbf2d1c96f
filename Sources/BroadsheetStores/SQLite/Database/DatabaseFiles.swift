import CSQLite
import Glibc
import Synchronization

/// The files of an open database, which are compared with those at their paths.
///
/// SQLite continues to use files that were removed or replaced, and would acknowledge writes to
/// them that no later start finds. Such a loss is permanent: even a file that returns to its path
/// may have been changed by another program, so only a restart uses it again.
final class DatabaseFiles: Sendable {
    private struct State {
        /// The files, by suffix of the path, after they were opened.
        var opened: [(suffix: String, identity: FileIdentity)] = []
        /// The first difference that was found.
        var failure: SQLiteFailure?
    }

    /// The suffixes of the database, its write-ahead log, and the index of the log.
    private static let suffixes = ["", "-wal", "-shm"]

    private let path: String
    private let onEvent: StoreEvent.Handler
    private let state = Mutex(State())

    /// Creates the state of the files of the database at `path`; a loss is reported to `onEvent`
    /// once.
    init(ofDatabase path: String, onEvent: @escaping StoreEvent.Handler) {
        self.path = path
        self.onEvent = onEvent
    }

    /// Records the files at the paths, after the database and its log were opened.
    func record() {
        let opened = Self.suffixes.compactMap { suffix in
            FileIdentity(ofFileAt: path + suffix).map { (suffix, $0) }
        }
        state.withLock { $0.opened = opened }
    }

    /// Throws if one of the recorded files was removed, replaced, or emptied, now or earlier.
    func check() throws(SQLiteFailure) {
        let (failure, isNew): (SQLiteFailure?, Bool) = state.withLock { state in
            if let failure = state.failure { return (failure, false) }
            state.failure = firstLoss(among: state.opened).map(SQLiteFailure.moved)
            return (state.failure, state.failure != nil)
        }
        guard let failure else { return }
        if isNew { onEvent(.filesLost(failure.message)) }
        throw failure
    }

    private func firstLoss(among opened: [(suffix: String, identity: FileIdentity)]) -> String? {
        for (suffix, identity) in opened {
            let file = path + suffix
            guard let found = FileIdentity.found(at: file) else { return "\(file) was removed" }
            if found.identity != identity { return "\(file) was replaced" }
            // The database never shrinks to nothing; its log does at a checkpoint.
            if suffix.isEmpty, found.size == 0 { return "\(file) was emptied" }
        }
        return nil
    }
}

/// The identity of a file, independent of its names.
struct FileIdentity: Hashable, Sendable {
    private let device: dev_t
    private let number: ino_t

    init?(ofFileAt path: String) {
        guard let identity = Self.found(at: path)?.identity else { return nil }
        self = identity
    }

    private init(_ status: stat) { (device, number) = (status.st_dev, status.st_ino) }

    /// Returns the identity and the size in bytes of the file at `path`; `nil` if there is none or
    /// it cannot be examined.
    static func found(at path: String) -> (identity: FileIdentity, size: Int)? {
        var status = stat()
        guard stat(path, &status) == 0 else { return nil }
        return (FileIdentity(status), Int(status.st_size))
    }

    /// The device and the number of the file, which no other file has while it exists.
    var text: String { "\(device):\(number)" }
}
