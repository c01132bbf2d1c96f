import BroadsheetIO

@testable import BroadsheetStores

/// A store that sends what the release with version 1 of the schema sends.
///
/// Commits and loads of whole screens use the statements below, as that release has them; the rest
/// is passed to a store of this release.
final class PreviousPostgresStore: ScreenStore {
    /// The statement of a commit.
    private static let commit = """
        SELECT c.outcome, c.new_revision, (SELECT broadsheet.line_1())
        FROM broadsheet.commit_1($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11) AS c
        """

    /// The statement that reads the heads of screens.
    private static let heads = """
        SELECT s.revision, s.latest_page, s.highest_page, s.page_count, s.byte_count,
            s.section_count, s.item_count, s.tree_floor, (SELECT broadsheet.line_1())
        FROM unnest($1) WITH ORDINALITY AS n (name, place)
        LEFT JOIN LATERAL (
            SELECT * FROM broadsheet.screens c
            WHERE c.name = n.name AND (c.expires_at IS NULL OR c.expires_at > now()) OFFSET 0
        ) AS s ON true
        ORDER BY n.place
        """

    /// The statement that reads pages.
    private static let pages = """
        SELECT p.number, p.revision, p.removal_below, p.next_change, p.sections, p.items,
            octet_length(p.bytes), CASE WHEN octet_length(p.bytes) <= $5 THEN p.bytes END,
            (SELECT broadsheet.line_1())
        FROM broadsheet.screens s
        LEFT JOIN broadsheet.pages p ON p.screen = s.name AND p.number >= $3
            AND p.number <= coalesce((
                SELECT min(a.number) FROM broadsheet.pages a
                WHERE a.screen = $1 AND a.number > $4), 2147483647)
        WHERE s.name = $1 AND s.revision = $2
        ORDER BY p.number
        """

    private let base: any ScreenStore
    private let connector: PostgresConnector
    private let pool: PostgresPool

    /// Opens a store that this release has prepared.
    init(_ address: PostgresAddress, beside base: any ScreenStore) throws {
        self.base = base
        connector = PostgresConnector(
            try address.settings(), location: address.description, onEvent: { _ in },
            onRestart: {})
        pool = try PostgresPool(connector, connections: 4, timeout: .seconds(60))
    }

    func commit(
        _ commit: ScreenCommit, to screen: ScreenName, expecting expected: UInt64?,
        lifetime: ScreenLifetime
    ) async throws(StoreError) -> UInt64 {
        let parameters = commit.parameters(screen, expected, lifetime)
        let reply = try await pool.run(.write) { connection, _ throws(PostgresFailure) in
            var reply: (outcome: String?, revision: UInt64?) = (nil, nil)
            try connection.run(Self.commit, parameters) { reply = ($0.text(0), $0.revision(1)) }
            return reply
        }
        switch reply {
        case ("done", let revision?): return revision
        case ("conflict", let current), ("unclear", let current):
            throw .conflict(current: current)
        default: throw .corrupt("the reply to a commit is malformed")
        }
    }

    func load(
        _ screen: ScreenName, unlessAt revision: UInt64?, _ part: ScreenPart,
        within limits: ReadLimits
    ) async throws(StoreError) -> ScreenLoad {
        guard part == .all, limits == .unlimited else {
            return try await base.load(screen, unlessAt: revision, part, within: limits)
        }
        while true {
            guard let head = try await head(of: screen) else { return .absent }
            if head.screen.revision == revision { return .unchanged }
            if let load = try await pages(of: screen, at: head) { return .screen(load) }
        }
    }

    private func head(
        of screen: ScreenName
    ) async throws(StoreError) -> (screen: ScreenHead, treeFloor: UInt64)? {
        try await pool.run(.other) { connection, _ throws(PostgresFailure) in
            var parameters = PostgresParameters()
            parameters.add([screen.text])
            var found: (screen: ScreenHead, treeFloor: UInt64)?
            try connection.run(Self.heads, parameters) { row throws(PostgresFailure) in
                guard let revision = row.revision(0) else { return }
                guard let latest = row.integer(1), let pageCount = row.integer(3),
                    let byteCount = row.integer(4), let floor = row.revision(7)
                else { throw PostgresFailure.malformed("the row of a screen has null values") }
                let size = ScreenSize(
                    pageCount: pageCount, byteCount: byteCount, counts: row.counts(5, 6))
                let head = ScreenHead(
                    revision: revision, latestPage: latest, highestPage: row.integer(2), size: size)
                found = (head, floor)
            }
            return found
        }
    }

    private func pages(
        of screen: ScreenName, at head: (screen: ScreenHead, treeFloor: UInt64)
    ) async throws(StoreError) -> StoredScreen? {
        var parameters = PostgresParameters()
        parameters.add(screen.text)
        parameters.add(Int64(clamping: head.screen.revision))
        parameters.add(Int32(0))
        parameters.add(Int32.max)
        parameters.add(Int64.max)
        return try await pool.run(.other) { [parameters] connection, _ throws(PostgresFailure) in
            var stored = StoredScreen(
                head: head.screen, pages: [], history: TreeHistory(floor: head.treeFloor))
            var isFound = false
            try connection.run(Self.pages, parameters, byRow: true) { row throws(PostgresFailure) in
                isFound = true
                guard let number = row.integer(0) else { return }
                guard let revision = row.revision(1), let bytes = row.bytes(7) else {
                    throw PostgresFailure.malformed("page \(number) has null values")
                }
                stored.pages.append(
                    StoredPage(
                        number: number, revision: revision, bytes: bytes, counts: row.counts(4, 5)))
                stored.history.append(
                    TreeHistory.Page(
                        number: number, stored: revision, removalBelow: row.revision(2) ?? 0,
                        nextChange: row.revision(3) ?? 0))
            }
            guard isFound, stored.pages.count == head.screen.size.pageCount else { return nil }
            return stored
        }
    }

    func identity() async throws(StoreError) -> StoreIdentity { try await base.identity() }

    func page(
        _ number: Int?, of screen: ScreenName, atMost byteCount: Int?
    ) async throws(StoreError) -> PageLoad? {
        try await base.page(number, of: screen, atMost: byteCount)
    }

    func screens(
        after name: ScreenName?, prefix: ScreenNamePrefix, limit: Int
    ) async throws(StoreError) -> [ScreenListing] {
        try await base.screens(after: name, prefix: prefix, limit: limit)
    }

    func checkReadiness() async throws(StoreError) { try await base.checkReadiness() }

    func close() async {
        pool.close()
        await pool.waitForEnd()
    }
}

extension PostgresRow {
    /// Returns the counts in two columns, if both are known.
    fileprivate func counts(_ sections: Int32, _ items: Int32) -> ContentCounts? {
        guard let sections = integer(sections), let items = integer(items) else { return nil }
        return ContentCounts(sections: sections, items: items)
    }
}

extension ScreenCommit {
    /// The parameters of the statement of a commit.
    fileprivate func parameters(
        _ screen: ScreenName, _ expected: UInt64?, _ lifetime: ScreenLifetime
    ) -> PostgresParameters {
        let (action, pages, named, totals) = parts
        var parameters = PostgresParameters()
        parameters.add(screen.text)
        parameters.add(expected.map { Int64(clamping: $0) })
        parameters.add(action)
        parameters.add(Int64.random(in: 1 ... .max))
        let seconds: Int64? = lifetime == .indefinite ? 0 : lifetime.wholeSeconds.map { Int64($0) }
        parameters.add(seconds)
        let numbers: [Int32?] = (pages.map(\.number) + named).map { Int32(clamping: $0) }
        let bytes: [[UInt8]?] = pages.map { $0.bytes }
        let counts = pages.map(\.counts)
        let sections: [Int32?] = counts.map { $0.map { Int32(clamping: $0.sections) } }
        let items: [Int32?] = counts.map { $0.map { Int32(clamping: $0.items) } }
        let nothing = [Int32?](repeating: nil, count: named.count)
        parameters.add(numbers)
        parameters.add(bytes + [[UInt8]?](repeating: nil, count: named.count))
        parameters.add(sections + nothing)
        parameters.add(items + nothing)
        parameters.add((totals?.sections).map { Int64($0) })
        parameters.add((totals?.items).map { Int64($0) })
        return parameters
    }

    /// The name of the action, the pages to store, those that are only named, and the counts.
    private var parts: (String, [PutPage], named: [Int], ContentCounts?) {
        switch self {
        case .putPages(let pages, let totals): ("put", pages, [], totals)
        case .replacePages(let pages, let kept, let totals):
            ("replace", pages, Array(Set(kept).subtracting(pages.map(\.number))), totals)
        case .removePage(let number): ("page", [], [number], nil)
        case .removeAllPages: ("pages", [], [], nil)
        case .removeScreen: ("screen", [], [], nil)
        }
    }
}
