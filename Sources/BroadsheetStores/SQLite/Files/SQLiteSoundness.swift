/// Looks a database over for damage that no single row shows.
enum SQLiteSoundness {
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
