import BroadsheetIO

/// Reads of earlier revisions from a server (``PostgresHistoryMigration``).
struct PostgresEarlierReader: Sendable {
    /// The records after revision $2, if that is kept and is not the current one.
    private static let readRecords = """
        SELECT s.revision, h.record, (SELECT broadsheet.line_1()) FROM (
            SELECT c.name, c.revision FROM broadsheet.screens c
            WHERE c.name = $1 AND c.revision > $2 AND c.first_revision <= $2
                AND (c.expires_at IS NULL OR c.expires_at > now())
                AND broadsheet.first_2(c.name, c.revision, c.first_revision, $3) <= $2 OFFSET 0
        ) AS s
        JOIN broadsheet.history h ON h.screen = s.name AND h.revision > $2
        ORDER BY h.revision DESC
        """

    /// The pages of a screen at revision $2, without their bytes; one row at least.
    private static let readHeads = """
        SELECT p.number, p.revision, p.removal_below, p.next_change, p.sections, p.items,
            octet_length(p.bytes), (SELECT broadsheet.line_1())
        FROM broadsheet.screens s LEFT JOIN broadsheet.pages p ON p.screen = s.name
        WHERE s.name = $1 AND s.revision = $2 ORDER BY p.number
        """

    /// The bytes of pages $3 at revision $2, and of pages $4 that revisions $5 have replaced.
    private static let readBytes = """
        SELECT p.number, p.revision, p.bytes, (SELECT broadsheet.line_1())
        FROM broadsheet.screens s
        JOIN broadsheet.pages p ON p.screen = s.name AND p.number = ANY ($3)
        WHERE s.name = $1 AND s.revision = $2
        UNION ALL
        SELECT h.number, h.from_revision, h.bytes, (SELECT broadsheet.line_1())
        FROM unnest($4, $5) AS n (number, place)
        JOIN broadsheet.history_pages h
            ON h.screen = $1 AND h.to_revision = n.place AND h.number = n.number
        """

    /// The revisions before $2, $3 at most; one row at least, and the record that follows them.
    private static let list = """
        SELECT s.revision, s.page_count, s.first, h.record, (
                SELECT n.record FROM broadsheet.history n
                WHERE n.screen = s.name AND n.revision >= $2 ORDER BY n.revision LIMIT 1),
            (SELECT broadsheet.line_1())
        FROM (
            SELECT c.name, c.revision, c.page_count, broadsheet.first_2(
                c.name, c.revision, c.first_revision, $4) AS first
            FROM broadsheet.screens c
            WHERE c.name = $1 AND (c.expires_at IS NULL OR c.expires_at > now()) OFFSET 0
        ) AS s
        LEFT JOIN LATERAL (
            SELECT r.revision, r.record FROM broadsheet.history r
            WHERE r.screen = s.name AND r.revision < $2 AND r.revision >= s.first
                AND r.revision <= s.revision
            ORDER BY r.revision DESC LIMIT $3
        ) AS h ON true
        ORDER BY h.revision DESC
        """

    /// The number of times that a read begins again because the screen was written meanwhile.
    private static let maxAttempts = 8

    /// The connections.
    let pool: PostgresPool
    /// The line of the server.
    let line: PostgresLine
    /// The budget that pages are reserved from while they are read.
    let memory: MemoryBudget
    /// The damage that reads have found.
    let damages: DamagedHistories
    /// A function that receives the damage.
    let onEvent: StoreEvent.Handler

    /// A page of an earlier state.
    fileprivate struct Page: Sendable {
        var number: Int
        var tree: TreeHistory.Page
        var size: PageSize
        /// The revision that has replaced the page; `nil` if it is the current one.
        var place: Int64?
        /// The last revision that has the page.
        var last: UInt64
    }

    fileprivate struct Row: Sendable {
        var revision: UInt64?
        var bytes: [UInt8]
    }

    /// Returns a part of a screen as it was at a revision that is not the current one.
    ///
    /// A page that is damaged makes the revision an unknown one.
    ///
    /// - Parameter cutoff: The time up to which revisions are too old, in milliseconds since 1970.
    /// - Returns: `nil` if the revision is not kept.
    func load(
        _ name: ScreenName, at revision: UInt64, _ part: ScreenPart, within limits: ReadLimits,
        after cutoff: Int64
    ) async throws(StoreError) -> ScreenLoad? {
        for _ in 0..<Self.maxAttempts {
            guard
                let (current, records) = try await records(of: name, after: revision, cutoff),
                let creation = records.last?.creation, revision > damages.last(of: creation),
                var state = Self.state(before: records, at: current),
                state.head.revision == revision
            else { return nil }
            // Otherwise the screen was written meanwhile.
            guard let stored = try await heads(of: name, at: current) else { continue }
            let numbers = state.numbers(among: stored.keys)
            state.setHighestPage(numbers.last)
            var screen = StoredScreen(
                head: state.head, pages: [], history: TreeHistory(floor: state.treeFloor))
            guard part.end != .none else { return .screen(screen) }
            if let excess = limits.excess(of: state.head.size) {
                return .tooLarge(state.head, excess)
            }
            var pages: [Page] = []
            for number in part.numbers(of: numbers) {
                guard let page = Self.page(number, of: state, stored[number]) else { return nil }
                let count = page.size.byteCount
                if let excess = limits.excess(ofPage: number, byteCount: count) {
                    return .tooLarge(state.head, excess)
                }
                pages.append(page)
            }
            let rows = try await rows(of: pages, name, at: current)
            // Otherwise the screen was written, or its history pruned, meanwhile.
            guard pages.allSatisfy({ rows[$0.number] != nil }) else { continue }
            for page in pages {
                guard let row = rows[page.number], row.bytes.count == page.size.byteCount,
                    row.revision == page.tree.stored
                else {
                    report(page, of: name, at: revision, creation)
                    return nil
                }
                screen.pages.append(
                    StoredPage(
                        number: page.number, revision: page.tree.stored, bytes: row.bytes,
                        counts: page.size.counts))
                screen.history.append(page.tree)
            }
            return .screen(screen)
        }
        return nil
    }

    /// Goes back from the current state by records, the newest first.
    private static func state(before records: [RevisionRecord], at current: UInt64) -> Rewind? {
        var state = Rewind(head: ScreenHead(revision: current), treeFloor: 0)
        for record in records {
            guard state.undo(record) else { return nil }
        }
        return state
    }

    /// Returns a page of an earlier state.
    ///
    /// - Parameter row: The current page of the number.
    private static func page(_ number: Int, of state: Rewind, _ row: Page?) -> Page? {
        let former = state.pages[number]
        if let content = former?.content, let tree = former?.tree {
            return Page(
                number: number, tree: tree, size: content.size, place: content.place,
                last: former?.last ?? 0)
        }
        guard var page = row else { return nil }
        if let tree = former?.tree { page.tree = tree }
        return page
    }

    private func report(
        _ page: Page, of name: ScreenName, at revision: UInt64, _ creation: Int64
    ) {
        guard damages.record(max(revision, page.last), of: creation) else { return }
        onEvent(.damaged("page \(page.number) of an earlier revision of screen \(name)"))
    }

    /// Returns a part of the list of a screen's revisions; `nil` if there is no such screen.
    func list(
        of name: ScreenName, before revision: UInt64?, limit: Int, after cutoff: Int64
    ) async throws(StoreError) -> RevisionList? {
        var parameters = PostgresParameters()
        parameters.add(name.text)
        parameters.add(Int64(clamping: revision ?? .max))
        parameters.add(Int64(max(0, limit)))
        parameters.add(cutoff)
        let found = try await pool.run(.other) {
            [line, parameters] connection, _ throws(PostgresFailure) in
            var found = RevisionRows()
            try connection.run(Self.list, parameters) { row throws(PostgresFailure) in
                if found.isEmpty { try line.record(row.integer(5)) }
                try found.add(row)
            }
            if found.isEmpty { try PostgresScreenReader.checkPrimary(connection, line) }
            return found
        }
        return found.list(before: revision, limit: limit) { damages.last(of: $0) }
    }
}

extension PostgresEarlierReader {
    /// Returns the current revision and the records after another one, the newest first; `nil` if
    /// that is not kept.
    private func records(
        of name: ScreenName, after revision: UInt64, _ cutoff: Int64
    ) async throws(StoreError) -> (current: UInt64, records: [RevisionRecord])? {
        guard let revision = Int64(exactly: revision) else { return nil }
        var parameters = PostgresParameters()
        parameters.add(name.text)
        parameters.add(revision)
        parameters.add(cutoff)
        return try await pool.run(.other) {
            [line, parameters] connection, _ throws(PostgresFailure) in
            var (current, records) = (UInt64(0), [RevisionRecord?]())
            try connection.run(Self.readRecords, parameters, byRow: true) {
                row throws(PostgresFailure) in
                if records.isEmpty { try line.record(row.integer(2)) }
                current = row.revision(0) ?? 0
                records.append(row.text(1).flatMap { RevisionRecord($0) })
            }
            let read = records.compactMap(\.self)
            return read.isEmpty || read.count < records.count ? nil : (current, read)
        }
    }

    /// Returns the pages of a screen by their numbers, or `nil` if it is not at the revision any
    /// more.
    private func heads(
        of name: ScreenName, at revision: UInt64
    ) async throws(StoreError) -> [Int: Page]? {
        var parameters = PostgresParameters()
        parameters.add(name.text)
        parameters.add(Int64(clamping: revision))
        return try await pool.run(.other) {
            [line, parameters] connection, _ throws(PostgresFailure) in
            var pages: [Int: Page]?
            try connection.run(Self.readHeads, parameters, byRow: true) {
                row throws(PostgresFailure) in
                if pages == nil { try line.record(row.integer(7)) }
                let page = Page(row, at: revision)
                pages = pages ?? [:]
                if let page { pages?[page.number] = page }
            }
            return pages
        }
    }

    /// Returns the bytes of pages by their numbers, as far as they are there.
    private func rows(
        of pages: [Page], _ name: ScreenName, at revision: UInt64
    ) async throws(StoreError) -> [Int: Row] {
        guard !pages.isEmpty else { return [:] }
        let byteCount = pages.reduce(0) { $0 + $1.size.byteCount }
        let reservation = await memory.waitForReservation(of: byteCount, for: .store)
        guard let reservation else {
            throw .unavailable("there is no memory for the \(byteCount) bytes of a screen's pages")
        }
        defer { withExtendedLifetime(reservation) {} }
        let former = pages.filter { $0.place != nil }
        let current = pages.filter { $0.place == nil }
        var parameters = PostgresParameters()
        parameters.add(name.text)
        parameters.add(Int64(clamping: revision))
        parameters.add(current.map { Int32(clamping: $0.number) as Int32? })
        parameters.add(former.map { Int32(clamping: $0.number) as Int32? })
        parameters.add(former.compactMap(\.place))
        return try await pool.run(.other) {
            [line, parameters] connection, _ throws(PostgresFailure) in
            var rows: [Int: Row] = [:]
            try connection.run(Self.readBytes, parameters, byRow: true) {
                row throws(PostgresFailure) in
                if rows.isEmpty { try line.record(row.integer(3)) }
                guard let number = row.integer(0), let bytes = row.bytes(2) else { return }
                rows[number] = Row(revision: row.revision(1), bytes: bytes)
            }
            return rows
        }
    }
}

extension PostgresEarlierReader.Page {
    /// Reads a page without its bytes; `nil` for a row without a page.
    fileprivate init?(_ row: PostgresRow, at revision: UInt64) {
        guard let number = row.integer(0), let stored = row.revision(1),
            let byteCount = row.integer(6)
        else { return nil }
        var counts: ContentCounts?
        if let sections = row.integer(4), let items = row.integer(5) {
            counts = ContentCounts(sections: sections, items: items)
        }
        self.init(
            number: number,
            tree: TreeHistory.Page(
                number: number, stored: stored, removalBelow: row.revision(2) ?? 0,
                nextChange: row.revision(3) ?? 0),
            size: PageSize(byteCount: byteCount, counts: counts), place: nil, last: revision)
    }
}

/// The rows of a list of revisions while they are received.
private struct RevisionRows: Sendable {
    private var state: (revision: UInt64, pageCount: Int, first: UInt64)?
    private var records: [RevisionRecord] = []
    /// The record of the revision that follows the first entry; `nil` if that is the current one.
    private var following: RevisionRecord?

    /// A Boolean value that indicates whether there is no such screen.
    var isEmpty: Bool { state == nil }

    /// Adds a row; one without a record shows the state of the screen.
    mutating func add(_ row: PostgresRow) throws(PostgresFailure) {
        guard let revision = row.revision(0), let pageCount = row.integer(1),
            let first = row.revision(2)
        else { throw .malformed("the row of a screen has null values") }
        state = (revision, pageCount, first)
        following = row.text(4).flatMap { RevisionRecord($0) }
        guard let record = row.text(3).flatMap({ RevisionRecord($0) }) else { return }
        records.append(record)
    }

    /// Returns the list; the oldest revision, which an earlier release may have written, needs no
    /// record.
    func list(
        before end: UInt64?, limit: Int, damaged: (Int64) -> UInt64
    ) -> RevisionList? {
        guard let state else { return nil }
        let last = (records.first ?? following).map { damaged($0.creation) } ?? 0
        let first = min(state.revision, max(state.first, last &+ 1))
        let entries = records.filter { $0.revision >= first }.map(\.entry)
        var list = RevisionList(revision: state.revision, first: first, entries: entries)
        let isWanted = end.map { $0 > first } ?? true
        guard entries.last?.revision != first, entries.count < limit, isWanted else { return list }
        let next = records.last { $0.revision > first } ?? following
        list.entries.append(
            RevisionEntry(
                revision: first, pageCount: next?.former?.head.size.pageCount ?? state.pageCount))
        return list
    }
}
