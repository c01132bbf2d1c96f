/// A language that code is generated in.
enum GeneratedLanguage: String, CaseIterable, Sendable {
    case swift, kotlin, typescript

    /// Returns the code of a model.
    func code(of model: GeneratedModel) -> String {
        switch self {
        case .swift: SwiftPrinter.print(model)
        case .kotlin: KotlinPrinter.print(model)
        case .typescript: TypeScriptPrinter.print(model)
        }
    }

    /// The keywords, which stand in backticks as names.
    private var keywords: Set<String> {
        switch self {
        case .swift: Keywords.swift
        case .kotlin: Keywords.kotlin
        case .typescript: []
        }
    }

    func name(_ identifier: String) -> String {
        keywords.contains(identifier) ? "`\(identifier)`" : identifier
    }

    /// Returns a string literal.
    func literal(_ text: String) -> String {
        var literal = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": literal += "\\\""
            case "\\": literal += "\\\\"
            case "$" where self == .kotlin: literal += "\\$"
            default:
                let isPlain = 32...126 ~= scalar.value || CodeName.isLetter(scalar)
                literal += isPlain ? String(scalar) : escape(scalar)
            }
        }
        return literal + "\""
    }

    private func escape(_ scalar: Unicode.Scalar) -> String {
        guard self == .kotlin else { return "\\u{\(String(scalar.value, radix: 16))}" }
        return String(scalar).utf16.map { unit in
            let digits = String(unit, radix: 16)
            return "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
        }.joined()
    }
}

/// Lines of code with their indentation.
struct SourceWriter {
    let language: GeneratedLanguage
    private(set) var text = ""
    private var depth = 0
    private var isAtStart = true

    /// The longest line, unless a word is longer.
    private static let maxColumns = 100

    init(_ language: GeneratedLanguage) { self.language = language }

    private var indentation: String { String(repeating: "    ", count: depth) }

    /// Writes lines.
    mutating func line(_ lines: String) {
        for line in lines.split(separator: "\n", omittingEmptySubsequences: false) {
            text += line.isEmpty ? "\n" : indentation + line + "\n"
        }
        isAtStart = false
    }

    /// Writes an empty line, except at the start of a block.
    mutating func separate() {
        if !isAtStart { text += "\n" }
        isAtStart = true
    }

    /// Writes a line that begins a block.
    mutating func open(_ head: String) {
        line(head)
        indent()
    }

    /// Begins a block whose first line is there.
    mutating func indent() {
        depth += 1
        isAtStart = true
    }

    /// Writes a line that ends a block.
    mutating func close(_ end: String = "}") {
        depth -= 1
        line(end)
    }

    /// Writes a list within brackets: in one line if it fits, else in one of its own, else an entry
    /// a line.
    mutating func list(_ head: String, _ entries: [String], _ tail: String) {
        let joined = entries.joined(separator: ", ")
        if entries.isEmpty || fits(head + joined + tail) { return line(head + joined + tail) }
        line(head)
        if fits("    " + joined) {
            line("    " + joined)
        } else {
            for (index, entry) in entries.enumerated() {
                line("    " + entry + (index < entries.count - 1 ? "," : ""))
            }
        }
        line(tail)
    }

    private func fits(_ line: String) -> Bool {
        indentation.utf8.count + line.utf8.count <= Self.maxColumns
    }

    /// Writes a comment on what follows, if there is something to say.
    mutating func comment(_ comment: Comment, or fallback: String? = nil) {
        var paragraphs = comment.lines.map(Self.plain).filter { !$0.isEmpty }
        if paragraphs.isEmpty, let fallback { paragraphs = [Self.plain(fallback)] }
        if comment.isDeprecated {
            paragraphs.append(language == .typescript ? "@deprecated" : "Deprecated.")
        }
        guard !paragraphs.isEmpty else { return }
        var lines: [String] = []
        for (index, paragraph) in paragraphs.enumerated() {
            if index > 0, language == .swift { lines.append("") }
            lines += wrapped(paragraph)
        }
        if language == .swift {
            for text in lines { line(text.isEmpty ? "///" : "/// " + text) }
        } else if lines.count == 1, lines[0].utf8.count + indentation.utf8.count < 93 {
            line("/** \(lines[0]) */")
        } else {
            line("/**\n" + lines.map { " * " + $0 }.joined(separator: "\n") + "\n */")
        }
    }

    mutating func comment(_ text: String) { comment(Comment(), or: text) }

    private func wrapped(_ paragraph: String) -> [String] {
        let width = max(Self.maxColumns - indentation.utf8.count - 4, 40)
        return paragraph.split(separator: " ").reduce(into: []) { lines, word in
            if let last = lines.last, last.count + word.count < width {
                lines[lines.count - 1] += " " + word
            } else {
                lines.append(String(word))
            }
        }
    }

    /// Returns a text without what ends a line or a comment, or begins a tag.
    static func plain(_ text: String) -> String {
        var plain = String.UnicodeScalarView()
        var last: Unicode.Scalar = " "
        for scalar in text.unicodeScalars {
            var scalar = scalar
            switch scalar.properties.generalCategory {
            case .control, .format, .lineSeparator, .paragraphSeparator: scalar = " "
            default: break
            }
            switch (last, scalar) {
            case ("*", "/"), ("/", "*"), ("@", _): plain.append(" ")
            default: break
            }
            plain.append(scalar)
            last = scalar
        }
        return String(plain).split(separator: " ").joined(separator: " ")
    }
}

/// A printer of a model in one language.
protocol ModelPrinter {
    var writer: SourceWriter { get set }
}

extension ModelPrinter {
    /// Writes a block within braces.
    mutating func block(_ head: String, _ body: (inout Self) -> Void) {
        writer.open(head + " {")
        body(&self)
        writer.close()
    }

    /// Writes lines after an empty one.
    mutating func part(_ text: String) {
        writer.separate()
        writer.line(text)
    }

    /// Returns an identifier as a name in code.
    func name(_ identifier: String) -> String { writer.language.name(identifier) }

    /// Returns a string literal.
    func literal(_ text: String) -> String { writer.language.literal(text) }
}
