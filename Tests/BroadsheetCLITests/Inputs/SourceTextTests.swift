import Broadsheet
import Testing

@testable import BroadsheetCLI

@Suite("Positions in a file")
struct SourceTextTests {
    private static let text = "{\n  \"a\": [1, {\"b~/c\": true}],\n  \"d\": null\n}"
    private static let source = SourceText(path: "page.json", bytes: Array(text.utf8))

    @Test(
        "A pointer is reported at its value, or at the nearest enclosing value",
        arguments: [
            ("", "page.json:1:1 wrong"),
            ("/a", "page.json:2:8 /a wrong"),
            ("/a/1", "page.json:2:12 /a/1 wrong"),
            ("/a/1/b~0~1c", "page.json:2:21 /a/1/b~0~1c wrong"),
            ("/d", "page.json:3:8 /d wrong"),
            ("/e", "page.json:1:1 /e wrong"),
            ("/a/7/x/y", "page.json:2:8 /a/7/x/y wrong"),
            ("not a pointer", "page.json:1:1 not a pointer wrong"),
        ])
    func pointers(pointer: String, line: String) throws {
        let document = try JSONDocument(Self.source.bytes)
        #expect(Self.source.line(at: pointer, in: document.root, "wrong") == line)
    }

    @Test(
        "A byte offset is converted to a line and a column",
        arguments: [(-1, "1:1"), (0, "1:1"), (1, "1:2"), (2, "2:1"), (10_000, "4:")])
    func offsets(offset: Int, position: String) {
        #expect(Self.source.line(at: offset, "x").hasPrefix("page.json:\(position)"))
    }
}
