/// How a section asks to be laid out: the members of `layout` in a page or a catalog (layout.md, J).
///
/// Every member is optional, since a page's own layout wins over the catalog's *member by member*,
/// and a later page's over an earlier one's. What nobody says falls to the screen's defaults and
/// then to the layout kind's own (rules F1, C1, L1).
public struct SectionLayout: Sendable, Hashable {
    /// The layout engine that the section wants; flow when nobody says.
    public enum Kind: String, Sendable, Hashable, CaseIterable {
        /// Lines that wrap (rules F).
        case flow
        /// Groups, optionally scrolling sideways (rules C).
        case compositional
        /// Full-width rows (rules L).
        case list
    }

    /// The layout engine.
    public var kind: Kind?
    /// What flow reads; compositional falls back on its insets and spacings (rule C3).
    public var flow = FlowOptions()
    /// What compositional reads.
    public var compositional = CompositionalOptions()
    /// What list reads.
    public var list = ListOptions()
    /// A background behind the section (rules D1-D4).
    public var decoration: DecorationOptions?
    /// Whether the header stays in view while its section does (rule D5).
    public var pinHeader: Bool?
    /// Whether the footer stays in view while its section does (rule D6).
    public var pinFooter: Bool?

    /// A layout that says nothing.
    public init() {}

    /// This layout with every member that `later` sets taken from `later`.
    public func overridden(by later: SectionLayout) -> SectionLayout {
        var result = self
        result.kind = later.kind ?? kind
        result.flow = flow.overridden(by: later.flow)
        result.compositional = compositional.overridden(by: later.compositional)
        result.list = list.overridden(by: later.list)
        result.decoration = later.decoration ?? decoration
        result.pinHeader = later.pinHeader ?? pinHeader
        result.pinFooter = later.pinFooter ?? pinFooter
        return result
    }
}
