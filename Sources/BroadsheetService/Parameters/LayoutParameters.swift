import Broadsheet

/// What a layout answer depends on besides the screen: every parameter with its value.
struct LayoutParameters: Sendable, Hashable {
    /// What it is laid out for; 390 by 844 points at scale 3, left to right, unless said otherwise.
    var viewport = Viewport()
    /// Whose coordinates frames are in.
    var coordinates = TreeOptions.Coordinates.section
    /// Whether items come with their data.
    var fields = TreeOptions.Fields.all
    /// Whether frames are rounded to device pixels.
    var rounding = Rounding.pixel
    /// Sections to collapse on top of those that are stored so.
    var collapsed = IdentifierList()
    /// Whether the tree is indented; no page token is bound to it.
    var pretty = false
    /// Whether diagnostics also say what a designer would want to know; no page token is bound to
    /// it.
    var lint = false

    /// How the tree is to be written.
    var treeOptions: TreeOptions {
        TreeOptions(coordinates: coordinates, fields: fields, pretty: pretty)
    }
}

/// Texts in the order of their bytes, each once, equal only when their code points are: the same
/// list whatever order it was given in.
struct IdentifierList: Sendable {
    /// The texts.
    let texts: [String]

    /// A list of these texts.
    init(_ texts: [String] = []) {
        let sorted = texts.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
        self.texts = sorted.reduce(into: []) { unique, text in
            if unique.last?.utf8.elementsEqual(text.utf8) != true { unique.append(text) }
        }
    }

    /// How long the texts are altogether with a comma between each, in bytes.
    var byteCount: Int { texts.reduce(0) { $0 + $1.utf8.count } + max(texts.count - 1, 0) }
}

extension IdentifierList: Hashable {
    static func == (left: IdentifierList, right: IdentifierList) -> Bool {
        left.texts.elementsEqual(right.texts) { $0.utf8.elementsEqual($1.utf8) }
    }

    func hash(into hasher: inout Hasher) {
        for text in texts { hasher.combine(Array(text.utf8)) }
    }
}
