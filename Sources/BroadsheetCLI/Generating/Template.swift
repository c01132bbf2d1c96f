import BroadsheetWeb

/// A text with places for values.
///
/// `«name»` is the place of a value in a line, and what is behind a comment is its text if it has
/// none. Entries between `«|»` are in the line if they fit, else in one of their own, else one a
/// line. Lines that have nothing but `«each items»`, `«if items»` or `«unless items»`, and `«end»`
/// are directives: they repeat and choose lines. The first lines are lists of words, as
/// `«keywords» as break`, and rules for types, as `«type array» List<«type»>`.
struct Template: Sendable {
    fileprivate enum Node {
        /// A line, of which every second piece is the name of a place.
        case line(indentation: String, [String])
        case each(String, [Node])
        case choice(String, Bool, [Node])
    }

    fileprivate let nodes: [Node]
    let words: [String: Set<String>]
    /// Texts of which every second piece is the name of a place.
    let rules: [String: [String]]

    init(_ file: BroadsheetWebFile) {
        let text = String(
            decoding: UnsafeBufferPointer(start: file.bytes, count: file.length), as: UTF8.self)
        var lines = text.split(separator: "\n", omittingEmptySubsequences: false).dropLast()
        var texts: [String: String] = [:]
        while lines.first?.first == "«" {
            let parts = lines.removeFirst().dropFirst()
                .split(separator: "»", maxSplits: 1, omittingEmptySubsequences: false)
            let name = String(parts[0])
            texts[name] = (texts[name].map { $0 + " " } ?? "") + parts[1].dropFirst()
        }
        words = texts.mapValues { Set($0.split(separator: " ").map(String.init)) }
        rules = texts.mapValues(Self.pieces)
        nodes = Self.block(&lines)
    }

    private static func pieces(_ text: some StringProtocol) -> [String] {
        text.split(omittingEmptySubsequences: false) { "«»".contains($0) }.map { String($0) }
    }

    /// Reads lines up to the directive that ends a block.
    private static func block(_ lines: inout ArraySlice<Substring>) -> [Node] {
        var nodes: [Node] = []
        while let line = lines.popFirst() {
            let text = line.drop { $0 == " " }
            let words = text.dropLast().split(separator: " ", maxSplits: 1).map(String.init)
            switch words.first {
            case "«each": nodes.append(.each(words[1], block(&lines)))
            case "«if": nodes.append(.choice(words[1], true, block(&lines)))
            case "«unless": nodes.append(.choice(words[1], false, block(&lines)))
            case "«end": return nodes
            default:
                let indentation = String(line.prefix { $0 == " " })
                nodes.append(.line(indentation: indentation, pieces(text)))
            }
        }
        return nodes
    }
}

typealias TemplateValues = [String: TemplateValue]

enum TemplateValue {
    case text(String)
    case comment(Comment)
    case items([TemplateValues])
    /// The text that follows from the rest of a place.
    case rule((String) -> String)

    static func flag(_ flag: Bool) -> TemplateValue { .text(flag ? "true" : "") }

    /// Entries between zeros, which code does not have otherwise.
    static func list(_ entries: [String]) -> TemplateValue {
        .text(entries.joined(separator: "\0"))
    }

    fileprivate var isSomething: Bool {
        if case .items(let items) = self { return !items.isEmpty }
        if case .text("") = self { return false }
        return true
    }
}

/// Code that a template and values become.
struct CodeWriter {
    private(set) var text = ""
    private let language: GeneratedLanguage
    /// The values of the blocks around the current line, the innermost last.
    private var scopes: [TemplateValues]
    /// A Boolean value that indicates whether an empty line would be a second or a first one.
    private var isAtStart = true

    private static let maxColumns = 100

    init(_ language: GeneratedLanguage, _ values: TemplateValues) {
        (self.language, scopes) = (language, [["|": .list(["", ""])], values])
        write(language.template.nodes)
    }

    private func value(_ name: String) -> TemplateValue {
        // The support code of a file has what was used so far.
        if "(<".contains(name.last ?? " ") { return .flag(text.contains(name)) }
        if let value = scopes.last(where: { $0[name] != nil })?[name] { return value }
        let words = name.split(separator: " ", maxSplits: 1).map(String.init)
        guard case .rule(let rule)? = scopes.last?[words[0]] else { return .text("") }
        return .text(rule(words[1]))
    }

    private mutating func write(_ nodes: [Template.Node]) {
        for node in nodes {
            switch node {
            case .line(let indentation, let pieces): write(pieces, indentation)
            case .choice(let name, let condition, let nodes):
                if value(name).isSomething == condition { write(nodes) }
            case .each(let name, let nodes):
                guard case .items(let items) = value(name) else { continue }
                for (place, item) in items.enumerated() {
                    let isLast = place == items.count - 1
                    scopes.append([
                        "or": .text(place == 0 ? "" : "} else "),
                        ",": .text(isLast ? "" : ","), ";": .text(isLast ? ";" : ""),
                    ])
                    scopes.append(item)
                    write(nodes)
                    scopes.removeLast(2)
                }
            }
        }
    }

    private mutating func write(_ pieces: [String], _ indentation: String) {
        var line = ""
        var comment: Comment?
        for (place, piece) in pieces.enumerated() {
            switch place % 2 == 0 ? .text(piece) : value(piece) {
            case .text(let text): line += text
            case .comment(let value): comment = value
            case .items, .rule: break
            }
        }
        if let comment { return write(comment, or: line, indentation) }
        guard line.utf8.contains(0) else { return write(indentation + line) }
        var entries = line.split(separator: "\0", omittingEmptySubsequences: false)[...]
        let (head, tail) = (indentation + entries.removeFirst(), entries.popLast() ?? "")
        let joined = entries.joined(separator: ", ")
        guard !joined.isEmpty, (head + joined + tail).utf8.count > Self.maxColumns else {
            return write(head + joined + tail)
        }
        let inner = indentation + "    "
        let lines = (inner + joined).utf8.count <= Self.maxColumns ? [joined[...]] : entries
        write(head)
        write(inner + lines.joined(separator: ",\n" + inner))
        write(indentation + tail)
    }

    private mutating func write(_ line: String) {
        if !line.isEmpty || !isAtStart { text += line + "\n" }
        isAtStart = line.isEmpty || line.utf8.last == UInt8(ascii: "{")
    }

    private mutating func write(_ comment: Comment, or text: String, _ indentation: String) {
        let deprecation = language == .typescript ? "@deprecated" : "Deprecated."
        let width = max(Self.maxColumns - indentation.utf8.count - 4, 40)
        let texts = (comment.lines.isEmpty ? [text] : comment.lines).map(Self.plain)
        let parts = (texts.filter { !$0.isEmpty } + (comment.isDeprecated ? [deprecation] : []))
            .map { Self.wrapped($0, width) }
        var lines = Array(parts.joined(separator: language == .swift ? [""] : []))
        if language == .swift {
            lines = lines.map { $0.isEmpty ? "///" : "/// " + $0 }
        } else if lines.count == 1, lines[0].utf8.count + indentation.utf8.count < 93 {
            lines = ["/** \(lines[0]) */"]
        } else if !lines.isEmpty {
            lines = ["/**"] + lines.map { " * " + $0 } + [" */"]
        }
        for line in lines { write(indentation + line) }
    }

    private static func wrapped(_ paragraph: String, _ width: Int) -> [String] {
        paragraph.split(separator: " ").reduce(into: []) { lines, word in
            if let last = lines.last, last.count + word.count < width {
                lines[lines.count - 1] += " " + word
            } else {
                lines.append(String(word))
            }
        }
    }

    /// Returns a text without what ends a line or a comment, or begins a tag.
    private static func plain(_ text: String) -> String {
        let blanks = [
            Unicode.GeneralCategory.control, .format, .lineSeparator, .paragraphSeparator,
        ]
        var plain = String.UnicodeScalarView()
        var last: Unicode.Scalar = " "
        for var scalar in text.unicodeScalars {
            if blanks.contains(scalar.properties.generalCategory) { scalar = " " }
            if last == "@" || (last, scalar) == ("*", "/") || (last, scalar) == ("/", "*") {
                plain.append(" ")
            }
            plain.append(scalar)
            last = scalar
        }
        return String(plain).split(separator: " ").joined(separator: " ")
    }
}
