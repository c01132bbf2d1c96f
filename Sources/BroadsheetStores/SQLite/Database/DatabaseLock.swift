import Glibc

/// An advisory lock on a file beside the database, which only one daemon can hold.
///
/// SQLite's own locks let two processes write alternately, and a daemon would then return cached
/// revisions that the other one had changed. The kernel releases the lock when the process ends for
/// any reason.
///
/// The file also marks that the database has been initialised, so that a database that was emptied
/// is not taken for a new one.
struct DatabaseLock: ~Copyable {
    private let descriptor: Int32

    /// Acquires the lock of the database at `database` and creates the lock file if it is missing.
    init(database: String) throws(StoreOpenError) {
        let path = database + ".lock"
        let opened = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard opened >= 0 else { throw Self.error(path: path, errno) }
        guard flock(opened, LOCK_EX | LOCK_NB) == 0 else {
            let code = errno
            close(opened)
            throw Self.error(path: path, code)
        }
        descriptor = opened
    }

    /// Throws if the database at `path` is empty although it was initialised; SQLite would treat
    /// the empty file as a new database.
    ///
    /// If the file is missing, a new database is intended.
    func checkNotEmptied(of path: String) throws(StoreOpenError) {
        var database = stat()
        var lockFile = stat()
        guard stat(path, &database) == 0 else {
            // A file that cannot be examined for another reason still exists.
            if errno == ENOENT { ftruncate(descriptor, 0) }
            return
        }
        guard database.st_size == 0, fstat(descriptor, &lockFile) == 0, lockFile.st_size > 0 else {
            return
        }
        throw .corrupt(path: path, detail: "it is empty although it was initialised")
    }

    /// Marks the database as initialised.
    func markInitialised() {
        // Without the mark an empty file is treated as a new database, which is SQLite's usual
        // behaviour.
        _ = pwrite(descriptor, "1", 1, 0)
    }

    /// Releases the lock, as the end of this value does; makes the lifetime explicit.
    consuming func release() {}

    deinit {
        // A child process that is just being started may hold a copy of the descriptor, so closing
        // ours would not release the lock.
        flock(descriptor, LOCK_UN)
        close(descriptor)
    }

    private static func error(path: String, _ code: Int32) -> StoreOpenError {
        let detail = String(cString: strerror(code))
        return switch code {
        case EWOULDBLOCK: .locked(path: path, detail: "another daemon has it open")
        case EACCES, EPERM, EROFS: .readOnly(path: path, detail: detail)
        default: .cannotOpen(path: path, detail: detail)
        }
    }
}
