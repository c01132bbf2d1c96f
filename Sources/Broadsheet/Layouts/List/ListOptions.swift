/// The list members of a section's layout (rules L).
public struct ListOptions: Sendable, Hashable {
    /// The appearance of a list, which determines its margins and paddings (L2-L6).
    public enum Appearance: String, Sendable, Hashable, CaseIterable {
        /// From edge to edge; headers are pinned (L7).
        case plain
        /// From edge to edge, with space between sections.
        case grouped
        /// Inset from both sides, with space between sections.
        case insetGrouped
        /// Inset from both sides.
        case sidebar
        /// From edge to edge, as a sidebar.
        case sidebarPlain
    }

    /// The source of a section's header (L5).
    public enum HeaderMode: String, Sendable, Hashable, CaseIterable {
        /// No header is shown.
        case none
        /// The section's own header.
        case supplementary
        /// The first item.
        case firstItemInSection
    }

    /// The source of a section's footer (L5).
    public enum FooterMode: String, Sendable, Hashable, CaseIterable {
        /// No footer is shown.
        case none
        /// The section's own footer.
        case supplementary
    }

    /// The appearance of the list; `plain` if `nil`.
    public var appearance: Appearance?
    /// A Boolean value that indicates whether separators are shown (L6); `true` if `nil`.
    public var showsSeparators: Bool?
    /// The source of the header; `none` if `nil`.
    public var headerMode: HeaderMode?
    /// The source of the footer; `none` if `nil`.
    public var footerMode: FooterMode?
    /// The space above a supplementary header, in points (L5).
    public var headerTopPadding: Double?

    /// Creates options; a value that is left out has the layout's default.
    public init(
        appearance: Appearance? = nil, showsSeparators: Bool? = nil,
        headerMode: HeaderMode? = nil, footerMode: FooterMode? = nil,
        headerTopPadding: Double? = nil
    ) {
        self.appearance = appearance
        self.showsSeparators = showsSeparators
        self.headerMode = headerMode
        self.footerMode = footerMode
        self.headerTopPadding = headerTopPadding
    }
}

extension ListOptions {
    static let members: [OptionMember<SectionLayout>] = [
        .choice("appearance", \.list.appearance, schema: "ListAppearance"),
        .bool("showsSeparators", \.list.showsSeparators),
        .choice("headerMode", \.list.headerMode),
        .choice("footerMode", \.list.footerMode),
        .length("headerTopPadding", \.list.headerTopPadding),
    ]
}
