/// Reads of earlier revisions on one connection, with a check of every checksum.
struct SQLiteEarlierReader {
    /// Damage of an earlier revision.
    struct Damage: Hashable {
        /// The last revision that has it.
        var last: UInt64
        /// The failure.
        var failure: SQLiteFailure
    }

    private let pages: SQLitePageReader
    private let records: SQLiteRecords
    private let findContent: SQLiteStatement
    private let bounds: HistoryBounds

    /// Prepares the statements on a connection with the current schema.
    init(
        on connection: SQLiteConnection, pages: SQLitePageReader, bounds: HistoryBounds
    ) throws(SQLiteFailure) {
        self.pages = pages
        self.bounds = bounds
        records = try SQLiteRecords(on: connection)
        findContent = try connection.prepare("SELECT bytes FROM contents WHERE id = ?1")
    }

    /// Returns the oldest revision of a screen that is kept.
    ///
    /// - Parameters:
    ///   - row: The row of the screen.
    ///   - damaged: The last revision that is known to be damaged; 0 for none.
    ///   - now: The time, in milliseconds since 1970.
    func first(
        of row: ScreenRow, after damaged: UInt64, at now: Int64
    ) throws(SQLiteFailure) -> UInt64 {
        guard let creation = row.creation, !bounds.isNone else { return row.revision }
        let first = min(row.revision, max(row.firstRevision, damaged &+ 1))
        return try records.aged(of: creation, after: first, at: bounds.cutoff(at: now)) ?? first
    }

    /// Returns a part of a screen as it was at a revision that is kept and is not the current one.
    ///
    /// - Parameter damage: Set to the damage that was found.
    /// - Returns: `nil` if the revision is damaged.
    func screen(
        _ row: ScreenRow, _ name: ScreenName, at revision: UInt64,
        _ wanted: (part: ScreenPart, limits: ReadLimits), damage: inout Damage?
    ) throws(SQLiteFailure) -> ScreenLoad? {
        guard let state = try state(of: row, at: revision, damage: &damage) else { return nil }
        let stored = try pages.keys(in: state.folder).map(PageKey.number)
        let numbers = state.numbers(among: stored)
        var head = state.head
        head.highestPage = numbers.last
        var screen = StoredScreen(
            head: head, pages: [], history: TreeHistory(floor: state.treeFloor))
        guard wanted.part.end != .none else { return .screen(screen) }
        if let excess = wanted.limits.excess(of: head.size) { return .tooLarge(head, excess) }
        for number in wanted.part.numbers(of: numbers) {
            do throws(SQLiteFailure) {
                let page = try page(number, of: state, (row, name), within: wanted.limits)
                switch page {
                case .excess(let excess): return .tooLarge(head, excess)
                case .page(let page, let tree):
                    screen.pages.append(page)
                    screen.history.append(tree)
                }
            } catch {
                guard case .corrupt = error.storeError, !error.isStructural else { throw error }
                damage = Damage(
                    last: state.pages[number]?.last ?? revision, failure: error)
                return nil
            }
        }
        return .screen(screen)
    }

    /// Goes back from the current state to that of a revision.
    private func state(
        of row: ScreenRow, at revision: UInt64, damage: inout Damage?
    ) throws(SQLiteFailure) -> Rewind? {
        guard let creation = row.creation else { return nil }
        var state = Rewind(
            head: try pages.head(of: row), treeFloor: row.knownTreeFloor, folder: row.folder)
        do throws(SQLiteFailure) {
            try records.forEach(of: creation, upTo: row.revision) {
                record throws(SQLiteFailure) in
                guard state.undo(record) else { return false }
                return state.head.revision > revision
            }
        } catch {
            guard case .corrupt = error.storeError, !error.isStructural else { throw error }
            damage = Damage(last: max(revision, state.head.revision &- 1), failure: error)
            return nil
        }
        return state.head.revision == revision ? state : nil
    }

    private enum Found {
        case page(StoredPage, TreeHistory.Page)
        case excess(ReadExcess)
    }

    private func page(
        _ number: Int, of state: Rewind, _ screen: (row: ScreenRow, name: ScreenName),
        within limits: ReadLimits
    ) throws(SQLiteFailure) -> Found {
        let former = state.pages[number]
        if let content = former?.content, let tree = former?.tree {
            let byteCount = content.size.byteCount
            if let excess = limits.excess(ofPage: number, byteCount: byteCount) {
                return .excess(excess)
            }
            let page = StoredPage(
                number: number, revision: tree.stored, bytes: try bytes(content.place),
                counts: content.size.counts)
            guard let key = PageKey.key(number, in: former?.folder ?? 0),
                page.matches(content.checksum, key: key)
            else { throw .damaged("page \(number) of an earlier revision of \(screen.name)") }
            return .page(page, tree)
        }
        var row = screen.row
        row.folder = state.folder
        let head = try pages.head(number, of: row)
        if let head, let excess = limits.excess(ofPage: number, byteCount: head.byteCount) {
            return .excess(excess)
        }
        guard let page = try pages.page(number, of: row, screen.name) else {
            throw .damaged("page \(number) of an earlier revision of \(screen.name)")
        }
        let tree = try pages.tree(of: number, storedAt: page.revision, in: state.folder)
        return .page(page, former?.tree ?? tree)
    }

    private func bytes(_ place: Int64) throws(SQLiteFailure) -> [UInt8] {
        try findContent.run { row throws(SQLiteFailure) in
            try row.step(place) ? row.bytes(0) : []
        }
    }

    /// Returns a part of the list of the revisions of a screen, whose oldest is `first`.
    func list(
        of row: ScreenRow, from first: UInt64, before revision: UInt64?, limit: Int
    ) throws(SQLiteFailure) -> RevisionList {
        var entries: [RevisionEntry] = []
        let end = min(row.revision, revision.map { $0 == 0 ? 0 : $0 - 1 } ?? .max)
        var pageCount = row.size?.pageCount ?? 0
        if let creation = row.creation, end >= first, limit > 0 {
            if let next = end < row.revision ? try records.oldest(of: creation, after: end) : nil {
                pageCount = next.former?.head.size.pageCount ?? 0
            }
            try records.forEach(of: creation, upTo: end, limit: limit) {
                record throws(SQLiteFailure) in
                guard record.revision >= first else { return false }
                entries.append(record.entry)
                pageCount = record.former?.head.size.pageCount ?? 0
                return true
            }
        }
        // A revision that was written without a history has no record.
        let isComplete = entries.last.map { $0.revision == first } ?? (end < first)
        if !isComplete, entries.count < limit {
            entries.append(RevisionEntry(revision: first, pageCount: pageCount))
        }
        return RevisionList(revision: row.revision, first: first, entries: entries)
    }
}
