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
    func snapshot(
        of name: ScreenName, at revision: UInt64, after current: ScreenSnapshot?,
        by catalog: ActiveCatalog
    ) -> ScreenSnapshot {
        var revisions = current?.pageRevisions ?? PageRevisions()
        switch change {
        case .put(let page, _): revisions[page] = revision
        case .removePage(let page): revisions[page] = nil
        case .removeAllPages, .removeScreen: revisions = PageRevisions()
        }
        return ScreenSnapshot(
            name: name, revision: revision, model: model, pageRevisions: revisions,
            catalog: catalog)
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
