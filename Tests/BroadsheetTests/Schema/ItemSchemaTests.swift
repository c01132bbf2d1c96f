@testable import Broadsheet
import Testing

@Suite("Schemas of single items (docs/schemas.md, Schemas of cell types)") struct ItemSchemaTests {
    private static let catalog = #"""
        {"units": {
           "LIST": {"cells": {"type": "Rated"}},
           "BOX": {"header": {"type": "Title", "data": "/title"},
                   "cells": {"type": "Rated", "data": "/list"},
                   "cell": {"type": "Named", "data": "/one", "optional": true}},
           "KINDS": {"cells": {"type": {"switch": "/kind", "cases": {"a": "Rated", "b": "Plain"}}}},
           "PLAIN": {"cells": {"type": "Plain"}},
           "BOTH": {"cells": {"type": "Rated"}, "schema": {"maxItems": 2}},
           "REEL": {"cells": {"type": {"switch": "/kind", "cases": {"reel": "Reel"}, "default": "Plain"}}},
           "TITLE": {"header": {"type": "Title"}}},
         "cellTypes": {
           "Rated": {"id": "/id", "schema": {"type": "object", "properties": {
             "rating": {"type": "number", "minimum": 0, "maximum": 5}, "a": {"type": "null"},
             "b": {"type": "null"}}}},
           "Named": {"schema": {"required": ["name"]}},
           "Title": {"schema": {"type": "string"}},
           "Plain": {"id": "/id"},
           "Reel": {"id": "/id", "since": {"ios": "5"}, "schema": {"required": ["url"]}}}}
        """#

    private func resolved(
        _ units: String, header: String = "null", for client: String? = nil,
        limits: ScreenLimits = ScreenLimits()
    ) throws -> ResolvedPage {
        let registry = try Catalog(Array(Self.catalog.utf8)).registry
        let json = #"{"sections": [{"header": \#(header), "units": [\#(units)]}]}"#
        var parameters = LayoutParameters()
        parameters.client = client.flatMap(Client.init)
        let page = try ServerStatePage(JSONDocument(Array(json.utf8)), limits: limits)
        var resolver = PageResolver(
            page, for: Audience(parameters), registry: registry, limits: limits)
        return try ResolvedPage(&resolver, number: 0)
    }

    /// Returns the ids of the items.
    private func ids(_ page: ResolvedPage) throws -> [String] {
        var model = PaginatedViewModel()
        try model.load(page)
        return model.merged(registry: CellRegistry()).sections.flatMap { $0.items.map(\.id) }
    }

    /// Returns the codes of the diagnostics, with their pointers behind the first unit.
    private func losses(_ page: ResolvedPage) -> [String] {
        page.diagnostics.map { diagnostic in
            let unit = "/sections/0/units/0"
            let pointer = diagnostic.pointer
            let rest = pointer.hasPrefix(unit) ? String(pointer.dropFirst(unit.count)) : pointer
            return "\(diagnostic.code.rawValue) \(rest)"
        }
    }

    @Test("One bad rating among 21 restaurants leaves out one restaurant, and says where it is")
    func restaurants() throws {
        let list = (0..<21).map { index in
            let rating = index == 8 ? #""5""# : "4.5"
            return index % 3 == 0
                ? #"{"rating": \#(rating)}"# : #"{"id": "r\#(index)", "rating": \#(rating)}"#
        }
        let page = try resolved(
            #"{"unitType": "LIST", "unitData": [\#(list.joined(separator: ","))]}"#)
        let expected = (0..<21).filter { $0 != 8 }.map { $0 % 3 == 0 ? "p0.u0.e\($0)" : "r\($0)" }
        #expect(try ids(page) == expected)
        #expect(
            page.diagnostics == [
                Diagnostic(
                    code: .schemaViolation, page: 0,
                    pointer: "/sections/0/units/0/unitData/8/rating",
                    detail: "must be a number")
            ])
    }

    @Test(
        "What does not keep the schema of its cell type is left out alone",
        arguments: [
            (#"{"title": "t", "list": [{"id": "x"}], "one": {"name": 1}}"#, ["x", "p0.u0.e0"], []),
            (#"{"title": 1, "list": [{"id": "x"}]}"#, ["x"], ["/unitData/title"]),
            (#"{"title": null, "list": [{"id": "x"}]}"#, ["x"], []),
            (
                #"{"title": 1, "list": [1, {"id": "x"}, null], "one": {}}"#, ["x"],
                ["/unitData/title", "/unitData/list/0", "/unitData/list/2", "/unitData/one"]
            ),
            (
                #"{"list": [{"rating": 6, "a": 1, "b": null}]}"#, [],
                ["/unitData/list/0/rating", "/unitData/list/0/a"]
            ),
        ])
    func alone(data: String, ids: [String], pointers: [String]) throws {
        let page = try resolved(#"{"unitType": "BOX", "unitData": \#(data)}"#)
        #expect(try self.ids(page) == ids)
        #expect(losses(page) == pointers.map { "SCHEMA_VIOLATION \($0)" })
    }

    @Test("A header that does not keep its schema leaves the one that is there")
    func header() throws {
        let title = #"{"unitType": "TITLE", "unitData": "t"}, {"unitType": "TITLE", "unitData": 1}"#
        let page = try resolved(title, header: #"{"unitType": "TITLE", "unitData": {}}"#)
        #expect(page.sections[0].header?.location.part == .unit(0))
        #expect(
            losses(page) == [
                "SCHEMA_VIOLATION /sections/0/units/1/unitData",
                "SCHEMA_VIOLATION /sections/0/header/unitData",
            ])
    }

    @Test("A choice is judged by the schema of the cell type that the data selects")
    func choice() throws {
        let data =
            #"[{"kind": "a", "rating": 9}, {"kind": "b", "rating": 9}, {"rating": 9}, {"kind": "a"}]"#
        let page = try resolved(#"{"unitType": "KINDS", "unitData": \#(data)}"#)
        #expect(try ids(page) == ["p0.u0.e1", "p0.u0.e3"])
        #expect(
            losses(page) == [
                "SCHEMA_VIOLATION /unitData/0/rating", "NO_CELL_TYPE /unitData/2/kind",
            ])
    }

    @Test("The schema of the unit is judged first; a unit that violates it makes nothing")
    func unitFirst() throws {
        let page = try resolved(#"{"unitType": "BOTH", "unitData": [{"rating": 9}, {}, {}]}"#)
        #expect(page.itemCount == 0)
        #expect(losses(page) == ["SCHEMA_VIOLATION /unitData"])
        let kept = try resolved(#"{"unitType": "BOTH", "unitData": [{"rating": 9}, {}]}"#)
        #expect(kept.itemCount == 1)
    }

    @Test(
        "For a fallback and an essential unit, an item that is left out is as data that is missing",
        arguments: [
            (
                #""LIST", "unitData": [{"rating": 9}, {}], "fallback": {"unitType": "PLAIN", "unitData": [1, 2, 3]}"#,
                3, ["SCHEMA_VIOLATION /unitData/0/rating", "FALLBACK_USED "]
            ),
            (#""LIST", "unitData": [{"rating": 9}, {}], "fallback": null"#, 0, []),
            (
                #""LIST", "unitData": [{"rating": 9}, {}], "essential": true"#, 0,
                ["SCHEMA_VIOLATION /unitData/0/rating", "ESSENTIAL_UNIT_MISSING "]
            ),
            (#""LIST", "unitData": [{"rating": 5}, {}], "essential": true"#, 2, []),
            (
                #""BOX", "unitData": {"title": 1, "list": [{}], "one": {}}, "fallback": null"#, 1,
                ["SCHEMA_VIOLATION /unitData/title", "SCHEMA_VIOLATION /unitData/one"]
            ),
            (
                #""?", "fallback": {"unitType": "LIST", "unitData": [{}, 1], "fallback": {"unitType": "LIST", "unitData": [{}]}}"#,
                1,
                [
                    "UNKNOWN_UNIT_TYPE /unitType", "SCHEMA_VIOLATION /fallback/unitData/1",
                    "FALLBACK_USED ",
                ]
            ),
        ])
    func chains(unit: String, items: Int, expected: [String]) throws {
        let page = try resolved(#"{"unitType": \#(unit)}"#)
        #expect(page.itemCount == items)
        #expect(Set(losses(page)) == Set(expected))
        #expect(losses(page).count == expected.count)
    }

    @Test(
        "For every app the cell type that the data selects judges, and what is left out need not be drawn"
    )
    func oldApps() throws {
        let good = #"{"kind": "reel", "id": "r", "url": 1}"#
        let bad = #"{"kind": "reel", "id": "r"}"#
        for client in ["ios/5", "ios/4", nil] {
            let page = try resolved(
                #"{"unitType": "REEL", "unitData": [\#(bad), {"id": "p"}]}"#, for: client)
            #expect(try ids(page) == ["p"])
            #expect(losses(page) == ["SCHEMA_VIOLATION /unitData/0"])
        }
        let old = try resolved(
            #"{"unitType": "REEL", "unitData": [\#(bad), \#(good)]}"#, for: "ios/4")
        #expect(old.itemCount == 0)
        #expect(losses(old) == ["CELL_TYPE_TOO_NEW "])
    }

    // MARK: Many violations

    private static let wrong = #"{"rating": 9, "a": 1, "b": 1}"#

    @Test("Each item has up to ten violations, and a page its first diagnostics; all are counted")
    func many() throws {
        var limits = ScreenLimits()
        limits.maxDiagnostics = 20
        let list = Array(repeating: Self.wrong, count: 5_000).joined(separator: ",")
        let page = try resolved(
            #"{"unitType": "LIST", "unitData": [{"id": "x"}, \#(list)]}"#, limits: limits)
        #expect(try ids(page) == ["x"])
        #expect(page.diagnostics.count == 21)
        #expect(page.diagnostics[19].pointer == "/sections/0/units/0/unitData/7/a")
        #expect(page.diagnostics[20].detail.hasPrefix("14980 more") == true)
        let names = (0..<12).map { #""m\#($0)": false"# }.joined(separator: ",")
        let members = (0..<12).map { #""m\#($0)": 1"# }.joined(separator: ",")
        let registry = try Catalog(
            Array(
                #"{"units": {"U": {"cell": {"type": "C"}}}, "cellTypes": {"C": {"schema": {"properties": {\#(names)}}}}}"#
                    .utf8)
        ).registry
        let json = #"{"sections": [[{"unitType": "U", "unitData": {\#(members)}}]]}"#
        let ten = try ResolvedPage(
            page: ServerStatePage(JSONDocument(Array(json.utf8))), number: 0, registry: registry)
        #expect(ten.diagnostics.count == 10)
    }

    @Test("A unit that cannot be made because of its items has up to ten of their violations")
    func manyOfOneUnit() throws {
        let list = Array(repeating: Self.wrong, count: 5_000).joined(separator: ",")
        let page = try resolved(
            #"{"unitType": "LIST", "unitData": [\#(list)], "essential": true}"#)
        #expect(page.diagnostics.count == 11)
        #expect(page.diagnostics[9].pointer == "/sections/0/units/0/unitData/3/rating")
    }

    @Test("Items that are left out do not count for the limit of items")
    func itemLimit() throws {
        var limits = ScreenLimits()
        limits.maxItems = 2
        let data = #"[\#(Self.wrong), {}, \#(Self.wrong), {}]"#
        #expect(
            try resolved(#"{"unitType": "LIST", "unitData": \#(data)}"#, limits: limits).itemCount
                == 2)
        #expect(throws: ContractError.self) {
            try resolved(#"{"unitType": "LIST", "unitData": [{}, {}, {}]}"#, limits: limits)
        }
    }

    // MARK: Strict mode

    private func strict(_ units: String, header: String = "null") throws -> [String] {
        let registry = try Catalog(Array(Self.catalog.utf8)).registry
        let json = #"{"sections": [{"header": \#(header), "units": [\#(units)]}]}"#
        let page = try ServerStatePage(JSONDocument(Array(json.utf8)))
        do throws(ContractError) {
            try page.checkStrictly(by: registry)
            return []
        } catch { return error.violations.map(\.pointer) }
    }

    @Test(
        "In strict mode every item, header and footer keeps its schema, also where data is optional",
        arguments: [
            (
                #""LIST", "unitData": [{}, {"rating": 9}, {"rating": -1}]"#,
                ["/1/rating", "/2/rating"]
            ),
            (
                #""BOX", "unitData": {"title": 1, "list": [null], "one": {}}"#,
                ["/title", "/list/0", "/one"]
            ),
            (#""BOX", "unitData": {"title": null, "list": [], "one": null}"#, []),
            (
                #""KINDS", "unitData": [{"kind": "a", "rating": 9}, {"kind": "b", "rating": 9}, 1]"#,
                ["/0/rating"]
            ),
            (#""REEL", "unitData": [{"kind": "reel"}, {}]"#, ["/0"]),
            (#""BOTH", "unitData": [1, {}, {}]"#, ["", "/0"]),
            (#""LIST", "when": {"flags": ["never"]}, "unitData": [1]"#, ["/0"]),
        ])
    func strictUnits(unit: String, pointers: [String]) throws {
        #expect(
            try strict(#"{"unitType": \#(unit)}"#)
                == pointers.map { "/sections/0/units/0/unitData" + $0 })
    }

    @Test("In strict mode a section's own header keeps the schema of its header's cell type alone")
    func strictHeader() throws {
        let header = #"{"unitType": "BOX", "unitData": {"title": 1, "list": 1}}"#
        #expect(try strict("", header: header) == ["/sections/0/header/unitData/title"])
    }

    @Test("In strict mode the first 100 violations of items are listed, and all are counted")
    func strictTotal() throws {
        let registry = try Catalog(Array(Self.catalog.utf8)).registry
        let list = Array(repeating: Self.wrong, count: 3_000).joined(separator: ",")
        let json = #"{"sections": [[{"unitType": "LIST", "unitData": [\#(list)]}]]}"#
        let page = try ServerStatePage(JSONDocument(Array(json.utf8)))
        let error = #expect(throws: ContractError.self) { try page.checkStrictly(by: registry) }
        #expect(error?.total == 9_000)
        #expect(error?.violations.count == 100)
        #expect(error?.violations.last?.pointer == "/sections/0/0/unitData/33/rating")
    }
}
