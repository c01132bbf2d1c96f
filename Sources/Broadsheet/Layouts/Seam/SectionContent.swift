/// What a layout kind sees of a section: how many items, what surrounds them, how large they are.
///
/// Sizes are answered as the cells give them; the layout sanitises them (rule G2).
package protocol SectionContent: Sendable {
    /// The items to lay out; 0 when the section is collapsed (F17).
    var itemCount: Int { get }
    /// Whether the section has items that it does not show; no layout asks, only lint does.
    var isCollapsed: Bool { get }
    /// Whether the section has a header.
    var hasHeader: Bool { get }
    /// Whether the section has a footer.
    var hasFooter: Bool { get }
    /// How the section asks to be laid out.
    var layout: SectionLayout { get }

    /// The size in points of every item, in order: exactly `itemCount` of them.
    ///
    /// O(items).
    func itemSizes(_ request: SizeRequest) -> [Size]
    /// The one size that every item is known to have without asking each; nil when not known.
    func uniformItemSize(_ request: SizeRequest) -> Size?
    /// The header's size in points; asked only when there is one.
    func headerSize(_ request: SizeRequest) -> Size
    /// The footer's size in points; asked only when there is one.
    func footerSize(_ request: SizeRequest) -> Size
}

extension SectionContent {
    /// Everything is shown.
    package var isCollapsed: Bool { false }
    /// Nothing is known ahead.
    package func uniformItemSize(_ request: SizeRequest) -> Size? { nil }
}
