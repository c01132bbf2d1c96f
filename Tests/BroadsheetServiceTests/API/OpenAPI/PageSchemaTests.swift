@testable import Broadsheet
@testable import BroadsheetService
import Foundation
import TestSupport
import Testing

/// The schema of whole pages accepts exactly the pages that strict mode accepts
/// (docs/schemas.md, "A schema of whole pages").
@Suite("The schema of pages") struct PageSchemaTests {
    private static let catalogs = [
        #"""
        {"units": {
           "P": {"cells": {"type": "C", "data": "/list"}, "header": {"type": "C", "data": "/title"},
                 "schema": {"$id": "https://example.com/p", "$ref": "#/$defs/p",
                   "$defs": {"p": {"type": "object", "properties": {"list": {"items": {"$ref": "#item"}}},
                                   "unevaluatedProperties": {"type": ["array", "string"]}},
                             "it em": {"$anchor": "item", "required": ["id"], "minProperties": 1}}}},
           "Q": {"cell": {"type": "C", "data": "/a/b"}, "schema": {"$id": "https://example.com/p", "type": "object"}},
           "R": [{"cells": {"type": "C", "optional": true}}, {"footer": {"type": "C"}, "schema": true}],
           "S": {"header": {"type": "C"}, "schema": {"pattern": "^x"}},
           "N": {"layout": {}}, "Z": {"cell": {"type": "C"}, "schema": false}},
         "cellTypes": {"C": {}}}
        """#,
        #"""
        {"contract": {"sections": "s", "sectionId": "i", "units": "u", "unitType": "t", "unitData": "d"},
         "units": {"P": {"cell": {"type": "C"}, "schema": {"required": ["t"]}},
                   "Q": {"cells": {"type": "C", "data": "/x~1y"}}},
         "cellTypes": {"C": {}}}
        """#,
        #"""
        {"units": {
           "P": {"cells": {"type": {"switch": "/id", "cases": {"x": "Has", "1": "None", "true": "C"},
                                    "default": "List"}, "data": "/list"},
                 "header": {"type": "Text", "data": "/title"}, "footer": {"type": "Has", "data": "/a"}},
           "Q": {"cell": {"type": {"switch": "/a/b", "cases": {"x": "None", "null": "Has"}}, "data": "/c"}},
           "R": [{"cells": [{"type": "None", "optional": true},
                            {"type": "Has", "data": "/a", "optional": true}]},
                 {"footer": {"type": "List"}, "schema": {"not": {"required": ["x/y"]}}}],
           "S": {"header": {"type": "Text"}, "schema": {"type": ["string", "object"]}},
           "N": {"cell": {"type": {"switch": "", "cases": {"x": "C", "1e0": "Text"}, "default": "List"},
                          "optional": true}},
           "Z": {"cell": {"type": "Never", "data": "/b", "optional": true}}},
         "cellTypes": {
           "Has": {"schema": {"$id": "https://example.com/p", "$ref": "#has",
             "$defs": {"h~ /as": {"$anchor": "has", "type": "object", "required": ["a"]}}}},
           "None": {"schema": {"$id": "https://example.com/p", "type": ["object", "null"],
                               "properties": {"b": false, "a": {"$ref": "#"}}}},
           "List": {"schema": {"anyOf": [{"type": "array", "maxItems": 1}, {"maxProperties": 3}],
                               "unevaluatedProperties": {"type": ["object", "array", "string"]}}},
           "Text": {"schema": {"type": "string"}}, "Never": {"schema": false}, "C": {}}}
        """#,
        "{}",
    ]

    @Test(
        "Random pages keep the schema if strict mode accepts them", arguments: catalogs,
        [1, UInt64.random(in: 2...(.max))])
    func randomPages(catalog: String, seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let registry = try Catalog(Array(catalog.utf8)).registry
        let schema = try schema(of: registry)
        let pages = (0..<600).map { _ in RandomPage.json(names: registry.names, &random) }
        let kept = try keptPages(pages, by: registry)
        var accepted = 0
        for (index, page) in pages.enumerated() {
            let document = try JSONDocument(Array(page.utf8))
            var judge = SchemaJudge(document)
            let found = judge.violations(of: 0, by: schema, keeping: 3)
            let isAccepted = isAccepted(document, by: registry)
            #expect((found.total == 0) == isAccepted, "seed \(seed): \(page) \(found.first)")
            #expect(kept[index] == isAccepted, "seed \(seed), second validator: \(page)")
            if isAccepted { accepted += 1 }
        }
        #expect(accepted > 10)
    }

    /// Returns which pages keep the schema of whole pages by the validator in `Tests/Oracle`.
    private func keptPages(_ pages: [String], by registry: CellRegistry) throws -> [Bool] {
        let folder = FileManager.default.temporaryDirectory
        let files = [0, 1].map { _ in folder.appending(path: UUID().uuidString) }
        defer { for file in files { try? FileManager.default.removeItem(at: file) } }
        try Data(PageSchema(of: registry).bytes).write(to: files[0])
        try Data(pages.map { $0 + "\n" }.joined().utf8).write(to: files[1])
        let outcome = try OracleProcess.run(["keeps_schema.py"] + files.map(\.path))
        #expect(outcome.status == 0, Comment(rawValue: outcome.errors))
        return outcome.output.split(separator: UInt8(ascii: "\n")).map {
            $0.elementsEqual("true".utf8)
        }
    }

    private func isAccepted(_ document: JSONDocument, by registry: CellRegistry) -> Bool {
        do {
            try ServerStatePage(document, names: registry.names).checkStrictly(by: registry)
            return true
        } catch { return false }
    }

    private func schema(of registry: CellRegistry) throws -> UnitSchema {
        let document = try JSONDocument(PageSchema(of: registry).bytes)
        var collector = ViolationCollector(keeping: 10)
        var budget = SchemaBudget(CatalogLimits())
        let schema = UnitSchema(
            document.root, CatalogLimits(), budget: &budget, &collector)
        #expect(collector.violations == [])
        return try #require(schema)
    }
}

/// Random JSON that is a page, or nearly one.
private enum RandomPage {
    static func json(names: ContractNames, _ random: inout SeededGenerator) -> String {
        let sections = list(upTo: 2, &random) { section(names, &$0) }
        return object([
            ("page", maybe(&random, ["1", "null", "0.0", "-1", "\"1\""])),
            ("hasNext", maybe(&random, ["true", "null", "1"])),
            (names.sections, rarely(&random, "{}", else: sections)),
            ("x-note", maybe(&random, ["1"])),
        ])
    }

    private static func section(_ names: ContractNames, _ random: inout SeededGenerator) -> String {
        let units = list(upTo: 2, &random) { unit(names, &$0) }
        if chance(&random, 3) { return units }
        return object([
            (names.sectionId, maybe(&random, ["\"a\"", "1", "null", "true"])),
            ("layout", maybe(&random, layouts)),
            ("collapsed", maybe(&random, ["true", "null", "0"])),
            ("data", maybe(&random, ["1", "{}"])),
            ("header", chance(&random, 3) ? unit(names, &random) : maybe(&random, ["null"])),
            ("footer", chance(&random, 4) ? unit(names, &random) : nil),
            (names.units, rarely(&random, "1", else: units)),
            (names.when, maybe(&random, conditions)),
        ])
    }

    /// Conditions, valid and not.
    private static let conditions = [
        "null", "{}", #"{"flags": ["a"]}"#, #"{"flag": ["a"]}"#, #"{"x-note": 1}"#,
        #"{"client": {"ios": ">=5.2 <7"}}"#, #"{"client": {"ios": null, "An": null}}"#,
        #"{"client": {"iOS": ">=5"}}"#, #"{"client": {"": "=1"}}"#, #"{"client": {"ios": "5"}}"#,
        #"{"client": {"abcdefghijklmnopqrstuvwxyz0123456": ">1"}}"#,
        "{\"client\": {\((0..<33).map { "\"p\($0)\": \"=1\"" }.joined(separator: ","))}}",
        "{\"client\": {\((0..<32).map { "\"p\($0)\": \"=1\"" }.joined(separator: ","))}}",
        #"{"width": ">=600", "without": ["b"]}"#, #"{"width": ">=6e2"}"#, #"{"foo": null}"#, "[]",
    ]

    private static let layouts = [
        "{}", "null", #"{"kind": "list", "inset": 2}"#, #"{"kind": "x"}"#,
        #"{"inset": {"top": null}}"#,
        #"{"gridColumnCount": {"minItemWidth": 0}}"#, #"{"gridColumnCount": {"minItemWidth": 10}}"#,
        #"{"paging": {"isEnabled": true}}"#, #"{"itemSize": "dynamic"}"#, #"{"unknown": 1}"#, "1",
        #"{"itemSize": {"uniform": {"columns": 2, "height": 10}}}"#,
        #"{"minimumLineSpacing": "1"}"#,
        #"{"decoration": {"kind": "a"}}"#, #"{"decoration": [{"kind": "a"}, null]}"#,
        #"{"pinHeader": 1}"#,
    ]

    private static func unit(_ names: ContractNames, _ random: inout SeededGenerator) -> String {
        if chance(&random, 30) { return "1" }
        let type = pick(
            &random,
            [
                "\"P\"", "\"Q\"", "\"R\"", "\"S\"", "\"P\"", "\"Q\"", "\"R\"", "\"N\"", "\"Z\"",
                "\"?\"",
            ])
        let data = chance(&random, 4) ? nil : value(&random, depth: 3)
        let members = chance(&random, 3) ? self.members(&random, depth: 2) : []
        let condition = chance(&random, 4) ? pick(&random, conditions) : nil
        return object(
            [
                (names.unitType, rarely(&random, "1", else: type)), (names.unitData, data),
                (names.when, condition),
            ] + members)
    }

    private static let known = ["list", "title", "a", "b", "id", "x/y", "c"]

    private static func members(
        _ random: inout SeededGenerator, depth: Int
    ) -> [(String, String?)] {
        known.map { ($0, chance(&random, 2) ? value(&random, depth: depth) : nil) }
    }

    private static func value(_ random: inout SeededGenerator, depth: Int) -> String {
        switch Int.random(in: 0..<(depth > 0 ? 8 : 4), using: &random) {
        case 0: return "null"
        case 1: return pick(&random, ["1", "1.0", "true"])
        case 2: return "\"x\""
        case 3: return "[]"
        case 4: return list(upTo: 2, &random) { value(&$0, depth: depth - 1) }
        default: return object(members(&random, depth: depth - 1))
        }
    }

    private static func object(_ members: [(String, String?)]) -> String {
        "{"
            + members.compactMap { name, value in value.map { "\"\(name)\": \($0)" } }
            .joined(separator: ", ") + "}"
    }

    private static func list(
        upTo count: Int, _ random: inout SeededGenerator,
        _ element: (inout SeededGenerator) -> String
    ) -> String {
        let count = Int.random(in: 0...count, using: &random)
        return "[" + (0..<count).map { _ in element(&random) }.joined(separator: ", ") + "]"
    }

    private static func chance(_ random: inout SeededGenerator, _ count: Int) -> Bool {
        Int.random(in: 0..<count, using: &random) == 0
    }

    private static func pick(_ random: inout SeededGenerator, _ values: [String]) -> String {
        values.randomElement(using: &random) ?? "null"
    }

    private static func maybe(_ random: inout SeededGenerator, _ values: [String]) -> String? {
        chance(&random, 3) ? pick(&random, values) : nil
    }

    private static func rarely(
        _ random: inout SeededGenerator, _ value: String, else usual: String
    ) -> String {
        chance(&random, 30) ? value : usual
    }
}
