import Broadsheet
import BroadsheetHTTP
import BroadsheetIO
import BroadsheetStores

/// A write to a screen that is requested.
struct ScreenWrite: Sendable {
    let screen: ScreenName
    /// The page that is written; `nil` for none, or for the next free number.
    var page: Int?
    /// A Boolean value that indicates whether the pages are needed after the write, for a tree.
    var needsPages = false
    /// The number of bytes that the request has reserved, beside which the pages are read.
    var heldBytes = 0
    var lifetime = ScreenLifetime.unchanged
    /// A Boolean value that indicates whether everything is done but the storing.
    var validatesOnly = false
    /// The time from which the time of the store counts; `nil` for the beginning of the write.
    var arrival: MonotonicInstant?
    /// Checks, before the write is passed to the store, that the client still may write.
    var checkKey: @Sendable () throws(Problem) -> Void = {}
    var note = RevisionNote()
}

/// The state of a screen that a write begins with.
struct WriteBase: Sendable {
    let head: ScreenHead?
    /// The page that is written; `nil` if it is not stored.
    let page: PageHead?
    /// The screen with all its pages, if they are in memory.
    let snapshot: ScreenSnapshot?
    let catalog: ActiveCatalog
    /// The registered types, with the budget of the judgements of the request from here on.
    let registry: CellRegistry
    /// The limit because of which the pages could not be read.
    var excess: ReadExcess?

    init(_ found: PageLoad?, page: Int?, catalog: ActiveCatalog) {
        self.init(found?.screen, page == nil ? nil : found?.page, nil, catalog)
    }

    init(_ snapshot: ScreenSnapshot?, page: Int?, catalog: ActiveCatalog) {
        self.init(snapshot?.head, page.flatMap { snapshot?.pageHead($0) }, snapshot, catalog)
    }

    private init(
        _ head: ScreenHead?, _ page: PageHead?, _ snapshot: ScreenSnapshot?,
        _ catalog: ActiveCatalog
    ) {
        (self.head, self.page, self.snapshot, self.catalog) = (head, page, snapshot, catalog)
        registry = catalog.registry.limitedToRequest()
    }

    func pageTag(of screen: ScreenName, seal: TokenSeal) -> EntityTag? {
        page.map {
            EntityTags.page($0.number, of: screen, writtenAt: $0.revision, seal: seal)
        }
    }

    /// Returns the pages of a screen that exists, for a write that changes parts of them
    /// (``ScreenWrite/needsPages``).
    ///
    /// - Throws: `STORED_SCREEN_TOO_LARGE` if they could not be read because of a limit.
    func model(of screen: ScreenName) throws(Problem) -> PaginatedViewModel {
        if let excess { throw .storedScreenTooLarge(excess) }
        guard let snapshot else { throw .screenNotFound(screen) }
        return snapshot.model
    }

    /// Returns the page of a number, if the pages are in memory.
    func pages(_ number: Int) -> [ResolvedPage] {
        (snapshot?.model.storedPage(number)).map { [$0] } ?? []
    }

    /// Returns whether only the pages themselves show whether a page may be put: their sections and
    /// items are not counted, or may be too many with it, also for the memory.
    ///
    /// - Parameter available: The memory that a request can have, in bytes.
    func needsPages(
        toPut page: ResolvedPage, _ configuration: ServiceConfiguration, available: Int
    ) -> Bool {
        guard let head, snapshot == nil, excess == nil else { return false }
        guard let counts = head.size.counts else { return true }
        let (sections, items) = (
            counts.sections + page.sectionCount, counts.items + page.itemCount
        )
        let size = ScreenSize(
            pageCount: head.size.pageCount + 1, byteCount: head.size.byteCount + page.bytes.count,
            counts: ContentCounts(sections: sections, items: items))
        return sections > configuration.limits.maxSections || items > configuration.limits.maxItems
            || MemoryCost.maxWholeScreen(
                of: size, maxPageBytes: configuration.maxPageBytes, by: catalog.registry)
                > available
    }
}

/// A write that was committed, that was not necessary, or that was only validated.
struct CommittedWrite: Sendable {
    let before: WriteBase
    let pages: [ResolvedPage]
    let revision: UInt64?
    /// The screen after the write with all its pages, if they are in memory.
    let snapshot: ScreenSnapshot?
}

/// A write that is not committed yet: the commit of the store, and the screen's pages after it.
struct PlannedWrite: Sendable {
    let commit: ScreenCommit
    let pages: [ResolvedPage]
    /// The pages after the write; `nil` if those before it are not in memory.
    let model: PaginatedViewModel?
    /// The screen that the write was planned for, if its pages are in memory.
    private(set) var known: ScreenSnapshot?
    /// The numbers of the operations of an update by their names, for the record of the revision.
    var operations: [String: Int] = [:]
    /// The revision whose pages are taken again, for the record of the revision.
    var revertedTo: UInt64?
    /// The events for the backend, which a store with feeds stores with the revision.
    var forwarded: [[UInt8]] = []

    /// Plans the write of `page`.
    ///
    /// - Throws: `INVALID_CONTRACT` or `SCREEN_TOO_LARGE` when the write would exceed a limit of
    ///   the screen. A screen that exceeds it already can still be written to as long as it does
    ///   not grow.
    init(
        putting page: ResolvedPage, into base: WriteBase, _ configuration: ServiceConfiguration
    ) throws(Problem) {
        try Self.check(page, base, configuration)
        let put = PutPage(page)
        pages = [page]
        known = base.snapshot
        if base.head != nil, base.snapshot == nil {
            commit = .putPages([put], totals: nil)
            model = nil
            return
        }
        var model = base.snapshot?.model ?? PaginatedViewModel(limits: .unlimited)
        do { try model.load(page) } catch { throw Problem(error) }
        try configuration.limits.check(model, growingFrom: base.snapshot?.model.size)
        commit = .putPages([put], totals: model.counts)
        self.model = model
    }

    /// Plans the write of all pages of a screen, which may not exist.
    ///
    /// A page that the screen has with the same bytes is not stored again. The pages of a screen
    /// above a limit are not in memory, so that all of them are stored.
    ///
    /// - Throws: As ``init(putting:into:_:)``.
    init(
        replacingAllBy posted: [ResolvedPage], in base: WriteBase,
        _ configuration: ServiceConfiguration
    ) throws(Problem) {
        let before = base.snapshot?.model
        let kept = posted.compactMap { page in
            before?.storedPage(page.number).flatMap { $0.bytes == page.bytes ? $0 : nil }
        }
        let numbers = Set(kept.map(\.number))
        pages = posted.filter { !numbers.contains($0.number) }
        known = base.snapshot
        var model = before ?? PaginatedViewModel(limits: .unlimited)
        do { try model.replacePages(by: kept + pages) } catch { throw Problem(error) }
        try configuration.limits.check(model, growingFrom: base.head?.size)
        try Self.checkBytes(of: model, base, configuration)
        commit = .replacePages(
            pages.map(PutPage.init), keeping: kept.map(\.number), totals: model.counts)
        // A screen that still exceeds a limit is not read either.
        self.model = configuration.readLimits.excess(of: model.size) == nil ? model : nil
    }

    mutating func count(_ applied: some Sequence<UpdateOperation>) {
        for operation in applied { operations[operation.name, default: 0] += 1 }
    }

    /// Returns whether the screen before the write is that after it, but for its lifetime.
    func isNeedless(after base: WriteBase) -> Bool {
        guard let before = base.snapshot?.model, case .replacePages(_, let kept, _) = commit else {
            return false
        }
        return pages.isEmpty && kept.count == before.pageCount
    }

    /// Plans the write of edited pages.
    ///
    /// - Parameters:
    ///   - numbers: The numbers of the pages, ascending.
    ///   - model: The screen after the edits.
    ///   - base: The screen before them, with its pages.
    /// - Throws: As ``init(putting:into:_:)``.
    init(
        of numbers: [Int], in model: PaginatedViewModel, after base: WriteBase,
        _ configuration: ServiceConfiguration
    ) throws(Problem) {
        try configuration.limits.check(model, growingFrom: base.snapshot?.model.size)
        try Self.checkBytes(of: model, base, configuration)
        known = base.snapshot
        pages = numbers.compactMap(model.storedPage)
        commit = .putPages(pages.map(PutPage.init), totals: model.counts)
        self.model = model
    }

    /// Throws `SCREEN_TOO_LARGE` if the screen would grow beyond the limit in bytes.
    private static func checkBytes(
        of model: PaginatedViewModel, _ base: WriteBase, _ configuration: ServiceConfiguration
    ) throws(Problem) {
        let limit = configuration.maxScreenBytes
        guard model.byteCount <= max(limit, base.head?.size.byteCount ?? 0) else {
            throw .screenTooLarge(limit: limit)
        }
    }

    /// Checks the limits that the head of the screen shows.
    private static func check(
        _ page: ResolvedPage, _ base: WriteBase, _ configuration: ServiceConfiguration
    ) throws(Problem) {
        let size = base.head?.size ?? ScreenSize()
        let growth = page.bytes.count - (base.page?.byteCount ?? 0)
        if let excess = base.excess, growth > 0 || base.page == nil {
            throw .screenMayNotGrow(excess)
        }
        let pageCount = size.pageCount + (base.page == nil ? 1 : 0)
        guard pageCount <= max(configuration.limits.maxPages, size.pageCount) else {
            throw Problem(ViewModelError.tooManyPages(limit: configuration.limits.maxPages))
        }
        let limit = configuration.maxScreenBytes
        guard size.byteCount + growth <= max(limit, size.byteCount) else {
            throw .screenTooLarge(limit: limit)
        }
    }

    init(removing page: Int, from base: WriteBase) {
        var model = base.snapshot?.model
        model?.removePage(page)
        commit = .removePage(page)
        pages = []
        known = base.snapshot
        self.model = model
    }

    /// The removal of all pages; the screen remains.
    static let removingAllPages = PlannedWrite(emptyingBy: .removeAllPages)

    static let removingScreen = PlannedWrite(emptyingBy: .removeScreen)

    private init(emptyingBy commit: ScreenCommit) {
        self.commit = commit
        pages = []
        model = PaginatedViewModel(limits: .unlimited)
    }

    /// Returns the screen after the store has committed the write as `revision`, or `nil` if its
    /// pages are not in memory.
    ///
    /// - Parameter restarts: The number of the store's restarts before `base` was read.
    func snapshot(
        of name: ScreenName, at revision: UInt64, after base: WriteBase, restarts: UInt64
    ) -> ScreenSnapshot? {
        guard let model else { return nil }
        // The pages may have been read only when the write was planned.
        let known = known ?? base.snapshot
        var history = known?.history ?? TreeHistory()
        var byteCount = known?.byteCount ?? ScreenSnapshot.ownByteCount
        switch commit {
        case .putPages(let pages, _):
            for page in pages {
                history.put(page.number, at: revision)
                byteCount += growth(of: page.number, since: known, model)
            }
        case .replacePages(let pages, _, _):
            for page in pages { history.put(page.number, at: revision) }
            for page in known?.model.pages.map(\.number) ?? []
            where model.storedPage(page) == nil {
                history.remove(page, at: revision)
            }
            byteCount = model.pages.reduce(ScreenSnapshot.ownByteCount) {
                $0 + $1.byteCountInMemory
            }
        case .removePage(let page):
            history.remove(page, at: revision)
            byteCount += growth(of: page, since: known, model)
        case .removeAllPages, .removeScreen:
            history.removeAll(at: revision)
            if base.head != nil, base.snapshot == nil { history = TreeHistory(floor: revision) }
            byteCount = ScreenSnapshot.ownByteCount
        }
        let head = ScreenHead(
            revision: revision, latestPage: model.page, highestPage: model.highestPage,
            size: model.size)
        return ScreenSnapshot(
            name: name, head: head, model: model, history: history, byteCount: byteCount,
            catalog: base.catalog, restarts: restarts)
    }

    /// Returns the difference between a page's size and its size before, in bytes.
    private func growth(
        of page: Int, since current: ScreenSnapshot?, _ model: PaginatedViewModel
    ) -> Int {
        (model.storedPage(page)?.byteCountInMemory ?? 0)
            - (current?.model.storedPage(page)?.byteCountInMemory ?? 0)
    }
}

extension PutPage {
    fileprivate init(_ page: ResolvedPage) {
        self.init(
            number: page.number, bytes: page.bytes,
            counts: ContentCounts(sections: page.sectionCount, items: page.itemCount))
    }
}

extension ScreenLimits {
    /// Throws an error when a screen has grown beyond a limit.
    ///
    /// A screen that exceeds a limit already, because the limits or the catalog have changed, can
    /// still be written to as long as it does not grow.
    fileprivate func check(
        _ model: PaginatedViewModel, growingFrom before: ScreenSize?
    ) throws(Problem) {
        let counts = before?.counts
        if model.pageCount > max(maxPages, before?.pageCount ?? 0) {
            throw Problem(ViewModelError.tooManyPages(limit: maxPages))
        }
        if model.sectionCount > max(maxSections, counts?.sections ?? 0) {
            throw Problem(ViewModelError.tooManySections(limit: maxSections))
        }
        if model.itemCount > max(maxItems, counts?.items ?? 0) {
            throw Problem(ViewModelError.tooManyItems(limit: maxItems))
        }
    }
}

extension Preconditions {
    /// Checks the conditions of a write.
    ///
    /// - Parameters:
    ///   - base: The state of the screen that the write begins with.
    ///   - page: The tag of the page that is written, or `nil` if it does not exist, or if the
    ///     write concerns the whole screen.
    ///   - targetExists: A Boolean value that indicates whether the target of the write exists.
    /// - Throws: `PRECONDITION_FAILED` if a condition does not hold.
    func checkWrite(
        of base: WriteBase, page: EntityTag? = nil, targetExists: Bool
    ) throws(Problem) {
        try checkWrite(
            at: base.head?.revision, by: base.catalog, page: page, targetExists: targetExists)
    }
}
