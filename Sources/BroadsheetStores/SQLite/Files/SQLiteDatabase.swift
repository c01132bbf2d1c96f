internal import Foundation
internal import Glibc

/// Opens database files the way the store wants them.
enum SQLiteDatabase {
    /// Where the database at `path` really is: two names of one file must not pass for two files.
    static func realPath(of path: String) -> String {
        URL(fileURLWithPath: path).resolvingSymlinksInPath().path
    }

    /// Makes the folder that `path` is to be in.
    static func makeFolder(of path: String) throws(StoreOpenError) {
        let folder = URL(fileURLWithPath: path).deletingLastPathComponent()
        do {
            try FileManager.default.createDirectory(
                at: folder, withIntermediateDirectories: true)
        } catch {
            throw .cannotOpen(path: path, detail: error.localizedDescription)
        }
    }

    /// Opens the file for writing, in WAL mode and fully synchronous, with an up-to-date schema, and
    /// looks over the structure of the table of screens.
    ///
    /// O(screens), about half a second a million: a search in a broken table would not find what is
    /// there. What the pages hold is looked at when they are read.
    static func openForWriting(
        path: String, options: SQLiteStoreOptions
    ) throws(StoreOpenError) -> SQLiteConnection {
        makePrivateFile(path)
        try checkLog(path)
        do throws(SQLiteFailure) {
            let connection = try SQLiteConnection(
                path: path, mode: .readWrite, busyTimeout: options.busyTimeout)
            // Some systems' libraries flush less by default, and wipe what is deleted, which doubles
            // what a page that replaces another writes.
            try connection.execute("PRAGMA synchronous = FULL; PRAGMA secure_delete = OFF")
            try SQLiteSchema.migrate(connection)
            // The journal mode is set behind the checks: it is the first thing that writes to a file
            // that may not be ours.
            let mode = try connection.text("PRAGMA journal_mode = WAL")
            guard mode == "wal" else {
                throw .notPossible("the file system has no shared memory for a write-ahead log")
            }
            if let maxPages = options.maxPages {
                try connection.execute("PRAGMA max_page_count = \(maxPages)")
            }
            try SQLiteSoundness.checkScreens(connection)
            return connection
        } catch {
            throw StoreOpenError(error, path: path)
        }
    }

    /// Throws when the write-ahead log that a crash left behind has lost what was acknowledged.
    ///
    /// To be done before SQLite looks at it, which then forgets what it cannot use.
    private static func checkLog(_ path: String) throws(StoreOpenError) {
        guard let byte = SQLiteLogFile.open(ofDatabase: path)?.firstBrokenByte() else { return }
        throw .corrupt(
            path: path,
            detail: "its write-ahead log is broken at byte \(byte), in front of acknowledged writes"
        )
    }

    /// Makes a missing file so that only its owner can read it: it holds the key that tokens are
    /// sealed with.
    ///
    /// SQLite gives the files beside it the same mode.
    private static func makePrivateFile(_ path: String) {
        let descriptor = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        // Whatever is wrong here SQLite says in better words.
        if descriptor >= 0 { close(descriptor) }
    }
}
