/// The place of an item along the main axis, in a line or row that is longer (rules F21 and C18).
public enum ItemAlignment: String, Sendable, Hashable, CaseIterable {
    /// At the start: the top, if the screen scrolls vertically.
    case start
    /// In the centre.
    case center
    /// At the end.
    case end
    /// The item is as long as its line or row.
    case stretch

    /// The part of the free length that is before an item.
    var leadingFraction: Double {
        switch self {
        case .start, .stretch: 0
        case .center: 0.5
        case .end: 1
        }
    }
}
