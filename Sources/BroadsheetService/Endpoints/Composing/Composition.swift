import Broadsheet

/// The body of a compose request, read: a page, or `{"pages": […], "catalog": …, "viewport": …}`
/// (docs/api.md, "Composing without storing").
struct Composition: Sendable {
    /// The pages.
    let model: PaginatedViewModel
    /// What they were resolved by: the body's own catalog, or the active one.
    let registry: CellRegistry
    /// What the body's viewport, or viewports, say.
    let viewports: ComposedViewports

    /// Reads a body.
    ///
    /// Throws `INVALID_CATALOG` for a faulty catalog, and `INVALID_CONTRACT` with everything else
    /// that does not fit; pointers are into the body.
    init(_ body: JSONValue, registry active: CellRegistry, reading: PageReading) throws(Problem) {
        guard let pages = body["pages"], body[active.names.sections] == nil else {
            registry = active
            viewports = .one(LayoutQuery())
            model = try Self.model(of: body, registry: active, reading: reading)
            return
        }
        registry = try Self.catalog(of: body) ?? active
        var faults = ComposeFaults()
        viewports = ComposedViewports(body, &faults)
        var draft = CompositionDraft(registry: registry, reading: reading)
        draft.add(pages, &faults)
        draft.check(viewports, body, &faults)
        try faults.throwIfAny()
        model = draft.model
    }

    private static func model(
        of page: JSONValue, registry: CellRegistry, reading: PageReading
    ) throws(Problem) -> PaginatedViewModel {
        var faults = ComposeFaults()
        var draft = CompositionDraft(registry: registry, reading: reading)
        draft.add(page, at: "", &faults)
        try faults.throwIfAny()
        return draft.model
    }

    private static func catalog(of body: JSONValue) throws(Problem) -> CellRegistry? {
        guard let value = body["catalog"], !value.isNull else { return nil }
        do {
            return try Catalog(value, at: "/catalog").registry
        } catch {
            throw Problem(error)
        }
    }
}
