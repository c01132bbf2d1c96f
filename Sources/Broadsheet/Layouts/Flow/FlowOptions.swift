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

extension FlowOptions {
    static let members: [OptionMember<SectionLayout>] = [
        .insets("inset", \.flow.inset),
        .length("minimumLineSpacing", \.flow.minimumLineSpacing),
        .length("minimumInteritemSpacing", \.flow.minimumInteritemSpacing),
        .value(
            "gridColumnCount", \.flow.gridColumnCount, .named("GridColumnCount"),
            write: { $0.write(to: &$1) }
        ) { $0.read($1, &$2, GridColumnCount.init) },
        .choice("itemAlignment", \.flow.itemAlignment),
        .object(
            "paging", \.flow.paging, PagingOptions.members, of: PagingOptions(),
            schema: "PagingOptions"),
    ]
}

extension PagingOptions {
    fileprivate static let members: [OptionMember<Self>] = [
        .bool("isEnabled", always: \.isEnabled), .bool("isAlignCenter", always: \.isAlignCenter),
        .bool("isLooping", always: \.isLooping), .bool("isInfinitePage", always: \.isInfinitePage),
        .bool("isAutoRolling", always: \.isAutoRolling),
        OptionMember(
            "autoRollingTimeInterval", .number, get: { $0.autoRollingTimeInterval },
            set: { $0.autoRollingTimeInterval = $1 }, write: { $1.exactNumber($0) }, interval),
    ]

    private static func interval(
        _ members: Members, _ name: String, _ collector: inout ViolationCollector
    ) -> Double? {
        // A number that is none is reported as any other interval that cannot be used.
        let interval = members.read(name, &collector) { value, collector in
            value.expecting("a number", value.double, &collector)
        }
        guard let interval, !isUsable(interval: interval) else { return interval }
        // A great one is probably in milliseconds.
        collector.reportUnusable(
            name,
            "is in seconds (not milliseconds), above 0 and at most "
                + "\(Int(maxAutoRollingTimeInterval)); the default of "
                + "\(Int(PagingOptions().autoRollingTimeInterval)) is used")
        return nil
    }
}
