internal import CSQLite

/// The layout of the tables, its versions, and how an older file is brought up to date.
enum SQLiteSchema {
    /// Marks the file as Broadsheet's own ("Brds"), so that no other program's data is touched.
    static let applicationID: Int64 = 0x4272_6473

    /// The version that this program writes: the number of ``migrations``.
    static var version: Int64 { Int64(migrations.count) }

    /// One step a version, in order; a step that has been released is never edited again.
    ///
    /// Checksums make a flipped bit show: a page's covers its bytes and its place, and a screen's
    /// covers its own row and, as `pages_sum`, the sum of its pages' checksums, so that a page that
    /// is lost or that came back is missed. `expires_at` is seconds since 1970, or null.
    private static let migrations = [
        """
        CREATE TABLE meta (key TEXT PRIMARY KEY, value) WITHOUT ROWID;
        CREATE TABLE screens (
            id INTEGER PRIMARY KEY,
            name TEXT NOT NULL UNIQUE,
            revision INTEGER NOT NULL,
            latest_page INTEGER NOT NULL,
            pages_sum INTEGER NOT NULL,
            expires_at INTEGER,
            checksum INTEGER NOT NULL
        );
        CREATE INDEX screens_by_expiry ON screens (expires_at) WHERE expires_at IS NOT NULL;
        CREATE TABLE pages (
            id INTEGER PRIMARY KEY,
            screen INTEGER NOT NULL,
            number INTEGER NOT NULL,
            revision INTEGER NOT NULL,
            checksum INTEGER NOT NULL,
            bytes BLOB NOT NULL
        );
        CREATE UNIQUE INDEX pages_by_number ON pages (screen, number);
        """
    ]

    /// Brings the database on `connection` to this program's version, in one transaction a version.
    ///
    /// A new file gets all of them. A file that is not ours or that is newer than we are is refused
    /// and stays as it is.
    static func migrate(_ connection: SQLiteConnection) throws(SQLiteFailure) {
        let found = try connection.integer("PRAGMA user_version") ?? 0
        let application = try connection.integer("PRAGMA application_id") ?? 0
        let tables = try connection.integer("SELECT count(*) FROM sqlite_schema") ?? 0
        let isFresh = found == 0 && application == 0 && tables == 0
        guard isFresh || application == applicationID else {
            throw SQLiteFailure(code: SQLITE_NOTADB, message: "a database of another program")
        }
        guard found <= version else {
            throw SQLiteFailure(
                code: SQLITE_SCHEMA, message: "schema \(found), this version knows \(version)")
        }
        for (index, step) in migrations.enumerated().dropFirst(Int(found)) {
            try connection.execute(
                """
                BEGIN IMMEDIATE; \(step)
                PRAGMA application_id = \(applicationID); PRAGMA user_version = \(index + 1);
                COMMIT;
                """)
        }
    }
}
