/// How much a catalog may ask for.
///
/// A catalog can come with a page, from whoever sends it (`POST /v1/layout`): what it makes of one
/// unit and of one item must stay bounded for the work on a page to stay in proportion to it.
public struct CatalogLimits: Sendable, Hashable {
    /// Nested containers of its JSON, the document's own being 1.
    public var maxDepth = 128
    /// Placements of one unit type.
    public var maxPlacements = 16
    /// Rules in one cell type's size, the nested ones included.
    public var maxRules = 256
    /// Different values of a cell's data that one cell type's size reads.
    public var maxInputs = 16
    /// Faults that an error carries.
    public var maxViolations = 1_000

    /// The default limits.
    public init() {}
}
