import CSQLite

/// The schema of the database and its migrations.
enum SQLiteSchema {
    /// The application ID that identifies the files of this program ("Brds"), so that no other
    /// program's file is changed.
    static let applicationID: Int64 = 0x4272_6473

    /// The schema version that this program writes: the number of ``migrations``.
    static var version: Int64 { Int64(migrations.count) }

    /// The migrations in order, one a version; a released migration is never changed.
    ///
    /// - `meta` holds values that concern the whole store (``SQLiteMeta``).
    /// - `screens` is a table without row IDs: a single tree, with no index that could contradict
    ///   it. `folder` identifies the pages of the screen; `expires_at` is in milliseconds since
    ///   1970, or null.
    /// - `pages` has a key of folder and number (``PageKey``).
    /// - `page_changes` holds the revisions of a page besides its own (``TreeHistory``), if it has
    ///   any, with the key of the page. They are not in the page's row, because a change of that
    ///   row would write its bytes again.
    /// - The sizes of a screen, and the counts of a page, are null in rows of earlier versions; the
    ///   sizes are then counted when they are needed.
    /// - `contents` holds the bytes of pages in a store with a history; the row of such a page has
    ///   the id in place of its bytes (``SQLiteContents``). `released` holds the ids of those that
    ///   wait for their deletion.
    /// - `revisions` holds the records of revisions by the creation of their screen
    ///   (``RevisionRecord``), which the row of the screen has beside its oldest revision and the
    ///   bytes of its earlier pages.
    /// - `feeds` holds the feed of each screen that has had events for a backend, and `feed_events`
    ///   the events by the id of their feed (``SQLiteFeeds``).
    /// - `discarded` holds folders, and above them creations and the ids of feeds, that no screen
    ///   uses any more; their rows are deleted in small steps.
    ///
    /// Checksums detect damage. The checksum of a value covers its name. The checksum of a page
    /// covers its bytes and its key. The checksum of a screen covers its row, which contains as
    /// `pages_sum` the sum of the checksums of its pages and their changes, so a lost page or one
    /// that reappeared is detected.
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
        """
        ALTER TABLE screens ADD COLUMN tree_floor INTEGER;
        CREATE TABLE page_changes (
            key INTEGER PRIMARY KEY,
            removal_below INTEGER NOT NULL,
            next_change INTEGER NOT NULL,
            checksum INTEGER NOT NULL
        );
        """,
        """
        ALTER TABLE screens ADD COLUMN page_count INTEGER;
        ALTER TABLE screens ADD COLUMN byte_count INTEGER;
        ALTER TABLE screens ADD COLUMN section_count INTEGER;
        ALTER TABLE screens ADD COLUMN item_count INTEGER;
        ALTER TABLE pages ADD COLUMN sections INTEGER;
        ALTER TABLE pages ADD COLUMN items INTEGER;
        """,
        """
        ALTER TABLE screens ADD COLUMN creation INTEGER;
        ALTER TABLE screens ADD COLUMN first_revision INTEGER;
        ALTER TABLE screens ADD COLUMN history_bytes INTEGER;
        CREATE TABLE contents (id INTEGER PRIMARY KEY, bytes BLOB NOT NULL);
        CREATE TABLE released (id INTEGER PRIMARY KEY, byte_count INTEGER NOT NULL);
        CREATE TABLE revisions (
            creation INTEGER NOT NULL,
            revision INTEGER NOT NULL,
            at INTEGER NOT NULL,
            record TEXT NOT NULL,
            checksum INTEGER NOT NULL,
            PRIMARY KEY (creation, revision)
        ) WITHOUT ROWID;
        """,
        """
        CREATE TABLE feeds (
            name TEXT PRIMARY KEY,
            id INTEGER NOT NULL,
            instance TEXT NOT NULL,
            oldest INTEGER NOT NULL,
            newest INTEGER NOT NULL,
            byte_count INTEGER NOT NULL,
            checksum INTEGER NOT NULL
        ) WITHOUT ROWID;
        CREATE TABLE feed_events (
            feed INTEGER NOT NULL,
            number INTEGER NOT NULL,
            data BLOB NOT NULL,
            checksum INTEGER NOT NULL,
            PRIMARY KEY (feed, number)
        );
        """,
    ]

    /// Migrates the database to the version of this program, in one transaction a version.
    ///
    /// All migrations are applied to a new file. A file of another program or a newer version is
    /// refused and not changed.
    static func migrate(_ connection: SQLiteConnection) throws(SQLiteFailure) {
        let found = try foundVersion(on: connection, allowingEmpty: true)
        // Has an effect on a file without tables only.
        if found == 0 { try connection.execute("PRAGMA auto_vacuum = INCREMENTAL") }
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

    /// Returns a Boolean value that indicates whether the file can return free pages to the file
    /// system: a file that a version before 2026-11-23 created cannot.
    static func isShrinkable(_ connection: SQLiteConnection) throws(SQLiteFailure) -> Bool {
        try connection.integer("PRAGMA auto_vacuum") == 2
    }

    /// Writes the whole file again, without free pages, so that it can return them from then on.
    ///
    /// - Complexity: O(size of the file), in as much further space on the disk.
    static func makeShrinkable(_ connection: SQLiteConnection) throws(SQLiteFailure) {
        guard try !isShrinkable(connection) else { return }
        try connection.execute("PRAGMA auto_vacuum = INCREMENTAL")
        try connection.execute("VACUUM")
    }

    /// Returns the version of the database.
    ///
    /// - Throws: A failure if the database belongs to another program or is newer than this one, or
    ///   if it is empty and `allowingEmpty` is `false`.
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
                code: SQLITE_SCHEMA,
                message: "schema version \(found), this program supports \(version)")
        }
        return found
    }
}
