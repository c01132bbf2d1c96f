/// The configuration of a carousel (layout.md, J `paging` and rules P).
public struct PagingOptions: Sendable, Hashable {
    /// Whether paging is on at all.
    public var isEnabled = true
    /// Whether a resting page is centred in the viewport.
    public var isAlignCenter = false
    /// Whether stepping past the end starts over.
    public var isLooping = false
    /// Whether the items are shown three times over so that scrolling never ends (P1, P10).
    public var isInfinitePage = false
    /// Whether the pages turn by themselves (P11).
    public var isAutoRolling = false
    /// Seconds between turns by itself (P11).
    public var autoRollingTimeInterval: Double = 3.0

    /// The default configuration.
    public init() {}
}
