/// A box of a cell's content (docs/catalog.md, "Contents").
///
/// It has no reference, so that laying it out for each item retains nothing; its rules are those of
/// its tree.
struct ContentBox: Sendable {
    /// The kinds of boxes.
    enum Kind: Sendable {
        case column
        /// Boxes side by side, from where reading starts.
        case row
        case overlay
        /// A text that is an input, by its index.
        case text(input: Int32, TextRule)
        /// An image, or a view of the client, which is there if an input, by its index, is not 0.
        case image(input: Int32, isView: Bool)
        /// Nothing, with a share of the length that is left.
        case space
        /// The box whose position is an input, by its index: one of the boxes inside of this one,
        /// which stands for it.
        case choice(input: Int32)
    }

    var kind: Kind
    /// The index behind the last box inside of this one.
    var end: Int32 = 0
    /// The index of the input that is 0 if the box is left out; -1 for none.
    var condition: Int32 = -1
    /// The index of the name in the tree; -1 for none.
    var name: Int32 = -1
    /// The index of the input that an image's URL is made of; -1 without a URL.
    var url: Int32 = -1
    var width = ContentLength.none
    var height = ContentLength.none
    var widthBounds = ContentBounds()
    var heightBounds = ContentBounds()
    /// The weight with which the box shares the length that is left along its parent's axis; 0 if
    /// it does not.
    var fill = 0.0
    /// A Boolean value that indicates whether the box becomes narrower if its row is too short.
    var shrinks = true
    /// The place across a column, or along x in an overlay; `nil` for the parent's.
    var horizontal: ContentAlignment?
    /// The place across a row, or along y in an overlay; `nil` for the parent's.
    var vertical: ContentAlignment?
    /// The place across this box of the boxes in it.
    var align = ContentAlignment.stretch
    /// The place along this box of the boxes in it.
    var justify = ContentJustification.start
    var spacing = 0.0
    var padding = Insets.zero

    @inline(__always)
    var isContainer: Bool {
        switch kind {
        case .column, .row, .overlay: true
        case .text, .image, .space, .choice: false
        }
    }

    @inline(__always)
    var paddingAcross: Double { padding.left + padding.right }

    @inline(__always)
    var paddingDown: Double { padding.top + padding.bottom }
}

/// The place of a box of a content across its parent.
public enum ContentAlignment: String, Sendable, Hashable, CaseIterable {
    /// The edge at which reading starts, or the top.
    case start
    /// The middle.
    case center
    /// The edge at which reading ends, or the bottom.
    case end
    /// The whole length of the parent.
    case stretch
}

/// The place of the boxes of a content along their column or row if length is left.
public enum ContentJustification: String, Sendable, Hashable, CaseIterable {
    /// The edge at which reading starts, or the top.
    case start
    /// The middle.
    case center
    /// The edge at which reading ends, or the bottom.
    case end
    /// The whole length, with equal spaces between them.
    case spaceBetween
}

/// The rule of a length of a box.
enum ContentLength: Sendable {
    case none
    /// No rule, and the box is not stretched.
    case natural
    case points(Double)
    /// A rule of the tree, by its index.
    case rule(Int32, hasFraction: Bool)

    @inline(__always)
    var isRule: Bool {
        switch self {
        case .none, .natural: false
        case .points, .rule: true
        }
    }

    @inline(__always)
    var isNatural: Bool {
        if case .natural = self { true } else { false }
    }
}

/// The bounds of a length of a box.
struct ContentBounds: Sendable {
    var lower = ContentLength.none
    var upper = ContentLength.none

    @inline(__always)
    var isEmpty: Bool { !lower.isRule && !upper.isRule }
}

/// The parts of a content that no frame depends on.
struct ContentDescription {
    var meanings: [ContentMeaning] = []
    /// The pointers that only clients follow.
    var placeholders: Set<JSONPointer> = []
    var styles: Set<String> = []
}

/// A cell's content, compiled: its boxes in the order of the document, each before those in it.
final class ContentTree: @unchecked Sendable {
    // Unchecked: only the initialiser writes the memory of the boxes.

    let boxes: UnsafeBufferPointer<ContentBox>
    let rules: [SizeRule]
    /// The names of boxes as JSON strings without quotes, which need no escapes.
    let names: [[UInt8]]
    /// The pointers to the names in the catalog.
    let nameLocations: [String]
    /// The meanings of the boxes, by their indexes; empty if no box has one.
    let meanings: [ContentMeaning]
    let styles: Set<String>
    /// The distinct inputs from a cell's data, to which boxes, rules and meanings refer.
    let inputs: [SizeInput]
    /// The URLs of images, by the indexes of their inputs.
    let urls: [ImageURL?]
    /// The different pointers into a cell's data, those that only clients follow included.
    let pointers: Set<JSONPointer>
    /// The content as it was written, JSON.
    let json: [UInt8]

    /// Creates a tree of boxes, of which there is at least one.
    init(
        _ boxes: [ContentBox], rules: [SizeRule], names: [(text: String, location: String)],
        inputs: [SizeInput], _ description: ContentDescription, json: [UInt8]
    ) {
        let memory = UnsafeMutableBufferPointer<ContentBox>.allocate(capacity: boxes.count)
        _ = memory.initialize(from: boxes)
        self.boxes = UnsafeBufferPointer(memory)
        self.rules = rules
        self.names = names.map { Array($0.text.utf8) }
        nameLocations = names.map(\.location)
        self.inputs = inputs
        urls = inputs.map { if case .url(_, let url) = $0 { url } else { nil } }
        self.json = json
        meanings = description.meanings.contains(where: \.isJudged) ? description.meanings : []
        styles = description.styles
        pointers = description.placeholders.union(inputs.flatMap(\.pointers))
    }

    deinit { boxes.deallocate() }

    var fonts: [CatalogFont] {
        var fonts: [CatalogFont] = []
        for font in inputs.compactMap(\.text?.font) where !fonts.contains(font) {
            fonts.append(font)
        }
        return fonts
    }
}

extension SizeRule {
    /// A Boolean value that indicates whether the length depends on that of a container.
    var hasFraction: Bool {
        switch self {
        case .fraction: true
        case .points, .ratio, .ratioInput, .input, .text: false
        case .sum(let parts), .stack(let parts, _, _), .custom(_, let parts):
            parts.contains(where: \.hasFraction)
        case .choice(_, let cases): cases.contains(where: \.hasFraction)
        case .product(let rule, _): rule.hasFraction
        case .clamp(let lower, let upper, let rule):
            lower?.hasFraction == true || upper?.hasFraction == true || rule.hasFraction
        }
    }
}

/// The conditions of a layout that the parts of items depend on besides their sizes.
public struct ContentConditions: Sendable, Hashable {
    var textScale = 1.0
    /// The number of device pixels per point; 0 if nothing is rounded.
    var pixelScale = 0.0
    /// A Boolean value that indicates whether reading starts at the right.
    var isMirrored = false
    /// The number of pixels of images per point.
    var imageScale = 1.0
}
