import CSQLite

/// The format of the file: its tables, and the numbers by which it is recognized.
enum SQLiteFormat {
    /// The application ID that identifies the files of this program ("Brds"), so that no other
    /// program's file is changed.
    static let applicationID: Int64 = 0x4272_6473

    static let version: Int64 = 1

    /// The tables of a new file.
    ///
    /// - `store` holds the values that concern the whole store (``StoreTable``).
    /// - `names` leads from the name of a screen to its record (``RecordTable``). It is small, so
    ///   that a start can check all of it.
    /// - `records` holds the records. The id of a row is also that of the creation of its screen,
    ///   and is not used again while there are objects of that creation. Times are in milliseconds
    ///   since 1970.
    /// - `objects` leads from the keys of objects, within a creation, to their bytes in `contents`
    ///   (``ObjectTable``).
    /// - `leftovers` holds the ids of creations whose objects wait for their deletion.
    private static let tables = """
        CREATE TABLE store (
            key TEXT PRIMARY KEY,
            value BLOB NOT NULL,
            checksum INTEGER NOT NULL
        ) WITHOUT ROWID;
        CREATE TABLE names (name TEXT PRIMARY KEY, id INTEGER NOT NULL) WITHOUT ROWID;
        CREATE TABLE records (
            id INTEGER PRIMARY KEY,
            name TEXT NOT NULL,
            revision INTEGER NOT NULL,
            edit INTEGER NOT NULL,
            feed_version INTEGER NOT NULL,
            expiry INTEGER,
            due INTEGER,
            weight INTEGER NOT NULL,
            listed_bytes INTEGER NOT NULL,
            checksum INTEGER NOT NULL,
            bytes BLOB NOT NULL,
            feed BLOB
        );
        CREATE INDEX records_by_expiry ON records (expiry) WHERE expiry IS NOT NULL;
        CREATE INDEX records_by_due ON records (due) WHERE due IS NOT NULL;
        CREATE TABLE objects (
            creation INTEGER NOT NULL,
            kind INTEGER NOT NULL,
            number INTEGER NOT NULL,
            revision INTEGER NOT NULL,
            content INTEGER NOT NULL,
            byte_count INTEGER NOT NULL,
            checksum INTEGER NOT NULL,
            PRIMARY KEY (creation, kind, number, revision)
        ) WITHOUT ROWID;
        CREATE TABLE contents (id INTEGER PRIMARY KEY, bytes BLOB NOT NULL);
        CREATE TABLE leftovers (creation INTEGER PRIMARY KEY, checksum INTEGER NOT NULL);
        """

    /// Creates the tables of a new file; throws if the file has another format.
    static func prepare(_ connection: SQLiteConnection) throws(SQLiteFailure) {
        guard try isEmpty(connection) else { return try check(connection) }
        // Has an effect on a file without tables only.
        try connection.execute("PRAGMA auto_vacuum = INCREMENTAL")
        try connection.transaction { () throws(SQLiteFailure) in
            try connection.execute(
                """
                \(tables)
                PRAGMA application_id = \(applicationID); PRAGMA user_version = \(version);
                """)
        }
    }

    /// Throws if the file is not one of this program, or has another format than this version.
    static func check(_ connection: SQLiteConnection) throws(SQLiteFailure) {
        guard try connection.integer("PRAGMA application_id") == applicationID else {
            let words =
                try isEmpty(connection) ? "an empty database" : "a database of another program"
            throw SQLiteFailure(code: SQLITE_NOTADB, message: words)
        }
        let found = try connection.integer("PRAGMA user_version") ?? 0
        let hasRecords = try connection.integer(
            "SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = 'records'")
        guard hasRecords != nil else {
            // The formats before the first one had other tables, under some of the same numbers.
            throw SQLiteFailure(code: SQLITE_FORMAT, message: "format \(found) before version 1")
        }
        guard found == version else {
            throw SQLiteFailure(
                code: SQLITE_SCHEMA,
                message: "format version \(found), this program supports \(version)")
        }
    }

    private static func isEmpty(_ connection: SQLiteConnection) throws(SQLiteFailure) -> Bool {
        let numbers = try [
            "PRAGMA user_version", "PRAGMA application_id", "SELECT count(*) FROM sqlite_schema",
        ].map { (sql) throws(SQLiteFailure) in try connection.integer(sql) ?? 0 }
        return numbers == [0, 0, 0]
    }
}

extension SQLiteFormat {
    /// Throws if the table of names is damaged or lacks rows, since a search in it may miss rows.
    ///
    /// The contents of other rows are checked when they are read.
    ///
    /// - Complexity: O(screens), about half a second per million.
    static func checkNames(_ connection: SQLiteConnection) throws(SQLiteFailure) {
        try quickCheck("names", connection)
        let found = try RecordTable.countNames(connection)
        let written = try StoreTable(on: connection).names()
        guard found.count == written.count else {
            throw .broken("\(found.count) of \(written.count) screens exist")
        }
        guard found == written else { throw .broken("the names of screens have changed") }
    }

    /// Throws if the structure of anything in the database is damaged.
    ///
    /// - Complexity: O(size of the database).
    static func checkAll(_ connection: SQLiteConnection) throws(SQLiteFailure) {
        try quickCheck("1", connection)
        try checkNames(connection)
    }

    private static func quickCheck(
        _ argument: String, _ connection: SQLiteConnection
    ) throws(SQLiteFailure) {
        let words = try connection.text("PRAGMA quick_check(\(argument))")
        guard words == "ok" else { throw .broken(words ?? "the integrity check returned nothing") }
    }
}
