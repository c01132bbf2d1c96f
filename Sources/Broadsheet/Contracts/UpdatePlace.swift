/// A place among items or sections.
public enum UpdatePlace: Sendable, Hashable {
    /// Before an item or a section; before the index that equals their number is the end.
    case before(UpdateTarget)
    /// After an item or a section.
    case after(UpdateTarget)
    /// After the last item or section.
    case end
}

/// The name of an item or a section in an operation: an id, or an index before the operation.
public enum UpdateTarget: Sendable, Hashable, ExpressibleByStringLiteral,
    ExpressibleByIntegerLiteral
{
    /// An id, compared code point by code point.
    case id(String)
    /// An index in the section, or, of a section, in the whole screen.
    case index(Int)

    /// Creates an id.
    public init(stringLiteral id: String) { self = .id(id) }

    /// Creates an index.
    public init(integerLiteral index: Int) { self = .index(index) }
}
