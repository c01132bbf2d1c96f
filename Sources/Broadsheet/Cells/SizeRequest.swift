/// What a layout kind asks of a cell, a header or a footer: one answer in points is expected for it.
///
/// The layout decides what absent lengths become, since every kind has its own defaults (rules F3,
/// F5, C7, C12, L3, L5); the cell only says what it knows. Equal requests of one section are asked
/// once for all of its items.
public struct SizeRequest: Sendable, Hashable {
    /// The room that lengths given as parts are parts of.
    public var container: Container
    /// The resolved cross length in points whatever a rule says (a grid's column); nil lets the
    /// cell's own rule speak.
    public var fixedCross: Double?
    /// The length in points of an axis that the cell's rules leave out.
    public var absent: Size
    /// The size in points of a cell type that has no size of its own at all.
    public var fallback: Size

    /// Makes a request; `fallback` is `absent` unless it is given.
    public init(
        container: Container, fixedCross: Double? = nil, absent: Size, fallback: Size? = nil
    ) {
        self.container = container
        self.fixedCross = fixedCross
        self.absent = absent
        self.fallback = fallback ?? absent
    }
}
