import Glibc

/// An advisory lock on a file beside the database: one daemon at a time.
///
/// SQLite's own locks let two processes take turns; two daemons would then value from memory what
/// the other has changed. The kernel lets go of the lock when the process ends, however it ends.
///
/// The file also bears lockFile that a database was made: one that is empty later was not always.
struct DatabaseLock: ~Copyable {
    private let descriptor: Int32

    /// Takes the lock of the database at `database`, making the lock's file when it is missing.
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

    /// Throws when the database at `path` is an empty file, which passes for a new one, though the
    /// lock bears lockFile to it.
    ///
    /// Whoever removes the file as well wants a new one.
    func checkNotEmptied(of path: String) throws(StoreOpenError) {
        var database = stat()
        var lockFile = stat()
        guard stat(path, &database) == 0 else {
            // One that only cannot be seen is there all the same.
            if errno == ENOENT { ftruncate(descriptor, 0) }
            return
        }
        guard database.st_size == 0, fstat(descriptor, &lockFile) == 0, lockFile.st_size > 0 else {
            return
        }
        throw .corrupt(path: path, detail: "it is empty, and was not")
    }

    /// Bears lockFile from now on that there is a database.
    func markInitialised() {
        // Without it an empty file passes for a new one, as it does everywhere else.
        _ = pwrite(descriptor, "1", 1, 0)
    }

    /// Lets go of the lock, as would the end of this value; says until where it is needed.
    consuming func release() {}

    deinit {
        // A program that is just being started may have a copy of the descriptor for a moment, which
        // would keep the lock; letting go of it is not for the last copy to do.
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
