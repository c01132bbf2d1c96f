/// The bounds of the history of each screen; the oldest revisions beyond any of them are dropped.
public struct HistoryBounds: Hashable, Sendable {
    /// The maximum number of earlier revisions; 0 to keep none.
    public var maxRevisions: Int
    /// The number of seconds that a revision is kept after it was replaced.
    public var maxAge: Int
    /// The maximum number of bytes of earlier pages.
    ///
    /// They are never more than those of the current pages, or than ``minBytes``, whichever is
    /// more.
    public var maxBytes: Int

    /// The bytes of earlier pages that are kept of a screen whose own pages are fewer.
    public static let minBytes = 262_144
    /// The bounds of a store that keeps the current revision only.
    public static let none = HistoryBounds(maxRevisions: 0, maxAge: 0, maxBytes: 0)

    /// Creates bounds.
    public init(maxRevisions: Int = 1000, maxAge: Int = 86_400, maxBytes: Int = 1 << 20) {
        self.maxRevisions = maxRevisions
        self.maxAge = maxAge
        self.maxBytes = maxBytes
    }

    /// A Boolean value that indicates whether no earlier revision is kept.
    public var isNone: Bool { maxRevisions <= 0 || maxBytes <= 0 || maxAge <= 0 }

    /// Returns the maximum number of bytes of earlier pages of a screen whose current ones have
    /// `byteCount`.
    func maxBytes(beside byteCount: Int) -> Int { min(maxBytes, max(byteCount, Self.minBytes)) }

    /// The time, in milliseconds since 1970, after which replaced revisions are kept.
    func cutoff(at now: Int64) -> Int64 {
        let (age, isLong) = Int64(clamping: maxAge).multipliedReportingOverflow(by: 1000)
        return isLong ? .min : now.subtractingReportingOverflow(age).partialValue
    }
}

extension ScreenStore {
    func current(
        _ screen: ScreenName, at revision: UInt64, _ part: ScreenPart, within limits: ReadLimits
    ) async throws(StoreError) -> ScreenLoad {
        let head = try await load(screen, unlessAt: nil, .none, within: limits)
        guard case .screen(let known) = head, known.revision == revision else { return .absent }
        let found = try await load(screen, unlessAt: nil, part, within: limits)
        switch found {
        case .screen(let stored): return stored.revision == revision ? found : .absent
        case .tooLarge(let head, _): return head.revision == revision ? found : .absent
        case .absent, .unchanged: return .absent
        }
    }
}

/// The facts about a revision that its author knows.
public struct RevisionNote: Hashable, Sendable {
    /// The time of the write, in milliseconds since 1970; `nil` for that of the store's clock.
    public var at: Int64?
    /// The operation of the API, or `origin`.
    public var operation: String?
    /// The name of the key of the client.
    public var key: String?
    /// The id of the request.
    public var request: String?
    /// The numbers of the operations of an update by their names.
    public var operations: [String: Int]
    /// The revision whose pages were taken again.
    public var revertedTo: UInt64?
    /// The events for the backend of the screen, as JSON, which are stored with the
    /// revision; they are not part of its record.
    public var forwarded: [[UInt8]] = []

    /// Creates a note.
    public init(
        at: Int64? = nil, operation: String? = nil, key: String? = nil, request: String? = nil,
        operations: [String: Int] = [:], revertedTo: UInt64? = nil
    ) {
        self.at = at
        self.operation = operation
        self.key = key
        self.request = request
        self.operations = operations
        self.revertedTo = revertedTo
    }
}

/// An entry in the list of a screen's revisions.
public struct RevisionEntry: Hashable, Sendable {
    /// The revision.
    public var revision: UInt64
    /// The facts about it; none are known of a revision that an earlier release wrote.
    public var note: RevisionNote
    /// The pages that were stored or removed, ascending by number; at most ``maxPages``.
    public var pages: [PageChange]
    /// The number of further pages that were stored or removed.
    public var morePages: Int
    /// The number of pages after it.
    public var pageCount: Int

    /// The maximum number of pages in an entry; fixed.
    public static let maxPages = 100

    /// A page that a revision stored or removed.
    public struct PageChange: Hashable, Sendable {
        /// The number of the page.
        public var number: Int
        /// The number of its bytes; `nil` if it was removed.
        public var byteCount: Int?

        /// Creates a change.
        public init(number: Int, byteCount: Int?) {
            self.number = number
            self.byteCount = byteCount
        }
    }

    /// Creates an entry.
    public init(
        revision: UInt64, note: RevisionNote = RevisionNote(), pages: [PageChange] = [],
        morePages: Int = 0, pageCount: Int
    ) {
        self.revision = revision
        self.note = note
        self.pages = pages
        self.morePages = morePages
        self.pageCount = pageCount
    }
}

/// A part of the list of a screen's revisions.
public struct RevisionList: Hashable, Sendable {
    /// The current revision.
    public var revision: UInt64
    /// The oldest revision that is kept.
    public var first: UInt64
    /// The revisions, the newest first.
    public var entries: [RevisionEntry]

    /// Creates a list.
    public init(revision: UInt64, first: UInt64, entries: [RevisionEntry]) {
        self.revision = revision
        self.first = first
        self.entries = entries
    }
}
