import Broadsheet
import BroadsheetStores

/// A write that is not committed yet: the change of the store, and the screen's pages after it.
struct PlannedWrite: Sendable {
    /// The change of the store.
    let change: ScreenChange
    /// The pages after the write.
    let model: PaginatedViewModel

    /// Plans the write of `page` to `current`, or to a new screen.
    ///
    /// - Throws: `INVALID_CONTRACT` when the write would exceed a limit of the screen.
    init(
        putting page: ResolvedPage, into current: ScreenSnapshot?, limits: ScreenLimits
    ) throws(Problem) {
        var model = current?.model ?? PaginatedViewModel(limits: .unlimited)
        do {
            try model.load(page)
            try limits.check(model, growingFrom: current?.model)
        } catch {
            throw Problem(error)
        }
        change = .put(page: page.number, bytes: page.bytes)
        self.model = model
    }

    /// Plans the removal of a page.
    init(removing page: Int, from current: ScreenSnapshot) {
        var model = current.model
        model.removePage(page)
        change = .removePage(page)
        self.model = model
    }

    /// The removal of all pages; the screen remains.
    static let removingAllPages = PlannedWrite(emptyingBy: .removeAllPages)

    /// The removal of the screen.
    static let removingScreen = PlannedWrite(emptyingBy: .removeScreen)

    private init(emptyingBy change: ScreenChange) {
        self.change = change
        model = PaginatedViewModel(limits: .unlimited)
    }

    /// Returns the screen after the store has committed the write as `revision`.
    ///
    /// - Parameter restarts: The number of the store's restarts before `current` was read.
    func snapshot(
        of name: ScreenName, at revision: UInt64, after current: ScreenSnapshot?,
        by catalog: ActiveCatalog, restarts: UInt64
    ) -> ScreenSnapshot {
        var revisions = current?.pageRevisions ?? PageRevisions()
        var byteCount = current?.byteCount ?? ScreenSnapshot.ownByteCount
        switch change {
        case .put(let page, _):
            revisions[page] = revision
            byteCount += growth(of: page, since: current)
        case .removePage(let page):
            revisions[page] = nil
            byteCount += growth(of: page, since: current)
        case .removeAllPages, .removeScreen:
            revisions = PageRevisions()
            byteCount = ScreenSnapshot.ownByteCount
        }
        return ScreenSnapshot(
            name: name, revision: revision, model: model, pageRevisions: revisions,
            byteCount: byteCount, catalog: catalog, restarts: restarts)
    }

    /// Returns the difference between a page's size and its size in `current`, in bytes.
    private func growth(of page: Int, since current: ScreenSnapshot?) -> Int {
        (model.storedPage(page)?.byteCountInMemory ?? 0)
            - (current?.model.storedPage(page)?.byteCountInMemory ?? 0)
    }
}

extension ScreenLimits {
    /// Throws an error when a screen has grown beyond a limit.
    ///
    /// A screen that exceeds a limit already, because the limits or the catalog have changed, can
    /// still be written to as long as it does not grow.
    fileprivate func check(
        _ model: PaginatedViewModel, growingFrom before: PaginatedViewModel?
    ) throws(ViewModelError) {
        if model.pageCount > max(maxPages, before?.pageCount ?? 0) {
            throw .tooManyPages(limit: maxPages)
        }
        if model.sectionCount > max(maxSections, before?.sectionCount ?? 0) {
            throw .tooManySections(limit: maxSections)
        }
        if model.itemCount > max(maxItems, before?.itemCount ?? 0) {
            throw .tooManyItems(limit: maxItems)
        }
    }
}
