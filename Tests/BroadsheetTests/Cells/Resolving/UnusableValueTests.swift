import Broadsheet
import Testing

@Suite("Values that size rules cannot use (docs/catalog.md, UNUSABLE_VALUE)")
struct UnusableValueTests {
    /// Resolves a page of these units; all cell types have the height.
    private func page(_ height: String, _ units: String) throws -> ResolvedPage {
        let catalog = try catalog(
            #"""
            {"units": {"U": [{"cells": {"type": "A", "data": "/items", "optional": true}},
            {"header": {"type": "A", "data": "/head"}},
            {"cell": {"type": "B", "data": "/one", "optional": true}}],
            "FLAT": {"cell": {"type": "A"}}},
            "cellTypes": {"A": {"size": {"height": \#(height)}},
            "B": {"size": {"height": \#(height)}}}}
            """#)
        return try resolved(#"{"sections": [{"units": [\#(units)]}]}"#, by: catalog)
    }

    private func notes(_ height: String, _ data: String) throws -> [String] {
        try page(height, #"{"unitType": "U", "unitData": \#(data)}"#).notes
    }

    @Test(
        "A value of a type that the rule cannot use is a diagnostic at its pointer",
        arguments: [
            (#"{"value": "/h"}"#, #""5""#), (#"{"value": "/h"}"#, "true"),
            (#"{"value": "/h"}"#, "[]"), (#"{"value": "/h"}"#, "{}"),
            (#"{"ratio": {"value": "/h"}}"#, #""5""#),
            (#"{"ratio": {"width": "/h", "height": "/w"}}"#, "false"),
            (#"{"ratio": {"width": "/w", "height": "/h"}}"#, "false"),
            (#"{"switch": "/h", "cases": {}}"#, "[1]"), (#"{"switch": "/h", "cases": {}}"#, "{}"),
            (#"{"stack": [{"value": "/h"}]}"#, #""5""#), (#"{"sum": [{"value": "/h"}]}"#, #""5""#),
            (#"{"product": [{"value": "/h"}, 0]}"#, #""5""#),
            (#"{"min": {"value": "/h"}, "of": 1}"#, #""5""#),
            (#"{"max": {"value": "/h"}, "of": 1}"#, #""5""#),
            (#"{"of": {"value": "/h"}}"#, #""5""#), (#"{"value": "/h"}"#, "1e999"),
        ])
    func unusable(height: String, value: String) throws {
        #expect(
            try notes(height, #"{"items": [{"w": 1, "h": null}, {"w": 1, "h": \#(value)}]}"#)
                == ["UNUSABLE_VALUE /sections/0/units/0/unitData/items/1/h"])
    }

    @Test(
        "A missing value, null and a value that a switch can compare are no diagnostics",
        arguments: [
            (#"{"value": "/h"}"#, "{}"), (#"{"value": "/h"}"#, #"{"h": null}"#),
            (#"{"value": "/h/x"}"#, #"{"h": 1}"#),
            (#"{"ratio": {"width": "/w", "height": "/h"}}"#, #"{"w": 0, "h": null}"#),
            (#"{"switch": "/h", "cases": {"a": 1}}"#, #"{"h": "b"}"#),
            (#"{"switch": "/h", "cases": {"a": 1}}"#, #"{"h": 1}"#),
            (#"{"switch": "/h", "cases": {"a": 1}}"#, #"{"h": false}"#),
            (#"{"switch": "/h", "cases": {"a": 1}}"#, #"{"h": null}"#),
        ])
    func usable(height: String, data: String) throws {
        #expect(try notes(height, #"{"items": [\#(data)]}"#) == [])
    }

    @Test("Only the case that a switch selects is considered")
    func selectedCase() throws {
        let rule = #"""
            {"switch": "/kind", "cases": {"image": {"ratio": {"value": "/media"}}, "text": 44},
            "default": {"value": "/tall"}}
            """#
        let items = #"""
            {"items": [{"kind": "text", "media": "a", "tall": "b"}, {"kind": 5, "media": "a"},
            {"kind": "image", "media": "a"}, {"tall": "b"}]}
            """#
        #expect(
            try notes(rule, items) == [
                "UNUSABLE_VALUE /sections/0/units/0/unitData/items/2/media",
                "UNUSABLE_VALUE /sections/0/units/0/unitData/items/3/tall",
            ])
    }

    @Test("Each cell type and pointer is reported once a page, for cells and headers alike")
    func once() throws {
        let rule = #"{"sum": [{"value": "/h"}, {"switch": "/h", "cases": {}}, {"value": "/g"}]}"#
        let data = #"""
            {"items": [{"h": "1"}, {"h": "2"}, {"h": [], "g": true}], "head": {"h": {}, "g": {}},
            "one": {"h": "3"}}
            """#
        let unit = #"{"unitType": "U", "unitData": \#(data)}"#
        let start = "UNUSABLE_VALUE /sections/0/units/0/unitData"
        #expect(
            try page(rule, "\(unit), \(unit)").notes.filter { $0.hasPrefix("UNUSABLE") } == [
                "\(start)/items/0/h", "\(start)/items/2/g", "\(start)/one/h",
            ])
    }

    @Test("The pointer leads to the value in a header and in a unit that is its own data")
    func pointers() throws {
        let rule = #"{"value": "/a~1b"}"#
        #expect(
            try notes(rule, #"{"head": {"a/b": "x"}}"#)
                == ["UNUSABLE_VALUE /sections/0/units/0/unitData/head/a~1b"])
        #expect(
            try page(rule, #"{"unitType": "FLAT", "a/b": "x"}"#).notes
                == ["UNUSABLE_VALUE /sections/0/units/0/a~1b"])
    }

    @Test("The detail specifies the types that the rule can use")
    func details() throws {
        let number = try page(#"{"value": ""}"#, #"{"unitType": "U", "unitData": {"one": "x"}}"#)
        #expect(
            number.diagnostics.map(\.detail)
                == ["a size rule needs a number here; its default is used"])
        let choice = try page(
            #"{"switch": "", "cases": {}}"#, #"{"unitType": "U", "unitData": {"one": []}}"#)
        #expect(
            choice.diagnostics.map(\.detail) == [
                "a size rule or a content needs a string, a number, true or false here; its default "
                    + "is used"
            ])
    }
}
