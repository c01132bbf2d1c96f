import Broadsheet

/// The body of a compose request: a page, or `{"pages": […], "catalog": …, "viewport": …}`
/// (docs/api.md, "Composing without storing").
struct ComposeBody: ComposedBody {
    let model: PaginatedViewModel
    let registry: CellRegistry
    let hasCatalog: Bool
    let viewports: ComposeViewports

    var models: [PaginatedViewModel] { [model] }

    static let canBeStrict = true

    /// Reads a body.
    ///
    /// - Throws: The error of `prepare`; `INVALID_CATALOG` for an invalid catalog, and
    ///   `INVALID_CONTRACT` with all other violations; their pointers lead into the body.
    init(
        _ body: JSONValue, registry active: CellRegistry, _ reading: ComposeReading,
        prepare: (CellRegistry) throws(Problem) -> Void
    ) throws(Problem) {
        var violations = ComposeViolations()
        guard let pages = Self.pages(in: body, active) else {
            registry = active.limitedToRequest()
            hasCatalog = false
            viewports = ComposeViewports()
            try prepare(registry)
            var draft = ComposeDraft(registry: registry, reading)
            draft.add(body, at: "", &violations)
            try violations.throwIfAny()
            model = draft.model
            return
        }
        let own = try Self.registry(of: Self.catalog(in: body, active), usingFontsOf: active)
        registry = (own ?? active).limitedToRequest(isCatalogPosted: own != nil)
        hasCatalog = own != nil
        viewports = ComposeViewports(body, &violations)
        try prepare(registry)
        var draft = ComposeDraft(registry: registry, reading)
        draft.add(pages: pages, at: "/pages", &violations)
        draft.check(viewports, body, &violations)
        try violations.throwIfAny()
        model = draft.model
    }

    /// Returns the pages of a body; `nil` if it is a page itself.
    private static func pages(in body: JSONValue, _ active: CellRegistry) -> JSONValue? {
        body[active.names.sections] == nil ? body["pages"] : nil
    }

    static func catalog(in body: JSONValue, _ active: CellRegistry) -> JSONValue? {
        guard pages(in: body, active) != nil else { return nil }
        return body["catalog"].flatMap { $0.isNull ? nil : $0 }
    }

    /// Returns the registry of a body's own catalog, which may use fonts of the active one.
    static func registry(
        of value: JSONValue?, usingFontsOf active: CellRegistry
    ) throws(Problem) -> CellRegistry? {
        guard let value else { return nil }
        do {
            let catalog = try Catalog(value, at: "/catalog", usingFontsOf: active)
            var registry = catalog.registry
            registry.diagnostics = catalog.diagnostics
            return registry
        } catch {
            throw Problem(error)
        }
    }
}

/// The viewports in the body of a compose request.
struct ComposeViewports: Sendable, Hashable {
    /// The viewports; that of `viewport`, or without values, if there is no list.
    private(set) var all = [LayoutParameters.Partial()]
    /// A Boolean value that indicates whether the body has `viewports`, for a tree each.
    private(set) var areList = false

    init() {}

    /// Reads `viewport` or `viewports` of a body; null counts as absent.
    fileprivate init(_ body: JSONValue, _ violations: inout ComposeViolations) {
        let one = body["viewport"].flatMap { $0.isNull ? nil : $0 }
        guard let many = body["viewports"], !many.isNull else {
            all = [LayoutParameters.Partial(viewport: one, at: "/viewport", &violations)]
            return
        }
        (all, areList) = ([], true)
        if one != nil {
            violations.add("/viewports", "cannot be given together with viewport", at: many)
        } else if many.kind != .array || !(1...ParameterLimits.maxViewports ~= many.count) {
            violations.add(
                "/viewports", "must be an array of 1 to \(ParameterLimits.maxViewports) viewports",
                at: many)
        } else {
            all = many.elements.enumerated().map { index, viewport in
                LayoutParameters.Partial(
                    viewport: viewport, at: JSONPointer.appending("/viewports", index),
                    &violations)
            }
        }
    }
}

/// The pages of a compose request while they are read.
struct ComposeDraft {
    /// The bytes of pages between which other clients' work may go first.
    private static let bytesOfPart = 64 << 10

    private(set) var model: PaginatedViewModel
    private let registry: CellRegistry
    private let limits: ScreenLimits
    private let isStrict: Bool

    init(registry: CellRegistry, _ reading: ComposeReading) {
        self.registry = registry
        limits = reading.limits
        isStrict = reading.isStrict
        model = PaginatedViewModel(limits: limits)
    }

    mutating func add(
        pages: JSONValue, at pointer: String, _ violations: inout ComposeViolations
    ) {
        guard pages.kind == .array else {
            return violations.add(pointer, "must be an array of pages", at: pages)
        }
        var unchecked = 0
        for (index, page) in pages.elements.enumerated() {
            // A violation that a million pages share need not be found a million times, and
            // nothing is judged beyond the budget of the request.
            guard !violations.isFull, registry.judgementBudget?.isExhausted != true else { return }
            unchecked += page.byteRange.count
            if unchecked > Self.bytesOfPart {
                guard !LongWork.isAbandoned() else { return }
                unchecked = 0
            }
            add(page, at: JSONPointer.appending(pointer, index), &violations)
        }
    }

    mutating func add(
        _ value: JSONValue, at pointer: String, _ violations: inout ComposeViolations
    ) {
        do throws(ContractError) {
            let page = try ServerStatePage(
                value, at: pointer, names: registry.names, limits: limits)
            if isStrict { try page.checkStrictly(by: registry) }
            guard let number = number(of: page, value, at: pointer, &violations) else { return }
            let resolved = try ResolvedPage(
                page: page, number: number, registry: registry, limits: limits)
            load(resolved, value, at: pointer, &violations)
        } catch {
            violations.add(error)
        }
    }

    /// Checks that all viewports together have at most the maximum number of items, so that a
    /// response is never larger than that of a body with one viewport can be.
    func check(
        _ viewports: ComposeViewports, _ body: JSONValue, _ violations: inout ComposeViolations
    ) {
        let count = viewports.all.count
        guard viewports.areList, let value = body["viewports"],
            model.itemCount > limits.maxItems / max(1, count)
        else { return }
        violations.add(
            "/viewports",
            "are \(count), for \(model.itemCount) items each: together above the limit of "
                + "\(limits.maxItems) items (--max-items)", at: value)
    }

    private mutating func load(
        _ page: ResolvedPage, _ value: JSONValue, at pointer: String,
        _ violations: inout ComposeViolations
    ) {
        do throws(ViewModelError) {
            try model.load(page)
        } catch {
            violations.add(pointer, error.detail, at: value)
        }
    }

    /// Returns the page's own number or the next free one; `nil` if it is taken or none is left.
    private func number(
        of page: ServerStatePage, _ value: JSONValue, at pointer: String,
        _ violations: inout ComposeViolations
    ) -> Int? {
        let member = JSONPointer.appending(pointer, "page")
        if let own = page.number {
            guard model.storedPage(own) != nil else { return own }
            violations.add(
                member, "is \(own), as is an earlier page's", at: value["page"] ?? value)
            return nil
        }
        let next = model.highestPage.map { $0 + 1 } ?? 0
        guard next <= ServerStatePage.maxNumber else {
            violations.add(member, "is needed: no number above the others is left", at: value)
            return nil
        }
        return next
    }
}
