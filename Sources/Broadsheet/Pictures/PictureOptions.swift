/// The options of a picture.
public struct PictureOptions: Sendable, Hashable {
    /// The amount of information around the screen.
    public enum Style: String, Sendable, Hashable, CaseIterable {
        /// The screen with its measures: names of sections, spacing, the end of the viewport, items
        /// beyond the edge, a heading and a legend.
        case wireframe
        /// The screen alone, as an app shows it.
        case app
    }

    /// The amount of information around the screen.
    public var style = Style.wireframe
    /// The maximum length of the drawn content along the screen's axis, in points; a note in the
    /// picture says how much is left out.
    public var maxLength = Self.defaultMaxLength

    /// The default of ``maxLength``: viewers refuse or blur much longer pictures.
    public static let defaultMaxLength = 20_000.0

    /// Creates the default options.
    public init() {}
}
