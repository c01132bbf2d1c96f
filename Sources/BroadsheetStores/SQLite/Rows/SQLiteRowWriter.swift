/// Writes to screens on one connection, in a transaction of the caller.
struct SQLiteRowWriter {
    private let reader: SQLiteRowReader
    private let meta: SQLiteMeta
    private let pages: SQLitePages
    private let saveScreen: SQLiteStatement
    private let deleteScreen: SQLiteStatement
    private let base: UInt64
    private var folders = FolderAllocator()
    /// The earlier revisions.
    let history: SQLiteHistory
    /// The events for backends.
    let feeds: SQLiteFeeds

    /// Prepares the statements on a connection with the current schema.
    init(
        on connection: SQLiteConnection, bounds: HistoryBounds = .none, feeds: FeedBounds = .none
    ) throws(SQLiteFailure) {
        self.feeds = try SQLiteFeeds(on: connection, bounds: feeds)
        reader = try SQLiteRowReader(on: connection)
        meta = try SQLiteMeta(on: connection)
        history = try SQLiteHistory(on: connection, bounds: bounds)
        pages = try SQLitePages(
            on: connection, reader: reader.pages, contents: history.contents)
        saveScreen = try connection.prepare(
            """
            INSERT INTO screens (name, \(ScreenRow.columns))
            VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15)
            ON CONFLICT (name) DO UPDATE SET
                folder = excluded.folder, revision = excluded.revision,
                latest_page = excluded.latest_page, pages_sum = excluded.pages_sum,
                expires_at = excluded.expires_at, checksum = excluded.checksum,
                tree_floor = excluded.tree_floor, page_count = excluded.page_count,
                byte_count = excluded.byte_count, section_count = excluded.section_count,
                item_count = excluded.item_count, creation = excluded.creation,
                first_revision = excluded.first_revision,
                history_bytes = excluded.history_bytes
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
        /// The facts about the revision.
        let note: RevisionNote
        /// The sums of the bytes of one page that is stored, for its checksum; `nil` if the thread
        /// that writes computes them.
        let lanes: RowChecksum.Lanes?

        /// The largest size of a page whose sums the caller computes, perhaps an event loop.
        private static let maxSummedBytes = 1024 * 1024

        /// Creates a write, and computes the sums of a page of a usual size.
        init(
            commit: ScreenCommit, screen: ScreenName, expected: UInt64?, lifetime: ScreenLifetime,
            note: RevisionNote = RevisionNote()
        ) {
            self.note = note
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
        var draft = history.draft(of: row)
        let removed = draft == nil ? [] : try pagesRemoved(by: write.commit, from: row)
        let before = row.revision
        row.revision = max(row.revision, base) &+ 1
        row.expiry = write.lifetime.expiry(at: now, before: row.expiry)
        try apply(write.commit, write.lanes, to: &row, keeping: &draft)
        try record(write, (before, removed, found == nil ? nil : draft?.state), in: &row, at: now)
        try save(row, write.screen)
        try feeds.append(write.note.forwarded, to: write.screen)
        return .written(row.revision, expiry: row.expiry)
    }

    /// Stores events of a screen; returns `false` if there is no such screen.
    func append(
        _ events: [[UInt8]], to screen: ScreenName, at now: Int64
    ) throws(SQLiteFailure) -> Bool {
        guard try liveRow(of: screen, at: now) != nil else { return false }
        try feeds.append(events, to: screen)
        return true
    }

    /// Stores the record of a revision, if there is a history.
    ///
    /// - Parameters:
    ///   - write: The write.
    ///   - state: The revision before it, the pages that it has removed, and the state before it.
    ///   - row: The row of the screen after it.
    ///   - now: The time, in milliseconds since 1970.
    private func record(
        _ write: Write, _ state: (revision: UInt64, removed: [Int], former: FormerState?),
        in row: inout ScreenRow, at now: Int64
    ) throws(SQLiteFailure) {
        guard !history.bounds.isNone || row.creation != nil else { return }
        var record = RevisionRecord(
            creation: 0, revision: row.revision, before: state.revision, note: write.note,
            pageCount: row.size?.pageCount ?? 0)
        record.setPages(
            write.commit.storedPages.map { .init(number: $0.number, byteCount: $0.bytes.count) }
                + state.removed.map { .init(number: $0, byteCount: nil) })
        try history.save(record, state.former, into: &row, at: now)
    }

    /// Drops all earlier revisions of a screen; returns `false` if there is no such screen.
    func removeRevisions(of screen: ScreenName, at now: Int64) throws(SQLiteFailure) -> Bool {
        guard var row = try liveRow(of: screen, at: now) else { return false }
        guard row.creation != nil, row.firstRevision < row.revision else { return true }
        try history.removeAll(of: &row)
        try save(row, screen)
        return true
    }

    /// Makes a screen one without a history, whose creation is another one from its next write on.
    func removeHistory(of screen: ScreenName) throws(SQLiteFailure) {
        guard var row = try reader.row(of: screen), row.creation != nil else { return }
        try history.discard(historyOf: row)
        (row.creation, row.firstRevision, row.historyBytes) = (nil, 0, 0)
        try save(row, screen)
    }

    /// Drops the revisions of a screen that are beyond the bounds at a time.
    func prune(_ row: ScreenRow, of screen: ScreenName, at now: Int64) throws(SQLiteFailure) {
        var pruned = row
        try history.prune(&pruned, at: now)
        if pruned != row { try save(pruned, screen) }
    }

    /// Removes a screen and records its revision, so that no later screen repeats it.
    func retire(_ row: ScreenRow, of screen: ScreenName) throws(SQLiteFailure) {
        try history.discard(historyOf: row)
        if let feed = try feeds.remove(screen) { try history.discard(feed) }
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

    /// Returns the numbers of the pages that a commit removes.
    private func pagesRemoved(
        by commit: ScreenCommit, from row: ScreenRow
    ) throws(SQLiteFailure) -> [Int] {
        switch commit {
        case .putPages: return []
        case .removePage(let number):
            return try reader.pages.head(number, of: row) == nil ? [] : [number]
        case .replacePages(let pages, let kept, _):
            let remaining = Set(pages.map(\.number) + kept)
            return try reader.pages.keys(in: row.folder).map(PageKey.number)
                .filter { !remaining.contains($0) }
        case .removeAllPages, .removeScreen:
            return try reader.pages.keys(in: row.folder).map(PageKey.number)
        }
    }

    private mutating func apply(
        _ commit: ScreenCommit, _ lanes: RowChecksum.Lanes?, to row: inout ScreenRow,
        keeping draft: inout FormerDraft?
    ) throws(SQLiteFailure) {
        switch commit {
        case .putPages(let pages, let totals):
            try put(pages, lanes, into: &row, keeping: &draft)
            if let totals { row.size?.counts = totals }
        case .replacePages(let pages, let kept, let totals):
            try put(pages, lanes, into: &row, keeping: &draft)
            try removeAll(
                except: Set(pages.map(\.number) + kept), from: &row, keeping: &draft)
            if let totals { row.size?.counts = totals }
        case .removePage(let number): try remove(number, from: &row, keeping: &draft)
        case .removeAllPages, .removeScreen:
            guard row.folder != 0 else { return }
            if draft == nil { try pages.discard(row.folder) } else { draft?.noteWholeFolder() }
            row.removeAllPages()
        }
    }

    private mutating func put(
        _ pages: [PutPage], _ lanes: RowChecksum.Lanes?, into row: inout ScreenRow,
        keeping draft: inout FormerDraft?
    ) throws(SQLiteFailure) {
        for page in pages {
            try put(
                StoredPage(page, revision: row.revision), lanes, into: &row, keeping: &draft)
        }
    }

    private mutating func put(
        _ page: StoredPage, _ lanes: RowChecksum.Lanes?, into row: inout ScreenRow,
        keeping draft: inout FormerDraft?
    ) throws(SQLiteFailure) {
        if row.folder == 0 { row.folder = try folders.allocate(in: pages) }
        guard let key = PageKey.key(page.number, in: row.folder) else {
            throw .outOfRange("\(page.number) is not a page number")
        }
        let change = try pages.put(page, lanes, key: key, keeping: &draft)
        row.pagesSum &+= change.sum
        row.size?.replace(change.former, with: page.size)
        row.latestPage = Int64(page.number)
    }

    private func removeAll(
        except kept: Set<Int>, from row: inout ScreenRow, keeping draft: inout FormerDraft?
    ) throws(SQLiteFailure) {
        for number in try reader.pages.keys(in: row.folder).map(PageKey.number)
        where !kept.contains(number) {
            try remove(number, from: &row, keeping: &draft)
        }
        row.latestPage =
            try reader.pages.last(in: row.folder).map { Int64(PageKey.number(of: $0)) } ?? 0
    }

    private func remove(
        _ number: Int, from row: inout ScreenRow, keeping draft: inout FormerDraft?
    ) throws(SQLiteFailure) {
        guard row.folder != 0, let key = PageKey.key(number, in: row.folder),
            let change = try pages.remove(key, at: row.revision, keeping: &draft)
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
            try statement.bind(row.creation, at: 13)
            try statement.bind(
                row.creation.map { _ in Int64(bitPattern: row.firstRevision) }, at: 14)
            try statement.bind(row.creation.map { _ in Int64(row.historyBytes) }, at: 15)
            _ = try statement.step()
        }
    }
}
