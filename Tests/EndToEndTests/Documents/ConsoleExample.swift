/// A command of a document's `console` block, and what the document says it prints.
struct ConsoleExample {
    /// The command, its continuation lines joined as they stand.
    let command: String
    /// The lines it prints, in which `…` stands for what differs from run to run.
    let output: [String]
    /// The line of the document that it begins on.
    let line: Int

    /// The examples of one block: a line that begins with `$ ` is a command, which a backslash at
    /// the end of a line continues (behind an optional `> `); what follows is its output.
    static func all(in fence: MarkdownFence) throws -> [ConsoleExample] {
        var examples = [ConsoleExample]()
        var rest = fence.lines[...]
        while let first = rest.popFirst() {
            let line = fence.firstLine + fence.lines.count - rest.count - 1
            guard first.hasPrefix("$ ") else {
                throw HarnessError("line \(line) of the document is no command: \(first)")
            }
            var command = String(first.dropFirst(2))
            while command.hasSuffix("\\"), let next = rest.popFirst() {
                command += "\n" + (next.hasPrefix("> ") ? String(next.dropFirst(2)) : next)
            }
            let output = rest.prefix { !$0.hasPrefix("$ ") }
            rest = rest.dropFirst(output.count)
            examples.append(ConsoleExample(command: command, output: Array(output), line: line))
        }
        return examples
    }
}
