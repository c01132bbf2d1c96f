/// A write to a screen as a statement, and the decoding of its reply.
struct PostgresCommit: Sendable {
    /// The maximum number of page bytes of a commit.
    static let maxBytes = 256 << 20

    private static let statement = """
        SELECT c.outcome, c.new_revision, (SELECT broadsheet.line_1()), \(PostgresFeed.dropped)
        FROM broadsheet.commit_2($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15,
            $16, $17, $18, $19, $20, $21, $22) AS c
        """

    /// The facts about a revision, and the bounds of what is kept beside it.
    struct Keeping: Sendable {
        /// The facts.
        var note = RevisionNote()
        /// The bounds of the history.
        var history = HistoryBounds.none
        /// The bounds of the feed.
        var feed = FeedBounds.none
        /// The time, in milliseconds since 1970.
        var now: Int64 = 0
        /// The number of events that the feed drops.
        var dropped = DroppedEvents()
    }

    private let parameters: PostgresParameters
    private let dropped: DroppedEvents
    /// The revision at which the screen is removed; `nil` for another commit.
    private let removed: UInt64?

    /// Creates the statement of a commit.
    ///
    /// - Parameters:
    ///   - keeping: The facts about the revision, and what is kept of the one before it.
    ///   - number: The number, by which the server knows a commit that is sent again.
    init(
        _ commit: ScreenCommit, to screen: ScreenName, expecting expected: UInt64?,
        lifetime: ScreenLifetime, keeping: Keeping = Keeping(), number: WriteNumber = .random()
    ) {
        removed = commit == .removeScreen ? expected : nil
        dropped = keeping.dropped
        var parameters = PostgresParameters(
            capacity: commit.byteCount + keeping.note.byteCount + 1024)
        parameters.add(screen.text)
        // No screen has a revision beyond the range.
        parameters.add(expected.map { Int64(clamping: $0) })
        parameters.add(commit.action)
        parameters.add(number.value)
        parameters.add(lifetime.parameter)
        let pages = commit.storedPages
        let named = commit.namedPages
        let numbers: [Int32?] = (pages.map(\.number) + named).map { Int32(clamping: $0) }
        let bytes: [[UInt8]?] = pages.map { $0.bytes }
        let sections: [Int32?] = pages.map { page in
            page.counts.map { Int32(clamping: $0.sections) }
        }
        let items: [Int32?] = pages.map { page in
            page.counts.map { Int32(clamping: $0.items) }
        }
        let nothing = [Int32?](repeating: nil, count: named.count)
        parameters.add(numbers)
        parameters.add(bytes + [[UInt8]?](repeating: nil, count: named.count))
        parameters.add(sections + nothing)
        parameters.add(items + nothing)
        parameters.add((commit.totals?.sections).map { Int64($0) })
        parameters.add((commit.totals?.items).map { Int64($0) })
        parameters.add(keeping)
        self.parameters = parameters
    }

    /// Performs the commit.
    ///
    /// - Parameter mayBeDone: A Boolean value that indicates whether an earlier attempt may have
    ///   been applied.
    func perform(
        on connection: PostgresConnection, _ line: PostgresLine, mayBeDone: Bool
    ) throws(PostgresFailure) -> CommitOutcome {
        var reply: (outcome: String, revision: UInt64?)?
        var droppedCount: UInt64 = 0
        let warnings = try connection.run(Self.statement, parameters) {
            row throws(PostgresFailure) in
            try line.record(row.integer(2))
            reply = (row.text(0) ?? "", row.revision(1))
            droppedCount = PostgresFeed.droppedCount(row, 3)
        }
        guard warnings == 0 else { throw .warned }
        dropped.add(droppedCount)
        switch (reply?.outcome, reply?.revision) {
        case ("done", let revision?): return .done(revision)
        case ("conflict", let current): return .conflict(current: current)
        case ("unclear", let current):
            return CommitOutcome(unclear: current, removing: removed, mayBeDone: mayBeDone)
        default: throw .malformed("the reply to a commit is malformed")
        }
    }
}

extension RevisionNote {
    /// The number of bytes of the events.
    var byteCount: Int { forwarded.reduce(0) { $0 + $1.count } }
}

extension PostgresParameters {
    /// Adds the parameters of the history and of the feed.
    fileprivate mutating func add(_ keeping: PostgresCommit.Keeping) {
        let (note, history, now) = (keeping.note, keeping.history, keeping.now)
        let (words, operations) = history.isNone ? ("", "") : note.recordParts(at: now)
        add(history.isNone ? nil : Int64.random(in: 1 ... .max))
        add(note.at ?? now)
        add(words)
        add(operations)
        add(Int64(clamping: history.maxRevisions))
        add(Int64(clamping: history.maxBytes))
        add(history.cutoff(at: now))
        addEvents(note.forwarded, keeping.feed)
    }
}

extension ScreenCommit {
    /// The name of the commit in the function of the server.
    fileprivate var action: String {
        switch self {
        case .putPages: "put"
        case .replacePages: "replace"
        case .removePage: "page"
        case .removeAllPages: "pages"
        case .removeScreen: "screen"
        }
    }

    /// The pages that the commit keeps, or removes, and does not store.
    fileprivate var namedPages: [Int] {
        switch self {
        case .replacePages(let pages, let kept, _):
            Array(Set(kept).subtracting(pages.map(\.number)))
        case .removePage(let number): [number]
        case .putPages, .removeAllPages, .removeScreen: []
        }
    }

    /// The counts after the commit, if they are known.
    fileprivate var totals: ContentCounts? {
        switch self {
        case .putPages(_, let totals), .replacePages(_, _, let totals): totals
        case .removePage, .removeAllPages, .removeScreen: nil
        }
    }
}

extension ScreenLifetime {
    /// The seconds, 0 for a screen that does not expire, or `nil` for what it has.
    fileprivate var parameter: Int64? {
        switch self {
        case .unchanged: nil
        case .indefinite: 0
        case .seconds: wholeSeconds.map { Int64($0) }
        }
    }
}
