/// A section that turns pages: its configuration and the offsets it rests at (rules P1-P7).
///
/// All lengths and offsets are in points along the screen's main axis, measured from where reading
/// starts; nothing here is rounded.
public struct Carousel: Sendable, Hashable {
    /// What was asked for.
    public var options: PagingOptions
    /// From one page's start to the next one's: P (P3).
    public var pageLength: Double
    /// The pages there are, copies not counted: n (P1).
    public var pageCount: Int
    /// How often the items are shown: 3 when the carousel never ends, else 1 (P1).
    public var copies: Int
    /// The least offset (P6).
    public var minOffset: Double
    /// The greatest offset (P6).
    public var maxOffset: Double
    /// Where it starts (P7).
    public var initialOffset: Double
    /// Where its last page rests (P7).
    public var finalOffset: Double
}
