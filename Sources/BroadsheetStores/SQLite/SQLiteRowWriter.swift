/// Applies writes on one connection, inside a transaction that the caller opens and ends.
struct SQLiteRowWriter {
    private let reader: SQLiteRowReader
    private let insertScreen: SQLiteStatement
    private let updateScreen: SQLiteStatement
    private let deleteScreen: SQLiteStatement
    private let pageChecksum: SQLiteStatement
    private let putPage: SQLiteStatement
    private let deletePage: SQLiteStatement
    private let deletePages: SQLiteStatement
    private let highestPage: SQLiteStatement
    private let readFloor: SQLiteStatement
    private let raiseFloor: SQLiteStatement

    /// Compiles the statements on a connection whose schema is up to date.
    init(on connection: SQLiteConnection) throws(SQLiteFailure) {
        reader = try SQLiteRowReader(on: connection)
        insertScreen = try connection.prepare(
            """
            INSERT INTO screens (name, revision, latest_page, pages_sum, checksum)
            VALUES (?1, 0, 0, 0, 0) RETURNING id
            """)
        updateScreen = try connection.prepare(
            """
            UPDATE screens SET revision = ?2, latest_page = ?3, pages_sum = ?4, checksum = ?5
            WHERE id = ?1
            """)
        deleteScreen = try connection.prepare("DELETE FROM screens WHERE id = ?1")
        pageChecksum = try connection.prepare(
            "SELECT checksum FROM pages WHERE screen = ?1 AND number = ?2")
        putPage = try connection.prepare(
            """
            INSERT INTO pages (screen, number, revision, checksum, bytes) VALUES (?1, ?2, ?3, ?4, ?5)
            ON CONFLICT (screen, number) DO UPDATE
            SET revision = excluded.revision, checksum = excluded.checksum, bytes = excluded.bytes
            """)
        deletePage = try connection.prepare("DELETE FROM pages WHERE screen = ?1 AND number = ?2")
        deletePages = try connection.prepare("DELETE FROM pages WHERE screen = ?1")
        highestPage = try connection.prepare(
            "SELECT number FROM pages WHERE screen = ?1 ORDER BY number DESC LIMIT 1")
        readFloor = try connection.prepare("SELECT value FROM meta WHERE key = 'floor'")
        raiseFloor = try connection.prepare(
            """
            INSERT INTO meta (key, value) VALUES ('floor', ?1)
            ON CONFLICT (key) DO UPDATE SET value = max(value, excluded.value)
            """)
    }

    /// What a write came to.
    enum Outcome: Hashable {
        /// The screen has this revision now, or had it when it was removed.
        case committed(UInt64)
        /// Nothing was done: the screen is at this revision (nil: not there).
        case conflict(UInt64?)
    }

    /// Compare-and-set as ``ScreenStore/commit(_:to:expecting:)`` has it.
    ///
    /// O(the page), but for the removal of pages and screens, which costs what they hold. When it
    /// throws, the transaction must be rolled back.
    func commit(
        _ change: ScreenChange, to name: ScreenName, expecting expected: UInt64?
    ) throws(SQLiteFailure) -> Outcome {
        let found = try reader.row(of: name)
        guard found?.revision == expected else { return .conflict(found?.revision) }
        switch change {
        case .put(let number, let bytes):
            var row = if let found { found } else { try makeRow(name) }
            row.revision &+= 1
            let page = StoredPage(number: number, revision: row.revision, bytes: bytes)
            try put(page, in: &row)
            return try save(row, name)
        case .removePage(let number):
            guard var row = found else { return .conflict(nil) }
            row.revision &+= 1
            try remove(Int64(number), from: &row)
            return try save(row, name)
        case .removeAllPages:
            guard var row = found else { return .conflict(nil) }
            try run(deletePages, row.id)
            row = ScreenRow(id: row.id, revision: row.revision &+ 1, latestPage: 0, pagesSum: 0)
            return try save(row, name)
        case .removeScreen:
            guard let row = found else { return .conflict(nil) }
            try run(deletePages, row.id)
            try run(deleteScreen, row.id)
            try run(raiseFloor, Int64(bitPattern: row.revision))
            return .committed(row.revision)
        }
    }

    /// A row for a screen that is not there yet, whose revision is that of the highest screen ever
    /// removed.
    private func makeRow(_ name: ScreenName) throws(SQLiteFailure) -> ScreenRow {
        let floor = try readFloor.run { row throws(SQLiteFailure) in
            try row.step() ? row.integer(0) : 0
        }
        let id = try insertScreen.run { statement throws(SQLiteFailure) in
            try statement.bind(name.text, at: 1)
            try statement.step()
            return statement.integer(0)
        }
        return ScreenRow(id: id, revision: UInt64(bitPattern: floor), latestPage: 0, pagesSum: 0)
    }

    private func put(
        _ page: StoredPage, in row: inout ScreenRow
    ) throws(SQLiteFailure) {
        let former = try checksum(ofPage: Int64(page.number), in: row.id) ?? 0
        let checksum = page.checksum(screen: row.id)
        let id = row.id
        try putPage.run { statement throws(SQLiteFailure) in
            try statement.bind(id, at: 1)
            try statement.bind(Int64(page.number), at: 2)
            try statement.bind(Int64(bitPattern: page.revision), at: 3)
            try statement.bind(checksum, at: 4)
            try statement.bind(page.bytes, at: 5) { () throws(SQLiteFailure) in
                _ = try statement.step()
            }
        }
        row.latestPage = Int64(page.number)
        row.pagesSum = row.pagesSum &- former &+ checksum
    }

    private func remove(
        _ number: Int64, from row: inout ScreenRow
    ) throws(SQLiteFailure) {
        guard let former = try checksum(ofPage: number, in: row.id) else { return }
        let id = row.id
        try deletePage.run { statement throws(SQLiteFailure) in
            try statement.bind(id, at: 1)
            try statement.bind(number, at: 2)
            try statement.step()
        }
        row.pagesSum = row.pagesSum &- former
        guard row.latestPage == number else { return }
        row.latestPage = try highestPage.run { statement throws(SQLiteFailure) in
            try statement.bind(id, at: 1)
            return try statement.step() ? statement.integer(0) : 0
        }
    }

    private func checksum(
        ofPage number: Int64, in screen: Int64
    ) throws(SQLiteFailure) -> Int64? {
        try pageChecksum.run { statement throws(SQLiteFailure) in
            try statement.bind(screen, at: 1)
            try statement.bind(number, at: 2)
            return try statement.step() ? statement.integer(0) : nil
        }
    }

    private func save(
        _ row: ScreenRow, _ name: ScreenName
    ) throws(SQLiteFailure) -> Outcome {
        try updateScreen.run { statement throws(SQLiteFailure) in
            try statement.bind(row.id, at: 1)
            try statement.bind(Int64(bitPattern: row.revision), at: 2)
            try statement.bind(row.latestPage, at: 3)
            try statement.bind(row.pagesSum, at: 4)
            try statement.bind(row.checksum(name: name), at: 5)
            try statement.step()
        }
        return .committed(row.revision)
    }

    private func run(
        _ statement: SQLiteStatement, _ value: Int64
    ) throws(SQLiteFailure) {
        try statement.run { statement throws(SQLiteFailure) in
            try statement.bind(value, at: 1)
            try statement.step()
        }
    }
}
