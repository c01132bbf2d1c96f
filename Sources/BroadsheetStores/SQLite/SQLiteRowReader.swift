/// Reads screens and pages on one connection, and lets nothing through whose checksum is wrong.
struct SQLiteRowReader {
    private let find: SQLiteStatement
    private let readPages: SQLiteStatement
    private let list: SQLiteStatement

    /// Compiles the statements on a connection whose schema is up to date.
    init(on connection: SQLiteConnection) throws(SQLiteFailure) {
        find = try connection.prepare(
            "SELECT id, revision, latest_page, pages_sum, checksum FROM screens WHERE name = ?1")
        readPages = try connection.prepare(
            """
            SELECT number, revision, checksum, bytes FROM pages WHERE screen = ?1 ORDER BY number
            """)
        list = try connection.prepare(
            "SELECT name, revision FROM screens WHERE name > ?1 ORDER BY name LIMIT ?2")
    }

    /// The screen's row; nil when there is no such screen.
    func row(of screen: ScreenName) throws(SQLiteFailure) -> ScreenRow? {
        try find.run { statement throws(SQLiteFailure) in
            try statement.bind(screen.text, at: 1)
            guard try statement.step() else { return nil }
            let row = ScreenRow(
                id: statement.integer(0), revision: UInt64(bitPattern: statement.integer(1)),
                latestPage: statement.integer(2), pagesSum: statement.integer(3))
            guard row.checksum(name: screen) == statement.integer(4) else {
                throw .damaged("the row of screen \(screen)")
            }
            return row
        }
    }

    /// The screen with all its pages; nil when there is no such screen.
    ///
    /// O(its bytes). Reads more than once, so it belongs in a transaction.
    func screen(_ name: ScreenName) throws(SQLiteFailure) -> StoredScreen? {
        guard let row = try row(of: name) else { return nil }
        let pages = try pages(of: row, name)
        return StoredScreen(
            revision: row.revision, latestPage: Int(row.latestPage), pages: pages)
    }

    private func pages(
        of row: ScreenRow, _ name: ScreenName
    ) throws(SQLiteFailure) -> [StoredPage] {
        try readPages.run { statement throws(SQLiteFailure) in
            try statement.bind(row.id, at: 1)
            var pages: [StoredPage] = []
            var sum: Int64 = 0
            while try statement.step() {
                let page = StoredPage(
                    number: Int(statement.integer(0)),
                    revision: UInt64(bitPattern: statement.integer(1)), bytes: statement.bytes(3))
                let checksum = statement.integer(2)
                guard page.checksum(screen: row.id) == checksum else {
                    throw .damaged("page \(page.number) of screen \(name)")
                }
                sum &+= checksum
                pages.append(page)
            }
            guard sum == row.pagesSum else { throw .damaged("the pages of screen \(name)") }
            return pages
        }
    }

    /// Up to `limit` screens in name order, beginning with the first one after `name`.
    func screens(
        after name: ScreenName?, limit: Int
    ) throws(SQLiteFailure) -> [ScreenListing] {
        try list.run { statement throws(SQLiteFailure) in
            // No name is as short as the empty text, so it stands before them all.
            try statement.bind(name?.text ?? "", at: 1)
            try statement.bind(Int64(max(0, limit)), at: 2)
            var listed: [ScreenListing] = []
            while try statement.step() {
                guard let name = ScreenName(statement.text(0)) else {
                    throw .damaged("the list of screens")
                }
                let revision = UInt64(bitPattern: statement.integer(1))
                listed.append(ScreenListing(name: name, revision: revision))
            }
            return listed
        }
    }
}
