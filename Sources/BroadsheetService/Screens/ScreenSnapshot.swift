import Broadsheet
import BroadsheetHTTP
import BroadsheetStores

/// A stored screen at one revision, with its pages resolved by one catalog.
///
/// It is immutable, so any number of requests can read it without waiting.
struct ScreenSnapshot: Sendable {
    /// The name of the screen.
    let name: ScreenName
    /// The revision of the screen.
    let revision: UInt64
    /// The resolved pages; a store in memory shares their bytes.
    let model: PaginatedViewModel
    /// The revision that wrote each page.
    let pageRevisions: PageRevisions
    /// The estimated size in memory, in bytes.
    let byteCount: Int
    /// The catalog that the pages are resolved by.
    let catalog: ActiveCatalog
    /// The number of the store's restarts before the screen was read (``SnapshotCache/restarts``).
    ///
    /// After a restart, the same revision may have other contents.
    let restarts: UInt64

    /// The estimated size of a screen without its pages, in bytes.
    static let ownByteCount = 4096

    /// Returns whether this is the screen at `revision`, resolved by `catalog`.
    func isCurrent(at revision: UInt64, by catalog: ActiveCatalog) -> Bool {
        self.revision == revision && self.catalog.generation == catalog.generation
    }

    /// Returns whether this snapshot is newer than `other`.
    func supersedes(_ other: ScreenSnapshot) -> Bool {
        (catalog.generation, revision) > (other.catalog.generation, other.revision)
    }

    /// Returns the entity tag of a page's bytes, or `nil` if the page is not stored.
    func pageTag(_ page: Int, seal: TokenSeal) -> EntityTag? {
        pageRevisions[page].map {
            EntityTags.page(page, of: name, writtenAt: $0, seal: seal)
        }
    }
}

extension ScreenSnapshot {
    /// Resolves a stored screen.
    ///
    /// Pages that `known` has resolved by the same catalog from the same bytes are reused, so that
    /// only changed pages are resolved after another daemon's write.
    ///
    /// - Throws: `corrupt` when a stored page is not valid JSON, which it was when it was accepted.
    /// - Complexity: O(bytes of the pages that are not reused).
    init(
        _ stored: StoredScreen, of name: ScreenName, by catalog: ActiveCatalog,
        reusing known: ScreenSnapshot?, restarts: UInt64
    ) throws(StoreError) {
        let known = known?.catalog.generation == catalog.generation ? known : nil
        var model = PaginatedViewModel(limits: .unlimited)
        var revisions = PageRevisions()
        var byteCount = Self.ownByteCount
        // The page that was written last is loaded last, because the model records the order.
        let latest = stored.pages.filter { $0.number == stored.latestPage }
        for page in stored.pages.filter({ $0.number != stored.latestPage }) + latest {
            var resolved = known?.page(page.number, writtenAt: page.revision)
            if resolved == nil { resolved = try Self.resolve(page, by: catalog) }
            // Cannot fail: the model has no limits.
            if let resolved {
                try? model.load(resolved)
                byteCount += resolved.byteCountInMemory
            }
            revisions[page.number] = page.revision
        }
        self.init(
            name: name, revision: stored.revision, model: model, pageRevisions: revisions,
            byteCount: byteCount, catalog: catalog, restarts: restarts)
    }

    /// Resolves a page that was accepted before.
    ///
    /// Its limits were checked then, so it is read without limits.
    ///
    /// - Throws: `corrupt` when the page is not valid JSON.
    private static func resolve(
        _ page: StoredPage, by catalog: ActiveCatalog
    ) throws(StoreError) -> ResolvedPage {
        guard let document = try? JSONDocument(page.bytes, maxDepth: .max) else {
            throw .corrupt("page \(page.number) is not valid JSON")
        }
        return ResolvedPage(accepted: document, number: page.number, by: catalog.registry)
    }

    private func page(_ number: Int, writtenAt revision: UInt64) -> ResolvedPage? {
        pageRevisions[number] == revision ? model.storedPage(number) : nil
    }
}

extension ResolvedPage {
    /// Resolves a page that was accepted before, without limits.
    ///
    /// With a catalog that renames the members of a page it may have become unreadable; then it has
    /// no sections and a diagnostic.
    convenience init(accepted document: JSONDocument, number: Int, by registry: CellRegistry) {
        let names = registry.names
        do throws(ContractError) {
            let posted = try ServerStatePage(document, names: names, limits: .unlimited)
            try self.init(page: posted, number: number, registry: registry, limits: .unlimited)
        } catch {
            self.init(unreadable: document, number: number, names: names, error: error)
        }
    }

    /// The estimated size of the page in memory, in bytes: its text, its items and its sections.
    var byteCountInMemory: Int { bytes.count + 64 * itemCount + 256 * sections.count + 1024 }
}

extension ScreenLimits {
    /// No limits, for stored pages: they were accepted before, and the limits may have changed.
    static let unlimited = ScreenLimits(
        maxDepth: .max, maxSections: .max, maxItems: .max, maxPages: .max)
}

/// The revision that wrote each of a screen's pages.
///
/// Copies share their unchanged buckets: with 10,000 pages, a change copies about two hundred
/// entries.
struct PageRevisions: Sendable, Hashable {
    private struct Entry: Sendable, Hashable {
        let page: Int
        var revision: UInt64
    }

    /// The number of buckets; consecutive page numbers are spread evenly by their lowest bits.
    private static let bucketCount = 128
    private var buckets: [[Entry]] = Array(repeating: [], count: bucketCount)

    /// Accesses the revision that wrote `page`, or `nil` for a page that is not stored.
    ///
    /// - Complexity: O(pages / 128) for pages with consecutive numbers.
    subscript(page: Int) -> UInt64? {
        get { buckets[Self.bucket(of: page)].first { $0.page == page }?.revision }
        set {
            let bucket = Self.bucket(of: page)
            let index = buckets[bucket].firstIndex { $0.page == page }
            switch (index, newValue) {
            case (let index?, let revision?): buckets[bucket][index].revision = revision
            case (let index?, nil): buckets[bucket].remove(at: index)
            case (nil, let revision?):
                buckets[bucket].append(Entry(page: page, revision: revision))
            case (nil, nil): break
            }
        }
    }

    private static func bucket(of page: Int) -> Int { page & (bucketCount - 1) }
}
