/// Reads of screens and pages on one connection, with a check of every checksum.
struct SQLiteRowReader {
    private let find: SQLiteStatement
    private let findBefore: SQLiteStatement
    private let findAfter: SQLiteStatement
    private let readPages: SQLiteStatement
    private let list: SQLiteStatement
    private let listPrefixed: SQLiteStatement

    /// Prepares the statements on a connection with the current schema.
    init(on connection: SQLiteConnection) throws(SQLiteFailure) {
        let columns = ScreenRow.columns
        find = try connection.prepare("SELECT \(columns) FROM screens WHERE name = ?1")
        findBefore = try connection.prepare(
            "SELECT name, \(columns) FROM screens WHERE name < ?1 ORDER BY name DESC LIMIT 1")
        findAfter = try connection.prepare(
            "SELECT name, \(columns) FROM screens WHERE name > ?1 ORDER BY name LIMIT 1")
        readPages = try connection.prepare(
            """
            SELECT key, revision, checksum, bytes FROM pages WHERE key BETWEEN ?1 AND ?2
            ORDER BY key
            """)
        list = try connection.prepare(
            """
            SELECT name, \(columns) FROM screens
            WHERE name > ?1 AND (expires_at IS NULL OR expires_at > ?2) ORDER BY name LIMIT ?3
            """)
        listPrefixed = try connection.prepare(
            """
            SELECT name, \(columns) FROM screens
            WHERE name >= ?1 AND name < ?4 AND (expires_at IS NULL OR expires_at > ?2)
            ORDER BY name LIMIT ?3
            """)
    }

    /// Returns the row of a screen, expired or not, or `nil` if there is none.
    ///
    /// `nil` is returned only if the adjacent rows are intact. If a damaged name misleads the
    /// search, the search ends next to that name, so checking both neighbours finds it.
    func row(of screen: ScreenName) throws(SQLiteFailure) -> ScreenRow? {
        let found: ScreenRow? = try find.run { statement throws(SQLiteFailure) in
            try statement.bind(screen.text, at: 1)
            return try statement.step() ? try ScreenRow(statement, name: screen) : nil
        }
        if found == nil {
            try checkNeighbour(findBefore, of: screen.text)
            try checkNeighbour(findAfter, of: screen.text)
        }
        return found
    }

    /// Returns the screen with all its pages as of `now`, or `nil` if there is none.
    ///
    /// Runs several queries, so it belongs in a transaction.
    ///
    /// - Complexity: O(bytes of the screen).
    func screen(
        _ name: ScreenName, at now: Int64
    ) throws(SQLiteFailure) -> (screen: StoredScreen, expiry: Int64?)? {
        guard let row = try row(of: name), !row.isExpired(at: now) else { return nil }
        let pages = try pages(of: row, name)
        let screen = StoredScreen(
            revision: row.revision, latestPage: Int(row.latestPage), pages: pages)
        return (screen, row.expiry)
    }

    /// Returns up to `limit` screens that have not expired at `now` in name order, beginning with
    /// the first one after `name`, of those whose names begin with `prefix`.
    func screens(
        after name: ScreenName?, prefix: ScreenNamePrefix = .none, limit: Int, at now: Int64
    ) throws(SQLiteFailure) -> [ScreenListing] {
        if !prefix.isEmpty {
            // As in a search for one name: a damaged name may have misdirected the search.
            try checkNeighbour(findBefore, of: prefix.text)
            try checkNeighbour(findAfter, of: prefix.upperBound)
        }
        let statement = prefix.isEmpty ? list : listPrefixed
        return try statement.run { statement throws(SQLiteFailure) in
            // The empty text precedes every name.
            let start = prefix.isEmpty ? name?.text ?? "" : prefix.lowerBound(after: name)
            try statement.bind(start, at: 1)
            try statement.bind(now, at: 2)
            try statement.bind(Int64(max(0, limit)), at: 3)
            if !prefix.isEmpty { try statement.bind(prefix.upperBound, at: 4) }
            var listed: [ScreenListing] = []
            while try statement.step() {
                let (name, row) = try Self.named(statement)
                listed.append(ScreenListing(name: name, revision: row.revision))
            }
            return listed
        }
    }

    private func pages(
        of row: ScreenRow, _ name: ScreenName
    ) throws(SQLiteFailure) -> [StoredPage] {
        guard row.folder != 0 else { return [] }
        return try readPages.run { statement throws(SQLiteFailure) in
            let keys = PageKey.keys(in: row.folder)
            try statement.bind(keys.lowerBound, at: 1)
            try statement.bind(keys.upperBound, at: 2)
            var pages: [StoredPage] = []
            var sum: Int64 = 0
            while try statement.step() {
                let key = statement.integer(0)
                let page = StoredPage(
                    number: PageKey.number(of: key),
                    revision: UInt64(bitPattern: statement.integer(1)), bytes: statement.bytes(3))
                let checksum = statement.integer(2)
                guard page.matches(checksum, key: key) else {
                    throw .damaged("page \(page.number) of screen \(name)")
                }
                sum &+= checksum
                pages.append(page)
            }
            guard sum == row.pagesSum else { throw .damaged("the pages of screen \(name)") }
            return pages
        }
    }

    private func checkNeighbour(
        _ statement: SQLiteStatement, of text: String
    ) throws(SQLiteFailure) {
        try statement.run { statement throws(SQLiteFailure) in
            try statement.bind(text, at: 1)
            if try statement.step() { _ = try Self.named(statement) }
        }
    }

    private static func named(
        _ statement: SQLiteStatement
    ) throws(SQLiteFailure) -> (ScreenName, ScreenRow) {
        guard let name = ScreenName(statement.text(0)) else {
            throw .invalid("a screen's name")
        }
        return (name, try ScreenRow(statement, from: 1, name: name))
    }
}
