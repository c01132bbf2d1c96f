/// The unknown members of a document, and the members without effect: each name once.
package struct MemberDiagnostics: Sendable {
    /// One diagnostic about a member.
    package struct Entry: Sendable {
        /// The kind of diagnostic.
        package let code: Diagnostic.Code
        /// The pointer to the member.
        package let pointer: String
        /// A description for the author of the document.
        package let detail: String
        /// A Boolean value that indicates whether the name is nearly that of a known member.
        package var isMisspelling = false
    }

    /// The diagnostics about the first names, in the order in which they were read.
    package private(set) var entries: [Entry] = []
    /// The number of diagnostics, including members whose names are beyond the limit.
    package private(set) var total = 0

    /// The names of unknown members, in the order of `unknown`.
    private var unknown: Set<Identifier> = []
    /// The unknown names that were read first, which are compared without a copy.
    private var first: [String] = []
    private var withoutEffect: Set<String> = []

    /// The largest number of unknown names of a page or a catalog that have a diagnostic.
    package static let maxNames = 100
    /// The largest number of names that are compared one by one before the set is used.
    private static let maxFirst = 8

    /// The kind of object that has a member.
    enum Holder: Sendable {
        /// An object of the contract.
        case contract
        /// A unit with data.
        case unit
        /// A unit that is its own data.
        case data
    }

    /// Adds the member called `name` of the object at `path`, unless its name was added before.
    ///
    /// - Parameters:
    ///   - known: The names that the object may have.
    ///   - holder: The kind of the object.
    mutating func addUnknown(
        _ name: JSONText, at path: JSONPath, among known: KnownNames, of holder: Holder
    ) {
        guard !first.contains(where: name.equals) else { return }
        let text = name.string
        if Self.isForOthers(text) || unknown.contains(Identifier(text)) { return }
        total += 1
        guard unknown.count < Self.maxNames else { return }
        unknown.insert(Identifier(text))
        if first.count < Self.maxFirst { first.append(text) }
        let guess = known.guess(text)
        let start = holder == .data ? "is data of the unit" : "is not known and is ignored"
        entries.append(
            Entry(
                code: .unknownMember, pointer: path.pointer(toMember: text),
                detail: start + (guess?.hint ?? ""),
                isMisspelling: holder == .contract && guess?.isMisspelling == true))
    }

    /// Adds members of the section layout at `path`, unless their names were added before.
    mutating func addWithoutEffect(_ members: [MemberWithoutEffect], at path: JSONPath) {
        for member in members where withoutEffect.insert(member.name).inserted {
            total += 1
            entries.append(
                Entry(
                    code: .memberWithoutEffect, pointer: "\(path.pointer)/\(member.name)",
                    detail: member.detail))
        }
    }

    /// Returns the diagnostics with pointers that begin after `base`, the pointer to the page or
    /// the catalog in a larger document.
    func entries(below base: String) -> [Entry] {
        guard !base.isEmpty else { return entries }
        return entries.map { entry in
            Entry(
                code: entry.code,
                pointer: String(
                    decoding: entry.pointer.utf8.dropFirst(base.utf8.count), as: UTF8.self),
                detail: entry.detail, isMisspelling: entry.isMisspelling)
        }
    }

    /// Returns the diagnostics of a catalog whose pointer in its document is `base`, and one more
    /// about the number of those that are not listed.
    func diagnostics(ofCatalogAt base: String) -> [Diagnostic] {
        let listed = entries(below: base).map {
            Diagnostic($0, page: nil)
        }
        guard total > listed.count else { return listed }
        return listed + [
            Diagnostic(
                code: .diagnosticsTruncated, page: nil, pointer: "",
                detail: "\(total - listed.count) more diagnostics of the catalog are not shown")
        ]
    }

    /// Returns whether a member is for other programs: a schema's address, or an extension.
    static func isForOthers(_ name: String) -> Bool {
        name == "$schema" || name.utf8.starts(with: "x-".utf8)
    }
}

extension SectionLayout {
    /// The members that have effect on sections of every kind.
    ///
    /// `paging` has a diagnostic of its own where it has no effect (P1).
    private static let memberNamesOfEveryKind = [
        "kind", "decoration", "pinHeader", "pinFooter", "paging",
    ]

    /// The names of all members, those of every layout kind.
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
    }

    /// The name of the member; the names that lead to a member of an object in the layout, with
    /// slashes between them.
    let name: String
    private let reason: Reason

    /// Creates the description of a member called `name`.
    init(_ name: String, _ reason: Reason) {
        self.name = name
        self.reason = reason
    }

    /// A sentence for the author of the layout.
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
        }
    }
}
