import Broadsheet
import Foundation
import Testing

@Suite("Size rules (docs/catalog.md, size)") struct SizeRuleTests {
    /// Returns the size of an item with `data` for a cell type in JSON, in a container of 200 by
    /// 800.
    private func size(
        _ size: String, _ data: String = "{}", axis: ScreenAxis = .vertical,
        fixedCross: Double? = nil
    ) throws -> Size {
        let catalog = try catalog(
            #"{"units": {"U": {"cell": {"type": "A"}}}, "cellTypes": {"A": \#(size)}}"#)
        var model = PaginatedViewModel()
        try model.load(
            resolved(#"{"sections": [[{"unitType": "U", "unitData": \#(data)}]]}"#, by: catalog))
        let section = try #require(model.merged(registry: catalog.registry).sections.first)
        let available = Size(width: 200, height: 800)
        let absent =
            axis == .vertical ? Size(width: 200, height: 50) : Size(width: 50, height: 800)
        let request = SizeRequest(
            container: Container(viewport: available, available: available, axis: axis),
            fixedCross: fixedCross, absent: absent, fallback: Size(width: 7, height: 8))
        return try #require(section.itemSizes(request).first)
    }

    private func height(_ rule: String, _ data: String = "{}") throws -> Double {
        try size(#"{"size": {"width": 100, "height": \#(rule)}}"#, data).height
    }

    @Test(
        "Each rule has the length of its row",
        arguments: [
            ("120", 120), ("12.5", 12.5), (#"{"fraction": 0.5}"#, 400),
            (#"{"ratio": 0.5625}"#, 56.25),
            (#"{"value": "/h"}"#, 33), (#"{"value": "/h", "default": 9}"#, 33),
            (#"{"stack": [1, 2, 3]}"#, 6), (#"{"stack": [1, 2, 3], "spacing": 4}"#, 14),
            (#"{"sum": [1, {"value": "/h"}, -4]}"#, 30), (#"{"sum": []}"#, 0),
            (#"{"product": [{"value": "/h"}, 2]}"#, 66), (#"{"product": [8, -0.5]}"#, 0),
            (#"{"stack": [10], "spacing": 4}"#, 10), (#"{"stack": [10], "padding": 3}"#, 16),
            (#"{"stack": [10], "padding": {"top": 1, "bottom": 2}}"#, 13),
            (#"{"switch": "/style", "cases": {"big": 70, "small": 30}, "default": 50}"#, 70),
            (#"{"min": 10, "max": 20, "of": 15}"#, 15), (#"{"min": 10, "max": 20, "of": 5}"#, 10),
            (#"{"min": 10, "max": 20, "of": 25}"#, 20), (#"{"min": 10, "of": 5}"#, 10),
            (#"{"max": 20, "of": 25}"#, 20), (#"{"of": 25}"#, 25),
        ])
    func rules(rule: String, height: Double) throws {
        #expect(try self.height(rule, #"{"h": 33, "style": "big"}"#) == height)
    }

    @Test(
        "Rules nest",
        arguments: [
            (#"{"stack": [{"ratio": 1}, 8, 36, 4, 16], "padding": {"top": 0, "bottom": 12}}"#, 176),
            (#"{"stack": [{"ratio": 1}], "padding": {"left": 10, "right": 20, "top": 1}}"#, 71),
            (#"{"stack": [{"stack": [{"ratio": 1}], "padding": 10}], "padding": 10}"#, 100),
            (#"{"stack": [{"ratio": 1}, {"fraction": 0.5}], "padding": {"left": 10}}"#, 490),
            (#"{"min": {"ratio": 0.5}, "max": {"fraction": 1}, "of": {"value": "/h"}}"#, 50),
            (#"{"switch": "/style", "cases": {"big": {"stack": [{"value": "/h"}, 1]}}}"#, 34),
        ])
    func nesting(rule: String, height: Double) throws {
        #expect(try self.height(rule, #"{"h": 33, "style": "big"}"#) == height)
    }

    @Test(
        "A ratio is a number in the data, or its height by its width",
        arguments: [
            (#"{"value": "/aspect"}"#, #"{"aspect": 0.5}"#, 50.0),
            (#"{"value": "/aspect", "default": 2}"#, #"{"aspect": 0}"#, 0),
            (#"{"value": "/aspect", "default": 2}"#, #"{"aspect": "0.5"}"#, 200),
            (#"{"value": "/aspect", "default": 2}"#, #"{"aspect": null}"#, 200),
            (#"{"value": "/aspect"}"#, "{}", 0),
            (#"{"width": "/i/w", "height": "/i/h"}"#, #"{"i": {"w": 400, "h": 300}}"#, 75),
            (#"{"width": "/i/w", "height": "/i/h"}"#, #"{"i": {"w": 400, "h": 0}}"#, 0),
            (#"{"width": "/w", "height": "/h", "default": 1}"#, #"{"w": 0, "h": 9}"#, 100),
            (#"{"width": "/w", "height": "/h", "default": 1}"#, #"{"w": -0.0, "h": 9}"#, 100),
            (#"{"width": "/w", "height": "/h", "default": 1}"#, #"{"w": 1e999, "h": 9}"#, 100),
            (#"{"width": "/w", "height": "/h", "default": 1}"#, #"{"w": 9}"#, 100),
            (#"{"width": "/w", "height": "/h", "default": 1}"#, #"{"h": 9}"#, 100),
            (#"{"width": "/w", "height": "/h", "default": 1}"#, #"{"w": "9", "h": 9}"#, 100),
            (#"{"width": "/w", "height": "/h"}"#, #"{"w": 0, "h": 9}"#, 0),
            (#"{"width": "/w", "height": "/h"}"#, #"{"w": -4, "h": 9}"#, 0),
            (#"{"width": "/w", "height": "/h"}"#, #"{"w": 1e-200, "h": 9e8}"#, 1e9),
            (#"{"width": "/w", "height": "/h"}"#, #"{"w": 5e-324, "h": 9e8}"#, 0),
        ])
    func ratios(ratio: String, data: String, height: Double) throws {
        #expect(try self.height(#"{"ratio": \#(ratio)}"#, data) == height)
    }

    @Test(
        "A switch compares strings by their text, numbers by their value, Booleans by their name",
        arguments: [
            (#""2""#, 20.0), ("2", 20), ("2.0", 20), ("20e-1", 20), (#""2.0""#, 99),
            (#""1e2""#, 30), ("100", 30), ("1e2", 30), (#""100""#, 99), ("true", 40),
            (#""true""#, 40), ("false", 99), (#""false""#, 99), ("0", 50), ("-0.0", 50),
            (#""-0""#, 50), (#""0""#, 99), (#"" 7""#, 60), ("7", 99), (#""\u0032""#, 20),
            ("null", 99), ("[]", 99), ("{}", 99), ("1", 99),
        ])
    func cases(value: String, height: Double) throws {
        let rule = #"""
            {"switch": "/s", "default": 99, "cases":
            {"2": 20, "1e2": 30, "true": 40, "-0": 50, " 7": 60, "02": 70}}
            """#
        #expect(try self.height(rule, #"{"s": \#(value)}"#) == height)
    }

    @Test("A sum and a product are for widths, too, and parts of any rule")
    func widths() throws {
        let type = #"""
            {"size": {"width": {"sum": [{"product": [{"fraction": 0.5}, 0.5]}, 10]},
            "height": {"product": [{"sum": [{"ratio": 1}, 4]}, 2]}}}
            """#
        #expect(try size(type) == Size(width: 60, height: 128))
    }

    @Test("The lower bound has precedence where bounds cross")
    func crossedBounds() throws {
        #expect(try height(#"{"min": 20, "max": 10, "of": 15}"#) == 20)
    }

    @Test(
        "An empty stack is 0, and so is a missing value without a default",
        arguments: [
            #"{"stack": []}"#, #"{"stack": [], "padding": 9, "spacing": 3}"#,
            #"{"value": "/none"}"#,
            #"{"value": "/text"}"#, #"{"value": "/null"}"#,
            #"{"switch": "/none", "cases": {"big": 1}}"#,
            #"{"switch": "/text", "cases": {"big": 1}}"#,
        ])
    func nothing(rule: String) throws {
        #expect(try height(rule, #"{"text": "5", "null": null}"#) == 0)
    }

    @Test(
        "The default replaces a value that is not a number and a text that is not a case",
        arguments: [
            #"{"h": "33", "s": "Big"}"#, #"{"h": null, "s": null}"#, "{}", "[]", "1",
            #"{"h": [1], "s": 1}"#, #"{"s": "bi"}"#,
        ])
    func defaults(data: String) throws {
        #expect(try height(#"{"value": "/h", "default": 9}"#, data) == 9)
        #expect(
            try height(#"{"switch": "/s", "cases": {"big": 1}, "default": {"ratio": 0.5}}"#, data)
                == 50)
    }

    @Test("The pointer \"\" refers to all of the data, and cases match escaped texts")
    func wholeData() throws {
        #expect(try height(#"{"value": ""}"#, "41") == 41)
        #expect(
            try height(#"{"switch": "", "cases": {"b\u0069g": 5}}"#, #""\u0062ig""#) == 5)
    }

    @Test(
        "Parts can be negative, and sizes cannot",
        arguments: [
            ("-5", 0), (#"{"stack": [-5, 8]}"#, 3), (#"{"stack": [10], "padding": -3}"#, 4),
            (#"{"stack": [-5, 4]}"#, 0),
            (#"{"stack": [{"ratio": 1}], "padding": {"left": 500}}"#, 0),
            (#"{"stack": [10, 10], "spacing": -4}"#, 16), (#"{"ratio": -1}"#, 0),
        ])
    func negative(rule: String, height: Double) throws {
        #expect(try self.height(rule) == height)
    }

    @Test(
        "Extreme numbers give finite lengths within 1e9 (rule G2)",
        arguments: [
            ("1e308", 1e9), ("1e999", 0), (#"{"fraction": 1e308}"#, 1e9),
            (#"{"ratio": 1e300}"#, 1e9),
            (#"{"sum": [1e308, 1e308]}"#, 1e9), (#"{"product": [1e308, 1e308]}"#, 1e9),
            (#"{"product": [1e308, 1e999]}"#, 0),
            (#"{"stack": [1e308, 1e308]}"#, 1e9), (#"{"stack": [1, 2], "spacing": 1e308}"#, 1e9),
            (#"{"value": "/h"}"#, 1e9), (#"{"min": 1e999, "of": 5}"#, 5), ("-0", 0),
        ])
    func absurd(rule: String, height: Double) throws {
        #expect(try self.height(rule, #"{"h": 1e400, "h": 1e200}"#) == height)
    }

    @Test(
        "The layout decides absent lengths and the size of a type without one",
        arguments: [
            ("{}", Size(width: 7, height: 8)), (#"{"size": null}"#, Size(width: 7, height: 8)),
            (#"{"size": {}}"#, Size(width: 200, height: 50)),
            (#"{"size": {"width": 30}}"#, Size(width: 30, height: 50)),
            (#"{"size": {"height": 30}}"#, Size(width: 200, height: 30)),
            (#"{"size": {"height": {"ratio": 0.5}}}"#, Size(width: 200, height: 100)),
            (#"{"size": {"width": null, "height": 30}}"#, Size(width: 200, height: 30)),
        ])
    func absent(type: String, size: Size) throws {
        #expect(try self.size(type) == size)
    }

    @Test("In a grid the width is the column's, whatever the rule, and ratios refer to it")
    func grids() throws {
        let type = #"{"size": {"width": 110, "height": {"ratio": 2}}}"#
        #expect(try size(type, fixedCross: 60) == Size(width: 60, height: 120))
        #expect(try size(type, fixedCross: 0) == Size(width: 0, height: 0))
    }

    @Test("In a horizontal screen the cross length is the height")
    func horizontal() throws {
        let type = #"{"size": {"width": {"fraction": 0.5}, "height": {"ratio": 2}}}"#
        #expect(try size(type, axis: .horizontal) == Size(width: 100, height: 200))
        #expect(try size(type, axis: .horizontal, fixedCross: 9) == Size(width: 100, height: 9))
        #expect(try size(#"{"size": {}}"#, axis: .horizontal) == Size(width: 50, height: 800))
    }

    @Test(
        "Items of one type have their own sizes, and consecutive ones with equal data share theirs")
    func manyItems() throws {
        let catalog = try catalog(
            """
            {"units": {"U": {"cells": {"type": "A"}}, "V": {"cells": {"type": "B"}}}, "cellTypes": {
            "A": {"size": {"width": {"value": "/w"}, "height": {"value": "/h", "default": 4}}},
            "B": {"size": {"width": 1, "height": 2}}}}
            """)
        var model = PaginatedViewModel()
        try model.load(
            resolved(
                """
                {"sections": [[
                {"unitType": "U", "unitData": [{"w": 5, "h": 6}, {"w": 5, "h": 6}, {"w": 5}, {"w": 7}]},
                {"unitType": "V", "unitData": [0, 0]},
                {"unitType": "U", "unitData": [{"w": 7}, {"w": 5, "h": 6}]}]]}
                """, by: catalog))
        let section = try #require(model.merged(registry: catalog.registry).sections.first)
        let request = SizeRequest(
            container: Container(viewport: .zero, available: .zero), absent: .zero)
        let sizes = [(5, 6), (5, 6), (5, 4), (7, 4), (1, 2), (1, 2), (7, 4), (5, 6)].map {
            Size(width: $0.0, height: $0.1)
        }
        #expect(section.itemSizes(request) == sizes)
        #expect(section.uniformItemSize(request) == nil)
    }

    @Test("A section of one type without inputs has one size for all items")
    func uniformItems() throws {
        let catalog = try sampleCatalog()
        var model = PaginatedViewModel()
        let json =
            #"{"sections": [{"sectionId": 1, "units": [{"unitType": "U", "unitData": [1, 2]}]}]}"#
        try model.load(resolved(json, number: 0, by: catalog))
        try model.load(resolved(json, number: 1, by: catalog))
        let section = try #require(model.merged(registry: catalog.registry).sections.first)
        let request = SizeRequest(
            container: Container(viewport: .zero, available: .zero), absent: .zero)
        #expect(section.itemCount == 4)
        #expect(section.uniformItemSize(request) == Size(width: 10, height: 20))
    }

    @Test("Every form of a rule has a row with its members in docs/catalog.md")
    func documentation() throws {
        let path = Fixtures.folder.deletingLastPathComponent().appending(path: "docs/catalog.md")
        let rows = try String(contentsOf: path, encoding: .utf8).split(separator: "\n")
        for form in SizeRuleForm.all {
            let first = try #require(form.members.first)
            let row = try #require(
                rows.first { $0.hasPrefix("| `{\"\(first.name)\":") }, "\(form.name)")
            for member in form.members {
                #expect(row.contains("\"\(member.name)\":"), "\(form.name)")
            }
            #expect(row.contains("heights only") == form.isForHeightsOnly, "\(form.name)")
        }
    }
}
