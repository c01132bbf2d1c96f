/// Reads of screens and pages on one connection, with a check of every checksum.
struct SQLiteRowReader {
    private let find: SQLiteStatement
    private let findBefore: SQLiteStatement
    private let findAfter: SQLiteStatement
    /// Reads of the pages.
    let pages: SQLitePageReader
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
        pages = try SQLitePageReader(on: connection)
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

    /// A part of a screen, or its excess of a limit, with the revision and the expiry of the
    /// screen.
    struct Found {
        /// The part: `screen` or `tooLarge`.
        var load: ScreenLoad
        /// The revision of the screen.
        var revision: UInt64
        /// The expiry of the screen, in milliseconds since 1970; `nil` for never.
        var expiry: Int64?
        /// A Boolean value that indicates whether other pages of the screen may be missing, which
        /// ``verifyKeys(of:at:)`` detects.
        var mayLackPages = false
    }

    /// Returns a part of the screen as of `now`, or `nil` if there is no such screen.
    ///
    /// Runs several queries, so it belongs in a transaction.
    ///
    /// - Complexity: O(bytes of the part).
    func screen(
        _ name: ScreenName, _ part: ScreenPart = .all, within limits: ReadLimits = .unlimited,
        at now: Int64
    ) throws(SQLiteFailure) -> Found? {
        guard let row = try row(of: name), !row.isExpired(at: now) else { return nil }
        let head = try pages.head(of: row)
        var found = Found(
            load: .screen(
                StoredScreen(
                    head: head, pages: [], history: TreeHistory(floor: row.knownTreeFloor))),
            revision: row.revision, expiry: row.expiry)
        guard part.end != .none else { return found }
        if let excess = limits.excess(of: head.size) {
            found.load = .tooLarge(head, excess)
            return found
        }
        switch try pages.pages(part, of: row, name, within: limits) {
        case .pages(let pages, let history, let isWhole):
            found.load = .screen(StoredScreen(head: head, pages: pages, history: history))
            found.mayLackPages = !isWhole
        case .excess(let excess): found.load = .tooLarge(head, excess)
        }
        return found
    }

    /// Returns the screen as of `now` without its pages, and one of them, as
    /// ``ScreenStore/page(_:of:atMost:)`` requires.
    ///
    /// - Complexity: O(bytes of the page).
    func page(
        _ number: Int?, of name: ScreenName, atMost byteCount: Int?, at now: Int64
    ) throws(SQLiteFailure) -> PageLoad? {
        guard let row = try row(of: name), !row.isExpired(at: now) else { return nil }
        var found = PageLoad(screen: try pages.head(of: row))
        guard let number = number ?? found.screen.highestPage,
            let head = try pages.head(number, of: row)
        else { return found }
        found.page = head
        if let byteCount, head.byteCount <= byteCount {
            let page = try pages.page(number, of: row, name)
            found.bytes = page?.bytes
        }
        return found
    }

    /// Checks that all pages of a screen are found (``SQLitePageReader/verifyKeys(of:_:)``).
    ///
    /// - Complexity: O(pages · log pages).
    func verifyKeys(of name: ScreenName, at now: Int64) throws(SQLiteFailure) {
        guard let row = try row(of: name), !row.isExpired(at: now) else { return }
        try pages.verifyKeys(of: row, name)
    }

    /// Checks a screen and all its pages, one after the other, and returns the number of pages;
    /// `nil` if there is no such screen.
    ///
    /// - Complexity: O(bytes of the screen), in the memory of one page.
    func verify(
        _ name: ScreenName, at now: Int64, maxPageBytes: Int = .max,
        _ proceed: () throws(SQLiteFailure) -> Void = {}
    ) throws(SQLiteFailure) -> Int? {
        guard let row = try row(of: name), !row.isExpired(at: now) else { return nil }
        return try pages.verify(row, name, maxPageBytes: maxPageBytes, proceed)
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
                listed.append(
                    ScreenListing(
                        name: name, revision: row.revision, byteCount: row.size?.byteCount))
            }
            return listed
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
