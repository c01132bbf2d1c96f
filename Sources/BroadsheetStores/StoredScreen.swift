/// A screen as it is stored, or a part of its pages: as posted, and nothing that is derived from
/// them.
///
/// The contents of a page depend on the catalog, so the caller of the store interprets it.
public struct StoredScreen: Hashable, Sendable {
    /// The screen without its pages.
    public var head: ScreenHead
    /// The pages in ascending order of their numbers.
    public var pages: [StoredPage]
    /// The revisions of these pages, from which those of the trees follow.
    public var history: TreeHistory

    /// The revision of the screen.
    public var revision: UInt64 { head.revision }
    /// The number of the page that was written last (``ScreenHead/latestPage``).
    public var latestPage: Int { head.latestPage }

    /// Creates a screen from all its pages, in ascending order.
    public init(
        revision: UInt64, latestPage: Int = 0, pages: [StoredPage] = [],
        history: TreeHistory = TreeHistory()
    ) {
        var size = ScreenSize()
        for page in pages { size.replace(nil, with: page.size) }
        self.init(
            head: ScreenHead(
                revision: revision, latestPage: latestPage, highestPage: pages.last?.number,
                size: size),
            pages: pages, history: history)
    }

    /// Creates a screen, or a part of it, from pages in ascending order.
    public init(head: ScreenHead, pages: [StoredPage], history: TreeHistory) {
        self.head = head
        self.pages = pages
        self.history = history
    }
}

/// A page of a screen as it was posted.
public struct StoredPage: Hashable, Sendable {
    /// The number of the page, 0 to 2³¹ - 1.
    public var number: Int
    /// The revision of the screen that wrote the page; the entity tag of the page is derived from
    /// it.
    public var revision: UInt64
    /// The bytes as posted; a store in memory shares them with the caller that posted them.
    public var bytes: [UInt8]
    /// The counts; `nil` for a page that an earlier version stored.
    public var counts: ContentCounts?

    /// Creates a page.
    public init(number: Int, revision: UInt64, bytes: [UInt8], counts: ContentCounts? = nil) {
        self.number = number
        self.revision = revision
        self.bytes = bytes
        self.counts = counts
    }

    /// Creates the page that a revision stores.
    public init(_ page: PutPage, revision: UInt64) {
        self.init(
            number: page.number, revision: revision, bytes: page.bytes, counts: page.counts)
    }

    /// The size of the page.
    public var size: PageSize { PageSize(byteCount: bytes.count, counts: counts) }
    /// The page without its bytes.
    public var head: PageHead {
        PageHead(number: number, revision: revision, byteCount: bytes.count)
    }
}

/// A page to store.
public struct PutPage: Hashable, Sendable {
    /// The number of the page, 0 to 2³¹ - 1.
    public var number: Int
    /// The bytes.
    public var bytes: [UInt8]
    /// The numbers of its sections and items; `nil` if they are not known.
    public var counts: ContentCounts?

    /// Creates a page.
    public init(number: Int, bytes: [UInt8], counts: ContentCounts? = nil) {
        self.number = number
        self.bytes = bytes
        self.counts = counts
    }
}

/// A write to a screen, applied completely or not at all.
public enum ScreenCommit: Hashable, Sendable {
    /// Stores pages, replacing those of the same numbers; creates the screen if it does not exist.
    ///
    /// The numbers are distinct, and the last page becomes the latest one. `totals` are the counts
    /// of all pages after the write; if they are `nil`, the store derives them from those it has.
    case putPages([PutPage], totals: ContentCounts?)
    /// Replaces all pages: stores some, keeps those of other numbers as they are, with their
    /// revisions, and removes the rest; creates the screen if it does not exist.
    ///
    /// The numbers are distinct, and the highest page becomes the latest one. `totals` are those of
    /// ``putPages(_:totals:)``.
    case replacePages([PutPage], keeping: [Int], totals: ContentCounts?)
    /// Removes a page. The revision is incremented even if there is no such page.
    case removePage(Int)
    /// Removes all pages and keeps the screen.
    case removeAllPages
    /// Removes the screen.
    case removeScreen
}

extension ScreenCommit {
    /// Returns the commit that stores one page.
    public static func put(page number: Int, bytes: [UInt8]) -> ScreenCommit {
        .putPages([PutPage(number: number, bytes: bytes)], totals: nil)
    }

    /// A Boolean value that indicates whether the commit creates a screen that does not exist; any
    /// other commit to such a screen conflicts.
    public var createsScreen: Bool {
        switch self {
        case .putPages, .replacePages: true
        case .removePage, .removeAllPages, .removeScreen: false
        }
    }

    var storedPages: [PutPage] {
        switch self {
        case .putPages(let pages, _), .replacePages(let pages, _, _): pages
        case .removePage, .removeAllPages, .removeScreen: []
        }
    }

    /// The number of page bytes that the commit holds while it waits.
    public var byteCount: Int { storedPages.reduce(0) { $0 + $1.bytes.count } }
}

/// The time that a screen exists after a write.
///
/// An expired screen is absent, as if it had been removed. A later screen of the same name starts
/// above its revision.
public enum ScreenLifetime: Hashable, Sendable {
    /// The lifetime that the screen had before the write; unlimited for a new screen.
    case unchanged
    /// Until the screen is removed.
    case indefinite
    /// A number of seconds, beginning with the write. Stores clamp it to ``secondsRange``.
    case seconds(Int)

    /// The valid lifetimes in seconds: up to ten years.
    public static let secondsRange = 1...315_360_000

    /// Creates a lifetime of `seconds`, or `nil` outside of ``secondsRange``.
    public init?(seconds: Int) {
        guard Self.secondsRange.contains(seconds) else { return nil }
        self = .seconds(seconds)
    }

    /// The seconds of ``seconds(_:)``, clamped to ``secondsRange``; `nil` for the other cases.
    package var wholeSeconds: Int? {
        guard case .seconds(let seconds) = self else { return nil }
        return min(max(seconds, Self.secondsRange.lowerBound), Self.secondsRange.upperBound)
    }

    /// Returns the time at which a screen expires that is written at `now`.
    ///
    /// - Parameters:
    ///   - now: The time of the write, in milliseconds since 1970.
    ///   - before: The time at which the screen would have expired without the write; `nil` for
    ///     never.
    /// - Returns: The time in milliseconds since 1970, or `nil` for never.
    public func expiry(at now: Int64, before: Int64?) -> Int64? {
        switch self {
        case .unchanged: before
        case .indefinite: nil
        case .seconds: now &+ Int64(wholeSeconds ?? 0) &* 1000
        }
    }
}
