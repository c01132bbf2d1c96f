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
