/// What a layout is asked for besides the pages (docs/api.md, "Query of every layout answer").
public struct LayoutRequest: Sendable, Hashable {
    /// What is laid out for: 390 by 844 points at scale 3, left to right, unless said otherwise.
    public var viewport: Viewport
    /// How frames meet the device's pixels.
    public var rounding: Rounding
    /// Sections to collapse besides those that the pages collapse.
    public var collapsed: [String]
    /// How the tree is written.
    public var options: TreeOptions

    /// Makes a request; the defaults are those of the HTTP API.
    public init(
        viewport: Viewport = Viewport(), rounding: Rounding = .pixel, collapsed: [String] = [],
        options: TreeOptions = TreeOptions()
    ) {
        self.viewport = viewport
        self.rounding = rounding
        self.collapsed = collapsed
        self.options = options
    }
}
