import Broadsheet

/// The body of a compare request: `{"from": {"pages": […]}, "to": {"pages": […]}, "catalog": …,
/// "viewport": …}` (docs/api.md, "Changes").
struct CompareBody: ComposedBody {
    /// The pages of the earlier tree.
    let old: PaginatedViewModel
    /// The pages of the new tree.
    let new: PaginatedViewModel
    /// The registry that resolved them: that of the body's catalog, or the active one.
    let registry: CellRegistry
    /// The viewport of both layouts.
    let viewport: LayoutParameters.Partial

    var models: [PaginatedViewModel] { [old, new] }

    static let canBeStrict = false

    static func catalog(in body: JSONValue, _ active: CellRegistry) -> JSONValue? {
        body["catalog"].flatMap { $0.isNull ? nil : $0 }
    }

    /// Reads a body.
    ///
    /// - Parameters:
    ///   - body: The body.
    ///   - active: The registry of the active catalog.
    ///   - reading: The way in which pages are read.
    ///   - prepare: Called with the registry before pages are resolved.
    /// - Throws: The error of `prepare`; `INVALID_CATALOG` for an invalid catalog, and
    ///   `INVALID_CONTRACT` with all other violations; their pointers lead into the body.
    init(
        _ body: JSONValue, registry active: CellRegistry, _ reading: ComposeReading,
        prepare: (CellRegistry) throws(Problem) -> Void
    ) throws(Problem) {
        var violations = ComposeViolations()
        let own = Self.catalog(in: body, active)
        let registry = (try ComposeBody.registry(of: own, usingFontsOf: active) ?? active)
            .limitedToRequest(isCatalogPosted: own != nil)
        try prepare(registry)
        viewport = LayoutParameters.Partial(
            viewport: body["viewport"], at: "/viewport", &violations)
        let models = ["from", "to"].map { name in
            var draft = ComposeDraft(registry: registry, reading)
            let pointer = JSONPointer.appending("", name)
            if let pages = body[name]?["pages"] {
                draft.add(pages: pages, at: JSONPointer.appending(pointer, "pages"), &violations)
            } else {
                violations.add(
                    pointer, "must be an object with a member pages", at: body[name] ?? body)
            }
            return draft.model
        }
        try violations.throwIfAny()
        self.registry = registry
        (old, new) = (models[0], models[1])
    }
}
