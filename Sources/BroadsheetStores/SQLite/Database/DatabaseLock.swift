import BroadsheetIO
import Glibc

/// The advisory locks that let one daemon at a time use a database.
///
/// SQLite's own locks let two processes write alternately, and a daemon would then return cached
/// revisions that the other one had changed. The kernel releases the locks when the process ends
/// for any reason. There are three, because files can be removed while a daemon uses them:
///
/// - a lock on a file beside the database, which exists also while the database does not;
/// - a lock on the database itself, in case the lock file is removed;
/// - a name in the system's table of sockets, derived from the folder and the name of the database,
///   in case both are removed.
///
/// The lock file also marks that the database has been initialised, so that a database that was
/// emptied or removed is not taken for a new one.
struct DatabaseLock: ~Copyable {
    private let lockFile: Int32
    /// The database, open for writing until the lock is released; negative if it was not opened.
    private(set) var database: Int32
    private let pathName: Int32

    static func path(ofDatabase database: String) -> String { database + ".lock" }

    /// Acquires the lock of the database at `database` and creates the lock file if it is missing.
    init(database: String) throws(StoreOpenError) {
        let path = Self.path(ofDatabase: database)
        let opened = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard opened >= 0 else { throw Self.error(path: path, errno) }
        var locked: Int32 = -1
        var reserved: Int32 = -1
        do throws(StoreOpenError) {
            try Self.lock(opened, path)
            locked = try Self.lockDatabase(at: database)
            reserved = try Self.reserveName(ofDatabase: database)
        } catch {
            for descriptor in [locked, opened] where descriptor >= 0 { Self.unlock(descriptor) }
            throw error
        }
        (lockFile, self.database, pathName) = (opened, locked, reserved)
    }

    /// Throws if the database at `path` is empty or missing although it was initialised; SQLite
    /// would begin a new database.
    func checkNotEmptied(of path: String) throws(StoreOpenError) {
        var (database, mark) = (stat(), stat())
        let found = stat(path, &database) == 0
        // A file that cannot be examined for another reason still exists.
        guard found ? database.st_size == 0 : errno == ENOENT,
            fstat(lockFile, &mark) == 0, mark.st_size > 0
        else { return }
        let state = found ? "empty" : "missing"
        throw .corrupt(
            path: path,
            detail: "it is \(state) although it was initialised; restore a backup, or remove "
                + "\(Self.path(ofDatabase: path)) as well to begin with an empty one")
    }

    /// Locks the database at `path` itself, which may have been created after the lock was
    /// acquired.
    mutating func extend(to path: String) throws(StoreOpenError) {
        guard database < 0 else { return }
        database = try Self.lockDatabase(at: path)
    }

    func markInitialised() {
        // Without the mark an empty file is treated as a new database, which is SQLite's usual
        // behaviour.
        _ = pwrite(lockFile, "1", 1, 0)
    }

    /// Releases the lock, as the end of this value does; makes the lifetime explicit.
    ///
    /// No connection of this process may be open: closing any descriptor of a file releases the
    /// locks that SQLite holds on it.
    consuming func release() {}

    deinit {
        for descriptor in [pathName, database, lockFile] where descriptor >= 0 {
            Self.unlock(descriptor)
        }
    }
}

extension DatabaseLock {
    private static func lock(_ descriptor: Int32, _ path: String) throws(StoreOpenError) {
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else { throw error(path: path, errno) }
    }

    /// Releases the lock of a descriptor, if there is one, and closes it.
    private static func unlock(_ descriptor: Int32) {
        // A child process that is just being started may hold a copy of the descriptor, so closing
        // ours would not release the lock.
        flock(descriptor, LOCK_UN)
        close(descriptor)
    }

    /// Returns a locked descriptor of the database at `path`, or -1 if it cannot be opened, which
    /// SQLite reports with a better message.
    ///
    /// The descriptor stays open until the lock is released, as ``release()`` requires.
    private static func lockDatabase(at path: String) throws(StoreOpenError) -> Int32 {
        let descriptor = open(path, O_RDWR | O_NONBLOCK | O_CLOEXEC)
        guard descriptor >= 0 else { return -1 }
        do throws(StoreOpenError) {
            try lock(descriptor, path)
            return descriptor
        } catch {
            close(descriptor)
            throw error
        }
    }

    private static func error(path: String, _ code: Int32) -> StoreOpenError {
        let detail = String(cString: strerror(code))
        return switch code {
        case EWOULDBLOCK, EADDRINUSE: .locked(path: path, detail: "another daemon has it open")
        case EACCES, EPERM, EROFS: .readOnly(path: path, detail: detail)
        default: .cannotOpen(path: path, detail: detail)
        }
    }
}

// MARK: - The name of the path

extension DatabaseLock {
    /// The pauses before a name is regarded as in use: a child process that is just being started
    /// may still hold the socket of a database that was closed.
    private static let pauses = (count: 50, microseconds: UInt32(10_000))

    /// Binds a socket to a name that follows from the folder and the name of the database, and
    /// returns it; -1 if the system provides no such sockets.
    ///
    /// The name is in the abstract namespace (unix(7)), which has no files and is that of a
    /// network namespace: it does not exclude a daemon in another container.
    private static func reserveName(ofDatabase path: String) throws(StoreOpenError) -> Int32 {
        guard let name = name(ofDatabase: path) else { return -1 }
        let type = Int32(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue)
        let descriptor = socket(AF_UNIX, type, 0)
        guard descriptor >= 0 else { return -1 }
        for attempt in 0...pauses.count {
            guard bind(descriptor, to: name) != 0 else { return descriptor }
            guard errno == EADDRINUSE, attempt < pauses.count else { break }
            usleep(pauses.microseconds)
        }
        let code = errno
        close(descriptor)
        guard code == EADDRINUSE else { return -1 }
        throw error(path: path, code)
    }

    /// Returns the name, whatever links lead to the folder; `nil` if the folder does not exist.
    private static func name(ofDatabase path: String) -> String? {
        let slash = path.lastIndex(of: "/")
        let folder = slash.map { String(path[...$0]) } ?? "."
        let file = slash.map { String(path[path.index(after: $0)...]) } ?? path
        guard let identity = FileIdentity(ofFileAt: folder) else { return nil }
        // A file's name may be longer than a socket's.
        let digest = RowChecksum.value { $0.combine(file) }
        return "broadsheet:\(identity.text):\(String(UInt64(bitPattern: digest), radix: 16))"
    }

    private static func bind(_ descriptor: Int32, to name: String) -> Int32 {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        let offset = MemoryLayout.offset(of: \sockaddr_un.sun_path) ?? 2
        // An abstract name begins with a zero byte.
        let length = withUnsafeMutableBytes(of: &address.sun_path) { bytes in
            for (index, byte) in name.utf8.enumerated() where index + 1 < bytes.count {
                bytes[index + 1] = byte
            }
            return min(bytes.count, name.utf8.count + 1)
        }
        return withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                Glibc.bind(descriptor, $0, socklen_t(offset + length))
            }
        }
    }
}
