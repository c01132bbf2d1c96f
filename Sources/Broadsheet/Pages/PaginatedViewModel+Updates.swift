extension PaginatedViewModel {
    /// Edits the pages of the screen by the identities of their sections and items.
    ///
    ///     try model.update(registry: catalog.registry) { updater throws(EditError) in
    ///         try updater.patchItem(section: "ProductList", item: "P1", patch: price)
    ///         try updater.toggleSection(section: "Tips")
    ///     }
    ///
    /// - Parameters:
    ///   - registry: The registered types, by which the pages were resolved.
    ///   - limits: The limits of each edited page.
    ///   - body: Applies operations, each to what those before it left.
    /// - Returns: The numbers of the pages whose bytes changed, ascending.
    /// - Throws: The first operation that cannot be done, or the reason why what comes out is not a
    ///   page; the screen is unchanged.
    /// - Complexity: O(bytes of the edited pages), and for each operation O(items of its sections)
    ///   for ids and O(pages) for indexes.
    @discardableResult
    public mutating func update(
        registry: CellRegistry, limits: EditLimits = EditLimits(),
        _ body: (inout ScreenUpdater) throws(EditError) -> Void
    ) throws(EditError) -> [Int] {
        prepareDirectory()
        var updater = ScreenUpdater(self, registry: registry, limits: limits)
        try body(&updater)
        if let error = updater.error { throw error }
        let pages = updater.changedPages
        var changed = self
        for page in pages { try changed.replace(page.number, with: page.bytes, registry, limits) }
        self = changed
        return pages.map(\.number)
    }

    private mutating func replace(
        _ number: Int, with bytes: [UInt8], _ registry: CellRegistry, _ limits: EditLimits
    ) throws(EditError) {
        let page: ResolvedPage
        do {
            let document = try JSONDocument(bytes, maxDepth: limits.maxDepth)
            let pageLimits = limits.page
            let posted = try ServerStatePage(
                document, names: registry.names, limits: pageLimits)
            page = try ResolvedPage(
                page: posted, number: number, registry: registry, limits: pageLimits)
        } catch let error as ContractError {
            throw .invalidContract(error)
        } catch {
            throw .tooLarge(
                pointer: "", detail: "Page \(number) would not be valid JSON within the limits.")
        }
        do throws(ViewModelError) {
            try load(page)
        } catch {
            throw .tooMuch(error)
        }
    }
}
