import Foundation
import Testing

@testable import BroadsheetCLI

@Suite("docs/cli.md")
struct DocumentationTests {
    private static let lines: Set<String> = {
        let path = URL(filePath: #filePath).appending(path: "../../../../docs/cli.md").standardized
        let text = try? String(contentsOf: path, encoding: .utf8)
        return Set((text ?? "").split(separator: "\n").map(String.init))
    }()

    @Test("The table of commands has a row for each command", arguments: Command.all)
    func commands(command: Command) {
        let row = "| `broadsheet \(command.name)` | \(command.summary) |"
        #expect(Self.lines.contains(row))
    }

    @Test("A table of options has a row for each option", arguments: Command.all)
    func options(command: Command) {
        for option in command.options {
            #expect(Self.lines.contains(option.documentationRow), "\(command.name)")
        }
    }

    @Test("The tables have no rows for other options")
    func otherRows() {
        let rows = Set(Command.all.flatMap(\.options).map(\.documentationRow))
        let documented = Self.lines.filter { $0.hasPrefix("| `-") }
        #expect(documented.subtracting(rows) == [])
    }
}

extension Option {
    /// The row of docs/cli.md: flag, default, accepted values, effect.
    fileprivate var documentationRow: String {
        let spelling = (letter.map { "-\($0), " } ?? "") + flag
        let value = placeholder.map { " \($0)" } ?? ""
        return "| `\(spelling)\(value)` | \(defaultText ?? "") | \(expectation) | \(summary) |"
            .replacing("|  |", with: "| |")
    }
}

extension Command: CustomTestStringConvertible {
    /// The name in the output of a test run.
    public var testDescription: String { name }
}

extension Option: CustomTestStringConvertible {
    /// The name in the output of a test run.
    public var testDescription: String { flag }
}
