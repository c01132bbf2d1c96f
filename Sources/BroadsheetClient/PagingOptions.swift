/// The configuration of a carousel (docs/layout.md, section J `paging` and rules P).
public struct PagingOptions: Sendable, Hashable {
    /// A Boolean value that indicates whether the section turns pages at all.
    public var isEnabled = true
    /// A Boolean value that indicates whether a page at rest is centred in the viewport.
    public var isAlignCenter = false
    /// A Boolean value that indicates whether a step past one end continues at the other (P9).
    public var isLooping = false
    /// A Boolean value that indicates whether the items are shown three times, so that scrolling
    /// never reaches an end (P1, P10).
    public var isInfinitePage = false
    /// A Boolean value that indicates whether the pages turn automatically (P11).
    public var isAutoRolling = false
    /// The time between two automatic turns, in seconds (P11).
    public var autoRollingTimeInterval: Double = 3.0

    /// Creates the default configuration.
    public init() {}
}
