/// The kinds of boxes of a content in JSON: each is the name of the member that makes a box.
package enum ContentKind: String, Sendable, CaseIterable {
    case column, row, overlay, text, image, box, space
    case choice = "switch"

    static let containers: [ContentKind] = [.column, .row, .overlay]
    /// The kinds that have members besides their own.
    static let others: [ContentKind] = [.column, .row, .overlay, .text, .image, .box]

    var withArticle: String { (self == .overlay || self == .image ? "an " : "a ") + rawValue }

    package var summary: String {
        switch self {
        case .column: "Boxes below each other."
        case .row: "Boxes side by side, from where reading starts."
        case .overlay: "Boxes in the same place, later ones in front."
        case .text: "A text in the data."
        case .image: "An image, at a pointer into the data."
        case .box: "A view of the client, at a pointer into the data."
        case .space: "An empty box with a share of the length that is left."
        case .choice: "The box that a value in the data selects."
        }
    }
}

/// The declaration of a member of a content's boxes.
///
/// The reader, the diagnostics and the OpenAPI document derive from ``all``.
package struct ContentMember: Sendable {
    package let name: String
    package let form: MemberForm
    /// The kinds of boxes that may have the member.
    package let kinds: [ContentKind]
    /// The kinds of boxes in which a box may have the member.
    let parents: [ContentKind]
    let isForRoot: Bool
    package let isRequired: Bool

    private init(
        _ name: String, _ form: MemberForm, on kinds: [ContentKind] = ContentKind.others,
        in parents: [ContentKind]? = nil, isRequired: Bool = false
    ) {
        self.name = name
        self.form = form
        self.kinds = kinds
        self.parents = parents ?? ContentKind.containers
        isForRoot = parents == nil
        self.isRequired = isRequired
    }

    /// The member that makes a box of a kind.
    private init(_ kind: ContentKind, _ form: MemberForm) {
        self.init(kind.rawValue, form, on: [kind], isRequired: true)
    }

    /// All members, in the order of the documentation.
    package static let all: [ContentMember] =
        kinds + measurement + presence + lengths + places + meaning

    private static let kinds: [ContentMember] = [
        ContentMember(.column, boxes), ContentMember(.row, boxes), ContentMember(.overlay, boxes),
        ContentMember(.text, .named("ContentSource")), ContentMember(.image, .pointer),
        ContentMember(.box, .pointer), ContentMember(.space, .present("ContentWeight")),
        ContentMember(.choice, .pointer),
        ContentMember("cases", .named("ContentCases"), on: [.choice], isRequired: true),
        ContentMember("default", .named("CellContent"), on: [.choice]),
    ]

    private static let presence: [ContentMember] = [
        ContentMember("name", .named("PartName")),
        ContentMember(
            "if", .pointer, on: ContentKind.others + [.space], in: ContentKind.containers),
    ]

    private static let places: [ContentMember] = [
        ContentMember("fill", .named("ContentWeight"), in: [.column, .row]),
        ContentMember("shrink", .bool, in: [.row]),
        ContentMember("horizontal", alignment, in: [.column, .overlay]),
        ContentMember("vertical", alignment, in: [.row, .overlay]),
        ContentMember("align", alignment, on: ContentKind.containers),
        ContentMember(
            "justify", .choice("ContentJustification", ContentJustification.self),
            on: [.column, .row]),
        ContentMember("spacing", .magnitude, on: [.column, .row]),
        ContentMember("padding", .named("ContentPadding"), on: ContentKind.containers),
    ]

    private static let boxes = MemberForm.array(.present("CellContent"), least: 1)
    private static let alignment = MemberForm.choice("ContentAlignment", ContentAlignment.self)

    /// The members of the size rule `text`, except for the text.
    private static let measurement = SizeRuleForm.text.members.dropFirst().map {
        ContentMember($0.name, $0.form, on: [.text], isRequired: $0.isRequired)
    }

    /// The size rules that lengths of boxes cannot have: boxes are stacks and texts themselves.
    package static let excludedRules = ["stack", "text"]

    private static let lengths: [ContentMember] =
        ["width", "height"].map { ContentMember($0, .named("ContentLength")) }
        + ["minWidth", "maxWidth", "minHeight", "maxHeight"].map {
            ContentMember($0, .named("ContentBound"))
        }

    /// The members that say what a box is, and that no frame depends on.
    package static let meaning: [ContentMember] = [
        ContentMember("label", .named("ContentLabel")),
        ContentMember("role", .choice("ContentRole", ContentMeaning.Role.self)),
        ContentMember("level", .integer(ContentMeaning.levels)),
        ContentMember("hidden", .bool, in: ContentKind.containers),
        ContentMember("action", .string), ContentMember("input", .any),
        ContentMember("link", .pointer),
        ContentMember("url", .text(1...ImageURL.maxTemplateBytes), on: [.image]),
        ContentMember(
            "widths", .array(.integer(1...ImageURL.maxWidth), least: 1, most: ImageURL.maxWidths),
            on: [.image]),
        ContentMember("placeholder", .pointer, on: [.image]),
        ContentMember("style", .named("StyleNames")),
    ]

    /// Returns the members that boxes of a kind may have, whatever they are in.
    package static func members(of kind: ContentKind) -> [ContentMember] {
        all.filter { $0.kinds.contains(kind) }
    }

    /// `parent` is the kind of box that the box is in; `nil` for the root.
    func hasEffect(on kind: ContentKind, in parent: ContentKind?) -> Bool {
        kinds.contains(kind) && (parent.map(parents.contains) ?? isForRoot)
    }
}
