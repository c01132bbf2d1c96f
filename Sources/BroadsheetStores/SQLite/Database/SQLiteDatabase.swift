import FoundationEssentials
import Glibc

/// Functions that open database files for a store.
enum SQLiteDatabase {
    /// The memory of the connection that writes for parts of the file, in KiB; SQLite's default is
    /// a quarter.
    ///
    /// A transaction of ``SQLiteWriter/maxBatch`` pages of a usual size fits into it. One that
    /// does not is written to the log in parts, and reads what it has freed before it uses that
    /// again.
    static let cacheKibibytes = 8192

    /// Returns the path without symbolic links, so that two names of one file are recognized.
    static func realPath(of path: String) -> String {
        URL(fileURLWithPath: path).resolvingSymlinksInPath().path
    }

    /// Creates the folder of `path` if it is missing.
    static func makeFolder(of path: String) throws(StoreOpenError) {
        let folder = URL(fileURLWithPath: path).deletingLastPathComponent()
        do {
            try FileManager.default.createDirectory(
                at: folder, withIntermediateDirectories: true)
        } catch {
            throw .cannotOpen(path: path, detail: detail(of: error))
        }
    }

    /// Returns the system's message for an error of the file manager.
    private static func detail(of error: any Error) -> String {
        guard let cause = (error as? CocoaError)?.underlying as? POSIXError else {
            return String(describing: error)
        }
        return String(cString: strerror(cause.code.rawValue))
    }

    /// Opens the file for writing, in WAL mode and fully synchronous, creates its tables if it is
    /// new, and checks the table of names, since a search in a damaged table may miss rows.
    ///
    /// Records are checked when they are read.
    ///
    /// - Complexity: O(screens), about half a second per million.
    static func openForWriting(
        path: String, options: SQLiteStoreOptions
    ) throws(StoreOpenError) -> SQLiteConnection {
        makePrivateFile(path)
        try checkLog(path)
        do throws(SQLiteFailure) {
            let connection = try SQLiteConnection(
                path: path, mode: .readWrite, busyTimeout: options.busyTimeout)
            // Some distributions change these defaults: fewer syncs, or overwriting of deleted
            // data, which doubles the writes for a replaced page.
            try connection.execute("PRAGMA synchronous = FULL; PRAGMA secure_delete = OFF")
            try connection.execute("PRAGMA cache_size = -\(cacheKibibytes)")
            try SQLiteFormat.prepare(connection)
            // The journal mode is set after the checks, because it is the first write to a file
            // that may belong to another program.
            let mode = try connection.text("PRAGMA journal_mode = WAL")
            guard mode == "wal" else {
                throw .unsupported("the file system has no shared memory for a write-ahead log")
            }
            if let maxPages = options.maxPages {
                try connection.execute("PRAGMA max_page_count = \(maxPages)")
            }
            try SQLiteFormat.checkNames(connection)
            return connection
        } catch {
            throw StoreOpenError(error, path: path)
        }
    }

    /// Throws if the write-ahead log that a crash left behind has lost acknowledged transactions.
    ///
    /// Called before SQLite opens the file and discards the part of the log that it cannot use.
    private static func checkLog(_ path: String) throws(StoreOpenError) {
        guard let byte = WriteAheadLogFile.open(ofDatabase: path)?.firstBrokenByte() else { return }
        throw .corrupt(
            path: path,
            detail: "its write-ahead log is damaged at byte \(byte), before acknowledged writes"
        )
    }

    /// Creates a missing file so that only its owner can read it, because it holds the sealing key.
    ///
    /// SQLite gives the same mode to the files beside it.
    private static func makePrivateFile(_ path: String) {
        let descriptor = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        // Errors are reported by SQLite, with a better message.
        if descriptor >= 0 { close(descriptor) }
    }
}
