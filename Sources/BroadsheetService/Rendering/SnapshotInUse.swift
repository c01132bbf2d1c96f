import Broadsheet

/// A snapshot without its pages, which others keep.
struct SnapshotInUse: WeakReference {
    private struct Page: Sendable {
        weak let page: ResolvedPage?
    }

    /// The snapshot, with a model without pages.
    private let empty: ScreenSnapshot
    /// The pages, of which the one that was loaded last is the last.
    private let pages: [Page]

    init(_ snapshot: ScreenSnapshot) {
        let latest = snapshot.model.storedPage(snapshot.model.page)
        let others = snapshot.model.pages.filter { $0 !== latest }
        pages = (others + (latest.map { [$0] } ?? [])).map(Page.init)
        var empty = snapshot
        empty.model = PaginatedViewModel(limits: .unlimited)
        self.empty = empty
    }

    var isInUse: Bool { !pages.isEmpty && pages.allSatisfy { $0.page != nil } }

    func isSuperseded(by snapshot: ScreenSnapshot) -> Bool {
        (snapshot.catalog.generation, snapshot.revision, snapshot.model.pageCount)
            > (empty.catalog.generation, empty.revision, pages.count)
    }

    /// `nil` if a page has been released.
    var snapshot: ScreenSnapshot? {
        var snapshot = empty
        for page in pages {
            guard let page = page.page else { return nil }
            // Cannot fail: the model has no limits.
            try? snapshot.model.load(page)
        }
        return snapshot
    }
}
