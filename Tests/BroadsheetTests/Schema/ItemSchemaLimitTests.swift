@testable import Broadsheet
import Testing

@Suite("The limits of schemas of cell types") struct ItemSchemaLimitTests {
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
