/// A section that turns pages: its lengths, and the offsets that follow from them (rules P1-P7).
///
/// All lengths and offsets are in points along the screen's main axis, offsets measured from where
/// reading starts (`physicalOffset(_:)` says where that is on a right-to-left screen), and nothing
/// is rounded. The layout makes one for a screen of exactly one flow section; a client that has
/// content insets of its own makes another with `with(contentInset:)`. Numbers that are not finite
/// count as 0, so that every answer is.
public struct Carousel: Sendable, Hashable {
    /// What was asked for.
    public let options: PagingOptions
    /// The pages there are, copies not counted: n (P1).
    public let pageCount: Int
    /// How often the items are shown: 3 when the carousel never ends, else 1 (P1).
    public let copies: Int
    /// What the viewport shows: L (P2).
    public let viewportLength: Double
    /// How long the content is, copies included: C (P2).
    public let contentLength: Double
    /// The scroller's own insets before and after the content: ci0 and ci1 (P2).
    public let contentInset: AxisEnds
    /// The section's insets before and after its lines: si0 and si1 (P2).
    public let sectionInset: AxisEnds
    /// The first item's length: i (P2).
    public let itemLength: Double
    /// Between one page and the next: sp (P2).
    public let lineSpacing: Double

    /// Makes a carousel from its lengths in points (P2).
    public init(
        options: PagingOptions, pageCount: Int, copies: Int = 1, viewportLength: Double,
        contentLength: Double, contentInset: AxisEnds = AxisEnds(),
        sectionInset: AxisEnds = AxisEnds(),
        itemLength: Double, lineSpacing: Double
    ) {
        self.options = options
        self.pageCount = max(0, pageCount)
        self.copies = max(1, copies)
        self.viewportLength = Sanitation.finite(viewportLength)
        self.contentLength = Sanitation.finite(contentLength)
        self.contentInset = contentInset
        self.sectionInset = sectionInset
        self.itemLength = Sanitation.finite(itemLength)
        self.lineSpacing = Sanitation.finite(lineSpacing)
    }

    /// The same carousel in a scroller with content insets of its own (P2).
    public func with(contentInset: AxisEnds) -> Carousel {
        Carousel(
            options: options, pageCount: pageCount, copies: copies, viewportLength: viewportLength,
            contentLength: contentLength, contentInset: contentInset, sectionInset: sectionInset,
            itemLength: itemLength, lineSpacing: lineSpacing)
    }
}
