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
                listed.append(ScreenListing(name: name, revision: row.revision))
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

/// Writes to screens on one connection, in a transaction of the caller.
struct SQLiteRowWriter {
    private let reader: SQLiteRowReader
    private let meta: SQLiteMeta
    private let pages: SQLitePages
    private let saveScreen: SQLiteStatement
    private let deleteScreen: SQLiteStatement
    private let base: UInt64
    private var folders = FolderAllocator()

    /// Prepares the statements on a connection with the current schema.
    init(on connection: SQLiteConnection) throws(SQLiteFailure) {
        reader = try SQLiteRowReader(on: connection)
        meta = try SQLiteMeta(on: connection)
        pages = try SQLitePages(on: connection, reader: reader.pages)
        saveScreen = try connection.prepare(
            """
            INSERT INTO screens (name, \(ScreenRow.columns))
            VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12)
            ON CONFLICT (name) DO UPDATE SET
                folder = excluded.folder, revision = excluded.revision,
                latest_page = excluded.latest_page, pages_sum = excluded.pages_sum,
                expires_at = excluded.expires_at, checksum = excluded.checksum,
                tree_floor = excluded.tree_floor, page_count = excluded.page_count,
                byte_count = excluded.byte_count, section_count = excluded.section_count,
                item_count = excluded.item_count
            """)
        deleteScreen = try connection.prepare("DELETE FROM screens WHERE name = ?1")
        base = try meta.number(.base)
    }

    /// A write with the parameters of ``ScreenStore/commit(_:to:expecting:lifetime:)``.
    struct Write: Sendable {
        let commit: ScreenCommit
        let screen: ScreenName
        let expected: UInt64?
        let lifetime: ScreenLifetime
        /// The sums of the bytes of one page that is stored, for its checksum; `nil` if the thread
        /// that writes computes them.
        let lanes: RowChecksum.Lanes?

        /// The largest size of a page whose sums the caller computes, perhaps an event loop.
        private static let maxSummedBytes = 1024 * 1024

        /// Creates a write, and computes the sums of a page of a usual size.
        init(
            commit: ScreenCommit, screen: ScreenName, expected: UInt64?, lifetime: ScreenLifetime
        ) {
            self.commit = commit
            self.screen = screen
            self.expected = expected
            self.lifetime = lifetime
            let pages = commit.storedPages
            guard pages.count == 1, let page = pages.first,
                page.bytes.count <= Self.maxSummedBytes
            else {
                lanes = nil
                return
            }
            lanes = RowChecksum.Lanes(of: page.bytes)
        }
    }

    /// The outcome of a write.
    enum Outcome: Hashable {
        /// The new revision of the screen and its expiry.
        case written(UInt64, expiry: Int64?)
        /// The last revision of the screen, which was removed.
        case removed(UInt64)
        /// The revision of the screen, which was not changed; `nil` if there is no such screen.
        case conflict(UInt64?)
    }

    /// Performs a compare-and-set at the time `now`.
    ///
    /// If it throws, the caller must roll back.
    ///
    /// - Complexity: O(bytes of the pages that are written, replaced or removed); O(pages) for a
    ///   write of all pages, and for the first one to a screen that an earlier version stored.
    mutating func commit(_ write: Write, at now: Int64) throws(SQLiteFailure) -> Outcome {
        let found = try liveRow(of: write.screen, at: now)
        guard found?.revision == write.expected else { return .conflict(found?.revision) }
        let made = found == nil ? try makeRow(for: write.commit) : nil
        guard var row = found ?? made else { return .conflict(nil) }
        if write.commit == .removeScreen {
            try retire(row, of: write.screen)
            return .removed(row.revision)
        }
        row.treeFloor = row.knownTreeFloor
        row.size = try reader.pages.size(of: row)
        row.revision = max(row.revision, base) &+ 1
        row.expiry = write.lifetime.expiry(at: now, before: row.expiry)
        try apply(write.commit, write.lanes, to: &row)
        try save(row, write.screen)
        return .written(row.revision, expiry: row.expiry)
    }

    /// Removes a screen and records its revision, so that no later screen repeats it.
    func retire(_ row: ScreenRow, of screen: ScreenName) throws(SQLiteFailure) {
        try pages.discard(row.folder)
        try deleteScreen.run { statement throws(SQLiteFailure) in
            try statement.bind(screen.text, at: 1)
            _ = try statement.step()
        }
        try meta.set(.screens, to: try meta.number(.screens) &- 1)
        if row.revision > (try meta.number(.floor)) { try meta.set(.floor, to: row.revision) }
    }

    /// Returns the row of a screen, after removing it if it has expired.
    private func liveRow(
        of screen: ScreenName, at now: Int64
    ) throws(SQLiteFailure) -> ScreenRow? {
        let row = try reader.row(of: screen)
        guard let row, row.isExpired(at: now) else { return row }
        try retire(row, of: screen)
        return nil
    }

    /// Returns a row for a new screen, or `nil` if the commit does not create one.
    private func makeRow(for commit: ScreenCommit) throws(SQLiteFailure) -> ScreenRow? {
        guard commit.createsScreen else { return nil }
        try meta.set(.screens, to: try meta.number(.screens) &+ 1)
        return ScreenRow(revision: try meta.number(.floor), expiry: nil)
    }

    private mutating func apply(
        _ commit: ScreenCommit, _ lanes: RowChecksum.Lanes?, to row: inout ScreenRow
    ) throws(SQLiteFailure) {
        switch commit {
        case .putPages(let pages, let totals):
            try put(pages, lanes, into: &row)
            if let totals { row.size?.counts = totals }
        case .replacePages(let pages, let kept, let totals):
            try put(pages, lanes, into: &row)
            try removeAll(except: Set(pages.map(\.number) + kept), from: &row)
            if let totals { row.size?.counts = totals }
        case .removePage(let number): try remove(number, from: &row)
        case .removeAllPages, .removeScreen:
            guard row.folder != 0 else { return }
            try pages.discard(row.folder)
            row = ScreenRow(revision: row.revision, expiry: row.expiry)
            row.treeFloor = row.revision
        }
    }

    private mutating func put(
        _ pages: [PutPage], _ lanes: RowChecksum.Lanes?, into row: inout ScreenRow
    ) throws(SQLiteFailure) {
        for page in pages {
            try put(StoredPage(page, revision: row.revision), lanes, into: &row)
        }
    }

    private mutating func put(
        _ page: StoredPage, _ lanes: RowChecksum.Lanes?, into row: inout ScreenRow
    ) throws(SQLiteFailure) {
        if row.folder == 0 { row.folder = try folders.allocate(in: pages) }
        guard let key = PageKey.key(page.number, in: row.folder) else {
            throw .outOfRange("\(page.number) is not a page number")
        }
        let change = try pages.put(page, lanes, key: key, in: row.folder)
        row.pagesSum &+= change.sum
        row.size?.replace(change.former, with: page.size)
        row.latestPage = Int64(page.number)
    }

    private func removeAll(
        except kept: Set<Int>, from row: inout ScreenRow
    ) throws(SQLiteFailure) {
        for number in try reader.pages.keys(in: row.folder).map(PageKey.number)
        where !kept.contains(number) {
            try remove(number, from: &row)
        }
        row.latestPage =
            try reader.pages.last(in: row.folder).map { Int64(PageKey.number(of: $0)) } ?? 0
    }

    private func remove(
        _ number: Int, from row: inout ScreenRow
    ) throws(SQLiteFailure) {
        guard row.folder != 0, let key = PageKey.key(number, in: row.folder),
            let change = try pages.remove(key, in: row.folder, at: row.revision)
        else { return }
        row.pagesSum &+= change.sum
        row.size?.replace(change.former, with: nil)
        let last = try reader.pages.last(in: row.folder)
        if row.latestPage == Int64(number) {
            row.latestPage = last.map { Int64(PageKey.number(of: $0)) } ?? 0
        }
        guard last == nil else { return }
        // An empty folder can be assigned to another screen.
        row.folder = 0
        row.treeFloor = row.revision
    }

    private func save(_ row: ScreenRow, _ screen: ScreenName) throws(SQLiteFailure) {
        try saveScreen.run { statement throws(SQLiteFailure) in
            try statement.bind(screen.text, at: 1)
            try statement.bind(row.folder, at: 2)
            try statement.bind(Int64(bitPattern: row.revision), at: 3)
            try statement.bind(row.latestPage, at: 4)
            try statement.bind(row.pagesSum, at: 5)
            try statement.bind(row.expiry, at: 6)
            try statement.bind(row.checksum(name: screen), at: 7)
            try statement.bind(row.treeFloor.map { Int64(bitPattern: $0) }, at: 8)
            try statement.bind((row.size?.pageCount).map(Int64.init), at: 9)
            try statement.bind((row.size?.byteCount).map(Int64.init), at: 10)
            try statement.bind((row.size?.counts?.sections).map(Int64.init), at: 11)
            try statement.bind((row.size?.counts?.items).map(Int64.init), at: 12)
            _ = try statement.step()
        }
    }
}
