@testable import Broadsheet
import Testing

@Suite("Comparing schemas (docs/cli.md, diff)") struct SchemaComparisonTests {
    private func narrowings(_ old: String, _ new: String) throws -> [String] {
        let schemas = try [old, new].map { try #require(try TestedSchema($0).schema) }
        return SchemaComparison.narrowings(from: schemas[0], to: schemas[1]).map {
            ($0.isInOld ? "old " : "") + $0.pointer
        }
    }

    @Test(
        "A change that accepts all that was accepted is not narrower",
        arguments: [
            ("{}", "{}"), (#"{"type": "string"}"#, "{}"),
            (#"{"type": "integer"}"#, #"{"type": ["number", "null"]}"#),
            (#"{"minimum": 2}"#, #"{"minimum": 1.5}"#),
            (#"{"exclusiveMinimum": 2}"#, #"{"minimum": 2}"#),
            (#"{"maximum": 2}"#, #"{"maximum": 2.0}"#),
            (#"{"multipleOf": 6}"#, #"{"multipleOf": 1.5}"#),
            (#"{"minLength": 2, "maxLength": 3}"#, #"{"minLength": 1, "maxLength": 4}"#),
            (#"{"pattern": "a"}"#, #"{"pattern": "a", "title": "t"}"#),
            (#"{"const": 1}"#, #"{"enum": [2, 1.0]}"#),
            (#"{"enum": [1]}"#, #"{"const": 1}"#),
            (#"{"required": ["a", "b"]}"#, #"{"required": ["b"]}"#),
            (#"{"properties": {"a": {"type": "string"}}}"#, #"{"properties": {"a": {}}}"#),
            (
                #"{"properties": {"a": {"type": "string"}}, "additionalProperties": false}"#,
                #"{"properties": {"a": {"type": "string"}, "b": {"type": "null"}}, "additionalProperties": false}"#
            ),
            (
                #"{"additionalProperties": {"type": "integer"}}"#,
                #"{"properties": {"a": {"type": "number"}}, "additionalProperties": {"type": "integer"}}"#
            ),
            (#"{"properties": {"a": {"type": "string"}}}"#, "{}"),
            (#"{"items": {"minimum": 2}}"#, #"{"items": {"minimum": 1}}"#),
            (
                #"{"items": {"type": "string"}}"#,
                #"{"prefixItems": [{"type": ["string", "null"]}], "items": {"type": "string"}}"#
            ),
            (
                #"{"anyOf": [{"type": "string"}]}"#,
                #"{"anyOf": [{"type": "null"}, {"type": "string"}]}"#
            ),
            (
                #"{"allOf": [{"minimum": 2}, {"maximum": 3}]}"#,
                #"{"allOf": [{"maximum": 3}, {"minimum": 1}]}"#
            ),
            (
                ##"{"$defs": {"a": {"type": "string"}}, "items": {"$ref": "#/$defs/a"}}"##,
                ##"{"$defs": {"b": {"$anchor": "x", "type": "string"}}, "items": {"$ref": "#x"}}"##
            ),
            (
                ##"{"properties": {"a": {"$ref": "#"}}, "required": ["a"]}"##,
                ##"{"properties": {"a": {"$ref": "#"}}}"##
            ),
            (#"{"not": {"type": "null"}}"#, #"{"not": {"type": "null"}}"#),
            (#"{"oneOf": [{}, false]}"#, #"{"oneOf": [{}, false], "description": "d"}"#),
            (
                #"{"if": {"minimum": 1}, "then": {"maximum": 2}}"#,
                #"{"if": {"minimum": 1}, "then": {"maximum": 3}}"#
            ),
            (#"{"contains": {"const": 1}, "minContains": 2}"#, #"{"contains": {"enum": [1, 2]}}"#),
            (#"{"uniqueItems": true, "maxItems": 1}"#, #"{"maxItems": 2}"#),
            ("false", #"{"type": "null"}"#),
            (#"{"dependentRequired": {"a": ["b", "c"]}}"#, #"{"dependentRequired": {"a": ["c"]}}"#),
            (
                #"{"properties": {"a": {}}, "unevaluatedProperties": false}"#,
                #"{"properties": {"a": {}}, "unevaluatedProperties": false}"#
            ),
        ])
    func wider(old: String, new: String) throws {
        #expect(try narrowings(old, new) == [])
    }

    @Test(
        "A keyword that may accept less is named by its pointer",
        arguments: [
            ("{}", #"{"type": "string"}"#, ["/type"]),
            (#"{"type": "number"}"#, #"{"type": "integer"}"#, ["/type"]),
            (#"{"minimum": 1}"#, #"{"minimum": 2}"#, ["/minimum"]),
            (#"{"minimum": 1}"#, #"{"exclusiveMinimum": 1}"#, ["/exclusiveMinimum"]),
            (#"{"maxLength": 3}"#, #"{"maxLength": 2}"#, ["/maxLength"]),
            (#"{"pattern": "a"}"#, #"{"pattern": "b"}"#, ["/pattern"]),
            (#"{"multipleOf": 2}"#, #"{"multipleOf": 4}"#, ["/multipleOf"]),
            (#"{"enum": [1, 2]}"#, #"{"enum": [1]}"#, ["/enum"]),
            (#"{"required": ["a"]}"#, #"{"required": ["a", "b"]}"#, ["/required"]),
            (
                #"{"items": {"properties": {"p": {"type": ["string", "integer"]}}}}"#,
                #"{"items": {"properties": {"p": {"type": "string"}}}}"#,
                ["/items/properties/p/type"]
            ),
            ("{}", #"{"properties": {"a": {"type": "null"}}}"#, ["/properties/a"]),
            ("{}", #"{"additionalProperties": false}"#, ["/additionalProperties"]),
            (
                #"{"properties": {"a": {}}, "additionalProperties": false}"#,
                #"{"additionalProperties": false}"#, ["old /properties/a"]
            ),
            (
                #"{"anyOf": [{"type": "string"}, {"type": "null"}]}"#,
                #"{"anyOf": [{"type": "string"}]}"#, ["/anyOf"]
            ),
            (
                #"{"allOf": [{"minimum": 1}]}"#, #"{"allOf": [{"minimum": 1}, {"maximum": 3}]}"#,
                ["/allOf/1"]
            ),
            (
                ##"{"$defs": {"a": {"type": ["string", "null"]}}, "items": {"$ref": "#/$defs/a"}}"##,
                ##"{"$defs": {"a": {"type": "string"}}, "items": {"$ref": "#/$defs/a"}}"##,
                ["/$defs/a/type"]
            ),
            (#"{"not": {"type": "null"}}"#, #"{"not": {"type": ["null", "string"]}}"#, ["/not"]),
            (#"{"oneOf": [true]}"#, #"{"oneOf": [true, true]}"#, ["/oneOf"]),
            (
                #"{"if": true, "then": {"maximum": 2}}"#, #"{"if": {}, "then": {"maximum": 2}}"#,
                ["/if"]
            ),
            (#"{"contains": {}}"#, #"{"contains": {}, "minContains": 2}"#, ["/minContains"]),
            (
                #"{"patternProperties": {"a": true}}"#,
                #"{"patternProperties": {"b": {"type": "null"}}}"#, ["/patternProperties/b"]
            ),
            (
                #"{"properties": {"a": {}}, "unevaluatedProperties": false}"#,
                #"{"properties": {"a": {}, "b": {}}, "unevaluatedProperties": false}"#,
                ["/unevaluatedProperties"]
            ),
            (
                #"{"minItems": 1, "uniqueItems": false}"#, #"{"minItems": 2, "uniqueItems": true}"#,
                ["/minItems", "/uniqueItems"]
            ),
            ("true", "false", [""]),
            (#"{"exclusiveMaximum": 2}"#, #"{"exclusiveMaximum": 1}"#, ["/exclusiveMaximum"]),
            (#"{"maximum": 2}"#, #"{"maximum": 1}"#, ["/maximum"]),
            (#"{"minLength": 1}"#, #"{"minLength": 2}"#, ["/minLength"]),
            (#"{"maxItems": 2}"#, #"{"maxItems": 1}"#, ["/maxItems"]),
            (
                #"{"contains": {}, "maxContains": 2}"#, #"{"contains": {}, "maxContains": 1}"#,
                ["/maxContains"]
            ),
            (#"{"minProperties": 1}"#, #"{"minProperties": 2}"#, ["/minProperties"]),
            (#"{"maxProperties": 2}"#, #"{"maxProperties": 1}"#, ["/maxProperties"]),
            (
                #"{"dependentRequired": {"a": ["b"]}}"#,
                #"{"dependentRequired": {"a": ["b", "c"]}}"#,
                ["/dependentRequired/a"]
            ),
            (
                #"{"dependentSchemas": {"a": {}}}"#,
                #"{"dependentSchemas": {"a": {"minProperties": 2}}}"#,
                ["/dependentSchemas/a/minProperties"]
            ),
            (
                #"{"propertyNames": {}}"#, #"{"propertyNames": {"maxLength": 2}}"#,
                ["/propertyNames/maxLength"]
            ),
            (
                #"{"prefixItems": [{}]}"#, #"{"prefixItems": [{"type": "null"}]}"#,
                ["/prefixItems/0/type"]
            ),
            (
                #"{"if": {}, "else": {"maximum": 3}}"#, #"{"if": {}, "else": {"maximum": 2}}"#,
                ["/else/maximum"]
            ),
            (
                #"{"prefixItems": [{}], "unevaluatedItems": false}"#,
                #"{"prefixItems": [{}, {}], "unevaluatedItems": false}"#, ["/unevaluatedItems"]
            ),
        ])
    func narrower(old: String, new: String, pointers: [String]) throws {
        #expect(try narrowings(old, new) == pointers)
    }

    @Test("128 comparisons within each other are permitted, one more counts as narrower")
    func nesting() throws {
        func schema(_ count: Int, _ end: String) -> String {
            let chain = (1..<count).map {
                ##""d\##($0)": {"items": {"$ref": "#/$defs/d\##($0 + 1)"}}"##
            }
            return ##"{"items": {"$ref": "#/$defs/d1"}, "$defs": {"##
                + (chain + [##""d\##(count)": {\##(end)}"##]).joined(separator: ",") + "}}"
        }
        let (old, new) = (##""maximum": 2"##, ##""maximum": 3"##)
        // Each reference is a comparison, and so is its target.
        let limit = (SchemaComparison.maxNesting - 1) / 2
        #expect(SchemaComparison.maxNesting == 128)
        #expect(try narrowings(schema(limit, old), schema(limit, new)).isEmpty)
        #expect(
            try narrowings(schema(limit + 1, old), schema(limit + 1, new))
                == ["/$defs/d\(limit + 1)"])
        #expect(try narrowings(schema(500, old), schema(500, new)).count == 1)
    }

    @Test("A result that relied on one that turned out narrower is not kept")
    func circles() throws {
        func schema(_ maximum: Int) -> String {
            ##"""
            {"properties": {"x": {"anyOf": [{"$ref": "#/$defs/p"}]}, "y": {"$ref": "#/$defs/q"}},
             "$defs": {"p": {"properties": {"q": {"$ref": "#/$defs/q"}}, "maximum": \##(maximum)},
                       "q": {"properties": {"p": {"$ref": "#/$defs/p"}}}}}
            """##
        }
        #expect(try narrowings(schema(3), schema(2)).contains("/$defs/p/maximum"))
        #expect(try narrowings(schema(2), schema(3)).isEmpty)
    }

    @Test("A unit type that is gone, and a schema that is new or narrower, are differences")
    func catalogs() throws {
        let old = try Catalog(
            Array(
                #"{"units": {"A": {}, "B": {"schema": {"minimum": 1}}, "C": {}, "E": {"schema": false}}}"#
                    .utf8))
        let new = try Catalog(
            Array(
                #"{"units": {"B": {"schema": {"minimum": 2}}, "C": {"schema": {"type": "null"}}, "D": {"schema": false}, "E": {}}}"#
                    .utf8))
        let found = new.differences(since: old)
        #expect(
            found.map { "\($0.code.rawValue) \($0.isInOld) \($0.pointer)" } == [
                "UNIT_TYPE_GONE true /units/A", "SCHEMA_NARROWER false /units/B/schema/minimum",
                "SCHEMA_NARROWER false /units/C/schema",
            ])
        #expect(old.differences(since: old).isEmpty)
    }

    @Test(
        "Schemas of cell types are compared by name, and where a placement has another cell type",
        arguments: [
            (#"{"type": "S"}"#, #"{"type": "S"}"#, ["/cellTypes/S/schema/minimum"]),
            (#"{"type": "N"}"#, #"{"type": "N"}"#, ["/cellTypes/S/schema/minimum"]),
            (
                #"{"type": "N"}"#, #"{"type": "T"}"#,
                ["/cellTypes/S/schema/minimum", "/cellTypes/T/schema"]
            ),
            (#"{"type": "T"}"#, #"{"type": "N"}"#, ["/cellTypes/S/schema/minimum"]),
            (
                #"{"type": "S", "data": "/a"}"#, #"{"type": "T", "data": "/b"}"#,
                ["/cellTypes/S/schema/minimum"]
            ),
            (
                #"{"type": {"switch": "/k", "cases": {"a": "N", "b": "N"}, "default": "T"}}"#,
                #"{"type": {"switch": "/k", "cases": {"a": "N", "c": "T"}, "default": "T"}}"#,
                ["/cellTypes/S/schema/minimum", "/cellTypes/T/schema"]
            ),
            (
                #"{"type": {"switch": "/k", "cases": {"a": "N"}, "default": "N"}}"#,
                #"{"type": {"switch": "/k", "cases": {"a": "N", "c": "T"}, "default": "N"}}"#,
                ["/cellTypes/S/schema/minimum"]
            ),
            (
                #"{"type": {"switch": "/k", "cases": {"a": "N", "b": "N"}}}"#, #"{"type": "T"}"#,
                ["/cellTypes/S/schema/minimum", "/cellTypes/T/schema"]
            ),
        ])
    func cellTypeSchemas(before: String, after: String, pointers: [String]) throws {
        func catalog(_ placement: String, _ minimum: Int) throws -> Catalog {
            try Catalog(
                Array(
                    #"""
                    {"units": {"A": {"cells": \#(placement)}},
                     "cellTypes": {"S": {"schema": {"minimum": \#(minimum)}}, "N": {},
                                   "T": {"schema": {"type": "string"}}}}
                    """#.utf8))
        }
        let (old, new) = (try catalog(before, 1), try catalog(after, 2))
        let found = new.differences(since: old)
        #expect(found.map(\.pointer) == pointers)
        #expect(found.allSatisfy { $0.code == .schemaNarrower && !$0.isInOld })
        #expect(old.differences(since: old).isEmpty)
    }

    /// Catalogs with one unit type `A` and its cell types: the differences from the first to the
    /// second, by their codes and the cell types.
    @Test(
        "Cell types that old apps are sent, or have nothing instead of, are differences",
        arguments: [
            // Known cell types, whatever they are.
            (#""T": {}"#, #""cell": {"type": "T"}"#, []),
            // New ones.
            (#""T": {}, "N": {}"#, #""cell": {"type": "T"}"#, []),
            (#""T": {}, "N": {}"#, #""cell": {"type": "N"}"#, ["since N", "fallback N"]),
            (
                #""T": {}, "N": {"since": {}, "fallback": "T"}"#, #""cell": {"type": "N"}"#,
                ["since N"]
            ),
            (#""T": {}, "N": {"since": {"ios": "2"}}"#, #""cell": {"type": "N"}"#, ["fallback N"]),
            (#""T": {}, "N": {"since": {"web": null}}"#, #""cell": {"type": "N"}"#, ["fallback N"]),
            (
                #""T": {}, "N": {"since": {"ios": "2"}, "fallback": "T"}"#,
                #""cells": {"type": "N"}"#, []
            ),
            (
                #""T": {}, "N": {"since": {"ios": "2"}, "fallback": "M"}, "M": {}"#,
                #""cell": {"type": "N"}"#, ["since M", "fallback M"]
            ),
            (
                #""T": {}, "N": {}, "O": {"since": {"ios": "1"}}"#,
                #""header": {"type": {"switch": "/a", "cases": {"x": "N"}, "default": "O"}}"#,
                ["since N", "fallback N", "fallback O"]
            ),
            // Known ones with another `since`.
            (#""T": {"since": {"ios": "2"}}"#, #""cell": {"type": "T"}"#, ["fallback T"]),
            (#""T": {"since": {"ios": "0.0"}}"#, #""cell": {"type": "T"}"#, []),
            (
                #""S": {"since": {"ios": "1.0.0", "web": null}}, "T": {}"#,
                #""cell": {"type": "S"}"#, []
            ),
            (
                #""S": {"since": {"ios": "1.0.1", "web": null}}, "T": {}"#,
                #""cell": {"type": "S"}"#, ["fallback S"]
            ),
            (
                #""S": {"since": {"ios": "1", "tv": "3"}}, "T": {}"#, #""cell": {"type": "S"}"#,
                ["fallback S"]
            ),
            (
                #""S": {"since": {"ios": null}, "fallback": "T"}, "T": {}"#,
                #""cell": {"type": "S"}"#, []
            ),
            (#""S": {"since": {"web": "3"}}, "T": {}"#, #""cell": {"type": "S"}"#, []),
            // Placements for some apps only.
            (
                #""T": {}, "N": {}"#,
                #""cell": {"type": "N", "when": {"client": {"ios": ">=2"}}}"#, []
            ),
            (
                #""T": {}, "N": {"since": {"ios": "2"}}"#,
                #""cell": {"type": "N", "when": {"client": {"ios": ">=2"}}}"#, []
            ),
            (
                #""T": {}, "N": {"since": {"ios": "2"}}"#,
                #""cell": {"type": "N", "when": {"client": {"ios": ">1.5 <9"}}}"#, ["fallback N"]
            ),
            (
                #""T": {}, "N": {"since": {"ios": "2"}}"#,
                #""cell": {"type": "N", "when": {"client": {"web": ">=0"}}}"#, []
            ),
            (
                #""T": {}, "N": {}"#,
                #""cell": {"type": "N", "when": {"client": {"web": "<5"}, "flags": ["a"]}}"#,
                ["since N", "fallback N"]
            ),
        ])
    func cellTypes(kinds: String, placement: String, expected: [String]) throws {
        func catalog(_ kinds: String, _ placement: String) throws -> Catalog {
            try Catalog(
                Array(
                    #"{"cellTypes": {\#(kinds)}, "units": {"A": {\#(placement)}}}"#.utf8))
        }
        let old = try catalog(
            #""T": {}, "S": {"since": {"ios": "1", "web": null}}"#, #""cell": {"type": "T"}"#)
        let found = try catalog(kinds, placement).differences(since: old).map { difference in
            let name = difference.pointer.split(separator: "/").last ?? ""
            return difference.code.rawValue.replacing("CELL_TYPE_WITHOUT_", with: "").lowercased()
                + " " + name
        }
        #expect(found == expected)
    }

    @Test("A new unit type may make cells that have no fallback, for old pages have no such units")
    func newUnitType() throws {
        let old = try Catalog(Array(#"{"cellTypes": {"T": {}}, "units": {}}"#.utf8))
        let new = try Catalog(
            Array(
                #"{"cellTypes": {"T": {}, "N": {"since": {"ios": "2"}}, "M": {}}, "units": {"A": [{"cell": {"type": "N"}}, {"cell": {"type": "M"}}]}}"#
                    .utf8))
        #expect(new.differences(since: old).map(\.pointer) == ["/cellTypes/M"])
        #expect(new.differences(since: old).map(\.code) == [.cellTypeWithoutSince])
    }
}
