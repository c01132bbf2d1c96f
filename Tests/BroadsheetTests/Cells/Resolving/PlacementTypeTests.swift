import Broadsheet
import Testing

@Suite("Cell types by data (docs/catalog.md, units)")
struct PlacementTypeTests {
    /// Resolves a unit with this data by placements among the cell types A, B and C.
    private func page(
        _ placements: String, _ data: String, limits: ScreenLimits = ScreenLimits()
    ) throws -> ResolvedPage {
        let catalog = try catalog(
            """
            {"units": {"U": \(placements)}, "cellTypes": {"A": {"id": "/id"}, "B": {},
            "C": {"size": {"height": {"value": "/kind"}}}}}
            """)
        return try resolved(
            #"{"sections": [{"units": [{"unitType": "U", "unitData": \#(data)}]}]}"#, by: catalog,
            limits: limits)
    }

    private let type = #"{"switch": "/kind", "cases": {"card": "A", "2": "B", "true": "A"}, "#

    /// The type with a default and without one.
    private var choice: String { type + #""default": "C"}"# }
    private var strict: String { type + #""default": null}"# }

    @Test(
        "A string selects by its text, a number by its value, a Boolean value by its name",
        arguments: [
            (#""card""#, "A"), (#""\u0063ard""#, "A"), (#""2""#, "B"), (#""2.0""#, "C"),
            ("2", "B"), ("2.0", "B"), ("0.2e1", "B"), ("20e-1", "B"), ("3", "C"), ("true", "A"),
            (#""true""#, "A"), ("false", "C"), ("null", "C"), (#""Card""#, "C"),
        ])
    func selects(value: String, name: String) throws {
        let data = #"{"kind": \#(value)}"#
        let cell = try page(#"{"cell": {"type": \#(choice)}}"#, data)
        #expect(cell.items.joined().map { $0.prefix(1) } == [name.prefix(1)])
        let cells = try page(
            #"{"cells": {"type": \#(choice), "data": "/list"}}"#, #"{"list": [\#(data)]}"#)
        #expect(cells.items.joined().map { $0.prefix(1) } == [name.prefix(1)])
        let views = try page(#"{"header": {"type": \#(choice)}, "footer": {"type": "B"}}"#, data)
        #expect(views.view(views.sections.first?.header) == "\(name)=\(data)")
    }

    @Test("The pointer begins at the data of each cell, and missing data selects the default")
    func pointers() throws {
        let page = try page(
            #"{"cells": {"type": \#(choice), "data": "/list"}}"#,
            #"{"kind": "card", "list": [{"kind": "card", "id": 7}, {"kind": 2}, {}, null, "card"]}"#
        )
        #expect(
            page.items == [
                [
                    #"A:7={"kind": "card", "id": 7}"#, #"B:p0.u0.e1={"kind": 2}"#, "C:p0.u0.e2={}",
                    "C:p0.u0.e3=null", #"C:p0.u0.e4="card""#,
                ]
            ])
        #expect(page.notes == [])
    }

    @Test("Without a case and a default there is no cell, and the others keep their positions")
    func dropped() throws {
        let page = try page(
            #"{"cells": {"type": \#(strict), "data": "/list", "optional": true}}"#,
            #"{"list": [{"kind": "new"}, {"kind": 2}, {}, {"kind": null}, {"kind": []}, {"kind": "card"}]}"#
        )
        #expect(
            page.items == [[#"B:p0.u0.e1={"kind": 2}"#, #"A:p0.u0.e5={"kind": "card"}"#]])
        #expect(
            page.notes
                == [0, 2, 3, 4].map {
                    "NO_CELL_TYPE /sections/0/units/0/unitData/list/\($0)/kind"
                })
        #expect(
            page.diagnostics.first?.detail
                == "the placement's type has no case for this value and no default")
    }

    @Test("Without a cell type there is no header, and an earlier one stays")
    func droppedViews() throws {
        let page = try page(
            #"""
            {"header": [{"type": "B", "data": "/a"}, {"type": \#(strict), "data": "/b"}],
            "footer": {"type": \#(strict), "data": "/b"}}
            """#, #"{"a": 1, "b": {"kind": 3}}"#)
        #expect(page.view(page.sections.first?.header) == "B=1")
        #expect(page.sections.first?.footer == nil)
        #expect(
            page.notes == [
                "NO_CELL_TYPE /sections/0/units/0/unitData/b/kind",
                "NO_CELL_TYPE /sections/0/units/0/unitData/b/kind",
            ])
    }

    @Test("A value of an unusable type is reported once a cell type and pointer")
    func unusable() throws {
        let cells = #"{"type": \#(choice)}"#
        let page = try page(
            #"[{"cells": \#(cells)}, {"cells": \#(cells)}]"#,
            #"[{"kind": "card"}, {"kind": []}, {"kind": {}}]"#)
        #expect(page.notes == ["UNUSABLE_VALUE /sections/0/units/0/unitData/1/kind"])
        #expect(
            page.diagnostics.map(\.detail) == [
                "a placement's type needs a string, a number, true or false here; its default is used"
            ])
        #expect(page.items[0].map { $0.prefix(1) } == ["A", "C", "C", "A", "C", "C"])
    }

    @Test("Every dropped cell is counted, and the first diagnostics are listed")
    func many() throws {
        let list = Array(repeating: "{}", count: 5_000).joined(separator: ",")
        let page = try page(#"{"cells": {"type": \#(strict)}}"#, "[\(list)]")
        #expect(page.itemCount == 0)
        #expect(
            page.diagnosticCounts.byCode == [.noCellType: 1_000, .diagnosticsTruncated: 4_000])
    }

    @Test("The limit on items applies to the cells that there are")
    func itemLimit() throws {
        let limits = ScreenLimits(maxItems: 2)
        let placements = #"{"cells": {"type": \#(strict)}}"#
        let card = #"{"kind": "card"}"#
        #expect(
            try page(placements, "[\(card), {}, \(card), {}]", limits: limits).itemCount == 2)
        let error = #expect(throws: ContractError.self) {
            try self.page(placements, "[\(card), {}, \(card), \(card)]", limits: limits)
        }
        #expect(error?.violations.map(\.pointer) == ["/sections/0/units/0"])
    }

    @Test("A tree has the selected cell type with its size, as a type of its own")
    func tree() throws {
        let catalog = try catalog(
            #"""
            {"units": {"U": {"cells": {"type": {"switch": "/kind", "cases": {"wide": "Wide"}, "default": "Card"}}}},
            "cellTypes": {"Wide": {"size": {"height": 80}}, "Card": {"size": {"height": {"value": "/h"}}}}}
            """#)
        let page = #"""
            {"sections": [[{"unitType": "U", "unitData": [{"h": 10}, {"kind": "wide"}, {"h": 20}]}]]}
            """#
        let tree = try JSONDocument(
            Composer(registry: catalog.registry).compose(Array(page.utf8)))
        let items = try #require(tree.root["sections"]?.elements.first { _ in true }?["items"])
        #expect(items.elements.map { $0["type"]?.string } == ["Card", "Wide", "Card"])
        #expect(items.elements.map { $0["frame"]?["height"]?.double } == [10, 80, 20])
    }
}

@Suite("Violations of cell types by data (docs/catalog.md, units)")
struct PlacementTypeViolationsTests {
    private func violations(
        _ type: String, limits: CatalogLimits = CatalogLimits()
    ) throws -> [ContractViolation] {
        let json = #"""
            {"units": {"U": [{"cells": [{"type": \#(type)}]}]}, "cellTypes": {"A": {}, "B": {}}}
            """#
        do throws(CatalogError) {
            _ = try Catalog(Array(json.utf8), limits: limits)
            return []
        } catch {
            guard case .violations(let violations, _) = error else { throw error }
            return violations
        }
    }

    @Test(
        "An invalid type is a violation at its pointer",
        arguments: [
            ("1", ""), ("[]", ""), ("true", ""), ("null", ""), (#""Z""#, ""),
            ("{}", "/switch /cases"), (#"{"switch": "/k"}"#, "/cases"),
            (#"{"cases": {}}"#, "/switch"), (#"{"switch": "k", "cases": {}}"#, "/switch"),
            (#"{"switch": 1, "cases": {}}"#, "/switch"),
            (#"{"switch": "", "cases": []}"#, "/cases"),
            (#"{"switch": "", "cases": {"a~": "Z"}}"#, "/cases/a~0"),
            (#"{"switch": "", "cases": {"a": {"switch": "", "cases": {}}}}"#, "/cases/a"),
            (#"{"switch": "", "cases": {"2": "A", "2.0": "B"}}"#, "/cases/2.0"),
            (#"{"switch": "", "cases": {}, "default": "Z"}"#, "/default"),
            (#"{"switch": "", "cases": {"x": 1}, "default": 2}"#, "/cases/x /default"),
        ])
    func invalid(type: String, pointers: String) throws {
        let found = try violations(type).map(\.pointer)
        let expected = pointers.split(separator: " ", omittingEmptySubsequences: false)
        #expect(found.sorted() == expected.map { "/units/U/0/cells/0/type\($0)" }.sorted())
    }

    @Test("The messages name what is expected")
    func messages() throws {
        #expect(
            try violations("1").map(\.detail) == [#"must be a string or an object with "switch""#])
        #expect(
            try violations(#"{"switch": "", "cases": {"x": "Z"}}"#).map(\.detail)
                == ["names no entry of cellTypes"])
        #expect(
            try violations(#"{"switch": "", "cases": {"0": "A", "-0": "A"}}"#).map(\.detail)
                == [#"is the same number as the case "0""#])
    }

    @Test("A type has at most 256 cases")
    func limit() throws {
        func type(_ count: Int) -> String {
            let cases = (0..<count).map { "\"c\($0)\": \"A\"" }.joined(separator: ",")
            return "{\"switch\": \"\", \"cases\": {\(cases)}}"
        }
        #expect(CatalogLimits().maxCases == 256)
        #expect(try violations(type(256)) == [])
        let found = try violations(type(257))
        #expect(found.map(\.pointer) == ["/units/U/0/cells/0/type/cases"])
        #expect(
            found.map(\.detail) == ["has 257 cases, of which a type may have at most 256"])
        var limits = CatalogLimits()
        limits.maxCases = 1
        #expect(try violations(type(2), limits: limits).count == 1)
        #expect(try violations(type(100_000)).count == 1)
    }

    @Test("Unknown members of a type are diagnostics, the names of its cases are not")
    func unknownMembers() throws {
        let catalog = try catalog(
            #"""
            {"units": {"U": {"cell": {"type": {"switch": "/k", "cases": {"defalt": "A"}, "defalt": "A"}}}},
            "cellTypes": {"A": {}}}
            """#)
        #expect(
            catalog.diagnostics.map { "\($0.pointer) \($0.detail)" } == [
                #"/units/U/cell/type/defalt is not known and is ignored; did you mean "default"?"#
            ])
    }
}
