/// The members of a layout that few sections have.
package struct RareOptions: Sendable, Hashable {
    var decorations: [DecorationOptions]?
    var custom: CustomLayoutBox?
    /// The choice of an item's columns in masonry (M4).
    var placement: MasonryPlacement?
    /// The part of the viewport that the section is laid out in (G9).
    var contentInsetsReference: SectionLayout.ContentInsetsReference?
    /// The greatest width of the section's area, in points (G9).
    var maxWidth: Double?
}

extension RareOptions {
    static let masonryMembers: [OptionMember<SectionLayout>] = [
        .choice("placement", \.rareOptions.placement, schema: "MasonryPlacement")
    ]

    static let membersOfEveryKind: [OptionMember<SectionLayout>] = [
        .choice("contentInsetsReference", \.contentInsetsReference),
        .length("maxWidth", \.maxWidth),
    ]
}

/// The rare members out of line, because layouts are copied often.
final class RareMembers: Sendable, Hashable {
    let options: RareOptions

    init?(_ options: RareOptions) {
        guard options != RareOptions() else { return nil }
        self.options = options
    }

    static func == (one: RareMembers, other: RareMembers) -> Bool {
        one === other || one.options == other.options
    }

    func hash(into hasher: inout Hasher) { hasher.combine(options) }
}

extension SectionLayout {
    /// The part of the viewport's cross axis that a section is laid out in (rule G9).
    public enum ContentInsetsReference: String, Sendable, Hashable, CaseIterable {
        /// The default: the safe area.
        case automatic
        /// The whole viewport; in compositional sections, headers and footers span it, too (C13).
        case none
        /// The safe area, if the request has one.
        case safeArea
        /// The safe area less the system's layout margins, if the request has one.
        case layoutMargins
    }

    /// The decorations behind the section, at most ``maxDecorations``, those in front last (rules
    /// D1-D4 and D7).
    public var decorations: [DecorationOptions]? {
        get { rareOptions.decorations }
        set { rareOptions.decorations = newValue }
    }

    /// The part of the viewport that the section is laid out in (rule G9).
    public var contentInsetsReference: ContentInsetsReference? {
        get { rareOptions.contentInsetsReference }
        set { rareOptions.contentInsetsReference = newValue }
    }

    /// The greatest width of the section's area, in points, in which it is centred (rule G9).
    public var maxWidth: Double? {
        get { rareOptions.maxWidth }
        set { rareOptions.maxWidth = newValue }
    }

    /// The members of a masonry section (rules M), which it shares with flow but for one.
    public var masonry: MasonryOptions {
        get {
            MasonryOptions(
                columns: flow.gridColumnCount, lineSpacing: flow.minimumLineSpacing,
                interitemSpacing: flow.minimumInteritemSpacing, inset: flow.inset,
                placement: rareOptions.placement)
        }
        set {
            flow.gridColumnCount = newValue.columns
            flow.minimumLineSpacing = newValue.lineSpacing
            flow.minimumInteritemSpacing = newValue.interitemSpacing
            flow.inset = newValue.inset
            rareOptions.placement = newValue.placement
        }
    }

    var custom: CustomLayoutBox? {
        get { rareOptions.custom }
        set { rareOptions.custom = newValue }
    }

    /// The first decoration; a new value replaces all decorations.
    public var decoration: DecorationOptions? {
        get { decorations?.first }
        set { decorations = newValue.map { [$0] } }
    }
}
