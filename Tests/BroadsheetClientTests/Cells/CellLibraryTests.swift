import BroadsheetClient
import TestSupport
import Testing

@Suite("The elements of cells (docs/client.md, Describe cells to assistive technology)")
struct CellLibraryTests {
    private static let cells = #"""
        {"cellTypes": {
          "Product": {"content": {"column": [
            {"text": "/title", "font": "body", "role": "heading", "name": "title"},
            {"box": "/heart", "name": "heart", "action": "like", "input": {"on": true},
             "label": {"join": [{"constant": "Like"}, "/title"], "by": " "}},
            {"text": "/more", "font": "body", "name": "more", "link": "/href"}]}},
          "Title": {"content": {"text": "/t", "font": "body", "name": "t", "label": "/t"}}},
         "fonts": {}}
        """#

    private static let frame: TreeValue = ["x": 0, "y": 0, "width": 100, "height": 44]
    private static let data: TreeValue = [
        "title": "Tea", "heart": 1, "more": "More", "href": "/tea",
    ]

    private static func parts(_ names: [String]) -> TreeValue {
        .object(Dictionary(uniqueKeysWithValues: names.map { ($0, ["frame": frame]) }))
    }

    private func item(
        _ type: TreeValue = "Product", _ names: [String] = ["title", "heart", "more"],
        data: TreeValue? = data
    ) throws -> TreeItem {
        var members: [String: TreeValue] = [
            "id": "a", "type": type, "frame": Self.frame, "parts": Self.parts(names),
        ]
        members["data"] = data
        return try #require(TreeItem(.object(members)))
    }

    @Test("The elements of an item are in the order of the content")
    func elements() throws {
        let library = try CellLibrary(json: Self.cells.utf8)
        #expect(
            library.elements(of: try item()) == [
                CellElement(name: "title", role: .heading, label: "Tea", level: 3),
                CellElement(
                    name: "heart", role: .button, label: "Like Tea", action: "like",
                    input: ["on": true]),
                CellElement(name: "more", role: .link, label: "More", link: "/tea"),
            ])
    }

    @Test("The elements of a header are those of its type")
    func views() throws {
        let library = try CellLibrary(json: Self.cells.utf8)
        let view = try #require(
            TreeView([
                "type": "Title", "frame": Self.frame, "parts": Self.parts(["t"]),
                "data": ["t": "Teas"],
            ]))
        #expect(
            library.elements(of: view) == [CellElement(name: nil, role: .cell, label: "Teas")])
    }

    @Test("A box that is not in parts is no element")
    func missingParts() throws {
        let library = try CellLibrary(json: Self.cells.utf8)
        #expect(library.elements(of: try item("Product", ["more"])).map(\.name) == ["more"])
        #expect(library.elements(of: try item("Product", [])).isEmpty)
    }

    @Test("Without data only constants are said, and there are no links")
    func withoutData() throws {
        let library = try CellLibrary(
            json: #"""
                {"cellTypes": {"Product": {"content": {"column": [
                  {"text": "/title", "font": "body", "name": "title"},
                  {"box": "/heart", "name": "heart", "action": "like",
                   "label": {"constant": "Like"}},
                  {"text": "/more", "font": "body", "name": "more", "link": "/href"}]}}}}
                """#.utf8)
        #expect(
            library.elements(of: try item(data: nil)) == [
                CellElement(name: "heart", role: .button, label: "Like", action: "like")
            ])
    }

    @Test("A type that the catalog does not have, or that has no content, has no elements")
    func unknownTypes() throws {
        let library = try CellLibrary(
            json: #"{"cellTypes": {"Product": {}, "Title": {"content": {"space": 1}}}}"#.utf8)
        for type: TreeValue in ["Product", "Title", "Other"] {
            #expect(library.elements(of: try item(type)).isEmpty)
        }
    }

    @Test(
        "What is not a response of GET /v1/catalog/cells is an error",
        arguments: ["", "[]", "{}", #"{"cellTypes": []}"#, #"{"cellTypes": {}"#])
    func errors(json: String) {
        #expect(throws: TreeError.self) { try CellLibrary(json: json.utf8) }
    }

    @Test("Members that a catalog cannot have are ignored: the box is as without them")
    func unusableMembers() throws {
        let values = ["null", "7", "true", "[]", "{}", #""no pointer""#, #"{"join": []}"#]
        for value in values {
            let library = try CellLibrary(
                json: """
                    {"cellTypes": {"Product": {"content": {"column": [
                      {"text": "/title", "font": "body", "name": "title", "label": \(value),
                       "level": \(value), "link": \(value), "role": \(value)},
                      {"row": \(value), "name": "heart"}, \(value)]}}}}
                    """.utf8)
            #expect(
                library.elements(of: try item()) == [
                    CellElement(name: "title", role: .text, label: "Tea")
                ], "\(value)")
        }
    }

    @Test("Boxes within more than 63 others are left out")
    func depth() throws {
        let text = #"{"text": "/title", "font": "body", "name": "title"}"#
        for (depth, count) in [(63, 1), (64, 0), (120, 0)] {
            let content =
                String(repeating: #"{"column": ["#, count: depth) + text
                + String(repeating: "]}", count: depth)
            let library = try CellLibrary(
                json: #"{"cellTypes": {"Product": {"content": \#(content)}}}"#.utf8)
            #expect(library.elements(of: try item()).count == count, "\(depth)")
        }
    }

    @Test("Any values have elements whose names are in parts, each once")
    func randomValues() throws {
        var random = SeededGenerator(seed: SeededGenerator.seed(of: "contents of clients"))
        for _ in 0..<2000 {
            let content = Self.value(&random, depth: 5)
            let library = try #require(
                CellLibrary(["cellTypes": ["Product": ["content": content]]]))
            let item = try item(
                "Product", ["a", "b", "c"], data: Self.value(&random, depth: 3))
            let elements = library.elements(of: item)
            #expect(elements.allSatisfy { $0.name.map(["a", "b", "c"].contains) ?? true })
            #expect(elements.dropFirst().allSatisfy { $0.role != .cell })
            for element in elements {
                #expect((element.level != nil) == (element.role == .heading))
                #expect(element.action == nil || element.link == nil)
                #expect(element.role == .button || element.role == .link || element.label != "")
            }
        }
    }

    private static let names = [
        "column", "row", "overlay", "text", "image", "box", "switch", "cases", "default", "name",
        "label", "role", "level", "hidden", "action", "input", "link", "join", "by", "constant",
    ]
    private static let texts = [
        "a", "b", "c", "", " ", "/a", "/a/0", "/~1", "/~2", "heading", "image", "none", "link",
    ]

    private static func value(_ random: inout SeededGenerator, depth: Int) -> TreeValue {
        let kind = random.next() % (depth > 0 ? 10 : 4)
        switch kind {
        case 0: return .bool(random.next() % 2 == 0)
        case 1: return .number(TreeNumber(Int(random.next() % 9)))
        case 2, 3: return .string(texts.randomElement(using: &random) ?? "")
        case 4:
            return .array((0..<3).map { _ in value(&random, depth: depth - 1) })
        default:
            var members: [String: TreeValue] = [
                "name": .string(["a", "b", "c"].randomElement(using: &random) ?? "a")
            ]
            let boxes = (0..<random.next() % 4).map { _ in value(&random, depth: depth - 1) }
            members[["column", "row", "overlay"].randomElement(using: &random) ?? "row"] =
                .array(boxes)
            for _ in 0..<random.next() % 5 {
                let name = (names + texts).randomElement(using: &random) ?? ""
                members[name] = value(&random, depth: depth - 1)
            }
            return .object(members)
        }
    }
}
