import Broadsheet
import BroadsheetClient
import Synchronization
import Testing

/// A model with a number that its cell type needs, and any other JSON.
private struct Goods: Codable, Sendable {
    var id: String
    var height: Double
    var tags: [String]?
}

private enum GoodsCell: CellType {
    static let typeName = "GoodsCell"
    static let id: JSONPointer? = "/id"
    static let picture: CellPicture? = CellPicture(title: "/id")

    static func size(with goods: Goods, constrainedTo container: Container) -> Size? {
        guard goods.tags?.contains("default") != true else { return nil }
        return Size(width: container.available.width, height: goods.height)
    }
}

/// A type of the data as JSON, which nothing is decoded for.
private enum PlainCell: CellType {
    static func size(with data: JSONValue, constrainedTo container: Container) -> Size? {
        Size(width: 10, height: Double(data.count))
    }
}

@Suite("Swift cell types with models") struct TypedCellTests {
    private func registry() -> CellRegistry {
        var registry = CellRegistry()
        registry.register("GOODS") { unit, section in
            section.header(GoodsCell.self, data: unit.data["first"])
            section.cells(GoodsCell.self, data: unit.data["list"], optional: true)
            section.cell(PlainCell.self, data: unit.data["plain"], optional: true)
        }
        registry.register("ONE") { unit, section in section.cell(GoodsCell.self, data: unit.data) }
        return registry
    }

    private func page(_ units: String) -> String {
        #"{"sections": [{"sectionId": "S", "units": [\#(units)]}]}"#
    }

    private let list = #"""
        {"unitType": "GOODS", "first": {"id": "f", "height": 7}, "plain": {"a": 1, "b": 2},
         "list": [{"id": "a", "height": 30}, {"id": "b", "height": 4.5, "tags": []},
                  {"id": "c", "height": 5, "tags": ["default"]}]}
        """#

    private let request = SizeRequest(
        container: Container(
            viewport: Size(width: 400, height: 800), available: Size(width: 300, height: 800)),
        absent: .zero, fallback: Size(width: 50, height: 60))

    private func section(_ text: String) throws -> MergedSection {
        var model = PaginatedViewModel()
        try model.load(resolved(text, by: registry()))
        return try #require(model.merged(registry: registry()).sections.first)
    }

    @Test("Cells, headers and types of JSON in one unit have the sizes of their data")
    func sizes() throws {
        let section = try section(page(list))
        #expect(
            section.itemSizes(request) == [
                Size(width: 300, height: 30), Size(width: 300, height: 4.5),
                Size(width: 50, height: 60), Size(width: 10, height: 2),
            ])
        #expect(section.headerSize(request) == Size(width: 300, height: 7))
        #expect(section.items.map(\.id) == ["a", "b", "c", "p0.u0.e0"])
        #expect(section.uniformItemSize(request) == nil)
    }

    @Test("The data is decoded once, however often the page is laid out")
    func decodedOnce() throws {
        struct Counted: Decodable, Sendable {
            static let count = Atomic(0)
            init(from decoder: any Decoder) throws { Self.count.add(1, ordering: .relaxed) }
        }
        enum CountedCell: CellType {
            static func size(with data: Counted, constrainedTo container: Container) -> Size? {
                .zero
            }
        }
        var registry = CellRegistry()
        registry.register("U") { unit, section in section.cells(CountedCell.self, data: unit.data) }
        var model = PaginatedViewModel()
        try model.load(
            resolved(page(#"{"unitType": "U", "unitData": [1, 2, 2]}"#), by: registry))
        let composer = Composer(registry: registry)
        for width in 300..<310 {
            let parameters = LayoutParameters(viewport: Viewport(width: Double(width), height: 9))
            _ = composer.writer(of: model, parameters)
        }
        #expect(Counted.count.load(ordering: .relaxed) == 3)
    }

    @Test(
        "UNUSABLE_VALUE: Data that does not fit has the default size, and a pointer to the part",
        arguments: [
            (#"{"unitType": "ONE", "unitData": {"id": "a"}}"#, "/unitData/height"),
            (#"{"unitType": "ONE", "unitData": {"id": 1, "height": 2}}"#, "/unitData/id"),
            (#"{"unitType": "ONE", "unitData": 5}"#, "/unitData"),
            (#"{"unitType": "ONE", "id": "a", "height": "tall"}"#, "/height"),
            (#"{"unitType": "ONE", "id": "a", "height": 1, "tags": ["x", 2]}"#, "/tags/1"),
            (#"{"unitType": "ONE", "unitData": {"id": "a", "height": 1e999}}"#, "/unitData"),
        ])
    func mismatch(unit: String, pointer: String) throws {
        let resolved = try resolved(page(unit), by: registry())
        #expect(resolved.notes == ["UNUSABLE_VALUE /sections/0/units/0" + pointer])
        let detail = try #require(resolved.diagnostics.first?.detail)
        #expect(detail.hasPrefix(#"the cell type "GoodsCell" cannot use this value ("#))
        #expect(try section(page(unit)).itemSizes(request) == [Size(width: 50, height: 60)])
    }

    @Test("UNUSABLE_VALUE: There is one for each pointer, and every item keeps its place and size")
    func mismatches() throws {
        let text = page(
            #"""
            {"unitType": "GOODS", "list": [{"id": "a"}, {"id": "b", "height": 1}, {"id": "c"},
              {"height": 2}, [], []], "first": {"id": "f", "height": 1, "tags": {}}}
            """#)
        let notes = try resolved(text, by: registry()).notes
        #expect(
            notes == [
                "UNUSABLE_VALUE /sections/0/units/0/first/tags",
                "UNUSABLE_VALUE /sections/0/units/0/list/0/height",
                "UNUSABLE_VALUE /sections/0/units/0/list/3/id",
                "UNUSABLE_VALUE /sections/0/units/0/list/4",
            ])
        let section = try section(text)
        #expect(section.itemSizes(request).map(\.height) == [60, 1, 60, 60, 60, 60])
        #expect(section.items.map(\.id) == ["a", "b", "c", "p0.u0.e3", "p0.u0.e4", "p0.u0.e5"])
        #expect(section.headerSize(request).height == 60)
    }

    @Test("UNUSABLE_VALUE: A page with many different pointers lists the first ones quickly")
    func manyMismatches() throws {
        enum CountsCell: CellType {
            static func size(with data: [String: Int], constrainedTo container: Container) -> Size?
            {
                nil
            }
        }
        var registry = CellRegistry()
        registry.register("U") { unit, section in section.cells(CountsCell.self, data: unit.data) }
        let list = (0..<4000).map { #"{"k\#($0)": "x"}"# }.joined(separator: ",")
        let page = try resolved(
            page(#"{"unitType": "U", "unitData": [\#(list)]}"#), by: registry,
            limits: ScreenLimits(maxDiagnostics: 2))
        #expect(
            page.notes == [
                "UNUSABLE_VALUE /sections/0/units/0/unitData/0/k0",
                "UNUSABLE_VALUE /sections/0/units/0/unitData/1/k1", "DIAGNOSTICS_TRUNCATED ",
            ])
        #expect(page.diagnostics.last?.detail.hasPrefix("3998 ") == true)
    }

    @Test("Of a member that stands twice, the model has the last value, as the tree has")
    func duplicates() throws {
        let unit = #"{"unitType": "ONE", "unitData": {"id": "a", "height": 1, "height": 2}}"#
        #expect(try section(page(unit)).itemSizes(request).map(\.height) == [2])
    }

    @Test("An edited item is decoded again, and the changes lead to the new tree")
    func changes() throws {
        let registry = registry()
        let composer = Composer(registry: registry)
        var model = PaginatedViewModel()
        try model.load(resolved(page(list), by: registry))
        var tree = Tree(composer.writer(of: model))
        let patch = try JSONDocument(Array(#"{"height": 90}"#.utf8)).root
        let changes = try model.update(registry: registry) { updater throws(EditError) in
            try updater.patchItem(section: "S", item: "b", patch: patch)
            try updater.moveItems(section: "S", items: ["a"], .end)
        }
        try changes.apply(to: &tree)
        #expect(tree == Tree(composer.writer(of: model)))
        let heights = LaidOutScreen(composer.screen(of: model)).sections[0].items.map(
            \.frame.height)
        #expect(heights.contains(90))
        #expect(heights.contains(30))
    }

    @Test("Pictures show the items, and a page counts the memory of its models")
    func pictures() throws {
        let registry = registry()
        var model = PaginatedViewModel()
        let page = try resolved(page(list), by: registry)
        try model.load(page)
        let screen = LaidOutScreen(model.merged(registry: registry))
        let picture = PictureWriter.write(
            screen.screen, screen.frames, viewport: Viewport(), title: "a screen")
        let words = PictureReader(picture).words("words")
        #expect(words == ["a", "c"])
        #expect(page.inputByteCount > 3 * MemoryLayout<Goods>.stride)
    }

    @Test("A model may have members of any JSON, which any decoder gives")
    func jsonMembers() throws {
        struct Loose: Decodable, Sendable {
            var id: Int
            var extra: JSONValue
        }
        let text = #"""
            {"id": 1, "extra": {"b": [null, true, -5, 1.0, 0.25, 18446744073709551615, "\u00e9\"", []],
             "a": {}, "1": "x"}}
            """#
        let value = try JSONDocument(Array(text.utf8)).root
        let loose = try value.decode(Loose.self)
        #expect(
            String(decoding: loose.extra.bytes, as: UTF8.self)
                == #"{"1":"x","a":{},"b":[null,true,-5,1,0.25,18446744073709551615,"é\"",[]]}"#)
        #expect(loose.extra["b"]?.elements.first { $0.double == 0.25 } != nil)
        for scalar in ["null", "true", "-1", "2.5", #""s""#] {
            let value = try JSONDocument(Array(scalar.utf8)).root.decode(JSONValue.self)
            #expect(String(decoding: value.bytes, as: UTF8.self) == scalar)
        }
    }
}
