public import BroadsheetClient

/// The flow members of a section's layout (rules F1-F7, P).
public struct FlowOptions: Sendable, Hashable {
    /// Room between the section's edges and its lines.
    public var inset: Insets?
    /// Between successive lines, along the main axis, in points.
    public var minimumLineSpacing: Double?
    /// The least room between items of one line, along the cross axis, in points.
    public var minimumInteritemSpacing: Double?
    /// Columns of equal cross length (F5); 0 spans the viewport (F6); negative means item size (F7).
    public var gridColumnCount: Int?
    /// Turns the section into a pager (rules P).
    public var paging: PagingOptions?

    /// Options that say nothing.
    public init() {}

    func overridden(by later: FlowOptions) -> FlowOptions {
        var result = self
        result.inset = later.inset ?? inset
        result.minimumLineSpacing = later.minimumLineSpacing ?? minimumLineSpacing
        result.minimumInteritemSpacing = later.minimumInteritemSpacing ?? minimumInteritemSpacing
        result.gridColumnCount = later.gridColumnCount ?? gridColumnCount
        result.paging = later.paging ?? paging
        return result
    }
}
