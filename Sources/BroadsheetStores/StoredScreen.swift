import Broadsheet

/// A screen as it is stored: the pages as posted, and nothing that is derived from them.
///
/// The contents of a page depend on the catalog, so the caller of the store interprets it.
package struct StoredScreen: Hashable, Sendable {
    /// The revision: incremented by each write to the screen, and never one of an earlier screen of
    /// the same name (``ScreenStore``).
    package var revision: UInt64
    /// The number of the page that was written last; once that page is removed, the highest number
    /// left; 0 if there are no pages.
    package var latestPage: Int
    /// The pages in ascending order of their numbers.
    package var pages: [StoredPage]
    /// The revisions of the pages, from which those of the trees follow.
    package var history: TreeHistory

    /// Creates a screen from pages in ascending order.
    package init(
        revision: UInt64, latestPage: Int = 0, pages: [StoredPage] = [],
        history: TreeHistory = TreeHistory()
    ) {
        self.revision = revision
        self.latestPage = latestPage
        self.pages = pages
        self.history = history
    }
}

/// A page of a screen as it was posted.
package struct StoredPage: Hashable, Sendable {
    /// The number of the page, 0 to 2³¹ - 1.
    package var number: Int
    /// The revision of the screen that wrote the page; the entity tag of the page is derived from
    /// it.
    package var revision: UInt64
    /// The bytes as posted; a store in memory shares them with the caller that posted them.
    package var bytes: [UInt8]

    /// Creates a page.
    package init(number: Int, revision: UInt64, bytes: [UInt8]) {
        self.number = number
        self.revision = revision
        self.bytes = bytes
    }
}

/// A write to a screen, applied completely or not at all.
package enum ScreenChange: Hashable, Sendable {
    /// Stores a page, replacing one of the same number; creates the screen if it does not exist.
    case put(page: Int, bytes: [UInt8])
    /// Removes a page. The revision is incremented even if there is no such page.
    case removePage(Int)
    /// Removes all pages and keeps the screen.
    case removeAllPages
    /// Removes the screen.
    case removeScreen
}

extension ScreenChange {
    /// The number of page bytes that the change holds while it waits.
    package var byteCount: Int {
        if case .put(_, let bytes) = self { bytes.count } else { 0 }
    }
}

extension StoredScreen {
    /// Applies a change as revision `revision`, for stores that keep screens as values.
    ///
    /// The caller removes the screen for a `removeScreen`; here it only loses its pages.
    ///
    /// - Complexity: O(log pages); O(pages) if a page is inserted or removed before the last one.
    mutating func apply(_ change: ScreenChange, revision: UInt64) {
        self.revision = revision
        switch change {
        case .put(let number, let bytes):
            put(StoredPage(number: number, revision: revision, bytes: bytes))
            history.put(number, at: revision)
        case .removePage(let number):
            remove(number)
            history.remove(number, at: revision)
        case .removeAllPages, .removeScreen:
            pages = []
            latestPage = 0
            history.removeAll(at: revision)
        }
    }

    private mutating func put(_ page: StoredPage) {
        latestPage = page.number
        let index = index(of: page.number)
        if index < pages.count, pages[index].number == page.number {
            pages[index] = page
        } else {
            pages.insert(page, at: index)
        }
    }

    private mutating func remove(_ number: Int) {
        let index = index(of: number)
        guard index < pages.count, pages[index].number == number else { return }
        pages.remove(at: index)
        if latestPage == number { latestPage = pages.last?.number ?? 0 }
    }

    /// Returns the index of the first page whose number is at least `number`.
    private func index(of number: Int) -> Int {
        // Most pages arrive in order, at the end.
        guard let last = pages.last, last.number >= number else { return pages.count }
        return pages.partitioningIndex { $0.number >= number }
    }
}

/// The time that a screen exists after a write.
///
/// An expired screen is absent, as if it had been removed. A later screen of the same name starts
/// above its revision.
package enum ScreenLifetime: Hashable, Sendable {
    /// The lifetime that the screen had before the write; unlimited for a new screen.
    case unchanged
    /// Until the screen is removed.
    case indefinite
    /// A number of seconds, beginning with the write. Stores clamp it to ``secondsRange``.
    case seconds(Int)

    /// The valid lifetimes in seconds: up to ten years.
    package static let secondsRange = 1...315_360_000

    /// Creates a lifetime of `seconds`, or `nil` outside of ``secondsRange``.
    package init?(seconds: Int) {
        guard Self.secondsRange.contains(seconds) else { return nil }
        self = .seconds(seconds)
    }

    /// The seconds of ``seconds(_:)``, clamped to ``secondsRange``; `nil` for the other cases.
    var wholeSeconds: Int? {
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
    func expiry(at now: Int64, before: Int64?) -> Int64? {
        switch self {
        case .unchanged: before
        case .indefinite: nil
        case .seconds: now &+ Int64(wholeSeconds ?? 0) &* 1000
        }
    }
}
