/// One way of arranging a section's items: the seam between the pipeline and the layouts.
///
/// A kind arranges one section alone, from its own start and without rounding; it neither knows
/// where the section will stand nor which way the reader reads. The pipeline does the rest (G7).
package protocol LayoutKind: Sendable {
    /// What rounding moves: origins only (R2), or sizes too (R3).
    var roundedParts: RoundedParts { get }
    /// What a decoration spans when it does not say (D1).
    var decorationMode: DecorationOptions.Mode { get }
    /// A decoration's place in depth when it does not say (G8).
    var decorationZIndex: Int { get }
    /// Whether this viewport has room for anything of the kind at all (G4).
    func hasRoom(in context: LayoutContext) -> Bool
    /// Whether the section's headers pin when neither it nor the screen says (D5, L7).
    func pinsHeaders(_ layout: SectionLayout) -> Bool
    /// Arranges one section; called only when there is room.
    ///
    /// O(items).
    func arrange<Content: SectionContent>(
        _ content: Content, in context: LayoutContext
    ) -> SectionArrangement
}

extension LayoutKind {
    /// From the first item to the last.
    package var decorationMode: DecorationOptions.Mode { .items }
    /// Behind everything.
    package var decorationZIndex: Int { ZIndex.decoration }
    /// Headers scroll away unless somebody asks.
    package func pinsHeaders(_ layout: SectionLayout) -> Bool { false }
}

extension SectionLayout {
    /// The kind in effect in a screen that scrolls along `axis`.
    ///
    /// Compositional and list sections know no horizontal screen; there they are flow (J).
    func kind(along axis: Axis) -> Kind {
        axis == .vertical ? kind ?? .flow : .flow
    }
}

extension SectionLayout.Kind {
    /// The layout that arranges sections of this kind.
    var engine: any LayoutKind {
        switch self {
        case .flow: FlowLayout()
        case .compositional: CompositionalLayout()
        case .list: ListLayout()
        }
    }
}
