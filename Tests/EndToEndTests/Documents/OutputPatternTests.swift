import Testing

@Suite("Comparison of shown and actual output")
struct OutputPatternTests {
    @Test(
        "An ellipsis matches characters of a line, or lines",
        arguments: [
            ("", "", true), ("a", "a", true), ("a", "b", false), ("a", "a\nb", false),
            ("ETag: \"…\"", "ETag: \"x1\"", true), ("a…b…c", "a1b2b3c", true),
            ("a…b", "a1c", false), ("…", "", true), ("a\n…\nc", "a\nc", true),
            ("a\n…\nc", "a\nb\nb\nc", true), ("…\nb…\n…", "a\nb1\nc\nd", true),
            ("a\n…\nd", "a\nb\nc", false),
        ])
    func ellipsis(shown: String, printed: String, agree: Bool) {
        let (pattern, lines) = (shown.split(separator: "\n"), printed.split(separator: "\n"))
        #expect(OutputPattern.matches(pattern.map(String.init), lines.map(String.init)) == agree)
    }

    @Test("A block is split into commands and their outputs")
    func examples() throws {
        let fence = MarkdownFence(
            info: "console", lines: ["$ a \\", "> b", "one", "two", "$ c", "$ d", "three"],
            firstLine: 10)
        let examples = try ConsoleExample.all(in: fence)
        #expect(examples.map(\.command) == ["a \\\nb", "c", "d"])
        #expect(examples.map(\.output) == [["one", "two"], [], ["three"]])
        #expect(examples.map(\.line) == [10, 14, 15])
    }
}
