/// Turns the bytes of pages into the bytes of their tree, without storing anything.
///
/// `compose` takes all steps at once: reading, resolving, merging, laying out,
/// writing. Each step is a method of its own, for callers that need an intermediate result.
public struct Composer: Sendable {
    /// The rules by which units become cells and sections are laid out.
    public var registry: CellRegistry
    /// The limits of the pages.
    public var limits: ScreenLimits

    /// Creates a composer; without arguments, by the built-in storefront catalog.
    public init(
        registry: CellRegistry = Catalog.storefront.registry, limits: ScreenLimits = ScreenLimits()
    ) {
        self.registry = registry
        self.limits = limits
    }

    /// Returns the tree of all pages, as `POST /v1/layout` does (docs/api.md).
    ///
    /// Pages merge in ascending order of their numbers; a page without a number takes the next one
    /// above those before it.
    ///
    /// - Parameters:
    ///   - pages: The bytes of the pages.
    ///   - parameters: The parameters of the layout.
    /// - Throws: The error of the first step that fails, with the page that it concerns. Nothing is
    ///   kept in either case.
    /// - Complexity: O(bytes + items).
    public func compose(
        _ pages: [[UInt8]], _ parameters: LayoutParameters = LayoutParameters()
    ) throws(ComposeError) -> [UInt8] {
        var posted: [ServerStatePage] = []
        posted.reserveCapacity(pages.count)
        for (index, bytes) in pages.enumerated() {
            posted.append(try page(in: document(of: bytes, at: index), at: index))
        }
        let screen = try screen(of: viewModel(of: posted), parameters)
        return tree(of: screen, frames(of: screen, parameters), parameters)
    }

    /// Returns the tree of one page.
    public func compose(
        _ page: [UInt8], _ parameters: LayoutParameters = LayoutParameters()
    ) throws(ComposeError) -> [UInt8] {
        try compose([page], parameters)
    }
}

/// The steps from pages to their tree, in order.
extension Composer {
    /// Checks and indexes the bytes of a page.
    ///
    /// - Parameters:
    ///   - bytes: The bytes of the page.
    ///   - index: The position of the page, for errors.
    /// - Complexity: O(bytes).
    public func document(of bytes: [UInt8], at index: Int = 0) throws(ComposeError) -> JSONDocument
    {
        do throws(JSONError) {
            return try JSONDocument(bytes, maxDepth: limits.maxDepth)
        } catch {
            throw .invalidJSON(error, page: index)
        }
    }

    /// Reads a document as a page, by the contract of the registry.
    ///
    /// - Parameters:
    ///   - document: The document.
    ///   - index: The position of the page, for errors.
    /// - Complexity: O(bytes).
    public func page(
        in document: JSONDocument, at index: Int = 0
    ) throws(ComposeError) -> ServerStatePage {
        do throws(ContractError) {
            return try ServerStatePage(document, names: registry.names, limits: limits)
        } catch {
            throw .invalidContract(error, page: index)
        }
    }

    /// Resolves pages into cells, and returns them by their numbers.
    ///
    /// A page without a number takes the next one above those before it.
    ///
    /// - Complexity: O(bytes).
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
    /// - Complexity: O(sections + items).
    public func screen(
        of model: PaginatedViewModel, _ parameters: LayoutParameters = LayoutParameters()
    ) -> MergedScreen {
        model.merged(for: parameters, registry: registry)
    }

    /// Lays out a screen's sections and their items.
    ///
    /// - Complexity: O(sections + items).
    public func frames(
        of screen: MergedScreen, _ parameters: LayoutParameters = LayoutParameters()
    ) -> ScreenFrames {
        screen.laidOut(by: parameters)
    }

    /// Returns the lint of a screen: diagnostics about layouts that are legal and probably not
    /// meant (docs/layout.md, "Lint").
    ///
    /// The screen is laid out for it, without mirroring and rounding.
    ///
    /// - Complexity: O(sections + items).
    public func lint(
        _ screen: MergedScreen, _ parameters: LayoutParameters = LayoutParameters()
    ) -> [Diagnostic] {
        lint(screen, parameters, comparingAllTexts: false)
    }

    /// Returns the lint of a screen.
    ///
    /// - Parameter comparingAllTexts: A Boolean value that indicates whether texts of every content
    ///   are compared with those at the text size 1, and not only of contents whose boxes say what
    ///   they are.
    /// - Complexity: O(sections + items).
    package func lint(
        _ screen: MergedScreen, _ parameters: LayoutParameters, comparingAllTexts: Bool
    ) -> [Diagnostic] {
        screen.diagnostics(
            of: screen.lint(for: parameters, comparingAllTexts: comparingAllTexts))
    }

    /// Writes a screen and its frames as bytes.
    ///
    /// - Complexity: O(sections + items + bytes of data).
    public func tree(
        of screen: MergedScreen, _ frames: ScreenFrames,
        _ parameters: LayoutParameters = LayoutParameters()
    ) -> [UInt8] {
        var parts = TreeParts(writer(of: screen, frames, parameters))
        return parts.written()
    }

    /// Returns the writer of the tree of all pages, which `Changes` compare and `Tree`
    /// reads.
    ///
    /// - Complexity: O(sections + items).
    public func writer(
        of model: PaginatedViewModel, _ parameters: LayoutParameters = LayoutParameters()
    ) -> TreeWriter {
        let screen = screen(of: model, parameters)
        return writer(of: screen, frames(of: screen, parameters), parameters)
    }

    private func writer(
        of screen: MergedScreen, _ frames: ScreenFrames, _ parameters: LayoutParameters
    ) -> TreeWriter {
        let writer = TreeWriter(
            screen, frames, viewport: parameters.viewport,
            envelope: TreeEnvelope(hasNext: screen.hasNext), options: parameters.options)
        guard parameters.options.explain else { return writer }
        return writer.explained(
            by: ScreenOrigins(of: screen, for: Audience(parameters), by: registry))
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

/// An error of one of the steps from pages to their tree.
///
/// Every case carries the position of the page among the pages given, counted from 0.
public enum ComposeError: Error, Sendable, Hashable {
    /// The page's bytes are not valid JSON.
    case invalidJSON(JSONError, page: Int)
    /// The page is JSON that violates the contract, or exceeds a limit of one page.
    case invalidContract(ContractError, page: Int)
    /// An earlier page has the same number.
    case repeatedNumber(Int, page: Int)
    /// The page has no number, and no number above the highest one is left.
    case noNumberLeft(page: Int)
    /// The pages together exceed a limit of one screen.
    case tooMuch(ViewModelError, page: Int)

    /// The position of the page that the error concerns.
    public var page: Int {
        switch self {
        case .invalidJSON(_, let page), .invalidContract(_, let page),
            .repeatedNumber(_, let page), .noNumberLeft(let page), .tooMuch(_, let page):
            page
        }
    }

    /// A description of the error for the author of the page.
    public var detail: String {
        switch self {
        case .invalidJSON(let error, _):
            "line \(error.line), column \(error.column): \(error.detail)"
        case .invalidContract(let error, _):
            error.violations.first.map { "\($0.pointer) \($0.detail)" } ?? "not a page"
        case .repeatedNumber(let number, _):
            "an earlier page has the number \(number) too"
        case .noNumberLeft:
            "the page needs a number, since none above the highest is left"
        case .tooMuch(let error, _):
            error.detail
        }
    }
}

extension ComposeError: CustomStringConvertible {
    /// The description for the author of the page.
    public var description: String { detail }
}
