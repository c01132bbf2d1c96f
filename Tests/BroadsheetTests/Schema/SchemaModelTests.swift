import TestSupport
import Testing

@testable import Broadsheet

@Suite("Schemas, and a second validator of them (docs/schemas.md)")
struct SchemaModelTests {
    @Test(
        "Judge and validator agree on which random values keep random schemas, and on the places",
        arguments: DifferentialTests.seeds)
    func agree(seed: Int) throws {
        let cases: [RandomSchema] = try OracleProcess.cases(
            of: "random_schemas.py", seed: seed, count: 250)
        for (index, random) in cases.enumerated() {
            let schema = try TestedSchema(random.schema)
            let context = "BROADSHEET_SEED=\(seed), case \(index): \(random.schema)"
            #expect(schema.violations == [], Comment(rawValue: context))
            for value in random.values {
                let found = try schema.judge(value.json, keeping: 1_000)
                let context = Comment(rawValue: "\(context)\n\(value.json) \(found.first)")
                #expect((found.total == 0) == value.isKept, context)
                guard let pointers = value.pointers else { continue }
                #expect(Set(found.first.map(\.pointer)) == Set(pointers), context)
            }
        }
    }

    @Test(
        "A schema that is not narrower keeps all values that the old one kept",
        arguments: DifferentialTests.seeds)
    func comparison(seed: Int) throws {
        let cases: [RandomSchema] = try OracleProcess.cases(
            of: "random_schemas.py", seed: seed, count: 250)
        var wider = 0
        for (index, random) in cases.enumerated() {
            let (old, new) = (try TestedSchema(random.schema), try TestedSchema(random.changed))
            guard let before = old.schema, let after = new.schema else { continue }
            guard SchemaComparison.narrowings(from: before, to: after).isEmpty else { continue }
            wider += 1
            for value in random.values where value.isKept {
                let context = "BROADSHEET_SEED=\(seed), case \(index)\n\(random)\n\(value.json)"
                #expect(try new.accepts(value.json), Comment(rawValue: context))
            }
        }
        #expect(wider > 20)
    }
}

/// A random schema with values (`Tests/Oracle/random_schemas.py`).
private struct RandomSchema: Decodable {
    struct Value: Decodable {
        let json: String
        let isKept: Bool
        /// The places of the violations, if the text says where they are.
        let pointers: [String]?
    }

    let schema: String
    /// The schema with changes, which may be invalid.
    let changed: String
    let values: [Value]
}
