import Broadsheet
import BroadsheetHTTP
import BroadsheetStores

/// A layout of a stored screen.
struct StoredLayout: Sendable {
    /// The screen at its current revision.
    let snapshot: ScreenSnapshot
    /// The highest page in the layout; `nil` if the screen has no pages.
    let page: Int?
    /// The parameters of the layout.
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
    ///
    /// Layouts of a named revision are not cached.
    var pinnedRevision: UInt64?

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

    /// Creates a layout of the pages of an extent, which has the bound of that.
    ///
    /// - Throws: `PAGE_NOT_LOADED` while no page is stored above that of a token.
    init(
        of extent: PageExtent, in snapshot: ScreenSnapshot, _ parameters: LayoutParameters
    ) throws(Problem) {
        let page = try extent.highestPage(in: snapshot.model)
        self.init(
            snapshot: snapshot, page: page, isOpen: extent.isOpen(above: page),
            parameters: parameters)
    }

    /// Returns the entity tag of the layout in a form.
    ///
    /// - Parameter isShared: A Boolean value that indicates whether the token is the one that
    ///   cached trees have, without a client.
    func tag(as form: LayoutForm, seal: TokenSeal, isShared: Bool = false) -> EntityTag {
        EntityTags.layout(tagged, as: form, seal: seal, isShared: isShared)
    }

    /// The facts that entity tags depend on.
    var tagged: TaggedLayout {
        TaggedLayout(
            screen: snapshot.name, catalog: snapshot.catalog, page: page, revision: revision,
            parameters: parameters, outcome: outcome, hasOwnToken: hasOwnToken,
            tokenRevision: hasNext ? pinnedRevision : nil)
    }

    /// The registry that resolved the pages.
    var registry: CellRegistry { snapshot.catalog.registry }

    /// A Boolean value that indicates whether there are more pages after those of the layout.
    var hasNext: Bool {
        guard let page else { return false }
        return snapshot.head.highestPage.map { $0 > page } ?? false
            || snapshot.model.storedPage(page)?.hasNext ?? false
    }

    /// Returns the outcome of the conditions in the pages up to another page.
    func outcome(upTo page: Int?) -> Outcome {
        snapshot.model.outcome(upTo: page, for: parameters)
    }

    /// Returns the key of an entry of the layout cache.
    ///
    /// - Parameters:
    ///   - content: The content of the entry.
    ///   - lint: A Boolean value that indicates whether the content includes lint.
    func key(for content: LayoutKey.Content, lint: Bool) -> LayoutKey {
        var parameters = parameters.withoutClient
        parameters.lint = lint
        if !content.hasTreeMembers { parameters.options = TreeOptions() }
        let revision = content.hasTreeMembers ? revision : contentRevision
        return LayoutKey(
            screen: snapshot.name, catalog: snapshot.catalog.position,
            version: snapshot.layoutVersion(at: revision),
            page: page, isOpen: revision != contentRevision, outcome: outcome,
            parameters: parameters, content: content)
    }

    /// Returns the key of the bytes in a form; `nil` for a part of the tree, which is not cached,
    /// and for the compressed form of a tree with a token of its own (``OwnParts``).
    func key(for form: LayoutForm, isCompressed: Bool) -> LayoutKey? {
        let content: LayoutKey.Content
        guard pinnedRevision == nil else { return nil }
        switch form {
        case .part: return nil
        case .tree where isCompressed && hasOwnToken: return nil
        case .tree: content = .tree
        case .picture: content = .picture
        }
        var key = key(for: content, lint: content == .tree && parameters.lint)
        key.isCompressed = isCompressed
        return key
    }

    /// The number of the page before the highest one of the layout, or `nil`.
    ///
    /// - Complexity: O(log pages).
    var lowerPage: Int? { page.flatMap { snapshot.model.highestPage(upTo: $0 - 1) } }

    /// Merges the screen's pages and lays them out, once.
    ///
    /// - Throws: The error of a lost connection.
    /// - Complexity: O(sections + items).
    func makeLayout(lint: Bool) throws(Problem) -> ReservedLayout {
        let (merged, parameters) = try merged(lint: lint, reusing: nil)
        return ReservedLayout(merged, parameters)
    }

    /// Merges the screen's pages and lays them out, so that later layouts can be made from it.
    ///
    /// - Parameter earlier: A layout of fewer pages or of an earlier version, if there is one.
    /// - Throws: The error of a lost connection.
    /// - Complexity: O(sections + items) without those that the earlier layout has.
    func makeLayout(lint: Bool, reusing earlier: ReservedLayout?) throws(Problem) -> ReservedLayout
    {
        let (merged, parameters) = try merged(lint: lint, reusing: earlier?.merged)
        let screen = ReservedLayout(merged, parameters, reusing: earlier)
        try Work.checkConnection()
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

    /// Returns the members of the tree that concern the screen and the page token.
    ///
    /// - Parameter isShared: A Boolean value that indicates whether the token is the one that
    ///   cached trees have, without a client.
    func envelope(
        of merged: MergedScreen, seal: TokenSeal, isShared: Bool
    ) -> TreeEnvelope {
        TreeEnvelope(
            screen: snapshot.name.text, revision: revision,
            nextPageToken: merged.hasNext
                ? token(after: merged.page, isShared: isShared, seal) : nil,
            hasNext: merged.hasNext)
    }

    /// Returns the token of the pages after one of the layout.
    func token(after page: Int, isShared: Bool, _ seal: TokenSeal) -> String {
        PageToken(
            after: page, isShared ? parameters.withoutClient : parameters,
            catalog: snapshot.catalog.name, revision: pinnedRevision
        ).sealed(by: seal, for: snapshot.name.text)
    }

    /// The title of a picture of the layout.
    var title: String {
        "\(snapshot.name.text), \(page.map { "up to page \($0)" } ?? "no pages")"
    }
}
