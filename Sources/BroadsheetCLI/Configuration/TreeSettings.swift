/// What shapes a tree on the command line, by the names that the API's query has for it.
enum TreeSettings {
    /// The viewport's width.
    static let width = length("width", 390, "the viewport's width")
    /// The viewport's height.
    static let height = length("height", 844, "the viewport's height")
    /// Device pixels per point.
    static let scale = Setting.number(
        "scale", "FACTOR", 3, as: "3", unit: "pixels per point",
        expectation: "one of: 1, 1.5, 2, 3, 4", "the device's scale: 1, 1.5, 2, 3 or 4",
        where: { [1, 1.5, 2, 3, 4].contains($0) })
    /// Section ids to collapse.
    static let collapsed = Setting.text(
        "collapsed", "IDS", "", "section ids to collapse, separated by commas")
    /// Whether the tree is indented.
    static let pretty = Setting.toggle("pretty", "indent the tree")

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
