internal import Broadsheet

/// What shapes a tree on the command line, by the names that the API's query has for it.
enum TreeSettings {
    /// The registered cell types.
    static let catalog = Setting<String?>.file(
        "catalog", absent: "the built-in storefront catalog", "the catalog of cell types")
    /// The viewport's width.
    static let width = length("width", 390, "the viewport's width")
    /// The viewport's height.
    static let height = length("height", 844, "the viewport's height")
    /// Device pixels per point.
    static let scale = Setting.number(
        "scale", "FACTOR", 3, as: "3", unit: "pixels per point",
        expectation: "one of: 1, 1.5, 2, 3, 4", "the device's scale: 1, 1.5, 2, 3 or 4",
        where: { [1, 1.5, 2, 3, 4].contains($0) })
    /// The reading direction.
    static let direction = Setting<LayoutDirection>.choice(
        "direction", "DIRECTION", .ltr, "the reading direction: ltr or rtl")
    /// Whose coordinates frames are in.
    static let coordinates = Setting<TreeOptions.Coordinates>.choice(
        "coordinates", "SYSTEM", .section, "what frames are measured from: section or content")
    /// How frames meet device pixels.
    static let rounding = Setting<Rounding>.choice(
        "rounding", "MODE", .pixel, "how frames are rounded: pixel or none")
    /// How much of each element the tree shows.
    static let fields = Setting<TreeOptions.Fields>.choice(
        "fields", "FIELDS", .all, "how much is shown: all, or frames (without data)")
    /// Section ids to collapse.
    static let collapsed = Setting.identifiers(
        "collapsed", "section ids to collapse, separated by commas (%2C in an id)")
    /// Whether the tree is indented.
    static let pretty = Setting.toggle("pretty", "indent the tree")

    /// What the device is like.
    static let ofViewport = [width.option, height.option, scale.option, direction.option]
    /// All but the catalog.
    static let ofTree =
        ofViewport + [
            coordinates.option, rounding.option, fields.option, collapsed.option, pretty.option,
        ]

    private static func length(
        _ name: String, _ fallback: Double, _ summary: String
    )
        -> Setting<Double>
    {
        .number(
            name, "POINTS", fallback, as: String(Int(fallback)), unit: "points",
            expectation: "a number above 0 and at most 100000", summary,
            where: { $0 > 0 && $0 <= 100_000 })
    }
}

extension LayoutRequest {
    /// What a command was told to lay out for.
    init(_ settings: Settings) {
        self.init(
            viewport: Viewport(
                width: settings[TreeSettings.width], height: settings[TreeSettings.height],
                scale: settings[TreeSettings.scale], direction: settings[TreeSettings.direction]),
            rounding: settings[TreeSettings.rounding],
            collapsed: settings[TreeSettings.collapsed],
            options: TreeOptions(
                coordinates: settings[TreeSettings.coordinates],
                fields: settings[TreeSettings.fields], pretty: settings[TreeSettings.pretty]))
    }
}
