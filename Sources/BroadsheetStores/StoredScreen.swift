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

    /// Creates a screen from pages in ascending order.
    package init(revision: UInt64, latestPage: Int = 0, pages: [StoredPage] = []) {
        self.revision = revision
        self.latestPage = latestPage
        self.pages = pages
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
    var byteCount: Int {
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
        case .removePage(let number): remove(number)
        case .removeAllPages, .removeScreen:
            pages = []
            latestPage = 0
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
