import TestSupport
import Testing

@testable import Broadsheet

@Suite("F20: Items that span columns")
struct CellSpanTests {
    private func catalog(_ span: String, size: String = #"{"height": 20}"#) throws -> Catalog {
        try Catalog(
            Array(
                #"""
                {"sections": {"*": {"gridColumnCount": 3, "minimumInteritemSpacing": 0}},
                "units": {"U": {"cells": {"type": "A"}}, "H": {"header": {"type": "A"}}},
                "cellTypes": {"A": {"size": \#(size), "span": \#(span)}}}
                """#.utf8))
    }

    private func widths(_ span: String, _ items: String) throws -> [Double] {
        let registry = try catalog(span).registry
        let page = #"{"sections": [{"units": [{"unitType": "U", "unitData": [\#(items)]}]}]}"#
        var model = PaginatedViewModel()
        try model.load(resolved(page, by: registry))
        let composer = Composer(registry: registry)
        let parameters = LayoutParameters(viewport: Viewport(width: 300))
        return composer.frames(of: composer.screen(of: model, parameters), parameters)
            .sections[0].items.map(\.width)
    }

    @Test(
        "A span is a number, all, or a value of the data",
        arguments: [
            ("2", "{}", 200), ("2.0", "{}", 200), (#""all""#, "{}", 300), ("1e30", "{}", 300),
            (#"{"value": "/s"}"#, "{}", 100), (#"{"value": "/s"}"#, #"{"s": null}"#, 100),
            (#"{"value": "/s"}"#, #"{"s": 2}"#, 200), (#"{"value": "/s"}"#, #"{"s": 2e0}"#, 200),
            (#"{"value": "/s"}"#, #"{"s": "all"}"#, 300),
            (#"{"value": "/s"}"#, #"{"s": 4294967297}"#, 300),
            (#"{"value": "/s", "default": 2}"#, "{}", 200),
            (#"{"value": "/s", "default": "all"}"#, #"{"s": 1}"#, 100),
            (#"{"value": "/s", "default": "all"}"#, #"{"s": 0}"#, 300),
            (#"{"value": "/s", "default": 2}"#, #"{"s": [1]}"#, 200),
        ])
    func forms(span: String, data: String, width: Double) throws {
        #expect(try widths(span, data) == [width])
    }

    @Test(
        "Another span in a catalog is a violation at its pointer",
        arguments: [
            ("0", ""), ("1.5", ""), ("-1", ""), ("true", ""), (#""ALL""#, ""), ("[]", ""),
            ("1e999", ""), ("{}", "/value"), (#"{"value": 1}"#, "/value"),
            (#"{"value": "/a", "default": 0}"#, "/default"),
            (#"{"value": "/a", "default": "some"}"#, "/default"),
        ])
    func violations(span: String, pointer: String) throws {
        do throws(CatalogError) {
            _ = try Catalog(
                Array(#"{"cellTypes": {"A": {"span": \#(span)}}}"#.utf8))
            Issue.record("\(span) is accepted")
        } catch {
            guard case .violations(let violations, _) = error else {
                Issue.record("\(error)")
                return
            }
            #expect(violations.map(\.pointer) == ["/cellTypes/A/span\(pointer)"])
        }
    }

    @Test("A span counts among the 16 values that a size may read")
    func values() throws {
        func parts(_ count: Int) -> String {
            let parts = (0..<count).map { #"{"value": "/v\#($0)"}"# }.joined(separator: ",")
            return #"{"height": {"sum": [\#(parts)]}}"#
        }
        _ = try catalog(#"{"value": "/s"}"#, size: parts(15))
        _ = try catalog("2", size: parts(16))
        #expect(throws: CatalogError.self) { try catalog(#"{"value": "/s"}"#, size: parts(16)) }
    }

    @Test("A span counts among the 32 different pointers that a content may have")
    func pointers() throws {
        func compiled(_ count: Int, _ span: String) throws -> Catalog {
            let boxes = (0..<count).map { #"{"box": "/v\#($0)"}"# }.joined(separator: ",")
            let content = #"{"column": [\#(boxes)]}"#
            return try Catalog(
                Array(
                    #"{"cellTypes": {"A": {"content": \#(content), "span": \#(span)}}}"#.utf8))
        }
        _ = try compiled(31, #"{"value": "/s"}"#)
        _ = try compiled(32, "2")
        _ = try compiled(32, #"{"value": "/v0"}"#)
        #expect(throws: CatalogError.self) { try compiled(32, #"{"value": "/s"}"#) }
    }

    @Test("UNUSABLE_VALUE: A value that is not a span is reported once a cell type and pointer")
    func unusable() throws {
        let page = try resolved(
            #"""
            {"sections": [{"layout": {"kind": "list"}, "units": [{"unitType": "U", "unitData":
            [{}, {"s": null}, {"s": 0}, {"s": "two"}]}, {"unitType": "H", "unitData": {"s": 0}}]}]}
            """#, by: catalog(#"{"value": "/s"}"#))
        #expect(page.notes == ["UNUSABLE_VALUE /sections/0/units/0/unitData/2/s"])
    }

    @Test(
        "A cell type that stands in as a fallback has its own span; headers and footers have none")
    func fallbacks() throws {
        let registry = try Catalog(
            Array(
                #"""
                {"sections": {"*": {"gridColumnCount": 3, "minimumInteritemSpacing": 0}},
                "units": {"U": {"header": {"type": "New", "data": "/0"}, "cells": {"type": "New"}}},
                "cellTypes": {
                  "New": {"since": {"ios": "5"}, "fallback": "Old", "span": 2, "size": {"height": 9}},
                  "Old": {"span": {"value": "/s"}, "size": {"height": 9}}}}
                """#.utf8)
        ).registry
        let composer = Composer(registry: registry)
        var model = PaginatedViewModel()
        try model.load(
            resolved(
                #"{"sections": [{"units": [{"unitType": "U", "unitData": [{"s": 3}]}]}]}"#,
                by: registry))
        for (client, width) in [("ios/5", 200.0), ("ios/4", 300)] {
            var parameters = LayoutParameters(viewport: Viewport(width: 300))
            parameters.client = Client(client)
            let frames = composer.frames(of: composer.screen(of: model, parameters), parameters)
            #expect(frames.sections[0].items.map(\.width) == [width])
            #expect(frames.sections[0].header?.width == 300)
        }
    }

    @Test("Spans take no memory unless an item has one, and then at most 4 bytes an item")
    func memory() throws {
        func page(_ span: String, _ items: [String]) throws -> ResolvedPage {
            let data = items.joined(separator: ",")
            return try resolved(
                #"{"sections": [{"units": [{"unitType": "U", "unitData": [\#(data)]}]}]}"#,
                by: catalog(span))
        }
        let plain = Array(repeating: "{}", count: 100)
        #expect(try page(#""all""#, plain).inputByteCount == 0)
        #expect(try page(#"{"value": "/s"}"#, plain).inputByteCount == 0)
        let spanning = plain + [#"{"s": 2}"#]
        #expect(try page(#"{"value": "/s"}"#, spanning).inputByteCount <= 4 * 101)
    }

    @Test("POINTER_FINDS_NOTHING: Lint looks for the pointer of a span")
    func lint() throws {
        let registry = try catalog(#"{"value": "/spam"}"#).registry
        var lint = CatalogLint(registry)
        lint.add(
            try posted(
                #"{"sections": [{"units": [{"unitType": "U", "unitData": [{"span": 2}]}]}]}"#))
        #expect(lint.diagnostics.map(\.pointer).contains("/cellTypes/A/span/value"))
    }

    /// A type of which items span as many columns as their data says.
    private enum Story: CellType {
        struct Input: Decodable { var columns: Int }
        static func size(with input: Input, constrainedTo container: Container) -> Size? { nil }
        static func span(with input: Input) -> CellSpan {
            input.columns == 0 ? .all : .columns(input.columns)
        }
    }

    /// A type whose items span two columns.
    private enum Wide: CellType {
        static func size(with input: JSONValue, constrainedTo container: Container) -> Size? { nil }
        static func span(with input: JSONValue) -> CellSpan { .columns(2) }
    }

    @Test("Items of Swift types span the columns that the type returns")
    func code() throws {
        var registry = CellRegistry()
        registry.register("S", cellTypes: Story.self, Wide.self) { unit, section in
            section.layout.flow.gridColumnCount = 3
            section.layout.flow.minimumInteritemSpacing = 0
            section.cells(Story.self, data: unit.data["stories"])
            section.cell(Wide.self, data: unit.data["wide"])
        }
        let page = #"""
            {"sections": [{"units": [{"unitType": "S", "unitData": {"stories": [{"columns": 1},
            {"columns": 2}, {"columns": 0}, {"columns": -4}], "wide": {}}}]}]}
            """#
        var model = PaginatedViewModel()
        try model.load(resolved(page, by: registry))
        let composer = Composer(registry: registry)
        let parameters = LayoutParameters(viewport: Viewport(width: 300))
        let screen = composer.screen(of: model, parameters)
        let items = composer.frames(of: screen, parameters).sections[0].items
        #expect(items.map(\.width) == [100, 200, 300, 100, 200])
        #expect(items.map(\.x) == [0, 100, 0, 0, 100])
    }

    /// A type with a content, of which items span as many columns as their data says.
    private enum Tile: CellType {
        struct Input: Decodable { var columns: Int }
        static var content: CellContents? { .column([.box("", height: 30, name: "photo")]) }
        static func span(with input: Input) -> CellSpan { .columns(input.columns) }
    }

    @Test("M3: Items of Swift types with a content span columns by their models, too")
    func codeWithContent() throws {
        var registry = CellRegistry()
        registry.register("T", cellTypes: Tile.self) { unit, section in
            section.layout.kind = .masonry
            section.layout.masonry = MasonryOptions(columns: 3, interitemSpacing: 0)
            section.cells(Tile.self, data: unit.data)
        }
        let page = try resolved(
            #"""
            {"sections": [{"units": [{"unitType": "T", "unitData": [{"columns": 2},
            {"columns": "two"}, {"columns": 3}]}]}]}
            """#, by: registry)
        #expect(page.notes == ["UNUSABLE_VALUE /sections/0/units/0/unitData/1/columns"])
        var model = PaginatedViewModel()
        try model.load(page)
        let composer = Composer(registry: registry)
        let parameters = LayoutParameters(viewport: Viewport(width: 300))
        let screen = composer.screen(of: model, parameters)
        let items = composer.frames(of: screen, parameters).sections[0].items
        #expect(items.map(\.width) == [200, 100, 300])
        #expect(items.map(\.x) == [0, 200, 0])
        #expect(items.map(\.height) == [30, 30, 30])
    }

    @Test("F20: Without an item that spans, lines are those of F9 to F13")
    func withoutSpans() {
        let plain = StubSection(count: 5, nil, 20) { $0.flow.gridColumnCount = 3 }
        var spanned = plain
        spanned.items = plain.items.map { StubSize($0.width, $0.height, span: .columns(0)) }
        #expect(layOutOne(plain) == layOutOne(spanned))
    }

    @Test("G5: Any number of columns and any span is legal")
    func absurd() {
        for columns in [Int.max, 1 << 31, 1 << 40] {
            for spacing in [0, -1e9, 1e9, 15] {
                let section = StubSection([
                    StubSize(nil, 5, span: .all), StubSize(nil, 5, span: .columns(.max)),
                    StubSize(nil, 5, span: .columns(.min)), StubSize(nil, 5, span: .columns(7)),
                ]) {
                    $0.flow.gridColumnCount = .fixed(columns)
                    $0.flow.minimumInteritemSpacing = spacing
                }
                #expect(layOut([section]).numbers.allSatisfy { $0.isFinite })
            }
        }
    }
}
