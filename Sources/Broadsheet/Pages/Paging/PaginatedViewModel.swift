/// A screen's pages by number, and the one screen that they make together.
///
/// A value: a copy is a snapshot, and changing one costs in proportion to the page, not to what is
/// stored, since copies share the rest.
public struct PaginatedViewModel: Sendable {
    /// How much the screen may hold.
    public let limits: ScreenLimits
    /// The number of the page loaded last; once that is removed, the highest there is, or 0.
    public private(set) var page = 0
    /// The items of all pages together, collapsed or not.
    public private(set) var itemCount = 0
    /// The sections of all pages together, as they were posted.
    public private(set) var sectionCount = 0

    private var table = PageTable()

    /// Makes a screen without pages.
    public init(limits: ScreenLimits = ScreenLimits()) {
        self.limits = limits
    }

    /// Stores `page`, in the place of the one of its number if there is one.
    ///
    /// Throws when the screen would cross a limit, and then is as it was.
    public mutating func load(_ page: ResolvedPage) throws(ViewModelError) {
        let replaced = table[page.number]
        let items = itemCount - (replaced?.itemCount ?? 0) + page.itemCount
        let sections = sectionCount - (replaced?.sections.count ?? 0) + page.sections.count
        guard replaced != nil || table.count < limits.maxPages else {
            throw .tooManyPages(limit: limits.maxPages)
        }
        guard sections <= limits.maxSections else {
            throw .tooManySections(limit: limits.maxSections)
        }
        guard items <= limits.maxItems else { throw .tooManyItems(limit: limits.maxItems) }
        _ = table.store(page)
        itemCount = items
        sectionCount = sections
        self.page = page.number
    }

    /// Removes the page of that number; answers whether there was one.
    @discardableResult
    public mutating func removePage(_ number: Int) -> Bool {
        guard let removed = table.remove(number) else { return false }
        itemCount -= removed.itemCount
        sectionCount -= removed.sections.count
        if page == number { page = table.last?.number ?? 0 }
        return true
    }

    /// Removes every page, and with them what was known of a next one.
    public mutating func removeAllPages() {
        self = PaginatedViewModel(limits: limits)
    }
}

extension PaginatedViewModel {
    /// Whether more pages exist after the highest that is stored.
    public var hasNext: Bool { table.last?.hasNext ?? false }

    /// How many pages are stored.
    public var pageCount: Int { table.count }

    /// Whether any page is stored.
    public var hasPageData: Bool { table.count > 0 }

    /// The stored pages, ascending by number.
    public var pages: some BidirectionalCollection<ResolvedPage> { table.ascending }

    /// The number of the lowest page that is stored.
    public var lowestPage: Int? { table.first?.number }

    /// The number of the highest page that is stored.
    public var highestPage: Int? { table.last?.number }

    /// The stored page of that number.
    ///
    /// O(log pages).
    public func storedPage(_ number: Int) -> ResolvedPage? { table[number] }

    /// The number of the lowest stored page above `number`.
    ///
    /// O(log pages).
    public func page(after number: Int) -> Int? { table.page(after: number)?.number }

    /// The sections of the page of that number, as they were posted; empty when it is not stored.
    public func sections(forPage number: Int) -> [SectionInfo] { table[number]?.sections ?? [] }

    /// The pages that hold a section of that identifier, highest first.
    ///
    /// O(sections).
    public func pages(containing sectionId: String) -> [ResolvedPage] {
        let identifier = Identifier(sectionId)
        return table.ascending.reversed().filter { $0.contains(identifier) }
    }

    /// The number of the highest page that holds a section of that identifier.
    ///
    /// O(sections).
    public func highestPage(containing sectionId: String) -> Int? {
        let identifier = Identifier(sectionId)
        return table.ascending.last { $0.contains(identifier) }?.number
    }
}

extension ResolvedPage {
    fileprivate func contains(_ identifier: Identifier) -> Bool {
        sections.contains { $0.identifier.map(Identifier.init) == identifier }
    }
}
