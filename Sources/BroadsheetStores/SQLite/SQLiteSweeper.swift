/// A sweep that removes expired screens and the pages of discarded folders in small steps.
struct SQLiteSweeper {
    /// The maximum number of screens that one step removes.
    static let screensPerSweep = 32
    /// The maximum number of pages that one step deletes; each may have the maximum size of a body.
    static let pagesPerSweep = 32

    private let connection: SQLiteConnection
    private let findExpired: SQLiteStatement
    private let findDiscarded: SQLiteStatement
    private let deletePages: SQLiteStatement
    private let forgetDiscarded: SQLiteStatement
    private let reader: SQLiteRowReader

    /// Prepares the statements on a connection with the current schema.
    init(on connection: SQLiteConnection) throws(SQLiteFailure) {
        self.connection = connection
        findExpired = try connection.prepare(
            "SELECT name FROM screens WHERE expires_at <= ?1 ORDER BY expires_at LIMIT ?2")
        findDiscarded = try connection.prepare("SELECT folder, checksum FROM discarded LIMIT 1")
        deletePages = try connection.prepare(
            """
            DELETE FROM pages WHERE key IN
                (SELECT key FROM pages WHERE key BETWEEN ?1 AND ?2 ORDER BY key LIMIT ?3)
            """)
        forgetDiscarded = try connection.prepare("DELETE FROM discarded WHERE folder = ?1")
        reader = try SQLiteRowReader(on: connection)
    }

    /// Returns a Boolean value that indicates whether there is something to remove.
    func hasWork(at now: Int64) throws(SQLiteFailure) -> Bool {
        if try discardedFolder() != nil { return true }
        return try !expiredScreens(at: now, limit: 1).isEmpty
    }

    /// Performs one step in a transaction of the caller, and returns the number of removed screens.
    func sweep(by writer: SQLiteRowWriter, at now: Int64) throws(SQLiteFailure) -> Int {
        let expired = try expiredScreens(at: now, limit: Self.screensPerSweep)
        for screen in expired {
            // A damaged index must not cause the removal of a screen that has not expired.
            guard let row = try reader.row(of: screen), row.isExpired(at: now) else {
                throw .broken("the expiry index names screen \(screen)")
            }
            try writer.retire(row, of: screen)
        }
        if let folder = try discardedFolder() { try deleteSome(of: folder) }
        return expired.count
    }

    private func deleteSome(of folder: Int64) throws(SQLiteFailure) {
        let keys = PageKey.keys(in: folder)
        try deletePages.run { statement throws(SQLiteFailure) in
            _ = try statement.step(keys.lowerBound, keys.upperBound, Int64(Self.pagesPerSweep))
        }
        guard connection.changedRows < Self.pagesPerSweep else { return }
        try forgetDiscarded.run { statement throws(SQLiteFailure) in
            _ = try statement.step(folder)
        }
    }

    private func discardedFolder() throws(SQLiteFailure) -> Int64? {
        try findDiscarded.run { row throws(SQLiteFailure) in
            guard try row.step() else { return nil }
            guard RowChecksum.value(of: row.integer(0)) == row.integer(1) else {
                throw .damaged("a discarded folder")
            }
            return row.integer(0)
        }
    }

    private func expiredScreens(
        at now: Int64, limit: Int
    ) throws(SQLiteFailure) -> [ScreenName] {
        try findExpired.run { row throws(SQLiteFailure) in
            var names: [ScreenName] = []
            var isThere = try row.step(now, Int64(limit))
            while isThere {
                guard let name = ScreenName(row.text(0)) else { throw .invalid("a screen's name") }
                names.append(name)
                isThere = try row.step()
            }
            return names
        }
    }
}
