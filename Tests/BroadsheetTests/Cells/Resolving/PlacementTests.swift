import Broadsheet
import Testing

@Suite("Placements of units (docs/catalog.md, units)") struct PlacementTests {
    /// Returns a page with a unit of type `U`, resolved by a catalog with placements for `U`.
    private func page(_ placements: String, _ data: String) throws -> ResolvedPage {
        let catalog = try catalog(
            """
            {"units": {"U": \(placements)}, "cellTypes": {"A": {}, "B": {}}}
            """)
        return try resolved(
            #"{"sections": [{"units": [{"unitType": "U", "unitData": \#(data)}]}]}"#, by: catalog)
    }

    @Test(
        "The role cell makes one item of the data, whatever its kind",
        arguments: [
            #"{"a":  1}"#, "[1, 2]", "\"x\"", "0", "false",
        ])
    func cell(data: String) throws {
        let page = try page(#"{"cell": {"type": "A"}}"#, data)
        #expect(page.items == [["A:p0.u0.e0=\(data)"]])
        #expect(page.diagnostics.isEmpty)
    }

    @Test("The role cells makes one item of each element, null ones included")
    func cells() throws {
        let page = try page(#"{"cells": {"type": "A"}}"#, #"[1, {"x": [2]}, null, []]"#)
        #expect(
            page.items == [
                ["A:p0.u0.e0=1", #"A:p0.u0.e1={"x": [2]}"#, "A:p0.u0.e2=null", "A:p0.u0.e3=[]"]
            ])
        #expect(page.diagnostics.isEmpty)
    }

    @Test("The roles header and footer set the section's views")
    func views() throws {
        let page = try page(#"{"header": {"type": "A"}, "footer": {"type": "B"}}"#, #"{"t": 1}"#)
        let section = try #require(page.sections.first)
        #expect(page.view(section.header) == #"A={"t": 1}"#)
        #expect(page.view(section.footer) == #"B={"t": 1}"#)
        #expect(section.cells.isEmpty)
    }

    @Test(
        "The pointer of data starts at the unit's data (RFC 6901)",
        arguments: [
            ("", #"{"a": {"b/c": [5, 6]}}"#), ("/a", #"{"b/c": [5, 6]}"#), ("/a/b~1c", "[5, 6]"),
            ("/a/b~1c/1", "6"),
        ])
    func pointers(pointer: String, data: String) throws {
        let page = try page(
            #"{"cell": {"type": "A", "data": "\#(pointer)"}}"#, #"{"a": {"b/c": [5, 6]}}"#)
        #expect(page.items == [["A:p0.u0.e0=\(data)"]])
    }

    @Test(
        "Placements are applied in the order of the document",
        arguments: [
            #"{"cell": [{"type": "A", "data": "/x"}, {"type": "B", "data": "/y"}], "cells": {"type": "A", "data": "/z"}}"#,
            #"[{"cell": {"type": "A", "data": "/x"}}, {"cell": {"type": "B", "data": "/y"}, "cells": {"type": "A", "data": "/z"}}]"#,
        ])
    func several(placements: String) throws {
        let page = try page(placements, #"{"x": 1, "y": 2, "z": [3, 4]}"#)
        #expect(
            page.items == [["A:p0.u0.e0=1", "B:p0.u0.e0=2", "A:p0.u0.e0=3", "A:p0.u0.e1=4"]])
        let cellsFirst = try self.page(
            #"{"cells": {"type": "A", "data": "/z"}, "cell": {"type": "B", "data": "/x"}}"#,
            #"{"x": 1, "z": [3]}"#)
        #expect(cellsFirst.items == [["A:p0.u0.e0=3", "B:p0.u0.e0=1"]])
    }

    @Test(
        "Missing or null data makes no cell and is MISSING_DATA, unless it is optional",
        arguments: [
            #"{"x": null}"#, "{}", "1",
        ])
    func missingData(data: String) throws {
        for role in ["cell", "cells"] {
            let page = try page(#"{"\#(role)": {"type": "A", "data": "/x"}}"#, data)
            #expect(page.items == [[]])
            #expect(page.notes == ["MISSING_DATA /sections/0/units/0/unitData/x"])
            let optional = try self.page(
                #"{"\#(role)": {"type": "A", "data": "/x", "optional": true}}"#, data)
            #expect(optional.items == [[]])
            #expect(optional.notes == [])
        }
    }

    @Test(
        "Missing or null data makes no header or footer, and no diagnostic",
        arguments: [
            #"{"x": null}"#, "{}", "[]",
        ])
    func missingViews(data: String) throws {
        let page = try page(
            #"{"header": {"type": "A", "data": "/x"}, "footer": {"type": "B", "data": "/x"}}"#, data
        )
        #expect(page.sections.first?.header == nil)
        #expect(page.sections.first?.footer == nil)
        #expect(page.diagnostics.isEmpty)
    }

    @Test(
        "Data for cells that is not an array is NOT_AN_ARRAY, optional or not",
        arguments: [
            "{}", "\"x\"", "1", "true",
        ])
    func notAnArray(data: String) throws {
        for optional in [false, true] {
            let page = try page(
                #"{"cells": {"type": "A", "data": "/x", "optional": \#(optional)}}"#,
                #"{"x": \#(data)}"#)
            #expect(page.items == [[]])
            #expect(page.notes == ["NOT_AN_ARRAY /sections/0/units/0/unitData/x"])
        }
    }

    @Test("An unregistered unit type makes nothing, and the rest of the page is resolved")
    func unknownUnitType() throws {
        let page = try resolved(
            """
            {"sections": [{"units": [{"unitType": "ONE", "unitData": 1}, {"unitType": "?"}]},
            [{"unitType": "u"}, {"unitType": "ONE", "unitData": 2}],
            {"units": [], "header": {"unitType": "X"}}]}
            """, by: sampleCatalog())
        #expect(page.items == [["Item:p0.u0.e0=1"], ["Item:p0.u1.e0=2"], []])
        #expect(
            page.notes == [
                "UNKNOWN_UNIT_TYPE /sections/0/units/1/unitType",
                "UNKNOWN_UNIT_TYPE /sections/1/0/unitType",
                "UNKNOWN_UNIT_TYPE /sections/2/header/unitType",
            ])
    }

    @Test("Unit types are compared by code points")
    func composedNames() throws {
        let catalog = try catalog(
            #"{"units": {"\u00e9": {"cell": {"type": "A"}}}, "cellTypes": {"A": {}}}"#)
        let page = try resolved(
            #"{"sections": [[{"unitType": "é"}, {"unitType": "e\u0301"}]]}"#, by: catalog)
        #expect(page.itemCount == 1)
        #expect(page.notes == ["UNKNOWN_UNIT_TYPE /sections/0/1/unitType"])
    }

    @Test("Pointers follow the page's form and its contract's names, escaped")
    func diagnosticPointers() throws {
        let catalog = try catalog(
            """
            {"contract": {"sections": "s/s", "units": "u~u", "unitType": "t", "unitData": "d"},
            "units": {"U": {"cell": {"type": "A", "data": "/x~1y"}}}, "cellTypes": {"A": {}}}
            """)
        let page = try resolved(
            #"{"s/s": [{"u~u": [{"t": "U", "d": 1}, {"t": "U"}, {"t": "?"}]}, [{"t": "U", "d": 1}]]}"#,
            by: catalog)
        #expect(
            page.notes == [
                "MISSING_DATA /s~1s/0/u~0u/0/d/x~1y", "MISSING_DATA /s~1s/0/u~0u/1/x~1y",
                "UNKNOWN_UNIT_TYPE /s~1s/0/u~0u/2/t", "MISSING_DATA /s~1s/1/0/d/x~1y",
            ])
    }

    @Test("A unit type without placements is NO_PLACEMENT")
    func emptyUnitType() throws {
        let page = try page("{}", "1")
        #expect(page.notes == ["NO_PLACEMENT /sections/0/units/0/unitType"])
    }
}
