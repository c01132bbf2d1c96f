/// One element of a screen, as a visibility query finds it (rules V1-V3).
public struct LaidOutElement: Sendable, Hashable {
    /// What of its section an element is; the cases stand in V3's order.
    public enum Part: Sendable, Hashable {
        /// The section's background at this index.
        case decoration(Int)
        /// The section's header.
        case header
        /// The section's item at this index.
        case item(Int)
        /// The section's footer.
        case footer
    }

    /// The section's index in the screen.
    public var section: Int
    /// What of the section it is.
    public var part: Part
    /// Where it was found, in content coordinates: pinned, and moved by its section's own scroller.
    public var frame: Frame

    /// Makes an element.
    public init(section: Int, part: Part, frame: Frame) {
        self.section = section
        self.part = part
        self.frame = frame
    }
}
