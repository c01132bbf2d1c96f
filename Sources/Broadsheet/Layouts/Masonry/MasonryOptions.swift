/// The members of a masonry section's layout (rules M).
public struct MasonryOptions: Sendable, Hashable {
    /// The number of columns; 2 if `nil` (M1).
    public var columns: GridColumnCount?
    /// The space below each item, in points.
    public var lineSpacing: Double?
    /// The space between columns, in points.
    public var interitemSpacing: Double?
    /// The space around the items.
    public var inset: Insets?
    /// The choice of an item's columns; the shortest ones if `nil` (M4).
    public var placement: MasonryPlacement?

    /// Creates options; a value that is left out has the layout's default.
    public init(
        columns: GridColumnCount? = nil, lineSpacing: Double? = nil,
        interitemSpacing: Double? = nil, inset: Insets? = nil, placement: MasonryPlacement? = nil
    ) {
        self.columns = columns
        self.lineSpacing = lineSpacing
        self.interitemSpacing = interitemSpacing
        self.inset = inset
        self.placement = placement
    }
}

/// The choice of the columns of masonry that an item is placed in (rule M4).
public enum MasonryPlacement: String, Sendable, Hashable, CaseIterable {
    /// The first of the columns that end first.
    case shortest
    /// The columns behind those of the previous item.
    case inOrder
}
