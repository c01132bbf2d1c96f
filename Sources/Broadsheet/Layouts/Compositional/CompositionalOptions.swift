/// The compositional members of a section's layout (rules C).
public struct CompositionalOptions: Sendable, Hashable {
    /// The size of a section's items (C5-C7).
    public enum ItemSize: Sendable, Hashable {
        /// Equal slots: `columns` in a group (1 if `nil`; C19), the height in points (C5, C6); or
        /// cards of a width (C17).
        case uniform(columns: GridColumnCount?, width: ItemWidth?, height: Double?)
        /// The own size of each item (C7).
        case dynamic
    }

    /// The width of the items of a vertical group (C6), or of cards (C17).
    public enum ItemWidth: Sendable, Hashable, ExpressibleByFloatLiteral,
        ExpressibleByIntegerLiteral
    {
        /// A length in points.
        case points(Double)
        /// A fraction of the content box's width (C4).
        case fraction(Double)

        /// Creates a width in points.
        public init(floatLiteral points: Double) { self = .points(points) }

        /// Creates a width in points.
        public init(integerLiteral points: Int) { self = .points(Double(points)) }
    }

    /// The behaviour of a horizontal scroller at rest (C10).
    public enum Scrolling: String, Sendable, Hashable, CaseIterable {
        /// No scroller: groups stack along the screen's main axis (C8).
        case none
        /// At any offset.
        case continuous
        /// At the start of a group.
        case continuousGroupLeadingBoundary
        /// At multiples of the viewport's width.
        case paging
        /// At the start of a group, one group at a time.
        case groupPaging
        /// With a group in the centre.
        case groupPagingCentered
    }

    /// Settings for the client's scroller, passed through unchanged.
    public struct ScrollProperties: Sendable, Hashable {
        /// The deceleration rate as posted JSON: a string with its quotes, or a number.
        public var decelerationRate: String?
        /// A Boolean value that indicates whether the scroller bounces at its ends.
        public var bounce: Bool?

        /// Creates properties; the client chooses values that are left out.
        public init(
            decelerationRate: String? = nil, bounce: Bool? = nil
        ) {
            self.decelerationRate = decelerationRate
            self.bounce = bounce
        }
    }

    /// The axis along which the items of a group follow each other (C5, C6).
    public var direction: ScreenAxis?
    /// The size of the items.
    public var itemSize: ItemSize?
    /// The behaviour of the section's horizontal scroller.
    public var scrolling: Scrolling?
    /// The space between the items of a group, in points (C3).
    public var itemSpacing: Double?
    /// The space between groups, in points (C3).
    public var lineSpacing: Double?
    /// The space around the groups (C3).
    public var sectionInset: Insets?
    /// Settings for the client's scroller.
    public var orthogonalScrollingProperties: ScrollProperties?
    /// A Boolean value that indicates whether the items of a group take the height of the tallest
    /// among them (C11).
    public var isUniformAcrossSiblings: Bool?
    /// The height of an item that specifies none, in points (C11).
    public var uniformEstimatedHeight: Double?
    /// The place of items that may differ in height in their row (C18).
    public var itemAlignment: ItemAlignment?

    /// Creates options; a value that is left out has the layout's default.
    public init(
        direction: ScreenAxis? = nil, itemSize: ItemSize? = nil, scrolling: Scrolling? = nil,
        itemSpacing: Double? = nil, lineSpacing: Double? = nil, sectionInset: Insets? = nil,
        orthogonalScrollingProperties: ScrollProperties? = nil,
        isUniformAcrossSiblings: Bool? = nil, uniformEstimatedHeight: Double? = nil,
        itemAlignment: ItemAlignment? = nil
    ) {
        self.direction = direction
        self.itemSize = itemSize
        self.scrolling = scrolling
        self.itemSpacing = itemSpacing
        self.lineSpacing = lineSpacing
        self.sectionInset = sectionInset
        self.orthogonalScrollingProperties = orthogonalScrollingProperties
        self.isUniformAcrossSiblings = isUniformAcrossSiblings
        self.uniformEstimatedHeight = uniformEstimatedHeight
        self.itemAlignment = itemAlignment
    }
}

/// Cards: items of a width of their own in a horizontal scroller, one a group (C17).
extension CompositionalOptions {
    var cardWidth: ItemWidth? { isOrthogonalRow ? uniformWidth : nil }

    private var isOrthogonalRow: Bool {
        (scrolling ?? .none) != .none && direction != .vertical
    }

    private var uniformWidth: ItemWidth? {
        guard case .uniform(_, let width, _) = itemSize else { return nil }
        return width
    }

    /// The alignment of items that may differ in height, if they are in a row; otherwise `nil`
    /// (C18).
    var rowAlignment: ItemAlignment? {
        guard direction != .vertical else { return nil }
        let isMeasured = isOrthogonalRow && isUniformAcrossSiblings == true
        return itemSize == .dynamic || isMeasured ? itemAlignment : nil
    }

    /// Returns the members of these options that have no effect beside the other ones.
    ///
    /// - Parameters:
    ///   - all: These options with those that they take precedence over.
    ///   - interitemSpacing: The flow member that `itemSpacing` falls back on, if it is specified.
    func membersWithoutEffect(
        among all: CompositionalOptions, interitemSpacing: Double?
    ) -> [MemberWithoutEffect] {
        let alignment = itemAlignment != nil && all.rowAlignment == nil
        return membersOfGroupsWithoutEffect(among: all, interitemSpacing: interitemSpacing)
            + (alignment ? [MemberWithoutEffect("itemAlignment", .withoutRow)] : [])
    }

    /// Returns the members that cards, and slots that share a width, make ineffective (C5, C17).
    private func membersOfGroupsWithoutEffect(
        among all: CompositionalOptions, interitemSpacing: Double?
    ) -> [MemberWithoutEffect] {
        guard all.uniformWidth != nil, all.direction != .vertical else { return [] }
        guard all.cardWidth != nil else {
            // C5: a horizontal group divides the content box.
            return uniformWidth == nil
                ? [] : [MemberWithoutEffect("itemSize/uniform/width", .withoutScroller)]
        }
        var members: [MemberWithoutEffect] = []
        if case .uniform(.some, _, _) = itemSize {
            members.append(MemberWithoutEffect("itemSize/uniform/columns", .besideCardWidth))
        }
        if itemSpacing != nil { members.append(MemberWithoutEffect("itemSpacing", .betweenCards)) }
        if interitemSpacing != nil {
            members.append(MemberWithoutEffect("minimumInteritemSpacing", .betweenCards))
        }
        return members
    }
}

extension CompositionalOptions {
    /// The members besides `itemAlignment`, which is among those of flow.
    static let members: [OptionMember<SectionLayout>] = [
        .value(
            "direction", \.compositional.direction, .named("GroupDirection"),
            write: { $0.write(to: &$1) }
        ) { ScreenAxis($0, $1, &$2) },
        .value(
            "itemSize", \.compositional.itemSize, .named("ItemSize"), write: { $0.write(to: &$1) }
        ) { $0.read($1, &$2, ItemSize.init) },
        .choice("scrolling", \.compositional.scrolling),
        .length("itemSpacing", \.compositional.itemSpacing),
        .length("lineSpacing", \.compositional.lineSpacing),
        .insets("sectionInset", \.compositional.sectionInset),
        .object(
            "orthogonalScrollingProperties", \.compositional.orthogonalScrollingProperties,
            ScrollProperties.members, of: ScrollProperties(), schema: "ScrollingProperties"),
        .bool("isUniformAcrossSiblings", \.compositional.isUniformAcrossSiblings),
        .length("uniformEstimatedHeight", \.compositional.uniformEstimatedHeight),
    ]

    /// The names of the flow members that compositional ones fall back on (C3).
    static let fallbackNames = ["inset", "minimumLineSpacing", "minimumInteritemSpacing"]
}

extension CompositionalOptions.ItemSize {
    /// Reads `"dynamic"` or `{"uniform": {…}}`.
    init?(_ value: JSONValue, _ collector: inout ViolationCollector) {
        if value.kind == .string, value.text?.equals("dynamic") == true {
            self = .dynamic
            return
        }
        guard value.kind == .object, let members = Members(value, &collector) else {
            collector.report(
                "must be \"dynamic\" or an object with \"uniform\"\(value.insteadOf)", at: value)
            return nil
        }
        members.reportUnknown(among: ["uniform"], &collector)
        let uniform: Self? = members.required("uniform", &collector) { value, collector in
            guard let slots = Members(value, &collector) else { return nil }
            slots.reportUnknown(among: ["columns", "width", "height"], &collector)
            return .uniform(
                columns: slots.read("columns", &collector, GridColumnCount.init),
                width: slots.read("width", &collector, CompositionalOptions.ItemWidth.init),
                height: slots.length("height", &collector))
        }
        guard let uniform else { return nil }
        self = uniform
    }
}

extension CompositionalOptions.ItemWidth {
    /// Reads a number of points, or `{"fraction": 0.8}`.
    init?(_ value: JSONValue, _ collector: inout ViolationCollector) {
        if let points = value.length(&collector) {
            self = .points(points)
            return
        }
        guard value.kind == .object, let members = Members(value, &collector) else {
            collector.report(
                "must be a number or an object with \"fraction\"\(value.insteadOf)", at: value)
            return nil
        }
        members.reportUnknown(among: ["fraction"], &collector)
        let fraction = members.required("fraction", &collector) { value, collector in
            value.expecting("a number", value.length(&collector), &collector)
        }
        guard let fraction else { return nil }
        self = .fraction(fraction)
    }

    /// Returns the length in a content box of the given width, both in points; never negative (G2).
    func length(in content: Double) -> Double {
        switch self {
        case .points(let points): Sanitation.size(points)
        case .fraction(let fraction): Sanitation.size(Length.sanitised(fraction) * content)
        }
    }
}

extension CompositionalOptions.ScrollProperties {
    fileprivate static let members: [OptionMember<Self>] = [
        .value(
            "decelerationRate", \.decelerationRate, .named("DecelerationRate"),
            write: { $1.raw(Array($0.utf8)) }
        ) { members, name, collector in
            members.read(name, &collector) { value, collector in
                value.expecting("a string or a number", value.text, &collector).map { _ in
                    String(decoding: value.document.bytes[value.byteRange], as: UTF8.self)
                }
            }
        },
        .bool("bounce", \.bounce),
    ]
}
