/// The pages of a screen by number, which are merged into one screen.
///
/// A copy is a snapshot. Copies share the pages that do not change, so that the cost of a change
/// depends on the page and not on the number of stored pages.
public struct PaginatedViewModel: Sendable {
    private let limits: ScreenLimits
    /// The number of the page loaded last; the highest number once that page is removed, or 0.
    public private(set) var page = 0
    /// The number of items of all pages, including those of collapsed sections.
    public private(set) var itemCount = 0
    /// The number of sections of all pages before merging.
    public private(set) var sectionCount = 0
    /// The number of bytes of the documents of all pages; pages of one document count it each.
    package private(set) var byteCount = 0

    private(set) var table = PageTable()
    private(set) var conditions = ScreenConditions()
    /// The directory of the identities of items, which copies of the screen share.
    private var directories = SharedValue<ItemDirectory>()

    /// Creates a screen without pages.
    public init(limits: ScreenLimits = ScreenLimits()) {
        self.limits = limits
    }

    /// Stores a page, and replaces the page of the same number if there is one.
    ///
    /// - Throws: `ViewModelError` when the screen would exceed a limit; the screen is unchanged.
    public mutating func load(_ page: ResolvedPage) throws(ViewModelError) {
        let replaced = table[page.number]
        let items = itemCount - (replaced?.itemCount ?? 0) + page.itemCount
        let sections = sectionCount - (replaced?.sectionCount ?? 0) + page.sectionCount
        guard replaced != nil || table.count < limits.maxPages else {
            throw .tooManyPages(limit: limits.maxPages)
        }
        guard sections <= limits.maxSections else {
            throw .tooManySections(limit: limits.maxSections)
        }
        guard items <= limits.maxItems else { throw .tooManyItems(limit: limits.maxItems) }
        _ = table.store(page)
        addToDirectory(page)
        conditions.replace(replaced, by: page)
        byteCount += page.bytes.count - (replaced?.bytes.count ?? 0)
        itemCount = items
        sectionCount = sections
        self.page = page.number
    }

    /// Records the number of the page loaded last, if the screen has that page.
    package mutating func recordLoadedLast(_ number: Int) {
        if table[number] != nil { page = number }
    }

    /// Removes the page of that number.
    ///
    /// - Returns: A Boolean value that indicates whether there was such a page.
    @discardableResult
    public mutating func removePage(_ number: Int) -> Bool {
        guard let removed = table.remove(number) else { return false }
        byteCount -= removed.bytes.count
        itemCount -= removed.itemCount
        sectionCount -= removed.sectionCount
        conditions.replace(removed, by: nil)
        if page == number { page = table.last?.number ?? 0 }
        return true
    }

    /// Replaces all pages by others; the highest is then the page loaded last.
    ///
    /// - Throws: `ViewModelError` when the screen would exceed a limit; the screen is unchanged.
    package mutating func replacePages(by pages: [ResolvedPage]) throws(ViewModelError) {
        var replaced = self
        let numbers = Set(pages.map(\.number))
        for page in self.pages where !numbers.contains(page.number) {
            replaced.removePage(page.number)
        }
        for page in pages where replaced.table[page.number] !== page { try replaced.load(page) }
        replaced.page = replaced.table.last?.number ?? 0
        self = replaced
    }

    /// Removes all pages.
    public mutating func removeAllPages() {
        self = PaginatedViewModel(limits: limits)
    }
}

/// The directory of the identities of items.
extension PaginatedViewModel {
    /// The directory; `nil` unless an update of the screen, or of a copy of it, needed it.
    package var directory: ItemDirectory? { directories.current }

    /// Returns the directory if a search in the screen needs it; otherwise `nil`.
    ///
    /// - Complexity: O(items) at the first time, and once its outdated entries are the most.
    mutating func preparedDirectory() -> ItemDirectory? {
        guard ItemDirectory.isNeeded(pages: table.count, items: itemCount) else { return nil }
        let directory = directories.prepared {
            ItemDirectory(table.ascending, itemCount: itemCount)
        }
        guard directory.count > 2 * itemCount + 1024 else { return directory }
        // Copies of the screen keep the old one, which has the pages that only they have.
        directories = SharedValue()
        return directories.prepared { ItemDirectory(table.ascending, itemCount: itemCount) }
    }

    private mutating func addToDirectory(_ page: ResolvedPage) {
        if let directory = directories.current {
            directory.add(page)
        } else if !isKnownUniquelyReferenced(&directories) {
            // A copy without the page may create its directory later.
            directories = SharedValue()
        }
    }
}

extension PaginatedViewModel {
    /// A Boolean value that indicates whether more pages exist after the highest stored one.
    public var hasNext: Bool { table.last?.hasNext ?? false }

    /// The number of stored pages.
    public var pageCount: Int { table.count }

    /// A Boolean value that indicates whether any page is stored.
    public var hasPageData: Bool { table.count > 0 }

    /// The stored pages, ascending by number.
    public var pages: JoinedPages { table.ascending }

    /// Pages by chunks: a concrete type, so that loops in other modules are specialised.
    public typealias JoinedPages = FlattenSequence<[[ResolvedPage]]>

    /// The number of the lowest stored page, or `nil`.
    public var lowestPage: Int? { table.first?.number }

    /// The number of the highest stored page, or `nil`.
    public var highestPage: Int? { table.last?.number }

    /// Returns the number of the highest stored page up to `number`, or `nil`.
    ///
    /// - Complexity: O(log pages).
    package func highestPage(upTo number: Int) -> Int? { table.last(upTo: number)?.number }

    /// Returns the pages of which another model does not have the same object.
    ///
    /// - Complexity: O(pages / 64), and O(64) for each page that differs.
    package func pages(missingFrom other: PaginatedViewModel) -> [ResolvedPage] {
        table.pages(missingFrom: other.table)
    }

    /// Returns the stored page of that number, or `nil`.
    ///
    /// - Complexity: O(log pages).
    public func storedPage(_ number: Int) -> ResolvedPage? { table[number] }

    /// Returns the number of the lowest stored page above `number`, or `nil`.
    ///
    /// - Complexity: O(log pages).
    public func page(after number: Int) -> Int? { table.page(after: number)?.number }

    /// Returns the pages with a section of that identifier, highest first.
    ///
    /// - Complexity: O(sections).
    public func pages(containing sectionId: String) -> [ResolvedPage] {
        let identifier = Identifier(sectionId)
        return table.ascending.reversed().filter { $0.contains(identifier) }
    }
}

extension PaginatedViewModel {
    /// Returns the number of the highest page with a section of that identifier, or `nil`.
    ///
    /// - Complexity: O(sections).
    public func findPage(containing sectionId: String) -> Int? {
        let identifier = Identifier(sectionId)
        return table.ascending.reversed().first { $0.contains(identifier) }?.number
    }
}

extension ResolvedPage {
    fileprivate func contains(_ identifier: Identifier) -> Bool {
        sections.contains { !$0.isHidden && $0.identifier.map(Identifier.init) == identifier }
    }
}

/// A limit that a screen would exceed with another page.
public enum ViewModelError: Error, Sendable, Hashable {
    /// The screen would have more pages than `ScreenLimits.maxPages`.
    case tooManyPages(limit: Int)
    /// The pages together would have more sections than `ScreenLimits.maxSections`.
    case tooManySections(limit: Int)
    /// The pages together would have more items than `ScreenLimits.maxItems`.
    case tooManyItems(limit: Int)

    /// The description for the sender of the page.
    public var detail: String {
        switch self {
        case .tooManyPages(let limit):
            "the screen would hold more than \(limit) pages (--max-pages)"
        case .tooManySections(let limit):
            "the screen's pages would hold more than \(limit) sections (--max-sections)"
        case .tooManyItems(let limit):
            "the screen's pages would hold more than \(limit) items (--max-items)"
        }
    }
}

extension ViewModelError: CustomStringConvertible {
    /// The description for the sender of the page.
    public var description: String { detail }
}
