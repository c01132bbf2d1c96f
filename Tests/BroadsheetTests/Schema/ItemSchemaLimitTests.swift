@testable import Broadsheet
import TestSupport
import Testing

@Suite("The limits of schemas of cell types", .timeLimit(.minutes(hangMinutes)))
struct ItemSchemaLimitTests {
    private func violations(
        _ cellTypes: String, units: String = "", limits: CatalogLimits = CatalogLimits()
    ) -> [ContractViolation] {
        let json = #"{"cellTypes": {\#(cellTypes)}, "units": {\#(units)}}"#
        do throws(CatalogError) {
            _ = try Catalog(Array(json.utf8), limits: limits)
            return []
        } catch {
            guard case .violations(let violations, _) = error else { return [] }
            return violations
        }
    }

    @Test(
        "A schema that is wrong is a violation of the catalog, and a misspelt keyword a diagnostic")
    func wrong() throws {
        let found = violations(
            #""A": {"schema": {"type": 1, "items": {"minimum": "x"}}}, "B": {"schema": 3}"#)
        #expect(
            found.map(\.pointer) == [
                "/cellTypes/A/schema/type", "/cellTypes/A/schema/items/minimum",
                "/cellTypes/B/schema",
            ])
        let catalog = try Catalog(
            Array(
                #"{"cellTypes": {"A": {"schema": {"requried": ["a"]}}, "B": {"schema": null}}}"#
                    .utf8))
        #expect(catalog.diagnostics.map(\.pointer) == ["/cellTypes/A/schema/requried"])
        #expect(catalog.registry.hasSchemas)
    }

    @Test("The subschemas of unit types and cell types have one limit in a catalog together")
    func subschemas() {
        var limits = CatalogLimits()
        limits.maxCatalogSubschemas = 4
        let one = #"{"schema": {"items": {}}}"#
        #expect(violations(#""A": \#(one)"#, units: #""U": \#(one)"#, limits: limits).isEmpty)
        let found = violations(
            #""A": \#(one), "B": \#(one)"#, units: #""U": \#(one)"#, limits: limits)
        #expect(found.map(\.pointer) == ["/units/U/schema"])
        #expect(found.first?.detail.contains("4 subschemas that a catalog") == true)
    }

    @Test("One schema has at most 10,000 subschemas")
    func subschemasOfOne() {
        let many = Array(repeating: "{}", count: 10_001).joined(separator: ",")
        let found = violations(#""A": {"schema": {"prefixItems": [\#(many)]}}"#)
        #expect(found.map(\.pointer) == ["/cellTypes/A/schema/prefixItems/9999"])
        #expect(found.first?.detail.contains("10000 subschemas that a schema may have") == true)
    }

    @Test("The patterns of unit types and cell types have one limit in a catalog together")
    func patterns() {
        var limits = CatalogLimits()
        limits.maxPatternParts = 30
        let one = #"{"schema": {"pattern": "a{10}"}}"#
        let found = violations(
            #""A": \#(one), "B": \#(one)"#, units: #""U": \#(one)"#, limits: limits)
        #expect(found.map(\.pointer) == ["/units/U/schema/pattern"])
        #expect(found.first?.detail.contains("30 states and ranges") == true)
    }

    @Test("The memory of a page's judgements is that of the schema that keeps the most results")
    func memory() throws {
        let registry = try Catalog(
            Array(
                ##"{"cellTypes": {"A": {"schema": {"items": {"$ref": "#"}, "contains": {"$ref": "#"}, "minItems": 1}}}}"##
                    .utf8)
        ).registry
        #expect(registry.maxSharedSubschemas == 1)
    }

    @Test("Items beyond the 10 million judgements of a page are left out, each with a diagnostic")
    func judgements() throws {
        // An item takes 9,002 judgements.
        let many = Array(repeating: #"{"type": "number"}"#, count: 9_000).joined(separator: ",")
        let catalog =
            #"{"units": {"U": {"cells": {"type": "C"}}, "P": {"cells": {"type": "P"}}}, "#
            + #""cellTypes": {"P": {}, "C": {"schema": {"allOf": [{"const": 0}, \#(many)]}}}}"#
        let registry = try Catalog(Array(catalog.utf8)).registry
        // Of the wrong ones the first condition fails at once, and all are judged for the report.
        let items = (0..<20_000).map { $0 % 2 == 0 ? "0" : "2" }.joined(separator: ",")
        let json =
            #"{"sections": [[{"unitType": "U", "unitData": [\#(items)]}, {"unitType": "P", "unitData": [1]}]]}"#
        let page = try ResolvedPage(
            page: ServerStatePage(JSONDocument(Array(json.utf8))), number: 0, registry: registry)
        #expect((540...570).contains(page.itemCount), "\(page.itemCount)")
        #expect(page.diagnosticCounts.total == 20_001 - page.itemCount)
        #expect(page.diagnostics.first?.detail.hasPrefix("must be 0") == true)
        #expect(page.diagnostics[999].detail.contains("10000000 judgements") == true)
    }

    @Test("To report violations takes judgements, too")
    func reports() throws {
        let schema = try TestedSchema(
            #"{"allOf": [{"const": 1}, {"not": {"const": 2}}, {"type": "number"}]}"#)
        let document = try JSONDocument(Array("3".utf8))
        var judge = SchemaJudge(document)
        let found = judge.violations(of: 0, by: try #require(schema.schema), keeping: 1)
        #expect(found.total == 1)
        #expect(judge.judgements == 7)
        #expect(try schema.judge("3", limits: SchemaLimits(maxJudgements: 6)).total == 1)
        let lenient = try #require(schema.schema)
        var edits = SchemaJudge(document, limits: SchemaLimits(maxJudgements: 1), isLenient: true)
        let isKept = edits.keeps(0, lenient)
        #expect(isKept)
        let accepted = edits.violations(of: 0, by: lenient, keeping: 1)
        #expect(accepted.total == 0)
    }

    @Test("A small item after a large one does not pay for the table of the large one")
    func table() {
        var memo = SchemaMemo()
        for node in 0..<200 { memo[SchemaMemo.key(1, UInt32(node))] = .valid }
        memo.removeAll()
        #expect(memo[SchemaMemo.key(1, 5)] == nil)
        var other = memo.take()
        other[SchemaMemo.key(2, 5)] = .invalid
        #expect(memo[SchemaMemo.key(2, 5)] == nil)
        #expect(other[SchemaMemo.key(2, 5)] == .invalid)
    }
}
