import Foundation
import Glibc

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
                throw .unsupported("the file system has no shared memory for a write-ahead log")
            }
            if let maxPages = options.maxPages {
                try connection.execute("PRAGMA max_page_count = \(maxPages)")
            }
            try SQLiteIntegrityCheck.checkScreens(connection)
            return connection
        } catch {
            throw StoreOpenError(error, path: path)
        }
    }

    /// Throws when the write-ahead log that a crash left behind has lost what was acknowledged.
    ///
    /// To be done before SQLite looks at it, which then forgets what it cannot use.
    private static func checkLog(_ path: String) throws(StoreOpenError) {
        guard let byte = WriteAheadLogFile.open(ofDatabase: path)?.firstBrokenByte() else { return }
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

/// Looks a database over for damage that no single row shows.
enum SQLiteIntegrityCheck {
    /// Throws when the table of screens is broken or lacks a row: a search in it would not find what
    /// is there.
    ///
    /// O(screens), about half a second a million. What the rows hold is looked at when they are read.
    static func checkScreens(_ connection: SQLiteConnection) throws(SQLiteFailure) {
        try check("PRAGMA quick_check(screens)", on: connection)
        let found = try connection.integer("SELECT count(*) FROM screens") ?? 0
        let written = try SQLiteMeta(on: connection).number(.screens)
        guard UInt64(bitPattern: found) == written else {
            throw .broken("of \(written) screens \(found) are there")
        }
    }

    /// Throws when anything is broken.
    ///
    /// O(what is stored).
    static func checkAll(_ connection: SQLiteConnection) throws(SQLiteFailure) {
        try check("PRAGMA quick_check(1)", on: connection)
        try checkScreens(connection)
    }

    private static func check(
        _ sql: String, on connection: SQLiteConnection
    ) throws(SQLiteFailure) {
        let words = try connection.text(sql)
        guard words == "ok" else { throw .broken(words ?? "nothing was found") }
    }
}
