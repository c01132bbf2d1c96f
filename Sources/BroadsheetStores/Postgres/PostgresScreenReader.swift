import BroadsheetIO

/// Reads of pages, at the revision of the head that was read before.
struct PostgresScreenReader: Sendable {
    /// The number of bytes up to which a part is not measured before it is read.
    private static let maxUnmeasuredBytes = 128 << 10

    /// The pages of a part: those from $3 to the lowest above $4, at revision $2 of screen $1.
    private static let part = """
        FROM broadsheet.screens s
        LEFT JOIN broadsheet.pages p ON p.screen = s.name AND p.number >= $3
            AND p.number <= coalesce((
                SELECT min(a.number) FROM broadsheet.pages a
                WHERE a.screen = $1 AND a.number > $4), 2147483647)
        WHERE s.name = $1 AND s.revision = $2
        """

    /// The bytes of a page that is too long are not read.
    private static let readPages = """
        SELECT p.number, p.revision, p.removal_below, p.next_change, p.sections, p.items,
            octet_length(p.bytes), CASE WHEN octet_length(p.bytes) <= $5 THEN p.bytes END,
            (SELECT broadsheet.line_1())
        \(part) ORDER BY p.number
        """

    private static let measure = """
        SELECT coalesce(sum(octet_length(p.bytes)), 0)::bigint \(part)
            AND coalesce(octet_length(p.bytes) <= $5, true)
        """

    private static let readHead = """
        SELECT \(PostgresHeads.Head.columns), p.number, p.revision, octet_length(p.bytes),
            (SELECT broadsheet.line_1())
        FROM broadsheet.screens s
        LEFT JOIN broadsheet.pages p
            ON p.screen = s.name AND p.number = coalesce($2, s.highest_page)
        WHERE s.name = $1 AND (s.expires_at IS NULL OR s.expires_at > now())
        """

    private static let readBytes = """
        SELECT p.bytes, (SELECT broadsheet.line_1()) FROM broadsheet.screens s
        JOIN broadsheet.pages p ON p.screen = s.name AND p.number = $3
        WHERE s.name = $1 AND s.revision = $2
        """

    /// The connections.
    let pool: PostgresPool
    /// The line of the server.
    let line: PostgresLine
    /// The heads of screens.
    let heads: PostgresHeads
    /// The budget that pages are reserved from while they are read.
    let memory: MemoryBudget
    /// The time after which a read gives up that finds another revision each time.
    let timeout: Duration

    /// Returns a part of a screen, unless its revision is `revision`.
    func load(
        _ name: ScreenName, unlessAt revision: UInt64?, _ part: ScreenPart,
        within limits: ReadLimits
    ) async throws(StoreError) -> ScreenLoad {
        let deadline = StoreDeadline.end(of: timeout, from: TimeSource.system.now)
        repeat {
            guard let head = try await heads.head(of: name) else { return .absent }
            if head.screen.revision == revision { return .unchanged }
            guard part.end != .none else {
                let floor = TreeHistory(floor: head.treeFloor)
                return .screen(StoredScreen(head: head.screen, pages: [], history: floor))
            }
            if let excess = limits.excess(of: head.screen.size) {
                return .tooLarge(head.screen, excess)
            }
            let pages = try await pages(part, of: name, at: head, within: limits)
            if let pages { return pages }
        } while TimeSource.system.now < deadline
        throw .unavailable("screen \(name) is written too often to be read")
    }

    /// Returns a screen without its pages, and one of them
    /// (``ScreenStore/page(_:of:atMost:)``).
    func page(
        _ number: Int?, of name: ScreenName, atMost byteCount: Int?
    ) async throws(StoreError) -> PageLoad? {
        let deadline = StoreDeadline.end(of: timeout, from: TimeSource.system.now)
        repeat {
            guard var found = try await head(of: name, page: number) else { return nil }
            guard let page = found.page, let byteCount, page.byteCount <= byteCount else {
                return found
            }
            found.bytes = try await bytes(of: page, name, at: found.screen.revision)
            if found.bytes != nil { return found }
        } while TimeSource.system.now < deadline
        throw .unavailable("screen \(name) is written too often to be read")
    }
}

extension PostgresScreenReader {
    /// Returns the pages of a part, or `nil` if the screen is not at the revision of `head` any
    /// more.
    private func pages(
        _ part: ScreenPart, of name: ScreenName, at head: PostgresHeads.Head,
        within limits: ReadLimits
    ) async throws(StoreError) -> ScreenLoad? {
        let parameters = part.parameters(of: name, at: head.screen.revision, limits)
        var byteCount = head.screen.size.byteCount
        if part != .all, byteCount > Self.maxUnmeasuredBytes {
            byteCount = try await pool.run(.other) { connection, _ throws(PostgresFailure) in
                var byteCount = 0
                try connection.run(Self.measure, parameters) { byteCount = $0.integer(0) ?? 0 }
                return byteCount
            }
        }
        let reservation = try await reserve(byteCount)
        defer { withExtendedLifetime(reservation) {} }
        return try await pool.run(.other) { [line] connection, _ throws(PostgresFailure) in
            var load = PostgresPartLoad(head, limits)
            try connection.run(Self.readPages, parameters, byRow: true) {
                row throws(PostgresFailure) in
                if load.isEmpty { try line.record(row.integer(8)) }
                try load.add(row)
            }
            return try load.result(of: part, name)
        }
    }

    private func reserve(_ byteCount: Int) async throws(StoreError) -> MemoryReservation? {
        guard byteCount > 0 else { return nil }
        guard let found = await memory.waitForReservation(of: byteCount, for: .store) else {
            throw .unavailable("there is no memory for the \(byteCount) bytes of a screen's pages")
        }
        return found
    }

    private func head(of name: ScreenName, page: Int?) async throws(StoreError) -> PageLoad? {
        var parameters = PostgresParameters()
        parameters.add(name.text)
        parameters.add(page.map { Int64($0) })
        return try await pool.run(.other) {
            [line, parameters] connection, _ throws(PostgresFailure) in
            var load: PageLoad?
            var isFound = false
            try connection.run(Self.readHead, parameters) { row throws(PostgresFailure) in
                isFound = true
                try line.record(row.integer(11))
                guard let head = try PostgresHeads.Head(row) else { return }
                var found = PageLoad(screen: head.screen)
                if let number = row.integer(8), let revision = row.revision(9),
                    let byteCount = row.integer(10)
                {
                    found.page = PageHead(number: number, revision: revision, byteCount: byteCount)
                }
                load = found
            }
            if !isFound { try Self.checkPrimary(connection, line) }
            return load
        }
    }

    /// Returns the bytes of a page, or `nil` if the screen is not at the revision any more.
    private func bytes(
        of page: PageHead, _ name: ScreenName, at revision: UInt64
    ) async throws(StoreError) -> [UInt8]? {
        let reservation = try await reserve(page.byteCount)
        defer { withExtendedLifetime(reservation) {} }
        var parameters = PostgresParameters()
        parameters.add(name.text)
        parameters.add(Int64(clamping: revision))
        parameters.add(Int32(clamping: page.number))
        return try await pool.run(.other) {
            [line, parameters] connection, _ throws(PostgresFailure) in
            var bytes: [UInt8]?
            try connection.run(Self.readBytes, parameters, byRow: true) {
                row throws(PostgresFailure) in
                try line.record(row.integer(1))
                bytes = row.bytes(0)
            }
            return bytes
        }
    }

    /// Checks that a reply without rows is the primary's.
    static func checkPrimary(
        _ connection: PostgresConnection, _ line: PostgresLine
    ) throws(PostgresFailure) {
        try connection.run("SELECT broadsheet.line_1()") { row throws(PostgresFailure) in
            try line.record(row.integer(0))
        }
    }
}

/// A part of a screen while its rows are received.
private struct PostgresPartLoad {
    private let head: PostgresHeads.Head
    private let limits: ReadLimits
    private var pages: [StoredPage] = []
    private var history: TreeHistory
    private var excess: ReadExcess?
    /// A Boolean value that indicates whether no row was received.
    private(set) var isEmpty = true

    init(_ head: PostgresHeads.Head, _ limits: ReadLimits) {
        self.head = head
        self.limits = limits
        history = TreeHistory(floor: head.treeFloor)
    }

    /// Adds a row; one without a page shows that the screen is at its revision.
    mutating func add(_ row: PostgresRow) throws(PostgresFailure) {
        isEmpty = false
        guard let number = row.integer(0), excess == nil else { return }
        guard let revision = row.revision(1), let byteCount = row.integer(6) else {
            throw .malformed("page \(number) of a screen has null values")
        }
        excess = limits.excess(ofPage: number, byteCount: byteCount)
        guard excess == nil else { return }
        guard let bytes = row.bytes(7), bytes.count == byteCount else {
            throw .malformed("page \(number) of a screen has no bytes")
        }
        var counts: ContentCounts?
        if let sections = row.integer(4), let items = row.integer(5) {
            counts = ContentCounts(sections: sections, items: items)
        }
        pages.append(
            StoredPage(number: number, revision: revision, bytes: bytes, counts: counts))
        history.append(
            TreeHistory.Page(
                number: number, stored: revision, removalBelow: row.revision(2) ?? 0,
                nextChange: row.revision(3) ?? 0))
    }

    /// Returns the result, or `nil` if the screen is at another revision.
    func result(of part: ScreenPart, _ name: ScreenName) throws(PostgresFailure) -> ScreenLoad? {
        guard !isEmpty else { return nil }
        if let excess { return .tooLarge(head.screen, excess) }
        if part == .all {
            let byteCount = pages.reduce(0) { $0 + $1.bytes.count }
            guard pages.count == head.screen.size.pageCount,
                byteCount == head.screen.size.byteCount
            else { throw .malformed("the pages of screen \(name) are not those of its row") }
        }
        return .screen(StoredScreen(head: head.screen, pages: pages, history: history))
    }
}

extension ScreenPart {
    /// The parameters of the statements that read a part.
    fileprivate func parameters(
        of name: ScreenName, at revision: UInt64, _ limits: ReadLimits
    ) -> PostgresParameters {
        // The page above which the last one is; there is none above the highest number.
        let below: Int =
            switch end {
            case .none, .lowest: -1
            case .after(let page): page
            case .highest: .max
            }
        var parameters = PostgresParameters()
        parameters.add(name.text)
        parameters.add(Int64(clamping: revision))
        parameters.add(Int32(clamping: start))
        parameters.add(Int32(clamping: below))
        parameters.add(Int64(limits.pageBytes))
        return parameters
    }
}
