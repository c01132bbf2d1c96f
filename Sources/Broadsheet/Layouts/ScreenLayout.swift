/// The layout of a screen as a whole, which UIKit keeps on the layout object (docs/layout.md,
/// section J `screen`).
public struct ScreenLayout: Sendable, Hashable {
    /// The axis along which the screen scrolls.
    public var direction: Axis?
    /// The size of an item that specifies none (F1: 50 by 50).
    public var itemSize: Size?
    /// The inset of sections that specify none (F2).
    public var inset: Insets?
    /// The line spacing of sections that specify none, in points (F2).
    public var minimumLineSpacing: Double?
    /// The interitem spacing of sections that specify none, in points (F2).
    public var minimumInteritemSpacing: Double?
    /// The space between consecutive compositional sections, in points (C16).
    public var interSectionSpacing: Double?
    /// A Boolean value that indicates whether headers are pinned (D5).
    public var pinHeaders: Bool?
    /// A Boolean value that indicates whether footers are pinned (D6).
    public var pinFooters: Bool?

    /// Creates a layout; a value that is left out has its default.
    public init(
        direction: Axis? = nil, itemSize: Size? = nil, inset: Insets? = nil,
        minimumLineSpacing: Double? = nil, minimumInteritemSpacing: Double? = nil,
        interSectionSpacing: Double? = nil, pinHeaders: Bool? = nil, pinFooters: Bool? = nil
    ) {
        self.direction = direction
        self.itemSize = itemSize
        self.inset = inset
        self.minimumLineSpacing = minimumLineSpacing
        self.minimumInteritemSpacing = minimumInteritemSpacing
        self.interSectionSpacing = interSectionSpacing
        self.pinHeaders = pinHeaders
        self.pinFooters = pinFooters
    }
}

extension ScreenLayout {
    /// Reads the `screen` of a catalog (docs/layout.md, section J).
    init(_ members: Members, _ collector: inout ViolationCollector) {
        members.reportUnknown(
            among: [
                "direction", "itemSize", "inset", "minimumLineSpacing", "minimumInteritemSpacing",
                "interSectionSpacing", "pinHeaders", "pinFooters",
            ], &collector)
        direction = Axis(members, &collector)
        itemSize = members.object("itemSize", &collector) { size, collector in
            size.reportUnknown(among: ["width", "height"], &collector)
            return Size(
                width: size.length("width", &collector) ?? Self.defaultItemLength,
                height: size.length("height", &collector) ?? Self.defaultItemLength)
        }
        inset = members.insets("inset", &collector)
        minimumLineSpacing = members.length("minimumLineSpacing", &collector)
        minimumInteritemSpacing = members.length("minimumInteritemSpacing", &collector)
        interSectionSpacing = members.length("interSectionSpacing", &collector)
        pinHeaders = members.bool("pinHeaders", &collector)
        pinFooters = members.bool("pinFooters", &collector)
    }

    /// The length of an item along an axis that is not specified, in points (rule F1).
    private static let defaultItemLength: Double = 50
}

extension Axis {
    /// Reads the member `direction`, or returns `nil` if it is absent or invalid.
    init?(_ members: Members, _ collector: inout ViolationCollector) {
        /// The axes by their names in JSON.
        enum Direction: String, CaseIterable {
            case horizontal
            case vertical
        }
        guard let direction: Direction = members.choice("direction", &collector) else {
            return nil
        }
        self = direction == .vertical ? .vertical : .horizontal
    }
}
