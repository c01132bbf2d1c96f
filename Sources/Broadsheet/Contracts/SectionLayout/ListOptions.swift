/// The list members of a section's layout (rules L).
public struct ListOptions: Sendable, Hashable {
    /// The look of the list, which decides its margins and paddings (L2-L6).
    public enum Appearance: String, Sendable, Hashable, CaseIterable {
        /// Edge to edge; headers pin (L7).
        case plain
        /// Edge to edge, with room between sections.
        case grouped
        /// Inset from both sides, with room between sections.
        case insetGrouped
        /// Inset from both sides.
        case sidebar
        /// Edge to edge, as a sidebar.
        case sidebarPlain
    }

    /// Where a section's header comes from (L5).
    public enum HeaderMode: String, Sendable, Hashable, CaseIterable {
        /// Never shown.
        case none
        /// The section's own header.
        case supplementary
        /// Item 0 plays the header.
        case firstItemInSection
    }

    /// Where a section's footer comes from (L5).
    public enum FooterMode: String, Sendable, Hashable, CaseIterable {
        /// Never shown.
        case none
        /// The section's own footer.
        case supplementary
    }

    /// The look of the list; plain when nil.
    public var appearance: Appearance?
    /// Whether rows are told apart by hairlines (L6); shown when nil.
    public var showsSeparators: Bool?
    /// Where the header comes from; none when nil.
    public var headerMode: HeaderMode?
    /// Where the footer comes from; none when nil.
    public var footerMode: FooterMode?
    /// Room above a supplementary header, in points (L5).
    public var headerTopPadding: Double?

    /// Options that say nothing.
    public init() {}

    func overridden(by later: ListOptions) -> ListOptions {
        var result = self
        result.appearance = later.appearance ?? appearance
        result.showsSeparators = later.showsSeparators ?? showsSeparators
        result.headerMode = later.headerMode ?? headerMode
        result.footerMode = later.footerMode ?? footerMode
        result.headerTopPadding = later.headerTopPadding ?? headerTopPadding
        return result
    }
}
