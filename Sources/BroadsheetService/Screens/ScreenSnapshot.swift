import Broadsheet
import BroadsheetHTTP
import BroadsheetStores

/// A stored screen at one revision, its pages resolved by one catalog: immutable, so that any number
/// of requests read it without waiting.
struct ScreenSnapshot: Sendable {
    /// The screen's name.
    let name: ScreenName
    /// The revision that this is.
    let revision: UInt64
    /// The pages, resolved.
    ///
    /// Their bytes are shared with the store where that is in memory.
    let model: PaginatedViewModel
    /// The revision that wrote each page.
    let pageRevisions: PageRevisions
    /// About how much memory it takes, in bytes.
    let byteCount: Int
    /// What the pages were resolved by.
    let catalog: ActiveCatalog
    /// How often the store had told of a restart when it was read (``SnapshotCache/restarts``):
    /// what has the same revision and another count may hold something else.
    let restarts: UInt64

    /// About how much a screen takes besides its pages, in bytes.
    static let ownByteCount = 4096

    /// Whether this is what the screen at `revision` is by `catalog`.
    func isCurrent(at revision: UInt64, by catalog: ActiveCatalog) -> Bool {
        self.revision == revision && self.catalog.generation == catalog.generation
    }

    /// Whether this may take the place of `other` as what is known best of the screen.
    func supersedes(_ other: ScreenSnapshot) -> Bool {
        (catalog.generation, revision) > (other.catalog.generation, other.revision)
    }

    /// The entity tag of a page's bytes; nil when the page is not stored.
    func pageTag(_ page: Int, seal: TokenSeal) -> EntityTag? {
        pageRevisions[page].map {
            EntityTags.page(page, of: name, writtenAt: $0, seal: seal)
        }
    }
}

extension ScreenSnapshot {
    /// Resolves a screen as the store has it.
    ///
    /// Pages that `known` has resolved by the same catalog from the same bytes are taken over, so
    /// that catching up with another daemon costs what changed. O(bytes of the others). Throws
    /// `corrupt` when what is stored is no JSON: it was when it was accepted.
    init(
        _ stored: StoredScreen, of name: ScreenName, by catalog: ActiveCatalog,
        reusing known: ScreenSnapshot?, restarts: UInt64
    ) throws(StoreError) {
        let known = known?.catalog.generation == catalog.generation ? known : nil
        var model = PaginatedViewModel(limits: .unlimited)
        var revisions = PageRevisions()
        var byteCount = Self.ownByteCount
        // The page that was written last is loaded last, since the model remembers which that was.
        let latest = stored.pages.filter { $0.number == stored.latestPage }
        for page in stored.pages.filter({ $0.number != stored.latestPage }) + latest {
            var resolved = known?.page(page.number, writtenAt: page.revision)
            if resolved == nil { resolved = try Self.resolve(page, by: catalog) }
            // A model without limits refuses nothing.
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

    /// Resolves a page that was accepted once.
    ///
    /// What it may hold was checked then, so it is read without limits. By a catalog that renames
    /// the members of a page it may have become unreadable; then it holds nothing, and says so.
    private static func resolve(
        _ page: StoredPage, by catalog: ActiveCatalog
    ) throws(StoreError) -> ResolvedPage {
        guard let document = try? JSONDocument(page.bytes, maxDepth: .max) else {
            throw .corrupt("page \(page.number) is no JSON")
        }
        let names = catalog.registry.names
        do throws(ContractError) {
            let posted = try ServerStatePage(document, names: names, limits: .unlimited)
            return try ResolvedPage(
                page: posted, number: page.number, registry: catalog.registry, limits: .unlimited)
        } catch {
            return ResolvedPage(
                unreadable: document, number: page.number, names: names, error: error)
        }
    }

    private func page(_ number: Int, writtenAt revision: UInt64) -> ResolvedPage? {
        pageRevisions[number] == revision ? model.storedPage(number) : nil
    }
}

extension ResolvedPage {
    /// About how much memory the page takes, in bytes: its text, and for each item and section what
    /// is known of it.
    var byteCountInMemory: Int { bytes.count + 64 * itemCount + 256 * sections.count + 1024 }
}

extension ScreenLimits {
    /// Limits that stored pages are read by: they were accepted once, whatever the limits are now.
    static let unlimited = ScreenLimits(
        maxDepth: .max, maxSections: .max, maxItems: .max, maxPages: .max)
}
