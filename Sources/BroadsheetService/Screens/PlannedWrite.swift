import Broadsheet
import BroadsheetStores

/// A write that has been decided on but not committed: what the store is to do, and what the screen
/// will then be.
struct PlannedWrite: Sendable {
    /// What the store is to do.
    let change: ScreenChange
    /// The pages as they will be.
    let model: PaginatedViewModel

    /// Plans to put `page` into `current`, or into a new screen.
    ///
    /// Throws `INVALID_CONTRACT` when the screen would cross a limit by it.
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

    /// Plans to remove a page.
    init(removing page: Int, from current: ScreenSnapshot) {
        var model = current.model
        model.removePage(page)
        change = .removePage(page)
        self.model = model
    }

    /// Plans to remove all pages and keep the screen.
    static let removingAllPages = PlannedWrite(emptyingBy: .removeAllPages)

    /// Plans to remove the screen.
    static let removingScreen = PlannedWrite(emptyingBy: .removeScreen)

    private init(emptyingBy change: ScreenChange) {
        self.change = change
        model = PaginatedViewModel(limits: .unlimited)
    }

    /// What the screen is once the store has made it `revision`.
    ///
    /// - Parameter restarts: The store's restarts by when `current` was asked for.
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

    /// By how many bytes a page takes more than it took in `current`.
    private func growth(of page: Int, since current: ScreenSnapshot?) -> Int {
        (model.storedPage(page)?.byteCountInMemory ?? 0)
            - (current?.model.storedPage(page)?.byteCountInMemory ?? 0)
    }
}

extension ScreenLimits {
    /// Throws when a screen has grown beyond a limit.
    ///
    /// One that is beyond it already, since the limits or the catalog have changed, may still be
    /// written to as long as it does not grow.
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
