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
    /// The kinds of values.
    package enum Value: Sendable {
        case boxes
        case box
        /// Boxes by name.
        case cases
        /// A JSON Pointer into the data of the cell, or an object of several.
        case text
        /// A JSON Pointer into the data of the cell.
        case pointer
        /// A number from 1 to 1000.
        case weight
        case name
        /// A size rule, or `"natural"`.
        case length(ScreenAxis)
        /// A size rule.
        case bound(ScreenAxis)
        case bool
        /// A place across a box.
        case alignment
        /// A place along a box.
        case justification
        /// A number of points, 0 or more.
        case points
        /// A number of points, or an object of edges, 0 or more.
        case insets
        /// A member of the size rule `text`.
        case ofText
        /// A JSON Pointer into the data of the cell, a constant, or an object of several.
        case label
        case role
        /// The level of a heading.
        case level
        case action
        case json
        /// The template of a URL.
        case url
        /// Widths in device pixels, ascending.
        case widths
        case style
    }

    package let name: String
    package let value: Value
    /// The kinds of boxes that may have the member.
    package let kinds: [ContentKind]
    /// The kinds of boxes in which a box may have the member.
    let parents: [ContentKind]
    let isForRoot: Bool
    package let isRequired: Bool

    private init(
        _ name: String, _ value: Value, on kinds: [ContentKind] = ContentKind.others,
        in parents: [ContentKind]? = nil, isRequired: Bool = false
    ) {
        self.name = name
        self.value = value
        self.kinds = kinds
        self.parents = parents ?? ContentKind.containers
        isForRoot = parents == nil
        self.isRequired = isRequired
    }

    /// The member that makes a box of a kind.
    private init(_ kind: ContentKind, _ value: Value) {
        self.init(kind.rawValue, value, on: [kind], isRequired: true)
    }

    /// All members, in the order of the documentation.
    package static let all: [ContentMember] =
        [
            ContentMember(.column, .boxes), ContentMember(.row, .boxes),
            ContentMember(.overlay, .boxes), ContentMember(.text, .text),
            ContentMember(.image, .pointer), ContentMember(.box, .pointer),
            ContentMember(.space, .weight), ContentMember(.choice, .pointer),
            ContentMember("cases", .cases, on: [.choice], isRequired: true),
            ContentMember("default", .box, on: [.choice]),
            ContentMember("font", .ofText, on: [.text], isRequired: true),
            ContentMember("maxLines", .ofText, on: [.text]),
            ContentMember("minLines", .ofText, on: [.text]),
            ContentMember("overflow", .ofText, on: [.text]),
            ContentMember("hangul", .ofText, on: [.text]),
            ContentMember("name", .name),
            ContentMember(
                "if", .pointer, on: ContentKind.others + [.space], in: ContentKind.containers),
        ] + lengths + [
            ContentMember("fill", .weight, in: [.column, .row]),
            ContentMember("shrink", .bool, in: [.row]),
            ContentMember("horizontal", .alignment, in: [.column, .overlay]),
            ContentMember("vertical", .alignment, in: [.row, .overlay]),
            ContentMember("align", .alignment, on: ContentKind.containers),
            ContentMember("justify", .justification, on: [.column, .row]),
            ContentMember("spacing", .points, on: [.column, .row]),
            ContentMember("padding", .insets, on: ContentKind.containers),
        ] + meaning

    /// The size rules that lengths of boxes cannot have: boxes are stacks and texts themselves.
    package static let excludedRules = ["stack", "text"]

    private static let lengths: [ContentMember] = [
        ContentMember("width", .length(.horizontal)), ContentMember("height", .length(.vertical)),
        ContentMember("minWidth", .bound(.horizontal)),
        ContentMember("maxWidth", .bound(.horizontal)),
        ContentMember("minHeight", .bound(.vertical)),
        ContentMember("maxHeight", .bound(.vertical)),
    ]

    /// The members that say what a box is, and that no frame depends on.
    package static let meaning: [ContentMember] = [
        ContentMember("label", .label), ContentMember("role", .role),
        ContentMember("level", .level),
        ContentMember("hidden", .bool, in: ContentKind.containers),
        ContentMember("action", .action), ContentMember("input", .json),
        ContentMember("link", .pointer), ContentMember("url", .url, on: [.image]),
        ContentMember("widths", .widths, on: [.image]),
        ContentMember("placeholder", .pointer, on: [.image]), ContentMember("style", .style),
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
