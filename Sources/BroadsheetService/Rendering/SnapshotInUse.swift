import Broadsheet
import BroadsheetStores

/// A snapshot without its pages, which others keep.
struct SnapshotInUse: WeakReference {
    private struct Page: Sendable {
        weak let page: ResolvedPage?
    }

    private let name: ScreenName
    private let head: ScreenHead
    private let history: TreeHistory
    private let byteCount: Int
    private let catalog: ActiveCatalog
    private let restarts: UInt64
    /// The pages, of which the one that was loaded last is the last.
    private let pages: [Page]

    /// Creates a reference to the pages of a snapshot.
    init(_ snapshot: ScreenSnapshot) {
        name = snapshot.name
        head = snapshot.head
        history = snapshot.history
        byteCount = snapshot.byteCount
        catalog = snapshot.catalog
        restarts = snapshot.restarts
        let latest = snapshot.model.storedPage(snapshot.model.page)
        let others = snapshot.model.pages.filter { $0 !== latest }
        pages = (others + (latest.map { [$0] } ?? [])).map(Page.init)
    }

    var isInUse: Bool { !pages.isEmpty && pages.allSatisfy { $0.page != nil } }

    /// Returns whether `snapshot` is newer, or has more pages.
    func isSuperseded(by snapshot: ScreenSnapshot) -> Bool {
        (snapshot.catalog.generation, snapshot.revision, snapshot.model.pageCount)
            > (catalog.generation, head.revision, pages.count)
    }

    /// The snapshot, or `nil` if a page has been released.
    ///
    /// - Complexity: O(pages).
    var snapshot: ScreenSnapshot? {
        var model = PaginatedViewModel(limits: .unlimited)
        for page in pages {
            guard let page = page.page else { return nil }
            // Cannot fail: the model has no limits.
            try? model.load(page)
        }
        return ScreenSnapshot(
            name: name, head: head, model: model, history: history, byteCount: byteCount,
            catalog: catalog, restarts: restarts)
    }
}
