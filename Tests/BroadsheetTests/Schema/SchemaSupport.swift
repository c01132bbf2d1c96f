@testable import Broadsheet
import Testing

/// A compiled schema, or its violations.
struct TestedSchema {
    /// The schema; `nil` if it is invalid.
    let schema: UnitSchema?
    /// The violations.
    let violations: [ContractViolation]

    /// Compiles the JSON of a schema.
    init(_ json: String, limits: CatalogLimits = CatalogLimits()) throws {
        try self.init(JSONDocument(Array(json.utf8), maxDepth: 1_024).root, limits: limits)
    }

    /// Compiles a schema.
    init(_ value: JSONValue, limits: CatalogLimits = CatalogLimits()) {
        var collector = ViolationCollector(keeping: 100)
        var budget = SchemaBudget(limits)
        schema = UnitSchema(value, limits, budget: &budget, &collector)
        violations = collector.violations
    }

    /// Returns the violations of a value, the first in document order, and the number of all.
    func judge(
        _ json: String, keeping limit: Int = 100, limits: SchemaLimits = SchemaLimits()
    ) throws -> (first: [SchemaViolation], total: Int) {
        let document = try JSONDocument(Array(json.utf8), maxDepth: 1_024)
        var judge = SchemaJudge(document, limits: limits)
        return judge.violations(of: 0, by: try #require(schema), keeping: limit)
    }

    /// Returns whether a value keeps the schema.
    func accepts(_ json: String) throws -> Bool { try judge(json).total == 0 }
}
