/// The compositional members of a section's layout (rules C).
public struct CompositionalOptions: Sendable, Hashable {
    /// How large the items of a section are (C5-C7).
    public enum ItemSize: Sendable, Hashable {
        /// Every slot alike: `columns` to a group (1 when nil), lengths in points (C5, C6).
        case uniform(columns: Int?, width: Double?, height: Double?)
        /// Each item as large as it says itself (C7).
        case dynamic
    }

    /// What scrolling sideways snaps to (C10).
    public enum Scrolling: String, Sendable, Hashable, CaseIterable {
        /// Groups stack along the screen's main axis (C8).
        case none
        /// Rests anywhere.
        case continuous
        /// Rests at the start of a group.
        case continuousGroupLeadingBoundary
        /// Rests at multiples of the viewport's width.
        case paging
        /// Rests at the start of a group, one group at a time.
        case groupPaging
        /// Rests with a group centred.
        case groupPagingCentered
    }

    /// What headers and footers measure their width against (C13).
    public enum ContentInsetsReference: String, Sendable, Hashable, CaseIterable {
        /// As the layout decides: the content box.
        case automatic
        /// The whole viewport.
        case none
        /// The safe area, 0 on the server.
        case safeArea
        /// The layout margins, 0 on the server.
        case layoutMargins
    }

    /// Carried through to the client untouched.
    public struct ScrollProperties: Sendable, Hashable {
        /// How fast a fling slows down: the posted JSON, a string with its quotes or a number.
        public var decelerationRate: String?
        /// Whether the scroller bounces at its ends.
        public var bounce: Bool?

        /// Properties that say nothing.
        public init() {}
    }

    /// The axis along which a group's items follow each other (C5, C6).
    public var direction: Axis?
    /// How large the items are.
    public var itemSize: ItemSize?
    /// Whether and how the section scrolls sideways.
    public var scrolling: Scrolling?
    /// Between the items of a group, in points (C3).
    public var itemSpacing: Double?
    /// Between groups, in points (C3).
    public var lineSpacing: Double?
    /// Room around the groups (C3).
    public var sectionInset: Insets?
    /// What headers and footers measure against.
    public var contentInsetsReference: ContentInsetsReference?
    /// Hints for the client's scroller.
    public var orthogonalScrollingProperties: ScrollProperties?
    /// Whether the items of a group grow to the tallest among them (C11).
    public var isUniformAcrossSiblings: Bool?
    /// The height to assume for an item that has none of its own, in points (C11).
    public var uniformEstimatedHeight: Double?

    /// Options that say nothing.
    public init() {}

    func overridden(by later: CompositionalOptions) -> CompositionalOptions {
        var result = self
        result.direction = later.direction ?? direction
        result.itemSize = later.itemSize ?? itemSize
        result.scrolling = later.scrolling ?? scrolling
        result.itemSpacing = later.itemSpacing ?? itemSpacing
        result.lineSpacing = later.lineSpacing ?? lineSpacing
        result.sectionInset = later.sectionInset ?? sectionInset
        result.contentInsetsReference = later.contentInsetsReference ?? contentInsetsReference
        result.orthogonalScrollingProperties =
            later.orthogonalScrollingProperties ?? orthogonalScrollingProperties
        result.isUniformAcrossSiblings = later.isUniformAcrossSiblings ?? isUniformAcrossSiblings
        result.uniformEstimatedHeight = later.uniformEstimatedHeight ?? uniformEstimatedHeight
        return result
    }
}
