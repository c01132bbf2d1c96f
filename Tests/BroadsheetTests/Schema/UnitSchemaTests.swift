@testable import Broadsheet
import Testing

@Suite("Units and their schemas (docs/schemas.md)") struct UnitSchemaTests {
    private static let catalog = #"""
        {"contract": {"unitType": "kind"},
         "units": {
           "P": {"cells": {"type": "C", "data": "/list"},
                 "schema": {"type": "object", "properties": {"list": {"items": {"required": ["id"]}}}}},
           "F": {"cell": {"type": "C"}, "schema": {"properties": {"kind": {"const": "F"}, "n": {"type": "integer"}}}},
           "H": {"header": {"type": "C"}, "schema": {"type": "string"}},
           "O": {"cell": {"type": "C"}}},
         "cellTypes": {"C": {}}}
        """#

    private func resolved(
        _ units: String, header: String = "null"
    ) throws -> ResolvedPage {
        let registry = try Catalog(Array(Self.catalog.utf8)).registry
        let json = #"{"sections": [{"header": \#(header), "units": [\#(units)]}]}"#
        return try ResolvedPage(
            page: ServerStatePage(JSONDocument(Array(json.utf8)), names: registry.names), number: 0,
            registry: registry)
    }

    private func strict(_ units: String, header: String = "null") throws -> [ContractViolation] {
        let registry = try Catalog(Array(Self.catalog.utf8)).registry
        let json = #"{"sections": [{"header": \#(header), "units": [\#(units)]}]}"#
        let page = try ServerStatePage(JSONDocument(Array(json.utf8)), names: registry.names)
        do throws(ContractError) {
            try page.checkStrictly(by: registry)
            return []
        } catch {
            #expect(error.total >= error.violations.count)
            return error.violations
        }
    }

    @Test("A unit whose data does not keep its schema makes nothing, and says why at each value")
    func violation() throws {
        let page = try resolved(
            #"{"kind": "O"}, {"kind": "P", "unitData": {"list": [{"id": 1}, {}, {}]}}, {"kind": "O"}"#
        )
        #expect(page.itemCount == 2)
        #expect(
            page.diagnostics == [
                Diagnostic(
                    code: .schemaViolation, page: 0, pointer: "/sections/0/units/1/unitData/list/1",
                    detail: "must have the member \"id\""),
                Diagnostic(
                    code: .schemaViolation, page: 0, pointer: "/sections/0/units/1/unitData/list/2",
                    detail: "must have the member \"id\""),
            ])
    }

    @Test("A unit has at most ten violations")
    func tenViolations() throws {
        let list = Array(repeating: "{}", count: 30).joined(separator: ",")
        let page = try resolved(#"{"kind": "P", "unitData": {"list": [\#(list)]}}"#)
        #expect(page.itemCount == 0)
        #expect(page.diagnostics.count == 10)
        #expect(page.diagnostics.last?.pointer == "/sections/0/units/0/unitData/list/9")
    }

    @Test("Of a flat unit the whole unit is judged")
    func flat() throws {
        #expect(try resolved(#"{"kind": "F", "n": 1}"#).itemCount == 1)
        let page = try resolved(#"{"kind": "F", "n": "x"}"#)
        #expect(page.itemCount == 0)
        #expect(page.diagnostics.map(\.pointer) == ["/sections/0/units/0/n"])
    }

    @Test("A section's own header keeps the schema of its type, too")
    func header() throws {
        #expect(
            try resolved("", header: #"{"kind": "H", "unitData": "x"}"#).sections[0].header != nil)
        let page = try resolved("", header: #"{"kind": "H", "unitData": 1}"#)
        #expect(page.sections[0].header == nil)
        #expect(page.diagnostics.map(\.pointer) == ["/sections/0/header/unitData"])
    }

    @Test(
        "In strict mode whatever makes a unit less than its type says is a violation",
        arguments: [
            (#"{"kind": "O"}"#, []), (#"{"kind": "?"}"#, ["/sections/0/units/0/kind"]),
            (#"{"kind": "O", "unitData": null}"#, ["/sections/0/units/0/unitData"]),
            (#"{"kind": "P", "unitData": {"list": []}}"#, []),
            (#"{"kind": "P", "unitData": {"list": {}}}"#, ["/sections/0/units/0/unitData/list"]),
            (
                #"{"kind": "P", "unitData": 1}"#,
                ["/sections/0/units/0/unitData", "/sections/0/units/0/unitData/list"]
            ),
            (#"{"kind": "P", "unitData": {}}"#, ["/sections/0/units/0/unitData/list"]),
            (#"{"kind": "H", "unitData": "x"}"#, []),
            (#"{"kind": "F", "n": 1.5}"#, ["/sections/0/units/0/n"]),
        ])
    func strictUnits(unit: String, pointers: [String]) throws {
        #expect(try strict(unit).map(\.pointer) == pointers)
    }

    @Test("In strict mode a header needs a placement of that role")
    func strictHeader() throws {
        #expect(try strict("", header: #"{"kind": "H", "unitData": "x"}"#).isEmpty)
        #expect(
            try strict("", header: #"{"kind": "O"}"#).map(\.pointer) == ["/sections/0/header/kind"])
    }

    @Test("In strict mode the first 100 violations are listed, and all are counted")
    func strictTotal() throws {
        let list = Array(repeating: "{}", count: 150).joined(separator: ",")
        let unit = #"{"kind": "P", "unitData": {"list": [\#(list)]}}"#
        let registry = try Catalog(Array(Self.catalog.utf8)).registry
        let json = #"{"sections": [[\#(unit), \#(unit)]]}"#
        let page = try ServerStatePage(JSONDocument(Array(json.utf8)), names: registry.names)
        let error = #expect(throws: ContractError.self) { try page.checkStrictly(by: registry) }
        #expect(error?.total == 300)
        #expect(error?.violations.count == 100)
        #expect(error?.violations.last?.pointer == "/sections/0/0/unitData/list/99")
    }

    @Test(
        "A violation of a schema is a step that cannot be made, for which the fallback stands in",
        arguments: [
            (
                #""fallback": {"kind": "O", "unitData": 1}"#, 1,
                ["SCHEMA_VIOLATION /list/0", "FALLBACK_USED"]
            ),
            (
                #""fallback": {"kind": "P", "unitData": {"list": [{"id": 1}, {"id": 2}]}}"#, 2,
                ["SCHEMA_VIOLATION /list/0", "FALLBACK_USED"]
            ),
            (
                #""fallback": {"kind": "F", "n": 0.5, "fallback": {"kind": "O", "unitData": 1}}"#,
                1,
                ["SCHEMA_VIOLATION /list/0", "SCHEMA_VIOLATION", "FALLBACK_USED"]
            ),
            (#""fallback": null"#, 0, []),
            (#""fallback": {"kind": "F", "n": 0.5, "fallback": null}"#, 0, []),
            (
                #""essential": true"#, 0,
                ["SCHEMA_VIOLATION /list/0", "ESSENTIAL_UNIT_MISSING"]
            ),
        ])
    func chains(options: String, items: Int, codes: [String]) throws {
        let page = try resolved(#"{"kind": "P", "unitData": {"list": [{}]}, \#(options)}"#)
        #expect(page.itemCount == items)
        let found = page.diagnostics.map { diagnostic in
            let data = "/sections/0/units/0/unitData"
            guard diagnostic.pointer.hasPrefix(data) else { return diagnostic.code.rawValue }
            return "\(diagnostic.code.rawValue) \(diagnostic.pointer.dropFirst(data.count))"
        }
        #expect(found == codes)
    }

    @Test("A violation has the pointer to its own step")
    func stepPointers() throws {
        let page = try resolved(
            #"{"kind": "?", "fallback": {"kind": "F", "n": "x", "fallback": {"kind": "P", "unitData": {"list": [{}]}}}}"#
        )
        #expect(page.itemCount == 0)
        #expect(
            page.diagnostics.map { "\($0.code.rawValue) \($0.pointer)" } == [
                "UNKNOWN_UNIT_TYPE /sections/0/units/0/kind",
                "SCHEMA_VIOLATION /sections/0/units/0/fallback/n",
                "SCHEMA_VIOLATION /sections/0/units/0/fallback/fallback/unitData/list/0",
            ])
    }

    @Test("A registry without schemas judges nothing")
    func noSchemas() throws {
        #expect(!Catalog.storefront.registry.hasSchemas)
        #expect(try Catalog(Array(Self.catalog.utf8)).registry.hasSchemas)
    }
}
