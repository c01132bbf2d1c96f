/// The steps from pages to their tree, in the order in which they are taken.
extension Composer {
    /// Checks and indexes a page's bytes.
    ///
    /// O(bytes).
    ///
    /// - Parameter index: Which of the pages it is, for errors to name.
    public func document(of bytes: [UInt8], at index: Int = 0) throws(ComposeError) -> JSONDocument
    {
        do throws(JSONError) {
            return try JSONDocument(bytes, maxDepth: limits.maxDepth)
        } catch {
            throw .invalidJSON(error, page: index)
        }
    }

    /// Reads a document by the contract.
    ///
    /// O(bytes).
    ///
    /// - Parameter index: Which of the pages it is, for errors to name.
    public func page(
        in document: JSONDocument, at index: Int = 0
    ) throws(ComposeError) -> ServerStatePage {
        do throws(ContractError) {
            return try ServerStatePage(document, names: registry.names, limits: limits)
        } catch {
            throw .invalidContract(error, page: index)
        }
    }

    /// Resolves pages into cells, and keeps them by their numbers.
    ///
    /// A page without a number takes the next above those before it. O(bytes).
    public func viewModel(
        of pages: [ServerStatePage]
    ) throws(ComposeError) -> PaginatedViewModel {
        var model = PaginatedViewModel(limits: limits)
        for (index, page) in pages.enumerated() {
            let number = try number(of: page, in: model, at: index)
            let resolved = try resolved(page, number: number, at: index)
            do throws(ViewModelError) {
                try model.load(resolved)
            } catch {
                throw .tooMuch(error, page: index)
            }
        }
        return model
    }

    /// Merges all pages into one screen.
    ///
    /// O(sections + items).
    public func screen(
        of model: PaginatedViewModel, _ request: LayoutRequest = LayoutRequest()
    ) -> MergedScreen {
        model.merged(collapsed: request.collapsed, registry: registry)
    }

    /// Places a screen's sections and their items.
    ///
    /// O(sections + items).
    public func frames(
        of screen: MergedScreen, _ request: LayoutRequest = LayoutRequest()
    ) -> ScreenFrames {
        ScreenFrames.layOut(
            sections: screen.sections,
            in: LayoutEnvironment(
                viewport: request.viewport, screen: screen.layout, rounding: request.rounding))
    }

    /// Names what a designer would want to know of a layout that is perfectly legal.
    ///
    /// O(sections + items): the screen is laid out for it, without mirroring and rounding.
    public func lint(
        _ screen: MergedScreen, _ request: LayoutRequest = LayoutRequest()
    ) -> [Diagnostic] {
        screen.diagnostics(
            of: LayoutLint.diagnose(
                sections: screen.sections,
                in: LayoutEnvironment(viewport: request.viewport, screen: screen.layout)))
    }

    /// Writes a screen and its frames as bytes.
    ///
    /// O(sections + items + bytes of data).
    public func tree(
        of screen: MergedScreen, _ frames: ScreenFrames, _ request: LayoutRequest = LayoutRequest()
    ) -> [UInt8] {
        TreeWriter.write(
            screen, frames, viewport: request.viewport,
            envelope: TreeEnvelope(hasNext: screen.hasNext), options: request.options)
    }

    private func number(
        of page: ServerStatePage, in model: PaginatedViewModel, at index: Int
    ) throws(ComposeError) -> Int {
        if let number = page.number {
            guard model.storedPage(number) == nil else {
                throw .repeatedNumber(number, page: index)
            }
            return number
        }
        let next = model.highestPage.map { $0 + 1 } ?? 0
        guard next <= ServerStatePage.maxNumber else { throw .noNumberLeft(page: index) }
        return next
    }

    private func resolved(
        _ page: ServerStatePage, number: Int, at index: Int
    ) throws(ComposeError) -> ResolvedPage {
        do throws(ContractError) {
            return try ResolvedPage(page: page, number: number, registry: registry, limits: limits)
        } catch {
            throw .invalidContract(error, page: index)
        }
    }
}
