public import BroadsheetClient

/// The requested layout of a section: the members of `layout` in a page or a catalog
/// (docs/layout.md, section J).
///
/// Every member is optional, since a page's own layout takes precedence over the catalog's *member
/// by member*, and a later page's over an earlier one's. Absent values fall back on the screen's
/// and then on the layout kind's own defaults (rules F1, C1, L1).
public struct SectionLayout: Sendable, Hashable {
    /// The layout kind; `Kind.standard` if `nil`.
    public var kind: Kind?
    /// The flow options; compositional sections fall back on their insets and spacings (rule C3).
    public var flow = FlowOptions()
    /// The compositional options.
    public var compositional = CompositionalOptions()
    /// The list options.
    public var list = ListOptions()
    /// A Boolean value that indicates whether the header is pinned (rule D5).
    public var pinHeader: Bool?
    /// A Boolean value that indicates whether the footer is pinned (rule D6).
    public var pinFooter: Bool?
    private var rareMembers: RareMembers?

    /// The largest number of decorations of one section.
    public static let maxDecorations = 16

    /// Creates a layout without any value.
    public init() {}

    /// Creates a layout from one with the options of its kind.
    ///
    ///     SectionLayout(.flow(columns: 2, lineSpacing: 15), pinHeader: true)
    public init(
        _ options: SectionLayout, decorations: [DecorationOptions]? = nil, pinHeader: Bool? = nil,
        pinFooter: Bool? = nil
    ) {
        self = options
        self.decorations = decorations
        self.pinHeader = pinHeader
        self.pinFooter = pinFooter
    }

    /// Creates a flow layout.
    ///
    /// - Parameters:
    ///   - columns: The number of columns of equal cross length (F5, F18, F19).
    ///   - lineSpacing: The space between successive lines, in points.
    ///   - interitemSpacing: The least space between items of one line, in points.
    ///   - inset: The space between the section's edges and its lines.
    ///   - paging: The configuration of a carousel.
    public static func flow(
        columns: GridColumnCount? = nil, lineSpacing: Double? = nil,
        interitemSpacing: Double? = nil, inset: Insets? = nil, paging: PagingOptions? = nil
    ) -> SectionLayout {
        var layout = SectionLayout()
        layout.kind = .flow
        layout.flow = FlowOptions(
            inset: inset, minimumLineSpacing: lineSpacing,
            minimumInteritemSpacing: interitemSpacing, gridColumnCount: columns, paging: paging)
        return layout
    }

    /// Creates a compositional layout.
    public static func compositional(_ options: CompositionalOptions) -> SectionLayout {
        var layout = SectionLayout()
        layout.kind = .compositional
        layout.compositional = options
        return layout
    }

    /// Creates a list layout.
    public static func list(_ options: ListOptions = ListOptions()) -> SectionLayout {
        var layout = SectionLayout()
        layout.kind = .list
        layout.list = options
        return layout
    }

    /// Creates a masonry layout (rules M).
    public static func masonry(_ options: MasonryOptions = MasonryOptions()) -> SectionLayout {
        var layout = SectionLayout()
        layout.kind = .masonry
        layout.masonry = options
        return layout
    }

    /// Creates a custom layout (rules X).
    ///
    /// - Parameters:
    ///   - layout: The layout of the section's items.
    ///   - columns: The number of columns, if the layout has any.
    ///   - lineSpacing: The space between successive lines, in points.
    ///   - interitemSpacing: The space between items of one line, in points.
    ///   - inset: The space between the section's edges and its items.
    public static func custom(
        _ layout: some CustomLayout, columns: GridColumnCount? = nil, lineSpacing: Double? = nil,
        interitemSpacing: Double? = nil, inset: Insets? = nil
    ) -> SectionLayout {
        var section = flow(
            columns: columns, lineSpacing: lineSpacing, interitemSpacing: interitemSpacing,
            inset: inset)
        section.kind = .custom
        section.custom = CustomLayoutBox(layout)
        return section
    }

    var rareOptions: RareOptions {
        get { rareMembers?.options ?? RareOptions() }
        set { rareMembers = RareMembers(newValue) }
    }

    /// Reads the `layout` of a section; violations go to `collector`.
    ///
    /// The members of every kind are read whatever the `kind`, since another page may specify it.
    init(_ members: Members, _ collector: inout ViolationCollector) {
        members.reportUnknown(among: Self.knownNames, &collector)
        Self.members.read(&self, from: members, &collector)
        compositional.itemAlignment = flow.itemAlignment
    }

    /// Reads a layout of a catalog, and reports the members without effect; `nil` if the value is
    /// not an object.
    init?(registered value: JSONValue, _ collector: inout ViolationCollector) {
        guard let members = Members(value, &collector) else { return nil }
        self.init(members, &collector)
        for member in membersWithoutEffect(in: value) {
            collector.reportWithoutEffect(member.name, member.detail)
        }
    }

    /// Returns this layout with every value that `later` has taken from `later`.
    public func overridden(by later: SectionLayout) -> SectionLayout {
        var result = self
        Self.members.override(&result, by: later)
        if let alignment = later.compositional.itemAlignment {
            result.compositional.itemAlignment = alignment
        }
        if let custom = later.custom { result.custom = custom }
        return result
    }
}

extension SectionLayout {
    /// A layout kind: the type that arranges a section's items, known by its name in JSON.
    ///
    /// Each kind is declared beside its layout, for example in `FlowLayout.swift`.
    public struct Kind: RawRepresentable, Sendable, Hashable, CaseIterable {
        /// All layout kinds: what readers accept, and what OpenAPI lists, in this order.
        public static let allCases: [Kind] = [.flow, .compositional, .list, .masonry]

        /// The kind of a section that specifies none.
        public static var standard: Kind { .flow }

        let layout: any LayoutKind.Type

        init(_ layout: any LayoutKind.Type) {
            self.layout = layout
        }

        /// Creates the kind with the given name, or `nil` if there is none.
        public init?(rawValue: String) {
            guard let kind = Self.allCases.first(where: { $0.rawValue == rawValue }) else {
                return nil
            }
            self = kind
        }

        /// The name of the kind in JSON.
        public var rawValue: String { layout.name }

        /// Returns whether two kinds have the same layout.
        public static func == (lhs: Kind, rhs: Kind) -> Bool { lhs.layout == rhs.layout }

        /// Hashes the identity of the layout.
        public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(layout)) }
    }
}

/// A layout out of line, because it is large and most sections and unit types have none.
final class LayoutBox: Sendable {
    let layout: SectionLayout

    init(_ layout: SectionLayout) {
        self.layout = layout
    }
}
