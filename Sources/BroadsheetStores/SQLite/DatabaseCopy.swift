import CSQLite
import FoundationEssentials
import Glibc

/// A copy of a database under a temporary name, removed unless it is moved into place.
struct DatabaseCopy: ~Copyable {
    private let source: String
    private let path: String

    /// Copies the database at `source` into a new file in the folder of `target`.
    ///
    /// The copy has no write-ahead log, and only its owner can read it.
    init(copying source: String, beside target: String) throws(SQLiteBackupError) {
        self.source = source
        path = "\(target).draft-\(String(UInt32.random(in: 0 ... .max), radix: 16))"
        try FileOperations.createPrivate(path)
        do throws(SQLiteFailure) {
            let from = try SQLiteConnection(path: source, mode: .readOnly)
            try SQLiteFormat.check(from)
            let to = try SQLiteConnection(path: path, mode: .readWrite)
            // The whole file is synced once, before it is moved into place.
            try to.execute("PRAGMA synchronous = OFF")
            try Self.copyPages(from, to)
            try to.execute("PRAGMA journal_mode = DELETE")
        } catch {
            FileOperations.remove(path)
            throw SQLiteBackupError(error, source: source, target: target)
        }
    }

    deinit {
        // Has no effect on a copy that was moved into place.
        FileOperations.remove(path)
        FileOperations.remove(path + "-journal")
    }

    /// Checks the complete copy: the structure, every row, and every checksum.
    func inspect() throws(SQLiteBackupError) -> SQLiteBackup.Summary {
        try using { connection throws(SQLiteFailure) in
            try SQLiteFormat.checkAll(connection)
            guard try StoreTable(on: connection).identity() != nil else {
                throw .damaged("the store's identity")
            }
            let records = try RecordTable(on: connection)
            let objects = try ObjectTable(on: connection)
            var summary = SQLiteBackup.Summary(screens: 0, pages: 0)
            var after: ScreenName?
            while true {
                // The earliest time, so that expired screens are checked too.
                let listed = try records.list(after: after, prefix: .none, limit: 1000, at: .min)
                guard let last = listed.last else { return summary }
                for entry in listed {
                    var check = ScreenCheck(of: entry.name, records, objects)
                    summary.screens += 1
                    summary.pages += try check.run()
                }
                after = last.name
            }
        }
    }

    /// Begins a new line, so that all later revisions are far above those in the copy.
    func beginLine() throws(SQLiteBackupError) {
        try using { connection throws(SQLiteFailure) in
            try connection.transaction { () throws(SQLiteFailure) in
                try StoreTable(on: connection).beginLine()
            }
        }
    }

    func give(_ ownership: FileOwnership) { ownership.apply(to: path) }

    /// Syncs the copy and renames it to `target`.
    ///
    /// An existing file is replaced atomically, or causes an error.
    consuming func moveIntoPlace(
        at target: String, replacing mayReplace: Bool
    ) throws(SQLiteBackupError) {
        try FileOperations.sync(path)
        try FileOperations.rename(path, to: target, replacing: mayReplace)
        try FileOperations.syncFolder(of: target)
    }

    private func using<Value>(
        _ body: (SQLiteConnection) throws(SQLiteFailure) -> Value
    ) throws(SQLiteBackupError) -> Value {
        do throws(SQLiteFailure) {
            return try body(try SQLiteConnection(path: path, mode: .readWrite))
        } catch {
            throw SQLiteBackupError(error, source: source, target: path)
        }
    }

    /// Copies all pages in one read transaction, so that they are consistent.
    private static func copyPages(
        _ from: SQLiteConnection, _ to: SQLiteConnection
    ) throws(SQLiteFailure) {
        guard let backup = sqlite3_backup_init(to.handle, "main", from.handle, "main") else {
            return try to.check(sqlite3_errcode(to.handle))
        }
        let code = sqlite3_backup_step(backup, -1)
        sqlite3_backup_finish(backup)
        guard code == SQLITE_DONE else {
            throw SQLiteFailure(code: code, message: String(cString: sqlite3_errstr(code)))
        }
    }
}

/// Operations on whole files.
enum FileOperations {
    static func exists(_ path: String) -> Bool { access(path, F_OK) == 0 }

    /// Returns the size of the file at `path`, in bytes; 0 if there is none.
    static func size(of path: String) -> Int {
        var status = stat()
        return stat(path, &status) == 0 ? Int(status.st_size) : 0
    }

    static func remove(_ path: String) { _ = unlink(path) }

    /// Creates an empty file that only its owner can read; throws if a file exists at `path`.
    static func createPrivate(_ path: String) throws(SQLiteBackupError) {
        let descriptor = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        if descriptor < 0, errno == EEXIST { throw .exists(path: path) }
        try check(descriptor, path)
        close(descriptor)
    }

    /// Returns after the contents of the file are on the disk.
    static func sync(_ path: String) throws(SQLiteBackupError) {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        try check(descriptor, path)
        defer { close(descriptor) }
        try check(fsync(descriptor), path)
    }

    /// Returns after the directory entries in the folder of `path` are on the disk.
    static func syncFolder(of path: String) throws(SQLiteBackupError) {
        try sync(URL(fileURLWithPath: path).deletingLastPathComponent().path)
    }

    /// Renames a file within its folder atomically.
    static func rename(
        _ path: String, to target: String, replacing mayReplace: Bool
    ) throws(SQLiteBackupError) {
        // An empty file reserves the name, so only that file can be replaced.
        if !mayReplace { try createPrivate(target) }
        let result = Glibc.rename(path, target)
        guard result < 0 else { return }
        let failure = SQLiteBackupError.cannotWrite(
            path: target, detail: String(cString: strerror(errno)))
        if !mayReplace { remove(target) }
        throw failure
    }

    private static func check(_ result: Int32, _ path: String) throws(SQLiteBackupError) {
        guard result < 0 else { return }
        throw .cannotWrite(path: path, detail: String(cString: strerror(errno)))
    }
}
