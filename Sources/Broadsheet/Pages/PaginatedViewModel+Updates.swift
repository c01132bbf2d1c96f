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
        try update(registry: registry, limits: limits, reserving: { _ in true }, body)
    }

    /// Edits the pages of the screen, after memory is reserved for each stage.
    ///
    /// - Parameter reserve: Reserves the memory of a stage.
    /// - Throws: As ``update(registry:limits:_:)``; ``EditError/outOfMemory`` as soon as `reserve`
    ///   returns `false`.
    package mutating func update(
        registry: CellRegistry, limits: EditLimits, reserving reserve: @escaping EditReservation,
        _ body: (inout ScreenUpdater) throws(EditError) -> Void
    ) throws(EditError) -> [Int] {
        prepareDirectory()
        var updater = ScreenUpdater(
            self, registry: registry, limits: limits, reserving: reserve)
        try body(&updater)
        if let error = updater.error { throw error }
        let pages = try updater.changedPages()
        var changed = self
        for page in pages {
            let document = try Self.document(of: page.bytes, number: page.number, limits)
            guard reserve(.resolving(document)) else { throw .outOfMemory }
            try changed.replace(page.number, with: document, registry, limits.page)
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
        _ number: Int, with document: JSONDocument, _ registry: CellRegistry,
        _ limits: ScreenLimits
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
