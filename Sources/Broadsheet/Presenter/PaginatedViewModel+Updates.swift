public import BroadsheetClient

extension PaginatedViewModel {
    /// Edits the pages of the screen by the identities of their sections and items, and returns
    /// the changes for a client that has the tree of all pages.
    ///
    ///     let changes = try model.update(registry: registry) { updater throws(EditError) in
    ///         try updater.patchItem(section: "ProductList", item: "P1", patch: price)
    ///         try updater.toggleSection(section: "Tips")
    ///     }
    ///
    /// - Parameters:
    ///   - registry: The registered types, by which the pages were resolved.
    ///   - limits: The limits of each edited page.
    ///   - parameters: The parameters by which both trees are laid out. The names and indexes of
    ///     operations are those of these trees.
    ///   - body: Applies operations, each to what those before it left.
    /// - Returns: The changes from the tree of all pages before the update to that after it,
    ///   without revisions. If every byte stays as it was, there are none.
    /// - Throws: The first operation that cannot be done, or the reason why what comes out is not a
    ///   page; the screen is unchanged.
    /// - Complexity: That of ``updatePages(registry:limits:parameters:_:)``, and
    ///   O(sections + items) for the layouts and their comparison.
    @discardableResult
    public mutating func update(
        registry: CellRegistry, limits: EditLimits = EditLimits(),
        parameters: LayoutParameters = LayoutParameters(),
        _ body: (inout ScreenUpdater) throws(EditError) -> Void
    ) throws(EditError) -> Changes {
        let before = self
        let pages = try updatePages(
            registry: registry, limits: limits, parameters: parameters, body)
        let composer = Composer(registry: registry)
        let old = composer.writer(of: before, parameters)
        guard !pages.isEmpty else { return Changes(from: old, to: old, isSame: true) }
        return Changes(from: old, to: composer.writer(of: self, parameters))
    }

    /// Edits the pages of the screen like ``update(registry:limits:parameters:_:)``, without laying
    /// them out.
    ///
    /// - Returns: The numbers of the pages whose bytes changed, ascending.
    /// - Complexity: O(bytes of the edited pages), and for each operation O(items of its sections)
    ///   for ids and O(pages) for indexes.
    @discardableResult
    public mutating func updatePages(
        registry: CellRegistry, limits: EditLimits = EditLimits(),
        parameters: LayoutParameters = LayoutParameters(),
        _ body: (inout ScreenUpdater) throws(EditError) -> Void
    ) throws(EditError) -> [Int] {
        try update(
            parameters, registry: registry, limits: limits, reserving: { _ in true }, body)
    }

    /// Edits the pages of the screen, after memory is reserved for each stage.
    ///
    /// - Parameters:
    ///   - parameters: The parameters of the layout whose tree is edited.
    ///   - registry: The registered types.
    ///   - limits: The limits of each edited page.
    ///   - reserve: Reserves the memory of a stage.
    ///   - body: Applies operations.
    /// - Throws: As ``updatePages(registry:limits:parameters:_:)``; ``EditError/outOfMemory`` as
    ///   soon as `reserve` returns `false`.
    package mutating func update(
        _ parameters: LayoutParameters, registry: CellRegistry, limits: EditLimits,
        reserving reserve: @escaping EditReservation,
        _ body: (inout ScreenUpdater) throws(EditError) -> Void
    ) throws(EditError) -> [Int] {
        // The directory is that of the pages without a client, so that others would miss items.
        let editor = ScreenEditor(
            self, parameters, hasConditions ? nil : preparedDirectory(), registry, limits: limits,
            reserving: reserve)
        var updater = ScreenUpdater(editor)
        try body(&updater)
        if let error = updater.error { throw error }
        let pages = try updater.changedPages()
        var changed = self
        for page in pages {
            // The caller drops the outcome of an abandoned update.
            _ = LongWork.isAbandoned()
            let document = try Self.document(of: page.bytes, number: page.number, limits)
            guard reserve(.resolving(document)) else { throw .outOfMemory }
            try changed.replace(page.number, with: document, by: registry, limits: limits.page)
        }
        self = changed
        return pages.map(\.number)
    }

    private static func document(
        of bytes: [UInt8], number: Int, _ limits: EditLimits
    ) throws(EditError) -> JSONDocument {
        do throws(JSONError) {
            return try JSONDocument(bytes, maxDepth: limits.maxDepth)
        } catch {
            throw .tooLarge(
                pointer: "", detail: "Page \(number) would not be valid JSON within the limits.")
        }
    }

    private mutating func replace(
        _ number: Int, with document: JSONDocument, by registry: CellRegistry,
        limits: ScreenLimits
    ) throws(EditError) {
        let page: ResolvedPage
        do throws(ContractError) {
            let posted = try ServerStatePage(document, names: registry.names, limits: limits)
            page = try ResolvedPage(
                page: posted, number: number, registry: registry, limits: limits)
        } catch {
            throw .invalidContract(error)
        }
        do throws(ViewModelError) {
            try load(page)
        } catch {
            throw .tooMuch(error)
        }
    }
}
