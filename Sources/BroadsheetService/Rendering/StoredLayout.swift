import Broadsheet
import BroadsheetHTTP
import BroadsheetIO
import BroadsheetStores

/// A layout of a stored screen.
struct StoredLayout: Sendable {
    /// The screen at its current revision.
    let snapshot: ScreenSnapshot
    /// The highest page in the layout; `nil` if the screen has no pages.
    let page: Int?
    let parameters: LayoutParameters
    /// The revision of the tree of the layout (docs/api.md, "Revisions").
    ///
    /// With the same bound, parameters and catalog it has one tree. Trees with other bounds and the
    /// same highest page have the same content if they have the same revision.
    let revision: UInt64
    /// The last revision that changed the tree besides its revision: that of the tree whose bound
    /// is its own highest page.
    let contentRevision: UInt64
    /// The outcome of the conditions in the pages, on which the layout depends besides the
    /// parameters other than the client and the flags.
    let outcome: Outcome
    /// The revision of the screen that the request has named, which the tokens of the tree name,
    /// too; `nil` for a layout of the current revision.
    var pinnedRevision: UInt64?
    /// A Boolean value that indicates whether the layout is cached and shared: unless the request
    /// has named its revision.
    var isCacheable: Bool { pinnedRevision == nil }

    /// Creates a layout of the pages up to `page`.
    ///
    /// - Parameter isOpen: A Boolean value that indicates whether the bound of the tree lies above
    ///   `page` (``PageExtent/isOpen(above:)``), and is not that page.
    init(
        snapshot: ScreenSnapshot, page: Int?, isOpen: Bool = false, parameters: LayoutParameters
    ) {
        self.snapshot = snapshot
        self.page = page
        self.parameters = parameters
        contentRevision = snapshot.treeRevision(upTo: page)
        revision =
            isOpen ? snapshot.treeRevision(upTo: page, isOpen: true) : contentRevision
        outcome = snapshot.model.outcome(upTo: page, for: parameters)
    }

    /// Throws `PAGE_NOT_LOADED` while no page is stored above that of a token.
    init(
        of extent: PageExtent, in snapshot: ScreenSnapshot, _ parameters: LayoutParameters
    ) throws(Problem) {
        let page = try extent.highestPage(in: snapshot.model)
        self.init(
            snapshot: snapshot, page: page, isOpen: extent.isOpen(above: page),
            parameters: parameters)
    }

    /// Returns whether the layout in a form has lint: neither parts nor pictures have diagnostics.
    func hasLint(as form: LayoutForm) -> Bool { form == .tree && parameters.lint }

    /// The cost of laying out the pages and of writing the tree.
    ///
    /// - Complexity: O(1), as ``WorkCost/layout(of:upTo:)``.
    var workCost: Int {
        snapshot.mayBeExpensive ? WorkCost.layout(of: snapshot.model, upTo: page) : 0
    }

    var registry: CellRegistry { snapshot.catalog.registry }

    var hasNext: Bool {
        guard let page else { return false }
        return snapshot.head.highestPage.map { $0 > page } ?? false
            || snapshot.model.storedPage(page)?.hasNext ?? false
    }

    func outcome(upTo page: Int?) -> Outcome {
        snapshot.model.outcome(upTo: page, for: parameters)
    }

    func key(for content: LayoutKey.Content, lint: Bool) -> LayoutKey {
        var parameters = parameters.withoutClient
        parameters.lint = lint
        if !content.hasTreeMembers { parameters.options = TreeOptions() }
        let revision = content.hasTreeMembers ? revision : contentRevision
        return LayoutKey(
            screen: snapshot.name,
            tree: LayoutKey.Tree(
                catalog: snapshot.catalog.position, page: page, isOpen: revision != contentRevision),
            version: snapshot.layoutVersion(at: revision), outcome: outcome,
            parameters: parameters, content: content)
    }

    /// Returns the key of the bytes in a form; `nil` for a part of the tree, which is not cached,
    /// and for the compressed form of a tree with a token of its own (``TokenReplacements``).
    func key(for form: LayoutForm, isCompressed: Bool) -> LayoutKey? {
        let content: LayoutKey.Content
        guard isCacheable else { return nil }
        switch form {
        case .part: return nil
        case .tree where isCompressed && hasOwnToken: return nil
        case .tree: content = .tree
        case .picture: content = .picture
        }
        var key = key(for: content, lint: hasLint(as: form))
        key.isCompressed = isCompressed
        return key
    }

    /// The page before the highest one of the layout; found in O(log pages).
    var lowerPage: Int? { page.flatMap { snapshot.model.highestPage(upTo: $0 - 1) } }

    /// Merges the screen's pages and lays them out, once.
    ///
    /// - Parameter memory: The reservation that the layout takes its memory from.
    /// - Throws: The error of a lost connection.
    /// - Complexity: O(sections + items).
    func makeLayout(
        lint: Bool, _ memory: MemoryReservation
    ) throws(Problem) -> ReservedLayout {
        let (merged, parameters) = try merged(lint: lint, reusing: nil)
        let screen = ReservedLayout(merged, parameters)
        screen.takeMemory(from: memory)
        return screen
    }

    /// Merges the screen's pages and lays them out, so that later layouts can be made from it.
    ///
    /// - Parameters:
    ///   - memory: The reservation that the layout takes its memory from.
    ///   - earlier: A layout of fewer pages or of an earlier version, if there is one.
    /// - Throws: The error of a lost connection.
    /// - Complexity: O(sections + items) without those that the earlier layout has.
    func makeLayout(
        lint: Bool, _ memory: MemoryReservation, reusing earlier: ReservedLayout?
    ) throws(Problem) -> ReservedLayout {
        let (merged, parameters) = try merged(lint: lint, reusing: earlier?.merged)
        let screen = ReservedLayout(merged, parameters, reusing: earlier)
        try Work.checkConnection()
        screen.takeMemory(from: memory)
        return screen
    }

    private func merged(
        lint: Bool, reusing earlier: MergedScreen?
    ) throws(Problem) -> (MergedScreen, LayoutParameters) {
        var parameters = parameters
        parameters.lint = lint
        let merged = snapshot.model.merged(
            upTo: page, below: snapshot.head.highestPage, for: parameters,
            registry: snapshot.catalog.registry, reusing: earlier)
        try Work.checkConnection()
        return (merged, parameters)
    }

    /// If `isShared`, the token is the one that cached trees have, without a client.
    func envelope(
        of merged: MergedScreen, seal: TokenSeal, isShared: Bool
    ) -> TreeEnvelope {
        TreeEnvelope(
            screen: snapshot.name.text, revision: revision,
            nextPageToken: merged.hasNext
                ? token(after: merged.page, isShared: isShared, seal) : nil,
            hasNext: merged.hasNext)
    }

    func token(after page: Int, isShared: Bool, _ seal: TokenSeal) -> String {
        PageToken(
            after: page, isShared ? parameters.withoutClient : parameters,
            catalog: snapshot.catalog.name, revision: pinnedRevision
        ).sealed(by: seal, for: snapshot.name.text)
    }

    var title: String {
        "\(snapshot.name.text), \(page.map { "up to page \($0)" } ?? "no pages")"
    }
}
