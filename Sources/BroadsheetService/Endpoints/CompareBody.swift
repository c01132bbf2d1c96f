import Broadsheet

/// The body of a compare request: `{"from": {"pages": […]}, "to": {"pages": […]}, "catalog": …,
/// "viewport": …}` (docs/api.md, "Changes").
struct CompareBody: ComposedBody {
    let old: PaginatedViewModel
    let new: PaginatedViewModel
    let registry: CellRegistry
    let viewport: LayoutParameters.Partial

    var models: [PaginatedViewModel] { [old, new] }

    static let canBeStrict = false

    static func catalog(in body: JSONValue, _ active: CellRegistry) -> JSONValue? {
        body["catalog"].flatMap { $0.isNull ? nil : $0 }
    }

    /// Reads a body.
    ///
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
