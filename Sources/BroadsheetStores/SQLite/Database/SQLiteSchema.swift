import CSQLite

/// The layout of the tables, its versions, and how an older file is brought up to date.
enum SQLiteSchema {
    /// Marks the file as Broadsheet's own ("Brds"), so that no other program's data is touched.
    static let applicationID: Int64 = 0x4272_6473

    /// The version that this program writes: the number of ``migrations``.
    static var version: Int64 { Int64(migrations.count) }

    /// One step a version, in order; a step that has been released is never edited again.
    ///
    /// - `meta` holds a few values of the store itself (``SQLiteMeta``).
    /// - `screens` has no row ids: one tree, so that there is no index that could disagree with it.
    ///   `folder` says where its pages are; `expires_at` is milliseconds since 1970, or null.
    /// - `pages` is keyed by folder and number (``PageKey``).
    /// - `discarded` names folders whose pages nobody refers to any more; they go little by little.
    ///
    /// Checksums make a flipped bit show: a value's covers its name, a page's covers its bytes and its
    /// place, and a screen's covers its own row and, as `pages_sum`, the sum of its pages' checksums,
    /// so that a page that is lost or that came back is missed.
    private static let migrations = [
        """
        CREATE TABLE meta (
            key TEXT PRIMARY KEY,
            value BLOB NOT NULL,
            checksum INTEGER NOT NULL
        ) WITHOUT ROWID;
        CREATE TABLE screens (
            name TEXT PRIMARY KEY,
            folder INTEGER NOT NULL,
            revision INTEGER NOT NULL,
            latest_page INTEGER NOT NULL,
            pages_sum INTEGER NOT NULL,
            expires_at INTEGER,
            checksum INTEGER NOT NULL
        ) WITHOUT ROWID;
        CREATE INDEX screens_by_expiry ON screens (expires_at) WHERE expires_at IS NOT NULL;
        CREATE TABLE pages (
            key INTEGER PRIMARY KEY,
            revision INTEGER NOT NULL,
            checksum INTEGER NOT NULL,
            bytes BLOB NOT NULL
        );
        CREATE TABLE discarded (folder INTEGER PRIMARY KEY, checksum INTEGER NOT NULL);
        """,
        "-- No table changes: checksums of long values have another form from here on (RowChecksum).",
    ]

    /// Brings the database on `connection` to this program's version, in one transaction a version.
    ///
    /// A new file gets all of them. A file that is not ours or that is newer than we are is refused
    /// and stays as it is.
    static func migrate(_ connection: SQLiteConnection) throws(SQLiteFailure) {
        let found = try foundVersion(on: connection, allowingEmpty: true)
        for (index, step) in migrations.enumerated().dropFirst(Int(found)) {
            try connection.transaction { () throws(SQLiteFailure) in
                try connection.execute(
                    """
                    \(step)
                    PRAGMA application_id = \(applicationID); PRAGMA user_version = \(index + 1);
                    """)
            }
        }
    }

    /// The version of the database on `connection`; throws when it is another program's or newer
    /// than this one's, or has no tables at all and is not allowed to.
    @discardableResult
    static func foundVersion(
        on connection: SQLiteConnection, allowingEmpty: Bool
    ) throws(SQLiteFailure) -> Int64 {
        let found = try connection.integer("PRAGMA user_version") ?? 0
        let application = try connection.integer("PRAGMA application_id") ?? 0
        let tables = try connection.integer("SELECT count(*) FROM sqlite_schema") ?? 0
        let isEmpty = found == 0 && application == 0 && tables == 0
        guard application == applicationID || (isEmpty && allowingEmpty) else {
            let words = isEmpty ? "an empty database" : "a database of another program"
            throw SQLiteFailure(code: SQLITE_NOTADB, message: words)
        }
        guard (0...version).contains(found) else {
            throw SQLiteFailure(
                code: SQLITE_SCHEMA, message: "schema \(found), this version knows \(version)")
        }
        return found
    }
}
