/// Removes, a little at a time, what nobody is shown any more: screens whose time is over, and the
/// pages of folders that were given up.
struct SQLiteSweeper {
    /// How many screens one sweep takes away at most.
    static let screensPerSweep = 32
    /// How many pages one sweep deletes at most; each may be as large as a body may.
    static let pagesPerSweep = 32

    private let connection: SQLiteConnection
    private let findExpired: SQLiteStatement
    private let findDiscarded: SQLiteStatement
    private let deletePages: SQLiteStatement
    private let forgetDiscarded: SQLiteStatement
    private let reader: SQLiteRowReader

    /// Compiles the statements on a connection whose schema is up to date.
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

    /// Whether a sweep would find anything.
    func hasWork(at now: Int64) throws(SQLiteFailure) -> Bool {
        if try discardedFolder() != nil { return true }
        return try !expiredScreens(at: now, limit: 1).isEmpty
    }

    /// Sweeps once, inside a transaction that the caller opens and ends; answers how many screens
    /// were taken away.
    func sweep(by writer: SQLiteRowWriter, at now: Int64) throws(SQLiteFailure) -> Int {
        let expired = try expiredScreens(at: now, limit: Self.screensPerSweep)
        for screen in expired {
            // An index that has gone astray must not take a living screen with it.
            guard let row = try reader.row(of: screen), row.isExpired(at: now) else {
                throw .broken("the index of expiry names screen \(screen)")
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
                throw .damaged("a folder that was given up")
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
                guard let name = ScreenName(row.text(0)) else { throw .damaged("a screen's name") }
                names.append(name)
                isThere = try row.step()
            }
            return names
        }
    }
}
