public import BroadsheetClient

/// A place among items or sections.
public enum UpdatePlace: Sendable, Hashable {
    /// Before an item or a section; before the index that equals their number is the end.
    case before(UpdateTarget)
    /// After an item or a section.
    case after(UpdateTarget)
    /// After the last item or section.
    case end
}
