public import BroadsheetClient

/// The flow members of a section's layout (rules F1-F7, F21, P).
public struct FlowOptions: Sendable, Hashable {
    /// The space between the section's edges and its lines.
    public var inset: Insets?
    /// The space between successive lines along the main axis, in points.
    public var minimumLineSpacing: Double?
    /// The least space between items of one line along the cross axis, in points.
    public var minimumInteritemSpacing: Double?
    /// The number of columns of equal cross length (F5, F18, F19); 0 spans the viewport (F6), and a
    /// negative number means the item size (F7).
    public var gridColumnCount: GridColumnCount?
    /// The place of items in their lines along the main axis; the centre if `nil` (F14, F21).
    public var itemAlignment: ItemAlignment?
    /// The configuration of a carousel, or `nil` for a section that does not turn pages (rules P).
    public var paging: PagingOptions?

    /// Creates options; a value that is left out has the layout's default.
    public init(
        inset: Insets? = nil, minimumLineSpacing: Double? = nil,
        minimumInteritemSpacing: Double? = nil, gridColumnCount: GridColumnCount? = nil,
        itemAlignment: ItemAlignment? = nil, paging: PagingOptions? = nil
    ) {
        self.inset = inset
        self.minimumLineSpacing = minimumLineSpacing
        self.minimumInteritemSpacing = minimumInteritemSpacing
        self.gridColumnCount = gridColumnCount
        self.itemAlignment = itemAlignment
        self.paging = paging
    }
}

extension FlowOptions: LayoutOptions {
    package static let members: [OptionMember<Self>] = [
        .insets("inset", \.inset),
        .length("minimumLineSpacing", \.minimumLineSpacing),
        .length("minimumInteritemSpacing", \.minimumInteritemSpacing),
        .value(
            "gridColumnCount", \.gridColumnCount, .named("GridColumnCount"),
            write: { $0.write(to: &$1) }
        ) { $0.read($1, &$2, GridColumnCount.init) },
        .choice("itemAlignment", \.itemAlignment),
        .value(
            "paging", \.paging, .named("PagingOptions"), write: { $0.write(to: &$1) }
        ) { $0.object($1, &$2, PagingOptions.init) },
    ]
}

extension PagingOptions {
    static let memberNames = [
        "isEnabled", "isAlignCenter", "isLooping", "isInfinitePage", "isAutoRolling",
        "autoRollingTimeInterval",
    ]

    /// Reads the configuration of a carousel; absent members keep their defaults.
    init(_ members: Members, _ collector: inout ViolationCollector) {
        members.reportUnknown(among: Self.memberNames, &collector)
        self.init()
        isEnabled = members.bool("isEnabled", &collector) ?? isEnabled
        isAlignCenter = members.bool("isAlignCenter", &collector) ?? isAlignCenter
        isLooping = members.bool("isLooping", &collector) ?? isLooping
        isInfinitePage = members.bool("isInfinitePage", &collector) ?? isInfinitePage
        isAutoRolling = members.bool("isAutoRolling", &collector) ?? isAutoRolling
        // A number that is none is reported as any other interval that cannot be used.
        let interval = members.read("autoRollingTimeInterval", &collector) { value, collector in
            value.expecting("a number", value.double, &collector)
        }
        guard let interval else { return }
        if Self.isUsable(interval: interval) {
            autoRollingTimeInterval = interval
        } else {
            // A great one is probably in milliseconds.
            collector.reportUnusable(
                "autoRollingTimeInterval",
                "is in seconds (not milliseconds), above 0 and at most "
                    + "\(Int(Self.maxAutoRollingTimeInterval)); the default of "
                    + "\(Int(autoRollingTimeInterval)) is used")
        }
    }
}
