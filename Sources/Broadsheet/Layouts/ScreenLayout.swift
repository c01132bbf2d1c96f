/// The layout of a screen as a whole, which UIKit keeps on the layout object (docs/layout.md,
/// section J `screen`).
public struct ScreenLayout: Sendable, Hashable {
    /// The axis along which the screen scrolls.
    public var direction: ScreenAxis?
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
        direction: ScreenAxis? = nil, itemSize: Size? = nil, inset: Insets? = nil,
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
    /// The members of the `screen` of a catalog (docs/layout.md, section J).
    package static let members: [OptionMember<Self>] = [
        .value(
            "direction", \.direction, .named("ScreenDirection"), write: { $0.write(to: &$1) }
        ) { ScreenAxis($0, $1, &$2) },
        .value(
            "itemSize", \.itemSize, .named("DefaultItemSize"), write: { $0.write(to: &$1) }
        ) { $0.object($1, &$2, ScreenLayout.defaultSize) },
        .insets("inset", \.inset),
        .length("minimumLineSpacing", \.minimumLineSpacing),
        .length("minimumInteritemSpacing", \.minimumInteritemSpacing),
        .length("interSectionSpacing", \.interSectionSpacing),
        .bool("pinHeaders", \.pinHeaders),
        .bool("pinFooters", \.pinFooters),
    ]

    init(_ members: Members, _ collector: inout ViolationCollector) {
        self = Self.members.options(ScreenLayout(), from: members, &collector)
    }

    private static func defaultSize(
        _ size: Members, _ collector: inout ViolationCollector
    ) -> Size {
        size.reportUnknown(among: ["width", "height"], &collector)
        return Size(
            width: size.length("width", &collector) ?? defaultItemLength,
            height: size.length("height", &collector) ?? defaultItemLength)
    }

    /// The length of an item along an axis that is not specified, in points (rule F1).
    private static let defaultItemLength: Double = 50
}

extension ScreenAxis {
    init?(_ members: Members, _ name: String, _ collector: inout ViolationCollector) {
        /// The axes by their names in JSON.
        enum Direction: String, CaseIterable {
            case horizontal
            case vertical
        }
        guard let direction: Direction = members.choice(name, &collector) else {
            return nil
        }
        self = direction == .vertical ? .vertical : .horizontal
    }
}
