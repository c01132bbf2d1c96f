/// A layout's request for the size of a cell, a header or a footer, in points.
///
/// The layout provides the defaults, because they differ by layout kind (rules F3, F5, C7, C12, L3,
/// L5); the cell type provides the lengths that it knows. Equal requests of one section are made
/// once for all of its items.
public struct SizeRequest: Sendable, Hashable {
    /// The container that fractions refer to.
    public var container: Container
    /// The resolved cross length in points, which overrides rules (a grid's column); `nil` to use
    /// the cell's own rule.
    public var fixedCross: Double?
    /// The lengths in points for axes that the cell's rules leave out.
    public var absent: Size
    /// The size in points of a cell type that has no size of its own.
    public var fallback: Size
    /// The cross length in points that the layout fixes for contents whatever their rules are,
    /// where it does not for sizes; `nil` for ``fixedCross``.
    package var contentCross: Double?
    /// A Boolean value that indicates whether contents are as wide as they naturally are also in a
    /// screen that scrolls vertically.
    package var isForNaturalWidths = false

    /// Creates a request; `fallback` is `absent` by default.
    public init(
        container: Container, fixedCross: Double? = nil, absent: Size, fallback: Size? = nil
    ) {
        self.container = container
        self.fixedCross = fixedCross
        self.absent = absent
        self.fallback = fallback ?? absent
    }

    /// A Boolean value that indicates whether contents without a rule of their width are as wide as
    /// they naturally are.
    var hasNaturalWidths: Bool { container.axis == .horizontal || isForNaturalWidths }
}

/// The space that a layout leaves for a cell (docs/catalog.md, "Containers").
public struct Container: Sendable, Hashable {
    /// The whole viewport in points.
    public var viewport: Size
    /// The space for the cell in points: along the cross axis the length inside the section's
    /// insets (or a column, or a content box), along the main axis the viewport's length.
    public var available: Size
    /// The axis that the screen scrolls along; the other one is the cross axis.
    public var axis: ScreenAxis
    /// The reader's text size, the factor of fonts that scale.
    public var textScale: Double
    /// The number of device pixels per point, to which lengths of measured text are rounded up; 0
    /// if they are not.
    public var pixelScale: Double
    /// Lint: the difference of a width that may not change a text's lines; 0 without lint.
    package var lintMargin = 0.0

    /// Creates a container from its lengths in points.
    public init(
        viewport: Size, available: Size, axis: ScreenAxis = .vertical, textScale: Double = 1,
        pixelScale: Double = 0
    ) {
        self.viewport = viewport
        self.available = available
        self.axis = axis
        self.textScale = textScale
        self.pixelScale = pixelScale
    }
}
