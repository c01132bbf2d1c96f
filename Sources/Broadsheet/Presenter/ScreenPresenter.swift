public import BroadsheetClient

/// A screen as a collection view's presenter has it: its pages, its merged sections, and its edits.
///
///     var presenter = ScreenPresenter(registry: registry)
///     try presenter.loadPage(0, hasNext: true, sections: home.sections)
///     let changes = try presenter.update { updater in
///         try updater.deleteItem(at: .init(section: 2, item: 0))
///         try updater.toggleSection(0)
///     }
///
/// It is a value: a copy is a snapshot, from which ``changes(since:)`` leads to a later state. The
/// edits of one call are done completely or not at all.
public struct ScreenPresenter: Sendable {
    /// The rules by which units become cells and sections are laid out.
    ///
    /// The cell types of built pages are declared in it when they are loaded.
    public private(set) var registry: CellRegistry
    /// The limits of each page and of edits.
    public let limits: EditLimits
    /// The parameters of the layout.
    public var parameters: LayoutParameters { didSet { merge() } }
    /// The pages.
    public var viewModel: PaginatedViewModel { didSet { merge() } }
    /// The sections that the pages merge into, with their items.
    public private(set) var screen: MergedScreen
    /// A Boolean value that indicates whether the next page was requested and has not been loaded.
    ///
    /// Set it to `false` if the page cannot be loaded, so that it is requested again.
    public var isLoading = false

    var nextRequest: (@Sendable (PaginatedViewModel) -> Void)?
    var pageEvents = PageEvents()
    var pageHandlers = PageHandlers()

    /// Creates a presenter without pages; without a registry, by one without any type.
    public init(
        registry: CellRegistry = CellRegistry(),
        parameters: LayoutParameters = LayoutParameters(), limits: EditLimits = EditLimits()
    ) {
        self.registry = registry
        self.parameters = parameters
        self.limits = limits
        viewModel = PaginatedViewModel(limits: limits.page)
        screen = viewModel.merged(for: parameters, registry: registry)
    }

    private mutating func merge() {
        screen = viewModel.merged(
            upTo: nil, below: viewModel.highestPage, for: parameters, registry: registry,
            reusing: screen)
    }
}

// MARK: - Pages

extension ScreenPresenter {
    /// The number of the page loaded last; the highest number once that page is removed, or 0.
    public var page: Int { viewModel.page }

    /// A Boolean value that indicates whether more pages exist after the highest stored one.
    public var hasNext: Bool { viewModel.hasNext }

    /// The number of stored pages.
    public var pageCount: Int { viewModel.pageCount }

    /// A Boolean value that indicates whether any page is stored.
    public var hasPageData: Bool { viewModel.hasPageData }

    /// Stores a page of models, and replaces the page of the same number if there is one.
    ///
    /// - Throws: The reason why the sections are not a page, or the screen would exceed a limit;
    ///   the screen is unchanged.
    public mutating func loadPage(
        _ number: Int, hasNext: Bool, sections: [any ServerStateSectionRepresentable]
    ) throws(PresenterError) {
        let page: ServerStatePage
        do throws(ModelPageError) {
            page = try ServerStatePage(
                number: number, hasNext: hasNext, sections: sections, names: registry.names,
                limits: limits.page)
        } catch { throw .invalidPage(error) }
        try loadPage(number, page)
    }

    /// Stores a page that a backend posted under a number, and replaces the page of the same number
    /// if there is one.
    ///
    /// - Throws: The reason why the page does not fit the screen, which is unchanged.
    public mutating func loadPage(
        _ number: Int, _ page: ServerStatePage
    ) throws(PresenterError) {
        guard 0...ServerStatePage.maxNumber ~= number, page.number ?? number == number else {
            throw .invalidNumber(number)
        }
        let resolved: ResolvedPage
        do throws(ContractError) {
            resolved = try ResolvedPage(
                page: page, number: number, registry: registry, limits: limits.page)
        } catch { throw .invalidPage(.invalidContract(error)) }
        try loadPage(resolved)
    }

    /// Stores a page that was built in code, and declares its cell types.
    ///
    /// - Throws: ``PresenterError/duplicateType(_:)`` if another cell type has the name of one of
    ///   the page's; ``PresenterError/tooMuch(_:)``. The screen is unchanged.
    public mutating func loadPage(_ page: ResolvedPage) throws(PresenterError) {
        var declaring = registry
        for type in (page.built ?? []).flatMap(\.calls).map(\.type)
        where !declaring.declareUnlessOther(type) {
            throw .duplicateType(type.typeName)
        }
        do throws(ViewModelError) { try viewModel.load(page) } catch { throw .tooMuch(error) }
        registry = declaring
        isLoading = false
    }

    /// Stores a page behind all others: sections with known ids add their items to those, others
    /// are appended.
    ///
    /// - Parameters:
    ///   - number: The number of the page; `nil` for the next one.
    ///   - hasNext: A Boolean value that indicates whether more pages exist after it.
    ///   - sections: The sections.
    /// - Throws: ``PresenterError/notBehind(_:highest:)`` if the number is not above the stored
    ///   ones, or the reason why the page cannot be stored; the screen is unchanged.
    public mutating func extendViewModel(
        page number: Int? = nil, hasNext: Bool,
        sections: [any ServerStateSectionRepresentable]
    ) throws(PresenterError) {
        let highest = viewModel.highestPage
        let number = number ?? highest.map { $0 + 1 } ?? 0
        if let highest, number <= highest { throw .notBehind(number, highest: highest) }
        try loadPage(number, hasNext: hasNext, sections: sections)
    }

    /// Removes the page of that number.
    ///
    /// - Returns: A Boolean value that indicates whether there was such a page.
    @discardableResult
    public mutating func removePage(_ number: Int) -> Bool { viewModel.removePage(number) }

    /// Removes all pages.
    public mutating func removeAllPages() {
        viewModel.removeAllPages()
        isLoading = false
    }

    /// Returns the sections of one page alone, or `nil` if it is not stored.
    public func sections(forPage number: Int) -> ChunkedList<MergedSection>? {
        guard let page = viewModel.storedPage(number) else { return nil }
        var model = PaginatedViewModel(limits: ScreenLimits(maxSections: .max, maxItems: .max))
        guard (try? model.load(page)) != nil else { return nil }
        return model.merged(for: parameters, registry: registry).sections
    }

    /// Returns the number of the highest page with a section of that identifier, or `nil`.
    public func findPage(containing sectionId: String) -> Int? {
        viewModel.findPage(containing: sectionId)
    }
}

// MARK: - Edits

extension ScreenPresenter: ScreenEditing {
    /// The number of sections of the screen.
    public var sectionCount: Int { screen.sections.count }

    /// Applies the operations that a function makes by the names of the contract, all or none.
    public mutating func edit(
        _ operations: (ContractNames) throws(ModelError) -> [UpdateOperation]
    ) throws(EditError) {
        _ = try edited { updater throws(EditError) in try updater.edit(operations) }
    }

    /// Edits the pages, of which those that were built in code become pages of the contract when
    /// they change.
    ///
    /// - Returns: A Boolean value that indicates whether a page has changed.
    private mutating func edited(
        _ body: (inout ScreenUpdater) throws(EditError) -> Void
    ) throws(EditError) -> Bool {
        var model = viewModel
        let changed = try model.updatePages(
            registry: registry.keepingLayouts(of: Array(viewModel.pages)), limits: limits,
            parameters: parameters, body)
        guard !changed.isEmpty else { return false }
        registry = registry.keepingLayouts(of: changed.compactMap(viewModel.storedPage))
        viewModel = model
        return true
    }

    /// Edits the screen, and returns the changes from its tree before to that after.
    ///
    /// - Parameter body: Applies operations, each to what those before it left.
    /// - Throws: The error of `body` or of an operation, as an ``EditError``; the screen is
    ///   unchanged.
    /// - Complexity: As ``PaginatedViewModel/update(registry:limits:parameters:_:)``.
    @discardableResult
    public mutating func update(
        _ body: (inout ScreenUpdater) throws -> Void
    ) throws -> Changes {
        var failure: (any Error)?
        let before = self
        do throws(EditError) {
            let hasChanged = try edited { updater throws(EditError) in
                do { try body(&updater) } catch {
                    failure = error
                    throw error as? EditError
                        ?? .impossible(pointer: "", detail: String(describing: error))
                }
            }
            return changes(since: before, isSame: !hasChanged)
        } catch { throw failure ?? error }
    }

    /// Applies the actions among the events of a client, as one update.
    ///
    /// - Returns: The changes from the tree before to that after.
    /// - Throws: As ``PaginatedViewModel/handle(_:registry:limits:parameters:)``; the screen is
    ///   unchanged.
    @discardableResult
    public mutating func handle(_ events: [ClientEvent]) async throws -> Changes {
        try apply(try await prepare(events))
    }

    /// Finds the operations of the actions among the events of a client, and calls their handlers,
    /// without a change: an actor can call it on a property.
    ///
    ///     let prepared = try await presenter.prepare([tap])
    ///     let changes = try presenter.apply(prepared)
    ///
    /// - Throws: As ``handle(_:)``.
    public func prepare(_ events: [ClientEvent]) async throws -> PreparedEvents {
        try await PreparedEvents(
            events, in: viewModel, registry: registry, limits: limits, parameters: parameters)
    }

    /// Applies prepared events to the pages that the presenter then has, as one update.
    ///
    /// An event whose item is gone has no effect.
    ///
    /// - Returns: The changes from the tree before to that after.
    /// - Throws: The first action that cannot be done, with the pointer `/events/i`, which includes
    ///   one with an index if a page has changed since; the screen is unchanged.
    @discardableResult
    public mutating func apply(_ events: PreparedEvents) throws(EditError) -> Changes {
        let before = self
        let hasChanged = try edited { updater throws(EditError) in
            try events.apply(to: &updater, of: before.viewModel)
        }
        return changes(since: before, isSame: !hasChanged)
    }

    /// Collapses a section, or expands it.
    ///
    /// - Returns: A Boolean value that indicates whether the section is then collapsed.
    @discardableResult
    public mutating func toggleSection(_ index: Int) throws(EditError) -> Bool {
        try edit { _ in [.toggleSection(section: .index(index))] }
        return screen.sections.indices ~= index && screen.sections[index].collapsed
    }
}

// MARK: - Trees

extension ScreenPresenter {
    /// The sections and items with their frames.
    ///
    /// - Complexity: O(sections + items).
    public var laidOut: LaidOutScreen { LaidOutScreen(screen, parameters) }

    /// The tree of all pages.
    ///
    /// - Complexity: O(bytes of the tree).
    public var tree: Tree { Tree(writer) }

    /// Returns the changes from the tree of an earlier state, a copy of this presenter, to that of
    /// this one.
    ///
    /// - Complexity: O(sections + items).
    public func changes(since earlier: ScreenPresenter) -> Changes {
        changes(since: earlier, isSame: false)
    }

    private func changes(since earlier: ScreenPresenter, isSame: Bool) -> Changes {
        let old = earlier.writer
        return isSame ? Changes(from: old, to: old, isSame: true) : Changes(from: old, to: writer)
    }

    private var writer: TreeWriter {
        Composer(registry: registry).writer(of: viewModel, parameters)
    }
}

/// The reason for which a presenter does not store a page.
public enum PresenterError: Error, Sendable, Hashable {
    /// The sections or the JSON are not a page.
    case invalidPage(ModelPageError)
    /// A number below 0 or above ``ServerStatePage/maxNumber``, or not the page's own.
    case invalidNumber(Int)
    /// The number is not above the highest stored one.
    case notBehind(Int, highest: Int)
    /// The screen would exceed a limit.
    case tooMuch(ViewModelError)
    /// Two cell types of built pages, or of the registry, have this name.
    case duplicateType(String)

    /// The description for the author of the page.
    public var detail: String {
        switch self {
        case .invalidPage(.invalidModel(let error)):
            "\(error.pointer) is not JSON: \(error.detail)"
        case .invalidPage(.invalidJSON(let error)):
            "line \(error.line), column \(error.column): \(error.detail)"
        case .invalidPage(.invalidContract(let error)):
            error.violations.first.map { "\($0.pointer) \($0.detail)" } ?? "not a page"
        case .invalidNumber(let number):
            "\(number) is not the number of the page, which is from 0 to "
                + "\(ServerStatePage.maxNumber)"
        case .notBehind(let number, let highest):
            "page \(number) is not behind the stored pages, of which \(highest) is the highest; "
                + "load it to replace one"
        case .tooMuch(let error): error.detail
        case .duplicateType(let name): "two cell types have the name \"\(name)\""
        }
    }
}

extension PresenterError: CustomStringConvertible {
    /// The description for the author of the page.
    public var description: String { detail }
}

extension CellRegistry {
    /// Returns the registry with the custom layouts of built pages, each as that of its section.
    fileprivate func keepingLayouts(of pages: [ResolvedPage]) -> CellRegistry {
        var registry = self
        for section in pages.lazy.compactMap(\.built).joined() {
            guard let custom = section.customLayout, let id = section.identifier else { continue }
            registry.setLayout(
                registry.layout(forSection: id).overridden(by: custom), forSection: id)
        }
        return registry
    }
}
