/// Reads of the table of pages on one connection, with a check of every checksum.
struct SQLitePageReader {
    /// A result of reading a part of a screen.
    enum Part {
        /// The pages, their history, and whether these are all pages of the screen.
        case pages([StoredPage], TreeHistory, isWhole: Bool)
        /// A page exceeds a limit; it was not read.
        case excess(ReadExcess)
    }

    private let readFrom: SQLiteStatement
    private let readKeys: SQLiteStatement
    private let findKey: SQLiteStatement
    private let findHead: SQLiteStatement
    private let findLast: SQLiteStatement
    private let measure: SQLiteStatement
    private let revisions: SQLitePageRevisions

    /// Prepares the statements on a connection with the current schema.
    init(on connection: SQLiteConnection) throws(SQLiteFailure) {
        // The bytes of a page that is too long, and what follows them, are not read.
        readFrom = try connection.prepare(
            """
            SELECT p.key, p.revision, p.checksum, \(PageSource.length),
                CASE WHEN typeof(p.bytes) = 'integer'
                    THEN CASE WHEN length(c.bytes) <= ?3 THEN c.bytes END
                    ELSE CASE WHEN length(p.bytes) <= ?3 THEN p.bytes END END,
                CASE WHEN \(PageSource.length) <= ?3 THEN p.sections END,
                CASE WHEN \(PageSource.length) <= ?3 THEN p.items END
            FROM \(PageSource.tables) WHERE p.key BETWEEN ?1 AND ?2 ORDER BY p.key
            """)
        // The columns before the bytes, so that the bytes are not read.
        readKeys = try connection.prepare(
            "SELECT key, checksum FROM pages WHERE key BETWEEN ?1 AND ?2 ORDER BY key")
        findKey = try connection.prepare("SELECT key FROM pages WHERE key = ?1")
        findHead = try connection.prepare(
            """
            SELECT p.key, p.revision, \(PageSource.length) FROM \(PageSource.tables)
            WHERE p.key = ?1
            """)
        findLast = try connection.prepare(
            "SELECT key FROM pages WHERE key BETWEEN ?1 AND ?2 ORDER BY key DESC LIMIT 1")
        measure = try connection.prepare(
            """
            SELECT count(*), coalesce(sum(length(bytes)), 0) FROM pages WHERE key BETWEEN ?1 AND ?2
            """)
        revisions = try SQLitePageRevisions(on: connection)
    }

    /// Returns the screen without its pages.
    ///
    /// - Complexity: O(log pages); O(pages) for a row that an earlier version wrote, which has no
    ///   size.
    func head(of row: ScreenRow) throws(SQLiteFailure) -> ScreenHead {
        ScreenHead(
            revision: row.revision, latestPage: Int(row.latestPage),
            highestPage: try last(in: row.folder).map(PageKey.number),
            size: try size(of: row))
    }

    /// Returns the size of a screen, which is counted if its row has none.
    func size(of row: ScreenRow) throws(SQLiteFailure) -> ScreenSize {
        if let size = row.size { return size }
        guard row.folder != 0 else { return ScreenSize() }
        let keys = PageKey.keys(in: row.folder)
        return try measure.run { statement throws(SQLiteFailure) in
            guard try statement.step(keys.lowerBound, keys.upperBound) else { return ScreenSize() }
            return ScreenSize(
                pageCount: Int(statement.integer(0)), byteCount: Int(statement.integer(1)),
                counts: nil)
        }
    }

    /// Returns the key of the highest page in `folder`, or `nil` if it is empty.
    func last(in folder: Int64) throws(SQLiteFailure) -> Int64? {
        guard folder != 0 else { return nil }
        let keys = PageKey.keys(in: folder)
        return try findLast.run { row throws(SQLiteFailure) in
            try row.step(keys.lowerBound, keys.upperBound) ? row.integer(0) : nil
        }
    }

    /// Returns the keys of all pages in `folder`, ascending.
    func keys(in folder: Int64) throws(SQLiteFailure) -> [Int64] {
        guard folder != 0 else { return [] }
        let range = PageKey.keys(in: folder)
        return try readKeys.run { statement throws(SQLiteFailure) in
            try statement.bind(range.lowerBound, at: 1)
            try statement.bind(range.upperBound, at: 2)
            var keys: [Int64] = []
            while try statement.step() { keys.append(statement.integer(0)) }
            return keys
        }
    }

    /// Returns a page without its bytes, or `nil`.
    func head(_ number: Int, of row: ScreenRow) throws(SQLiteFailure) -> PageHead? {
        guard row.folder != 0, let key = PageKey.key(number, in: row.folder) else { return nil }
        return try findHead.run { statement throws(SQLiteFailure) in
            guard try statement.step(key) else { return nil }
            return PageHead(
                number: number, revision: UInt64(bitPattern: statement.integer(1)),
                byteCount: Int(statement.integer(2)))
        }
    }

    /// Returns a page, or `nil`.
    func page(
        _ number: Int, of row: ScreenRow, _ name: ScreenName
    ) throws(SQLiteFailure) -> StoredPage? {
        var page: StoredPage?
        try forEachRow(of: row, in: number...number, atMost: .max) {
            statement throws(SQLiteFailure) in
            var sum: Int64 = 0
            page = try Self.page(statement, of: name, &sum)
            return false
        }
        return page
    }

    /// Returns the pages of a part, and their history.
    ///
    /// The checksum of each page is checked. If the part has all pages, so is the sum of the
    /// checksums, which detects a page that is lost or outdated.
    ///
    /// - Complexity: O(bytes of the part).
    func pages(
        _ part: ScreenPart, of row: ScreenRow, _ name: ScreenName, within limits: ReadLimits
    ) throws(SQLiteFailure) -> Part {
        var pages: [StoredPage] = []
        var sum: Int64 = 0
        var excess: ReadExcess?
        let numbers = max(0, part.start)...max(part.start, Int(PageKey.numbers.upperBound))
        try forEachRow(of: row, in: numbers, atMost: limits.pageBytes) {
            statement throws(SQLiteFailure) in
            excess = limits.excess(
                ofPage: PageKey.number(of: statement.integer(0)),
                byteCount: Int(statement.integer(3)))
            guard excess == nil else { return false }
            let page = try Self.page(statement, of: name, &sum)
            pages.append(page)
            return !part.ends(with: page.number)
        }
        if let excess { return .excess(excess) }
        let (history, revisionsSum) = try history(of: pages, row)
        let isWhole = part == .all || (part.start <= 0 && pages.count == row.size?.pageCount)
        if isWhole, sum &+ revisionsSum != row.pagesSum {
            throw .damaged("the pages of screen \(name)")
        }
        return .pages(pages, history, isWhole: isWhole)
    }

    /// Checks that all pages of a screen are found, without their bytes.
    ///
    /// A page whose key is damaged is not found in its order, so a checksum is missing in the sum,
    /// or the keys do not ascend. With a damaged key in a node of the tree, pages are found in
    /// their order but not by their keys, so each key is also searched for. Other damage to the key
    /// of a page is detected when the page is read.
    ///
    /// - Complexity: O(pages · log pages).
    func verifyKeys(of row: ScreenRow, _ name: ScreenName) throws(SQLiteFailure) {
        guard row.folder != 0 else { return }
        let range = PageKey.keys(in: row.folder)
        var sum = try revisions.all(in: range).reduce(0) { $0 &+ $1.checksum }
        var keys: [Int64] = []
        try readKeys.run { statement throws(SQLiteFailure) in
            try statement.bind(range.lowerBound, at: 1)
            try statement.bind(range.upperBound, at: 2)
            while try statement.step() {
                keys.append(statement.integer(0))
                sum &+= statement.integer(1)
            }
        }
        var isIntact = sum == row.pagesSum && zip(keys, keys.dropFirst()).allSatisfy(<)
        for key in keys where isIntact {
            isIntact = try findKey.run { statement throws(SQLiteFailure) in
                try statement.step(key)
            }
        }
        guard isIntact else { throw .damaged("the pages of screen \(name)") }
    }

    /// Checks all pages of a screen one after the other, and returns their number.
    ///
    /// The bytes of a page longer than `maxPageBytes` are not read. `proceed` is called before each
    /// page, and may throw.
    func verify(
        _ row: ScreenRow, _ name: ScreenName, maxPageBytes: Int,
        _ proceed: () throws(SQLiteFailure) -> Void
    ) throws(SQLiteFailure) -> Int {
        guard row.folder != 0 else { return 0 }
        var count = 0
        var sum = try revisions.all(in: PageKey.keys(in: row.folder))
            .reduce(0) { $0 &+ $1.checksum }
        try forEachRow(of: row, in: 0...Int(PageKey.numbers.upperBound), atMost: maxPageBytes) {
            statement throws(SQLiteFailure) in
            try proceed()
            count += 1
            if statement.integer(3) > maxPageBytes {
                sum &+= statement.integer(2)
            } else {
                _ = try Self.page(statement, of: name, &sum)
            }
            return true
        }
        guard sum == row.pagesSum else { throw .damaged("the pages of screen \(name)") }
        return count
    }

    /// Passes rows in ascending order to `body` until it returns `false`.
    ///
    /// The bytes of a page longer than `byteCount` are not read.
    private func forEachRow(
        of row: ScreenRow, in numbers: ClosedRange<Int>, atMost byteCount: Int,
        _ body: (SQLiteStatement) throws(SQLiteFailure) -> Bool
    ) throws(SQLiteFailure) {
        guard row.folder != 0, let start = PageKey.key(numbers.lowerBound, in: row.folder),
            let end = PageKey.key(numbers.upperBound, in: row.folder)
        else { return }
        try readFrom.run { statement throws(SQLiteFailure) in
            try statement.bind(start, at: 1)
            try statement.bind(end, at: 2)
            try statement.bind(Int64(byteCount), at: 3)
            while try statement.step() {
                guard try body(statement) else { return }
            }
        }
    }

    /// Returns the revisions of a page in a folder.
    func tree(
        of number: Int, storedAt revision: UInt64, in folder: Int64
    ) throws(SQLiteFailure) -> TreeHistory.Page {
        var page = TreeHistory.Page(number: number, stored: revision)
        guard let key = PageKey.key(number, in: folder),
            let known = try revisions.all(in: key...key).first
        else { return page }
        page.removalBelow = known.removalBelow
        page.nextChange = known.nextChange
        return page
    }

    private func history(
        of pages: [StoredPage], _ row: ScreenRow
    ) throws(SQLiteFailure) -> (history: TreeHistory, sum: Int64) {
        var history = TreeHistory(floor: row.knownTreeFloor)
        guard let first = pages.first, let last = pages.last,
            let start = PageKey.key(first.number, in: row.folder),
            let end = PageKey.key(last.number, in: row.folder)
        else { return (history, 0) }
        var rows = try revisions.all(in: start...end)[...]
        let sum = rows.reduce(0) { $0 &+ $1.checksum }
        for page in pages {
            var known = TreeHistory.Page(number: page.number, stored: page.revision)
            if let row = rows.first, PageKey.number(of: row.key) == page.number {
                known.removalBelow = row.removalBelow
                known.nextChange = row.nextChange
                rows.removeFirst()
            }
            history.append(known)
        }
        guard rows.isEmpty else { throw .damaged("the changes of a page without the page") }
        return (history, sum)
    }

    /// Reads a page from its row, and adds the checksum to `sum`.
    private static func page(
        _ statement: SQLiteStatement, of screen: ScreenName, _ sum: inout Int64
    ) throws(SQLiteFailure) -> StoredPage {
        let key = statement.integer(0)
        let page = StoredPage(
            number: PageKey.number(of: key), revision: UInt64(bitPattern: statement.integer(1)),
            bytes: statement.bytes(4), counts: ContentCounts(statement, from: 5))
        let checksum = statement.integer(2)
        guard page.matches(checksum, key: key) else {
            throw .damaged("page \(page.number) of screen \(screen)")
        }
        sum &+= checksum
        return page
    }
}

extension ContentCounts {
    /// Reads counts from two columns, the first of which is null if there are none.
    init?(_ statement: SQLiteStatement, from first: Int32) {
        guard !statement.isNull(first) else { return nil }
        self.init(
            sections: Int(statement.integer(first)), items: Int(statement.integer(first + 1)))
    }
}

/// The tables of pages and of their bytes in queries (``SQLiteContents``).
enum PageSource {
    /// The pages as `p`, with the contents of those that have their bytes there as `c`.
    static let tables =
        "pages p LEFT JOIN contents c ON c.id = CASE WHEN typeof(p.bytes) = 'integer' "
        + "THEN p.bytes END"
    /// The number of bytes of a page, which are not read for it.
    static let length =
        "CASE WHEN typeof(p.bytes) = 'integer' THEN length(c.bytes) ELSE length(p.bytes) END"
    /// The id of the bytes of a page; null for a page that has them in its row.
    static let id = "CASE WHEN typeof(p.bytes) = 'integer' THEN p.bytes END"
}
