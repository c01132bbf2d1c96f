/// The numbers of sections and items of a page or of a screen, as the writers of its pages counted
/// them.
///
/// They depend on the catalog, so a store keeps them and does not derive them.
public struct ContentCounts: Hashable, Sendable {
    /// The number of sections.
    public var sections: Int
    /// The number of items.
    public var items: Int

    /// The counts of a screen without pages.
    public static let zero = ContentCounts(sections: 0, items: 0)

    /// Creates counts.
    public init(sections: Int, items: Int) {
        self.sections = sections
        self.items = items
    }
}

extension ContentCounts: Codable {}

/// The size of a stored page.
public struct PageSize: Hashable, Sendable {
    /// The number of posted bytes.
    public var byteCount: Int
    /// The counts; `nil` for a page that an earlier version stored.
    public var counts: ContentCounts?

    /// Creates a size.
    public init(byteCount: Int, counts: ContentCounts? = nil) {
        self.byteCount = byteCount
        self.counts = counts
    }
}

/// The size of a stored screen, which the store keeps so that it is known without reading a page.
public struct ScreenSize: Hashable, Sendable {
    /// The number of pages.
    public var pageCount = 0
    /// The number of posted bytes of all pages.
    public var byteCount = 0
    /// The counts of all pages together, or more if pages of an earlier version were replaced;
    /// `nil` if they are unknown, because an earlier version stored the screen.
    public var counts: ContentCounts? = .zero

    /// Creates the size of a screen without pages.
    public init() {}

    /// Creates a size.
    public init(pageCount: Int, byteCount: Int, counts: ContentCounts?) {
        self.pageCount = pageCount
        self.byteCount = byteCount
        self.counts = counts
    }

    /// Replaces a page by another one; `nil` for none.
    public mutating func replace(_ former: PageSize?, with page: PageSize?) {
        pageCount += (page == nil ? 0 : 1) - (former == nil ? 0 : 1)
        byteCount += (page?.byteCount ?? 0) - (former?.byteCount ?? 0)
        guard pageCount > 0 else { return self = ScreenSize() }
        guard let page else { return counts = counts?.replacing(former?.counts, with: .zero) }
        counts = page.counts.flatMap { counts?.replacing(former?.counts, with: $0) }
    }
}

extension ScreenSize: Codable {}

extension ContentCounts {
    /// Returns the counts after a page with the counts `former`, or unknown ones, was replaced.
    fileprivate func replacing(
        _ former: ContentCounts?, with page: ContentCounts
    ) -> ContentCounts {
        ContentCounts(
            sections: max(0, sections - (former?.sections ?? 0)) + page.sections,
            items: max(0, items - (former?.items ?? 0)) + page.items)
    }
}

/// A stored screen without its pages.
public struct ScreenHead: Hashable, Sendable {
    /// The revision: incremented by each write to the screen, and never one of an earlier screen of
    /// the same name (``ScreenStore``).
    public var revision: UInt64
    /// The number of the page that was written last; once that page is removed, the highest number
    /// left; 0 if there are no pages.
    public var latestPage: Int
    /// The number of the highest page; `nil` if there are no pages.
    public var highestPage: Int?
    /// The size of all pages.
    public var size: ScreenSize

    /// Creates the head of a screen.
    public init(
        revision: UInt64, latestPage: Int = 0, highestPage: Int? = nil,
        size: ScreenSize = ScreenSize()
    ) {
        self.revision = revision
        self.latestPage = latestPage
        self.highestPage = highestPage
        self.size = size
    }
}

extension ScreenHead: Codable {}

/// A stored page without its bytes.
public struct PageHead: Hashable, Sendable {
    /// The number of the page.
    public var number: Int
    /// The revision of the screen that wrote the page.
    public var revision: UInt64
    /// The number of posted bytes.
    public var byteCount: Int

    /// Creates the head of a page.
    public init(number: Int, revision: UInt64, byteCount: Int) {
        self.number = number
        self.revision = revision
        self.byteCount = byteCount
    }
}

/// The result of ``ScreenStore/page(_:of:atMost:)``.
public struct PageLoad: Hashable, Sendable {
    /// The screen.
    public var screen: ScreenHead
    /// The page; `nil` if the screen does not have it.
    public var page: PageHead?
    /// The bytes of the page as posted; `nil` if they were not requested or are too many.
    public var bytes: [UInt8]?

    /// Creates a result.
    public init(screen: ScreenHead, page: PageHead? = nil, bytes: [UInt8]? = nil) {
        self.screen = screen
        self.page = page
        self.bytes = bytes
    }
}

/// The pages of a screen that are read: consecutive ones in the order of their numbers.
public struct ScreenPart: Hashable, Sendable {
    /// The last page of a part.
    public enum End: Hashable, Sendable {
        /// There is none: the part has no pages.
        case none
        /// The lowest page.
        case lowest
        /// The lowest page above a page; without one, the highest page.
        case after(Int)
        /// The highest page.
        case highest
    }

    /// The number below which pages are left out.
    public var start: Int
    /// The last page.
    public var end: End

    /// All pages.
    public static let all = ScreenPart(upTo: .highest)
    /// No page.
    public static let none = ScreenPart(upTo: .none)

    /// Creates a part.
    public init(from start: Int = 0, upTo end: End) {
        self.start = start
        self.end = end
    }
}

/// The limits above which a store reads neither a screen nor a page.
public struct ReadLimits: Hashable, Sendable {
    /// The maximum size of a screen.
    public var screen: ScreenSize
    /// The maximum size of a page, in bytes.
    public var pageBytes: Int

    /// No limits.
    public static let unlimited = ReadLimits(pageBytes: .max)

    /// Creates limits; those of the screen are by default none.
    public init(screen: ScreenSize? = nil, pageBytes: Int) {
        self.screen =
            screen
            ?? ScreenSize(
                pageCount: .max, byteCount: .max,
                counts: ContentCounts(sections: .max, items: .max))
        self.pageBytes = pageBytes
    }

    /// Returns the limit that a screen exceeds, or `nil`.
    public func excess(of size: ScreenSize) -> ReadExcess? {
        if size.byteCount > screen.byteCount {
            return ReadExcess(of: .screenBytes, size.byteCount, limit: screen.byteCount)
        }
        if size.pageCount > screen.pageCount {
            return ReadExcess(of: .pages, size.pageCount, limit: screen.pageCount)
        }
        guard let counts = size.counts, let limit = screen.counts else { return nil }
        if counts.sections > limit.sections {
            return ReadExcess(of: .sections, counts.sections, limit: limit.sections)
        }
        guard counts.items > limit.items else { return nil }
        return ReadExcess(of: .items, counts.items, limit: limit.items)
    }

    /// Returns the excess of a page of `byteCount` bytes, or `nil`.
    public func excess(ofPage number: Int, byteCount: Int) -> ReadExcess? {
        guard byteCount > pageBytes else { return nil }
        return ReadExcess(of: .pageBytes(page: number), byteCount, limit: pageBytes)
    }
}

/// A limit that a stored screen exceeds.
public struct ReadExcess: Error, Hashable, Sendable {
    /// A quantity that is limited.
    public enum Quantity: Hashable, Sendable {
        /// The bytes of all pages.
        case screenBytes
        /// The number of pages.
        case pages
        /// The bytes of a page.
        case pageBytes(page: Int)
        /// The sections of all pages.
        case sections
        /// The items of all pages.
        case items
        /// The depth of a page.
        case depth(page: Int)
        /// The bytes of memory to read the screen and to lay it out.
        case memory
    }

    /// The quantity that is limited.
    public var quantity: Quantity
    /// The number of what is stored; `nil` if it was not counted to the end.
    public var count: Int?
    /// The limit.
    public var limit: Int

    /// Creates an excess.
    public init(of quantity: Quantity, _ count: Int? = nil, limit: Int) {
        self.quantity = quantity
        self.count = count
        self.limit = limit
    }
}

extension ReadExcess: CustomStringConvertible {
    /// The quantity that is stored, and the limit, as a sentence.
    public var description: String { "\(stored), the limit is \(limit)." }

    private var stored: String {
        let number = count.map(String.init) ?? "more"
        return switch quantity {
        case .screenBytes: "The pages of the stored screen have \(number) bytes together"
        case .pages: "The stored screen has \(number) pages"
        case .pageBytes(let page): "Page \(page) of the stored screen has \(number) bytes"
        case .sections: "The pages of the stored screen have \(number) sections"
        case .items: "The pages of the stored screen have \(number) items"
        case .depth(let page): "Page \(page) of the stored screen is nested too deeply"
        case .memory:
            "To read the stored screen, or to lay it out, takes \(number) bytes of memory"
        }
    }
}
