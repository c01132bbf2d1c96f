extension SectionLayout {
    package static let members: [OptionMember<Self>] =
        [kindMember] + FlowOptions.members + CompositionalOptions.members + ListOptions.members
        + RareOptions.masonryMembers + RareOptions.membersOfEveryKind + surroundings

    private static let kindMember = OptionMember<Self>.choice("kind", \.kind, schema: "SectionKind")

    private static let surroundings: [OptionMember<Self>] = [
        .value(
            "decoration", \.decorations, .named("Decorations"), write: DecorationOptions.write
        ) { $0.read($1, &$2, DecorationOptions.decorations) },
        .bool("pinHeader", \.pinHeader),
        .bool("pinFooter", \.pinFooter),
    ]

    /// The members that have effect on sections of every kind.
    ///
    /// `paging` has a diagnostic of its own where it has no effect (P1).
    private static let memberNamesOfEveryKind =
        ["kind", "decoration", "pinHeader", "pinFooter", "paging"]
        + RareOptions.membersOfEveryKind.map(\.name)

    private static let memberNames: [String] = Kind.allCases.reduce(into: memberNamesOfEveryKind) {
        names, kind in names += kind.layout.memberNames.filter { !names.contains($0) }
    }

    /// The names of all members, and those that other systems have for some of them.
    static let knownNames = KnownNames(
        memberNames, aliases: ["columns": "gridColumnCount", "gridColumns": "gridColumnCount"])

    /// Returns the members of this layout that have no effect: on sections of its kind, in the
    /// order of the document, or beside other members.
    ///
    /// - Parameters:
    ///   - value: The value that this layout was read from.
    ///   - registered: The layout that this one takes precedence over.
    /// - Complexity: O(members).
    func membersWithoutEffect(
        in value: JSONValue, over registered: SectionLayout = SectionLayout()
    ) -> [MemberWithoutEffect] {
        let kind = kind ?? registered.kind ?? .standard
        return Self.members(of: value, withoutEffectOn: kind)
            + kind.layout.membersWithoutEffect(in: self, over: registered)
    }

    private static func members(
        of layout: JSONValue, withoutEffectOn kind: Kind
    ) -> [MemberWithoutEffect] {
        var members: [MemberWithoutEffect] = []
        for member in layout.members where !member.value.isNull {
            let isMember = { (name: String) in member.name.equals(name) }
            guard !memberNamesOfEveryKind.contains(where: isMember),
                !kind.layout.memberNames.contains(where: isMember),
                let name = memberNames.first(where: isMember),
                !members.contains(where: { $0.name == name })
            else { continue }
            members.append(MemberWithoutEffect(name, .kind(kind)))
        }
        return members
    }
}

/// A member of a section's layout that has no effect on the section.
package struct MemberWithoutEffect: Sendable {
    /// The reason why a member has no effect.
    package enum Reason: Sendable {
        /// It is for sections of other kinds.
        case kind(SectionLayout.Kind)
        /// A horizontal group that is not in a scroller divides its width (C5).
        case withoutScroller
        /// Each card is a group (C17).
        case besideCardWidth
        /// The space between cards is that between groups (C17).
        case betweenCards
        /// The items are all as tall as their row, or not in one (C18).
        case withoutRow
    }

    /// The name of the member; the names that lead to a member of an object in the layout, with
    /// slashes between them.
    let name: String
    private let reason: Reason

    init(_ name: String, _ reason: Reason) {
        self.name = name
        self.reason = reason
    }

    var detail: String {
        switch reason {
        case .kind(let kind):
            let kinds = SectionLayout.Kind.allCases
                .filter { $0.layout.memberNames.contains(name) }.map(\.rawValue).alternatives
            return "has no effect on a section of the kind \"\(kind.rawValue)\", only on \(kinds)"
        case .withoutScroller:
            return "has no effect on horizontal groups without \"scrolling\"; their items share "
                + "the width of the section"
        case .besideCardWidth:
            return "has no effect beside \"width\" in a section that scrolls sideways: each card "
                + "is a group"
        case .betweenCards:
            return "has no effect on cards; the space between them is \"lineSpacing\""
        case .withoutRow:
            return "has no effect on these items; it aligns dynamic items in a horizontal group, "
                + "and items in a scroller that have \"isUniformAcrossSiblings\""
        }
    }
}
