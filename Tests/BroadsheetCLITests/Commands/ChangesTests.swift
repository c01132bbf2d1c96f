import Testing

@testable import BroadsheetCLI

@Suite("broadsheet changes")
struct ChangesCommandTests {
    private static func page(_ ids: [String]) -> String {
        let items = ids.map { #"{"id":"\#($0)","title":"A product of the storefront"}"# }
        return #"{"sections":[{"sectionId":"S","units":[{"unitType":"SS_PRODUCT_LIST","#
            + #""unitData":[\#(items.joined(separator: ","))]}]}]}"#
    }

    private let files = [
        "old.json": page(["a", "b", "c", "d"]), "new.json": page(["a", "c", "b", "d", "e"]),
    ]

    @Test("The document has the changes from the pages before -- to those after it")
    func document() async {
        let console = TestConsole(files: files)
        #expect(await console.run("changes", "old.json", "--", "new.json") == .success)
        #expect(console.output.hasPrefix(#"{"from":{"page":0},"to":{"page":0},"reset":false,"#))
        #expect(console.output.contains(#""insertItems":[{"section":0,"item":4,"#))
        #expect(console.output.hasSuffix("]}\n"))
    }

    @Test("--summary prints lines for people, and says when there are no changes")
    func summary() async {
        let console = TestConsole(files: files)
        #expect(
            await console.run("changes", "--summary", "old.json", "--", "new.json") == .success)
        #expect(console.output.contains("stage 1: insert item 0/4 (e)\n"))
        #expect(console.output.contains("stage 1: move item 0/"))
        #expect(console.output.contains("section 0: frames of items 1-2\n"))
        let same = TestConsole(files: files)
        #expect(await same.run("changes", "--summary", "old.json", "--", "old.json") == .success)
        #expect(same.output == "no changes\n")
        let gone = TestConsole(files: files.merging(["none.json": Self.page([])]) { $1 })
        #expect(await gone.run("changes", "--summary", "new.json", "--", "none.json") == .success)
        #expect(gone.output.contains("reset") || gone.output.contains("delete item"))
    }

    @Test(
        "Without --, without pages, or with two uses of standard input it is an error",
        arguments: [
            ["changes", "old.json"], ["changes", "--", "new.json"], ["changes", "old.json", "--"],
            ["changes", "-", "--", "-"],
        ])
    func usage(words: [String]) async {
        let console = TestConsole(files: files)
        let status =
            switch words.count {
            case 2: await console.run(words[0], words[1])
            case 3: await console.run(words[0], words[1], words[2])
            default: await console.run(words[0], words[1], words[2], words[3])
            }
        #expect(status == .usage)
        #expect(console.output.isEmpty)
    }
}
