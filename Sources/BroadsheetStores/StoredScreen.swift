import Broadsheet

/// A screen as a store keeps it: the pages as they were posted, and nothing derived from them.
///
/// What a page becomes depends on the catalog, so that is worked out by whoever loads it.
package struct StoredScreen: Hashable, Sendable {
    /// One more with every write of this screen; never one that an earlier screen of the same name
    /// had (``ScreenStore``).
    package var revision: UInt64
    /// The number of the page that was written last; once that one is removed, the highest that is
    /// left; 0 when there is none.
    package var latestPage: Int
    /// The pages in ascending order of their numbers.
    package var pages: [StoredPage]

    /// Puts a screen together; `pages` ascend.
    package init(revision: UInt64, latestPage: Int = 0, pages: [StoredPage] = []) {
        self.revision = revision
        self.latestPage = latestPage
        self.pages = pages
    }
}

/// One page of a screen as it was posted.
package struct StoredPage: Hashable, Sendable {
    /// The page's number, 0 to 2³¹ - 1.
    package var number: Int
    /// The screen's revision that wrote these bytes: what a page's own entity tag is made of.
    package var revision: UInt64
    /// The very bytes that were posted.
    ///
    /// A store in memory shares them with who posted them.
    package var bytes: [UInt8]

    /// Puts a page together.
    package init(number: Int, revision: UInt64, bytes: [UInt8]) {
        self.number = number
        self.revision = revision
        self.bytes = bytes
    }
}

/// One write to a screen.
///
/// A store applies it whole or not at all.
package enum ScreenChange: Hashable, Sendable {
    /// Stores a page, or replaces the one of that number; makes the screen when it is not there.
    case put(page: Int, bytes: [UInt8])
    /// Removes a page. Of a page that is not there: the revision still counts on.
    case removePage(Int)
    /// Removes all pages and keeps the screen.
    case removeAllPages
    /// Removes the screen itself.
    case removeScreen
}

extension ScreenChange {
    /// How many bytes of a page it holds while it waits.
    var byteCount: Int {
        if case .put(_, let bytes) = self { bytes.count } else { 0 }
    }
}

extension StoredScreen {
    /// Applies a change that leaves a screen behind, as revision `revision`.
    ///
    /// For stores that keep screens as values. A `removeScreen` leaves no screen and is theirs to
    /// do; here it empties the screen. O(log pages), and O(pages) when one goes in or out in the
    /// middle.
    package mutating func apply(_ change: ScreenChange, revision: UInt64) {
        self.revision = revision
        switch change {
        case .put(let number, let bytes):
            put(StoredPage(number: number, revision: revision, bytes: bytes))
        case .removePage(let number): remove(number)
        case .removeAllPages, .removeScreen:
            pages = []
            latestPage = 0
        }
    }

    private mutating func put(_ page: StoredPage) {
        latestPage = page.number
        let place = place(of: page.number)
        if place < pages.count, pages[place].number == page.number {
            pages[place] = page
        } else {
            pages.insert(page, at: place)
        }
    }

    private mutating func remove(_ number: Int) {
        let place = place(of: number)
        guard place < pages.count, pages[place].number == number else { return }
        pages.remove(at: place)
        if latestPage == number { latestPage = pages.last?.number ?? 0 }
    }

    /// The index of the first page whose number is not below `number`.
    private func place(of number: Int) -> Int {
        // Pages mostly arrive in order, at the end.
        guard let last = pages.last, last.number >= number else { return pages.count }
        return pages.partitioningIndex { $0.number >= number }
    }
}
