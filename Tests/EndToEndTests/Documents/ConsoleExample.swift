import Foundation

/// A command in a document's `console` block, with the output that the document shows.
struct ConsoleExample {
    /// The command, with its continuation lines.
    let command: String
    /// The lines of output, in which `…` replaces what varies between runs.
    let output: [String]
    /// The number of the line on which the command begins.
    let line: Int

    /// Returns the examples of a block.
    ///
    /// A line that begins with `$ ` is a command. A backslash at the end of a line continues it on
    /// the next line, after an optional `> `. The lines that follow are its output.
    static func all(in fence: MarkdownFence) throws -> [ConsoleExample] {
        var examples = [ConsoleExample]()
        var rest = fence.lines[...]
        while let first = rest.popFirst() {
            let line = fence.firstLine + fence.lines.count - rest.count - 1
            guard first.hasPrefix("$ ") else {
                throw HarnessError("line \(line) of the document is not a command: \(first)")
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

/// A shell in which a document's commands ran, as a reader would paste them, with their output.
struct ConsoleSession {
    /// The address that documents show, with another port than the daemon under test.
    private static let shownAddress = "127.0.0.1:8080"
    /// A line that separates the outputs of commands, and that no document contains.
    private static let separator = "--8<-- next command --8<--"

    /// The lines of output of each command, in order.
    let outputs: [[String]]

    /// Runs commands against a daemon, in a folder with links to everything in the repository's
    /// root folder, where they leave no file.
    init(of commands: [String], against daemon: TestDaemon) throws {
        let folder = try ScratchFolder()
        let root = try ScratchFolder()
        for name in try FileManager.default.contentsOfDirectory(atPath: Repository.folder) {
            try FileManager.default.createSymbolicLink(
                atPath: root.path(name), withDestinationPath: Repository.path(name))
        }
        try FileManager.default.createSymbolicLink(
            atPath: folder.path("broadsheet"), withDestinationPath: Repository.binary)
        var script = "exec 2>&1 </dev/null\nPATH='\(folder.path):'\"$PATH\"\n"
        for command in commands {
            let typed = command.replacing(Self.shownAddress, with: daemon.address)
                .replacing(".build/release/broadsheet", with: "broadsheet")
            script += "\(typed)\nprintf '\\n%s\\n' '\(Self.separator)'\n"
        }
        let outcome = try Shell.run(
            ["/bin/bash", try folder.write(script, to: "script")],
            directory: root.path, within: .seconds(300))
        outputs = outcome.output.replacing(daemon.address, with: Self.shownAddress)
            .components(separatedBy: "\n\(Self.separator)\n").dropLast()
            .map { printed in
                let text = printed.hasSuffix("\n") ? printed.dropLast() : printed[...]
                let lines = text.isEmpty ? [] : text.components(separatedBy: "\n")
                // `head` may end before curl has written everything.
                return lines.filter { !$0.hasPrefix("curl: (23) ") }
            }
    }
}

/// A fenced code block of a Markdown document.
struct MarkdownFence {
    /// The info string of the opening fence: `console`, `json page`, or empty.
    let info: String
    /// The lines between the fences.
    let lines: [String]
    /// The number of the first line after the opening fence, counted from 1.
    let firstLine: Int

    /// Returns the fenced blocks of a document, in order.
    static func all(in document: String) -> [MarkdownFence] {
        var fences = [MarkdownFence]()
        var open: (info: String, lines: [String], firstLine: Int)?
        let lines = document.split(separator: "\n", omittingEmptySubsequences: false)
        for (index, line) in lines.enumerated() {
            if let block = open {
                if line == "```" {
                    fences.append(
                        MarkdownFence(
                            info: block.info, lines: block.lines, firstLine: block.firstLine))
                    open = nil
                } else {
                    open?.lines.append(String(line))
                }
            } else if line.hasPrefix("```") {
                open = (String(line.dropFirst(3)), [], index + 2)
            }
        }
        return fences
    }
}
