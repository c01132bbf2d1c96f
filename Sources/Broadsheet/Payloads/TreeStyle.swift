/// The white space and punctuation of a tree: compact, or indented by two spaces a level.
struct TreeStyle {
    let isPretty: Bool

    /// The break before something that stands `depth` containers deep; nothing when compact.
    func line(_ depth: Int) -> [UInt8] {
        var writer = JSONWriter()
        breakLine(depth, in: &writer)
        return writer.bytes
    }

    /// A member's name, quoted, and its colon.
    func key(_ name: StaticString) -> [UInt8] {
        var writer = JSONWriter()
        key(name, in: &writer)
        return writer.bytes
    }

    /// The comma between members that share a line.
    var inlineComma: [UInt8] { Array((isPretty ? ", " : ",").utf8) }

    /// Writes what `line` answers.
    func breakLine(_ depth: Int, in writer: inout JSONWriter) {
        guard isPretty else { return }
        writer.raw("\n")
        for _ in 0..<depth { writer.raw("  ") }
    }

    /// Writes what `key` answers.
    func key(_ name: StaticString, in writer: inout JSONWriter) {
        writer.raw("\"")
        writer.raw(name)
        writer.raw(isPretty ? "\": " : "\":")
    }

    /// Writes the comma between members that share a line.
    func inlineComma(in writer: inout JSONWriter) {
        writer.raw(isPretty ? ", " : ",")
    }
}
