import BroadsheetClient
import Testing
import TextTestSupport

@testable import Broadsheet

@Suite("The meaning of boxes (docs/catalog.md, \"Meaning\")") struct ContentMeaningTests {
    private static let base = "/cellTypes/Item/content"
    private static let actions = #"""
        , "actions": {"like": {"forward": true},
            "rate": {"forward": true, "input": {"type": "object", "required": ["stars"],
              "properties": {"stars": {"type": "integer"}}}},
            "note": {"forward": true, "input": {"type": ["string", "null"]}}}
        """#

    /// Returns the screen of a column with one box.
    private static func screen(_ box: String) -> ContentScreen {
        ContentScreen(content: #"{"column": [\#(box)]}"#, members: actions)
    }

    private static let text = #""text": "/t", "font": "f", "name": "a""#
    private static let image = #""image": "/p", "name": "a""#
    private static let column = #""column": [{"box": ""}], "name": "a""#
    private static let long = String(repeating: "x", count: 257)

    private static let validBoxes = [
        #"{\#(text), "role": "heading", "level": 1}"#,
        #"{\#(text), "role": "heading", "level": 6}"#,
        #"{\#(text), "label": "/l"}"#, #"{\#(text), "label": ""}"#,
        #"{\#(text), "label": {"constant": "L"}}"#,
        #"{\#(text), "label": {"join": ["/l", {"constant": "L"}], "by": " "}}"#,
        #"{\#(text), "label": {"join": [{"constant": "L"}]}}"#,
        #"{\#(image), "role": "image"}"#, #"{\#(image), "role": "none"}"#,
        #"{"box": "", "name": "a", "role": "image"}"#, #"{"box": "", "name": "a", "role": "none"}"#,
        #"{\#(column), "label": "/l", "role": "heading"}"#,
        #"{\#(column), "label": "/l", "role": "image"}"#,
        #"{\#(column), "action": "like", "role": "button"}"#,
        #"{\#(text), "action": "like", "role": "link"}"#, #"{\#(image), "link": "/u"}"#,
        #"{\#(image), "link": "/u", "role": "link"}"#,
        #"{\#(text), "action": "rate", "input": {"stars": 5}}"#, #"{\#(text), "action": "note"}"#,
        #"{\#(text), "action": "note", "input": null}"#,
        #"{\#(text), "action": "note", "input": "\#(String(repeating: "x", count: 4094))"}"#,
        #"{"text": "/t", "font": "f", "hidden": true}"#, #"{\#(column), "hidden": false}"#,
        #"{"overlay": [{\#(text)}], "hidden": true}"#,
        #"{\#(image), "url": "/{value}", "placeholder": "/hash"}"#,
        #"{\#(image), "url": "/{+value}?w={width}&h={height}", "widths": [1, 16384]}"#,
        #"{\#(text), "style": "a"}"#, #"{\#(text), "style": "a b-2 c d"}"#,
    ]

    @Test("Boxes may say what they are", arguments: validBoxes)
    func valid(box: String) throws {
        #expect(Self.screen(box).violations() == [])
        #expect(try Self.screen(box).catalogDiagnostics() == [])
    }

    private static let invalid: [(box: String, pointers: [String])] = [
        // Labels.
        (#"{\#(text), "label": "Like"}"#, ["/label"]), (#"{\#(text), "label": 1}"#, ["/label"]),
        (#"{\#(text), "label": {}}"#, ["/label"]), (#"{\#(text), "label": ["/a"]}"#, ["/label"]),
        (#"{\#(text), "label": {"join": []}}"#, ["/label/join"]),
        (#"{\#(text), "label": {"join": ["a"]}}"#, ["/label/join/0"]),
        (#"{\#(text), "label": {"join": ["/a", {"join": ["/b"]}]}}"#, ["/label/join/1"]),
        (#"{\#(text), "label": {"constant": ""}}"#, ["/label/constant"]),
        (#"{\#(text), "label": {"constant": 1}}"#, ["/label/constant"]),
        (#"{\#(text), "label": {"constant": "\#(long)"}}"#, ["/label/constant"]),
        (
            #"{\#(text), "label": {"join": ["/a", {"constant": "\#(long)"}]}}"#,
            ["/label/join/1/constant"]
        ),
        // Roles.
        (#"{\#(text), "role": "title"}"#, ["/role"]), (#"{\#(text), "role": 1}"#, ["/role"]),
        (#"{\#(text), "role": "image"}"#, ["/role"]), (#"{\#(text), "role": "none"}"#, ["/role"]),
        (#"{\#(text), "role": "button"}"#, ["/role"]),
        (#"{\#(image), "role": "heading"}"#, ["/role"]),
        (#"{"box": "", "name": "a", "role": "link"}"#, ["/role"]),
        (#"{\#(column), "role": "heading"}"#, ["/role"]),
        (#"{\#(column), "label": "/l", "role": "none"}"#, ["/role"]),
        (#"{\#(text), "action": "like", "role": "heading"}"#, ["/role"]),
        (#"{\#(image), "action": "like", "role": "none"}"#, ["/role"]),
        (#"{\#(text), "link": "/u", "role": "button"}"#, ["/role"]),
        (#"{\#(text), "role": "heading", "level": 0}"#, ["/level"]),
        (#"{\#(text), "role": "heading", "level": 7}"#, ["/level"]),
        (#"{\#(text), "role": "heading", "level": 1.5}"#, ["/level"]),
        // Controls.
        (#"{\#(text), "action": 1}"#, ["/action"]), (#"{\#(text), "action": "lik"}"#, ["/action"]),
        (#"{\#(text), "action": "rate"}"#, ["/action"]),
        (#"{\#(text), "action": "rate", "input": {"stars": "5"}}"#, ["/input"]),
        (#"{\#(text), "action": "rate", "input": null}"#, ["/action"]),
        (
            #"{\#(text), "action": "note", "input": "\#(String(repeating: "x", count: 4095))"}"#,
            ["/input"]
        ),
        (#"{\#(text), "link": "u"}"#, ["/link"]),
        (#"{\#(text), "link": {"constant": "/u"}}"#, ["/link"]),
        (#"{\#(text), "action": "like", "link": "/u"}"#, ["/link"]),
        (
            #"{"row": [{\#(text), "action": "like"}], "name": "r", "action": "like"}"#,
            ["/row/0/action"]
        ),
        (
            #"{"row": [{"column": [{\#(text), "link": "/u"}]}], "name": "r", "link": "/u"}"#,
            ["/row/0/column/0/link"]
        ),
        (
            #"""
            {"row": [{"switch": "/k", "cases": {"x": {\#(text), "link": "/u"}}}], "name": "r",
             "action": "like"}
            """#, ["/row/0/cases/x/link"]
        ),
        (#"{\#(text), "action": "like", "hidden": true}"#, ["/hidden"]),
        (#"{"row": [{\#(text), "link": "/u"}], "hidden": true}"#, ["/hidden"]),
        (
            #"{"row": [{"switch": "/k", "cases": {"x": {\#(text), "link": "/u"}}}], "hidden": true}"#,
            ["/hidden"]
        ),
        (#"{\#(text), "hidden": 1}"#, ["/hidden"]),
        // Names.
        (#"{"text": "/t", "font": "f", "label": "/l"}"#, ["/label"]),
        (#"{"text": "/t", "font": "f", "role": "heading"}"#, ["/role"]),
        (#"{"box": "", "action": "like"}"#, ["/action"]),
        (#"{"box": "", "link": "/u"}"#, ["/link"]),
        (#"{"image": "/p", "url": "{value}"}"#, ["/url"]),
        (#"{"image": "/p", "placeholder": "/h"}"#, ["/placeholder"]),
        // Images.
        (#"{\#(image), "placeholder": "h"}"#, ["/placeholder"]),
        (#"{\#(image), "url": 1}"#, ["/url"]),
        (#"{\#(image), "url": ""}"#, ["/url"]), (#"{\#(image), "url": "/a?w={width}"}"#, ["/url"]),
        (#"{\#(image), "url": "{value}{value}"}"#, ["/url"]),
        (#"{\#(image), "url": "{value}{+value}"}"#, ["/url"]),
        (#"{\#(image), "url": "{value}{depth}"}"#, ["/url"]),
        (#"{\#(image), "url": "{value}{+width}"}"#, ["/url"]),
        (#"{\#(image), "url": "{value}{width"}"#, ["/url"]),
        (#"{\#(image), "url": "{value"}"#, ["/url"]),
        (#"{\#(image), "url": "{}{value}"}"#, ["/url"]),
        (#"{\#(image), "url": "{value}}"}"#, ["/url"]),
        (#"{\#(image), "url": "/a b{value}"}"#, ["/url"]),
        (#"{\#(image), "url": "/\u0007{value}"}"#, ["/url"]),
        (#"{\#(image), "url": "/\u007f{value}"}"#, ["/url"]),
        (#"{\#(image), "url": "/\u00fc{value}"}"#, ["/url"]),
        (#"{\#(image), "url": "ftp://a/{value}"}"#, ["/url"]),
        (#"{\#(image), "url": "javascript:{value}"}"#, ["/url"]),
        (#"{\#(image), "url": "a{width}:{value}"}"#, ["/url"]),
        (
            #"{\#(image), "url": "{value}\#(String(repeating: "x", count: 1018))"}"#,
            ["/url"]
        ),
        (#"{\#(image), "url": "{value}{width}", "widths": []}"#, ["/widths"]),
        (#"{\#(image), "url": "{value}{width}", "widths": 320}"#, ["/widths"]),
        (
            #"{\#(image), "url": "{value}{width}", "widths": [\#((1...17).map(String.init).joined(separator: ","))]}"#,
            ["/widths"]
        ),
        (#"{\#(image), "url": "{value}{width}", "widths": [0, 2]}"#, ["/widths/0"]),
        (#"{\#(image), "url": "{value}{width}", "widths": [1, 16385]}"#, ["/widths/1"]),
        (#"{\#(image), "url": "{value}{width}", "widths": [2, 2, 3]}"#, ["/widths/1"]),
        (#"{\#(image), "url": "{value}{width}", "widths": [2, 1.5]}"#, ["/widths/1"]),
        // Styles.
        (#"{\#(text), "style": ""}"#, ["/style"]), (#"{\#(text), "style": 1}"#, ["/style"]),
        (#"{\#(text), "style": "A"}"#, ["/style"]), (#"{\#(text), "style": "2a"}"#, ["/style"]),
        (#"{\#(text), "style": "a  b"}"#, ["/style"]), (#"{\#(text), "style": " a"}"#, ["/style"]),
        (#"{\#(text), "style": "a b a"}"#, ["/style"]),
        (#"{\#(text), "style": "a b c d e"}"#, ["/style"]),
        (#"{\#(text), "style": "a\#(String(repeating: "x", count: 32))"}"#, ["/style"]),
    ]

    @Test("What is wrong has the pointer of the member", arguments: invalid)
    func violations(box: String, pointers: [String]) {
        let expected = pointers.map { Self.base + "/column/0" + $0 }
        #expect(Self.screen(box).violations() == expected, "\(box)")
    }

    private static let forbidden: [Character] = ["\"", "<", ">", "\\", "^", "`", "|", "}"]

    @Test("A template has no character that no URL has", arguments: forbidden)
    func characters(character: Character) {
        let escaped = character == "\"" || character == "\\" ? "\\\(character)" : "\(character)"
        let box = #"{\#(Self.image), "url": "/a\#(escaped){value}"}"#
        #expect(Self.screen(box).violations() == [Self.base + "/column/0/url"])
    }

    @Test("Details name what was probably meant")
    func details() {
        func detail(_ box: String) -> String {
            do throws(CatalogError) {
                _ = try Catalog(
                    Array(Self.screen(box).catalogJSON.utf8), measuringWith: SimpleMeasurer())
                return "none"
            } catch {
                guard case .violations(let violations, _) = error else { return "\(error)" }
                return violations.map(\.detail).joined(separator: "; ")
            }
        }
        #expect(
            detail(#"{\#(Self.text), "label": "Like"}"#)
                == #"must be a JSON Pointer, or a constant: {"constant": "Like"}"#)
        #expect(
            detail(#"{\#(Self.text), "action": "lik"}"#)
                == #"names no entry of actions; did you mean "like"?"#)
        #expect(
            detail(#"{\#(Self.column), "role": "heading"}"#) == #"is for a column with a "label""#)
    }

    @Test("The root may have a label without a name, and a label and an action with one")
    func roots() throws {
        let labelled = ContentScreen(
            content: #"{"column": [{\#(Self.text)}], "label": "/l"}"#, members: Self.actions)
        #expect(labelled.violations() == [])
        #expect(try labelled.catalogDiagnostics() == [])
        let control = ContentScreen(
            content: #"""
                {"column": [{\#(Self.text)}], "label": "/l", "action": "like", "role": "link",
                 "name": "r"}
                """#, members: Self.actions)
        #expect(control.violations() == [])
        #expect(try control.catalogDiagnostics() == [])
        let nameless = ContentScreen(
            content: #"{"column": [{\#(Self.text)}], "label": "/l", "action": "like"}"#,
            members: Self.actions)
        #expect(nameless.violations() == [Self.base + "/action"])
        let chosen = ContentScreen(
            content: #"""
                {"switch": "/k", "cases": {"a": {"box": "", "label": "/l"},
                 "b": {"text": "/t", "font": "f", "label": "/l"}}}
                """#)
        #expect(chosen.violations() == [])
    }

    private static let withoutEffect: [(content: String, members: [String])] = [
        (#"{"box": "", "hidden": true}"#, ["hidden"]),
        (#"{"text": "/t", "font": "f", "name": "a", "role": "heading", "label": "/l"}"#, ["role"]),
        (
            #"{"column": [{\#(text), "url": "{value}", "widths": [1], "placeholder": "/h"}]}"#,
            ["column/0/placeholder", "column/0/url", "column/0/widths"]
        ),
        (#"{"column": [{\#(text), "level": 2}]}"#, ["column/0/level"]),
        (#"{"column": [{\#(text), "input": 2}]}"#, ["column/0/input"]),
        (#"{"column": [{\#(image), "widths": [1]}]}"#, ["column/0/widths"]),
        (#"{"column": [{\#(image), "url": "{value}", "widths": [1]}]}"#, ["column/0/widths"]),
        (#"{"column": [{"box": "", "style": "a"}]}"#, ["column/0/style"]),
        (
            #"{"column": [{"box": ""}, {"space": 1, "label": "/l", "hidden": true}]}"#,
            ["column/1/hidden", "column/1/label"]
        ),
        (
            #"{"switch": "/k", "cases": {}, "action": "like", "style": "a"}"#, ["action", "style"]
        ),
    ]

    @Test("Members have no effect on boxes that they are not for", arguments: withoutEffect)
    func effects(content: String, members: [String]) throws {
        let screen = ContentScreen(content: content, members: Self.actions)
        #expect(screen.violations() == [])
        let expected = members.map { "MEMBER_WITHOUT_EFFECT \(Self.base)/\($0)" }
        #expect(try screen.catalogDiagnostics().sorted() == expected, "\(content)")
    }

    @Test("The pointers of labels, links and placeholders count among the 32")
    func pointers() {
        func content(_ count: Int) -> String {
            let images = (0..<count).map { #"{"image": "/\#($0)"}"# }.joined(separator: ",")
            return #"""
                {"column": [\#(images),
                 {"image": "/p", "name": "a", "label": {"join": ["/l", {"constant": "x"}]},
                  "link": "/u", "placeholder": "/h"}]}
                """#
        }
        #expect(ContentScreen(content: content(28)).violations() == [])
        #expect(ContentScreen(content: content(29)).violations() == [Self.base])
        let span = ContentScreen(content: content(28), members: #", "span": {"value": "/h"}"#)
        #expect(span.violations() == [])
        let other = ContentScreen(content: content(28), members: #", "span": {"value": "/s"}"#)
        #expect(other.violations() == ["/cellTypes/Item/span"])
    }

    @Test("Pointers of labels, links and placeholders that find nothing are lint")
    func searched() throws {
        let content = #"""
            {"image": "/p", "name": "a", "label": {"join": ["/l", {"constant": "x"}]},
             "link": "/u", "placeholder": "/h"}
            """#
        let registry = try ContentScreen(content: content).registry()
        func notes(_ data: String) throws -> [String] {
            var lint = CatalogLint(registry)
            lint.add(try posted(ContentScreen.page([data]), names: registry.names))
            return lint.diagnostics.filter { $0.code == .pointerFindsNothing }.map(\.pointer)
                .filter { $0.hasPrefix(Self.base) }
        }
        #expect(try notes(#"{"id": 1, "p": "x", "l": "x", "u": "x", "h": "x"}"#) == [])
        let missing = ["label/join/0", "link", "placeholder"].map { "\(Self.base)/\($0)" }
        #expect(try notes(#"{"id": 1, "p": "x"}"#).sorted() == missing)
    }

    private static let labelCases: [(label: String, data: String, isThere: Bool)] = [
        (#""/l""#, #"{"l": "x"}"#, true), (#""/l""#, #"{"l": 1}"#, true),
        (#""/l""#, #"{"l": ""}"#, false), (#""/l""#, #"{"l": " \u00a0\u2003\n"}"#, false),
        (#""/l""#, #"{"l": " \u00fc"}"#, true), (#""/l""#, #"{"l": true}"#, false),
        (#""/l""#, #"{"l": null}"#, false), (#""/l""#, #"{"l": ["x"]}"#, false),
        (#""/l""#, "{}", false), (#"{"constant": "x"}"#, "{}", true),
        (#"{"constant": " "}"#, "{}", false),
        (#"{"join": [{"constant": "Remove"}, "/l"]}"#, "{}", false),
        (#"{"join": [{"constant": "Remove"}, "/l"]}"#, #"{"l": ""}"#, true),
        (#"{"join": [{"constant": "Remove"}, "/l"]}"#, #"{"l": false}"#, false),
        (#"{"join": [{"constant": "a"}, {"constant": "b"}]}"#, "{}", true),
        (#"{"join": ["/l", "/m"]}"#, #"{"m": "x"}"#, true),
        (#"{"join": ["/l", "/m"], "by": "/"}"#, #"{"m": "", "l": ""}"#, true),
        (#"{"join": ["/l", "/m"], "by": "/"}"#, #"{"m": ""}"#, false),
    ]

    @Test(
        "A label is there if it has text, and one of its pointers finds one", arguments: labelCases)
    func labels(label: String, data: String, isThere: Bool) throws {
        let content = #"{"box": "", "label": \#(label)}"#
        let (tree, scope) = try compiled(content, data)
        #expect(tree.meanings[0].hasLabel(in: scope) == isThere, "\(label) \(data)")
    }

    private static let linkCases: [(data: String, isControl: Bool)] = [
        (#"{"u": "https://a"}"#, true), (#"{"u": " "}"#, true), (#"{"u": ""}"#, false),
        (#"{"u": 1}"#, false), (#"{"u": null}"#, false), (#"{"u": {"a": "b"}}"#, false),
        ("{}", false),
    ]

    @Test("A link that finds a string is a control", arguments: linkCases)
    func links(data: String, isControl: Bool) throws {
        let (tree, scope) = try compiled(#"{"box": "", "name": "a", "link": "/u"}"#, data)
        #expect(tree.meanings[0].isControl(in: scope) == isControl, "\(data)")
    }

    /// Returns a compiled content, and the numbers of an item of some data.
    private func compiled(
        _ content: String, _ data: String
    ) throws -> (ContentTree, SizeScope) {
        let kinds = try ContentScreen(content: content).registry().kinds
        let tree = try #require(kinds.first { $0.name == "Item" }?.contents)
        let value = try JSONDocument(Array(data.utf8)).root
        var isUsable = true
        let inputs = tree.inputs.map { $0.value(in: value, &isUsable) }
        return (tree, SizeScope(inputs: inputs))
    }

    @Test("Values of labels and links have no diagnostics")
    func values() throws {
        let screen = ContentScreen(
            content: #"{"box": "", "name": "a", "label": "/l", "link": "/u"}"#)
        let codes = try screen.diagnostics([#"{"l": {}, "u": []}"#]).map(\.code)
        #expect(!codes.contains(.unusableValue))
    }

    @Test("Styles of cell types and boxes are listed, and given to clients")
    func styles() throws {
        let screen = ContentScreen(
            content: #"{"column": [{\#(Self.text), "style": "sale badge"}]}"#,
            members: #", "style": "card""#)
        let catalog = try catalog(screen.catalogJSON)
        #expect(catalog.styleNames == ["badge", "card", "sale"])
        let cells = String(decoding: catalog.cells { _, _, _ in nil }, as: UTF8.self)
        let content =
            #"{"column": [{"text": "/t", "font": "f", "name": "a", "style": "sale badge"}]}"#
        #expect(cells.contains(#""Item":{"content":\#(content),"style":"card"}"#))
        let sized = ContentScreen(content: "null", members: #", "style": "card""#)
        #expect(try sized.catalogDiagnostics() == ["MEMBER_WITHOUT_EFFECT /cellTypes/Item/style"])
    }

    @Test("A comparison lists the controls that are none, or others")
    func controls() throws {
        func compiled(_ boxes: String) throws -> Catalog {
            try catalog(
                ContentScreen(content: #"{"column": [\#(boxes)]}"#, members: Self.actions)
                    .catalogJSON)
        }
        let old = try compiled(
            #"""
            {"box": "", "name": "a", "action": "like"}, {"box": "", "name": "b", "link": "/u"},
            {"box": "", "name": "c", "action": "like"}, {"box": "", "name": "d", "link": "/u"},
            {"box": "", "name": "e", "action": "like"}, {"box": "", "name": "f"},
            {"box": "", "name": "g", "action": "note", "input": "x"},
            {"switch": "/k", "cases": {"x": {"box": "", "name": "h", "action": "like"}}}
            """#)
        let new = try compiled(
            #"""
            {"box": "", "name": "h"},
            {"box": "", "name": "a", "action": "like"}, {"box": "", "name": "b", "link": "/v"},
            {"box": "", "name": "c", "action": "note"}, {"box": "", "name": "d", "action": "like"},
            {"box": "", "name": "f", "action": "like"},
            {"box": "", "name": "g", "action": "note", "input": "y"}
            """#)
        let found = new.differences(since: old).map { "\($0.code.rawValue) \($0.pointer)" }
        #expect(
            found == [
                "PART_GONE \(Self.base)/column/4/name",
                "CONTROL_CHANGED \(Self.base)/column/2/link",
                "CONTROL_CHANGED \(Self.base)/column/3/action",
                "CONTROL_CHANGED \(Self.base)/column/4/action",
                "CONTROL_CHANGED \(Self.base)/column/0",
            ])
        #expect(old.differences(since: old).isEmpty)
    }

    @Test("The members from code are those of a catalog")
    func code() {
        let content = CellContents.column([
            .image("/photo", name: "photo").label("/alt").role(.none)
                .url("/{value}?w={width}", widths: [160, 320]).placeholder("/hash"),
            .text("/title", font: "f", name: "title").role(.heading(level: 2)),
            .box("", name: "stars").label(joining: ["/stars", .constant("stars")], by: " "),
            .box("", name: "heart").label(constant: "Like")
                .action("like", input: ["on": true]).role(.button),
            .text("/more", font: "f", name: "more").link("/href"),
            .image("/line").hidden(),
        ])
        let json = #"""
            {"column": [
              {"image": "/photo", "name": "photo", "label": "/alt", "role": "none",
               "url": "/{value}?w={width}", "widths": [160, 320], "placeholder": "/hash"},
              {"text": "/title", "font": "f", "name": "title", "role": "heading", "level": 2},
              {"box": "", "name": "stars",
               "label": {"join": ["/stars", {"constant": "stars"}], "by": " "}},
              {"box": "", "name": "heart", "label": {"constant": "Like"}, "action": "like",
               "input": {"on": true}, "role": "button"},
              {"text": "/more", "font": "f", "name": "more", "link": "/href"},
              {"image": "/line", "hidden": true}]}
            """#
        #expect(
            String(decoding: content.json, as: UTF8.self).filter { !$0.isWhitespace }
                == json.filter { !$0.isWhitespace })
        // The names of actions are those of the program's handlers.
        #expect(CodeContents.violation(in: content) == nil)
        #expect(
            CodeContents.violation(in: .box("", name: "a").role(.heading()))?.hasPrefix("/role")
                == true)
    }
}
