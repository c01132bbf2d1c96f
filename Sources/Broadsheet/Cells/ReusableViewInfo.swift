/// A section's header or footer: its type, and where its data stands in the page it belongs to.
public struct ReusableViewInfo: Sendable {
    /// The index of its type among its page's kinds.
    package let kind: Int
    /// Where its data stands in its page's bytes.
    package let dataRange: Range<Int>
    /// Where its size inputs begin among the page's; of a Swift type, the data's tape node.
    let inputs: UInt32
    /// The unit that made it.
    package let place: UnitLocation
}
