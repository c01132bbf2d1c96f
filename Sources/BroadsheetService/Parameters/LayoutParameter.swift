/// The query parameters that every layout answer takes (docs/api.md, "Query of every layout answer").
enum LayoutParameter: String, Sendable, Hashable, CaseIterable {
    /// The viewport's width in points.
    case width
    /// The viewport's height in points.
    case height
    /// Device pixels per point.
    case scale
    /// The reading direction.
    case direction
    /// Whose coordinates frames are in.
    case coordinates
    /// Sections to collapse on top of those that are stored so.
    case collapsed
    /// Whether items come with their data.
    case fields
    /// Whether frames are rounded to device pixels.
    case rounding
    /// Whether the tree is indented.
    case pretty
    /// Whether diagnostics also say what a designer would want to know.
    case lint

    /// The longest width and height, in points.
    static let maxLength = 100_000.0
    /// The scales that devices have.
    static let scales: [Double] = [1, 1.5, 2, 3, 4]
}
