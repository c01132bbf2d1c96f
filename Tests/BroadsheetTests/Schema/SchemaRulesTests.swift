@testable import Broadsheet
import Testing

@Suite("Violations of catalogs by their schemas") struct SchemaRulesTests {
    @Test(
        "A keyword of the wrong kind is a violation at its pointer",
        arguments: [
            ("1", ""), ("null", ""), (##"{"type": 1}"##, "/type"), (##"{"type": "int"}"##, "/type"),
            (##"{"type": []}"##, "/type"), (##"{"type": ["string", "string"]}"##, "/type"),
            (##"{"type": ["string", 1]}"##, "/type"),
            (##"{"enum": {}}"##, "/enum"), (##"{"minimum": "1"}"##, "/minimum"),
            (##"{"maximum": null}"##, "/maximum"),
            (##"{"exclusiveMinimum": true}"##, "/exclusiveMinimum"),
            (##"{"exclusiveMaximum": []}"##, "/exclusiveMaximum"),
            (##"{"multipleOf": 0}"##, "/multipleOf"), (##"{"multipleOf": -1}"##, "/multipleOf"),
            (##"{"multipleOf": "1"}"##, "/multipleOf"),
            (##"{"minLength": -1}"##, "/minLength"), (##"{"maxLength": 1.5}"##, "/maxLength"),
            (##"{"pattern": 1}"##, "/pattern"), (##"{"pattern": "("}"##, "/pattern"),
            (##"{"minItems": "1"}"##, "/minItems"), (##"{"maxItems": -1}"##, "/maxItems"),
            (##"{"uniqueItems": 1}"##, "/uniqueItems"), (##"{"minContains": -1}"##, "/minContains"),
            (##"{"maxContains": 0.5}"##, "/maxContains"),
            (##"{"prefixItems": []}"##, "/prefixItems"),
            (##"{"prefixItems": {}}"##, "/prefixItems"),
            (##"{"prefixItems": [1]}"##, "/prefixItems/0"),
            (##"{"items": [{}]}"##, "/items"), (##"{"contains": 1}"##, "/contains"),
            (##"{"unevaluatedItems": 1}"##, "/unevaluatedItems"),
            (##"{"properties": []}"##, "/properties"),
            (##"{"properties": {"a/b": 1}}"##, "/properties/a~1b"),
            (##"{"patternProperties": {"(": {}}}"##, "/patternProperties/("),
            (##"{"additionalProperties": null}"##, "/additionalProperties"),
            (##"{"propertyNames": 1}"##, "/propertyNames"),
            (##"{"unevaluatedProperties": 1}"##, "/unevaluatedProperties"),
            (##"{"required": "a"}"##, "/required"), (##"{"required": [1]}"##, "/required"),
            (##"{"required": ["a", "a"]}"##, "/required"),
            (##"{"dependentRequired": {"a": "b"}}"##, "/dependentRequired/a"),
            (##"{"dependentSchemas": {"a": []}}"##, "/dependentSchemas/a"),
            (##"{"minProperties": -1}"##, "/minProperties"),
            (##"{"maxProperties": {}}"##, "/maxProperties"),
            (##"{"allOf": []}"##, "/allOf"), (##"{"anyOf": {}}"##, "/anyOf"),
            (##"{"oneOf": [null]}"##, "/oneOf/0"),
            (##"{"not": []}"##, "/not"), (##"{"if": 1}"##, "/if"), (##"{"then": 1}"##, "/then"),
            (##"{"else": 1}"##, "/else"), (##"{"$defs": []}"##, "/$defs"),
            (##"{"$defs": {"a": 1}}"##, "/$defs/a"),
            (##"{"$ref": 1}"##, "/$ref"), (##"{"$id": 1}"##, "/$id"),
            (##"{"$id": "a#b"}"##, "/$id"),
            (##"{"$anchor": "1a"}"##, "/$anchor"), (##"{"$anchor": ""}"##, "/$anchor"),
            (##"{"$comment": 1}"##, "/$comment"), (##"{"title": 1}"##, "/title"),
            (##"{"description": []}"##, "/description"), (##"{"format": 1}"##, "/format"),
            (##"{"deprecated": 1}"##, "/deprecated"), (##"{"readOnly": "x"}"##, "/readOnly"),
            (##"{"examples": 1}"##, "/examples"), (##"{"contentSchema": 1}"##, "/contentSchema"),
            (##"{"contentEncoding": 1}"##, "/contentEncoding"),
            (##"{"$vocabulary": 1}"##, "/$vocabulary"),
        ])
    func wrongKinds(schema: String, pointer: String) throws {
        let tested = try TestedSchema(schema)
        #expect(tested.schema == nil)
        #expect(tested.violations.first?.pointer == pointer)
    }

    @Test(
        "What is not supported is a violation, and says what to do",
        arguments: [
            (##"{"$ref": "other.json"}"##, "/$ref", "another document"),
            (
                ##"{"$ref": "https://json-schema.org/draft/2020-12/schema"}"##, "/$ref",
                "another document"
            ),
            (##"{"$ref": "#/nowhere"}"##, "/$ref", "refers to nothing"),
            (##"{"$ref": "#nowhere"}"##, "/$ref", "refers to nothing"),
            (##"{"$ref": "#/$defs/a", "$defs": {"a%25": {}}}"##, "/$ref", "refers to nothing"),
            (##"{"$ref": "#/type", "type": "object"}"##, "/type", "must be a schema"),
            (##"{"items": {"$dynamicRef": "#a"}}"##, "/items/$dynamicRef", "not supported"),
            (
                ##"{"$schema": "http://json-schema.org/draft-07/schema#"}"##, "/$schema",
                "the only dialect"
            ),
            (
                ##"{"items": {"$schema": "https://json-schema.org/draft/2020-12/schema"}}"##,
                "/items/$schema", "may only be in a whole schema"
            ),
            (##"{"$ref": "#"}"##, "/$ref", "comes back to itself"),
            (
                ##"{"$defs": {"a": {"anyOf": [{"$ref": "#/$defs/b"}]}, "b": {"not": {"$ref": "#/$defs/a"}}}}"##,
                "/$defs/a/anyOf/0/$ref", "comes back to itself"
            ),
            (
                ##"{"$defs": {"a": {"$anchor": "x"}, "b": {"$anchor": "x"}}}"##, "/$defs/b/$anchor",
                "second anchor"
            ),
            (
                ##"{"$id": "a.json", "$defs": {"b": {"$id": "a.json"}}}"##, "/$defs/b/$id",
                "that of another schema"
            ),
            (##"{"pattern": "(?=a)"}"##, "/pattern", "look-around"),
            (##"{"pattern": "(a)\\1"}"##, "/pattern", "back-reference"),
        ])
    func unsupported(schema: String, pointer: String, reason: String) throws {
        let tested = try TestedSchema(schema)
        #expect(tested.schema == nil)
        #expect(tested.violations.first?.pointer == pointer)
        #expect(tested.violations.first?.detail.contains(reason) == true, "\(tested.violations)")
    }

    @Test("All violations are reported, with pointers into the catalog")
    func all() throws {
        let error = #expect(throws: CatalogError.self) {
            try Catalog(
                Array(
                    ##"{"units": {"A": {"schema": {"type": 1, "items": {"minimum": "x"}}}, "B": {"schema": 3}}}"##
                        .utf8))
        }
        guard case .violations(let violations, 3)? = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(
            violations.map(\.pointer)
                == ["/units/A/schema/type", "/units/A/schema/items/minimum", "/units/B/schema"])
    }

    @Test("10,000 subschemas are permitted, one more is a violation")
    func subschemas() throws {
        func schema(_ count: Int) -> String {
            ##"{"prefixItems": ["## + Array(repeating: "{}", count: count).joined(separator: ",")
                + "]}"
        }
        #expect(try TestedSchema(schema(9_999)).violations.isEmpty)
        let violations = try TestedSchema(schema(10_001)).violations
        #expect(violations.map(\.pointer) == ["/prefixItems/9999"])
        #expect(violations.first?.detail.contains("10000 subschemas") == true)
    }

    @Test("Subschemas have a limit in all schemas of a catalog together")
    func catalogSubschemas() throws {
        var limits = CatalogLimits()
        limits.maxCatalogSubschemas = 4
        let one = ##"{"schema": {"items": {}}}"##
        func violations(_ units: String) -> [ContractViolation] {
            do throws(CatalogError) {
                _ = try Catalog(Array("{\"units\": {\(units)}}".utf8), limits: limits)
                return []
            } catch {
                guard case .violations(let violations, _) = error else { return [] }
                return violations
            }
        }
        #expect(violations("\"A\": \(one), \"B\": \(one)").isEmpty)
        let found = violations("\"A\": \(one), \"B\": \(one), \"C\": \(one), \"D\": \(one)")
        #expect(found.map(\.pointer) == ["/units/C/schema"])
        #expect(found.first?.detail.contains("4 subschemas that a catalog") == true)
        #expect(CatalogLimits().maxCatalogSubschemas == 100_000)
    }

    @Test("The patterns of a catalog have a limit together")
    func catalogPatterns() throws {
        var limits = CatalogLimits()
        limits.maxPatternParts = 30
        let units = ["A", "B", "C"].map { ##""\##($0)": {"schema": {"pattern": "a{10}"}}"## }
        let error = #expect(throws: CatalogError.self) {
            try Catalog(
                Array("{\"units\": {\(units.joined(separator: ","))}}".utf8), limits: limits)
        }
        guard case .violations(let violations, 1)? = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(violations.map(\.pointer) == ["/units/C/schema/pattern"])
        #expect(violations.first?.detail.contains("30 states and ranges") == true)
        #expect(CatalogLimits().maxPatternParts == 2_000_000)
    }

    @Test("128 references one after another are permitted, one more is a violation")
    func references() throws {
        func schema(_ count: Int) -> String {
            let chain = (1..<count).map { ##""d\##($0)": {"$ref": "#/$defs/d\##($0 + 1)"}"## }
            return ##"{"$ref": "#/$defs/d1", "$defs": {"##
                + (chain + [##""d\##(count)": {"type": "null"}"##]).joined(separator: ",") + "}}"
        }
        let longest = try TestedSchema(schema(128))
        #expect(longest.violations.isEmpty)
        #expect(try longest.accepts("null"))
        #expect(try !longest.accepts("1"))
        let violations = try TestedSchema(schema(129)).violations
        #expect(violations.map(\.pointer) == ["/$defs/d128/$ref"])
        #expect(violations.first?.detail.contains("127 other references") == true)
    }

    @Test("References find places among many members and elements, and identifiers among many")
    func manyPlaces() throws {
        let numbers = 0..<600
        let consts = numbers.map { #"{"const": \#($0)}"# }
        let members = numbers.map { #""m/\#($0)": \#(consts[$0])"# }.joined(separator: ",")
        let ids = numbers.map { ##""i\##($0)": {"$id": "i\##($0)", "const": \##($0)}"## }
        for place in ["#/x-object/m~1", "#/x-array/", "i"] {
            let references = numbers.map { ##"{"$ref": "\##(place)\##($0)"}"## }
            let schema = try TestedSchema(
                ##"{"x-object": {\##(members)}, "x-array": [\##(consts.joined(separator: ","))], "##
                    + ##""$defs": {\##(ids.joined(separator: ","))}, "##
                    + ##""prefixItems": [\##(references.joined(separator: ","))]}"##)
            #expect(schema.violations.isEmpty)
            #expect(try schema.accepts("[\(numbers.map(String.init).joined(separator: ","))]"))
            let shifted = numbers.map { String($0 == 0 ? 0 : $0 - 1) }.joined(separator: ",")
            #expect(try schema.judge("[\(shifted)]", keeping: 1).total == numbers.count - 1)
        }
    }

    @Test("Violations at the place of a reference have its pointer, also below an identifier")
    func violationsBehindReferences() throws {
        let schema = try TestedSchema(
            ##"{"x-a": [{"type": 1}], "$ref": "#/x-a/0", "$defs": {"b": {"$id": "b", "x-c": {"/": {"type": 2}}, "not": {"$ref": "#/x-c/~1"}}}}"##
        )
        #expect(
            Set(schema.violations.map(\.pointer)) == ["/x-a/0/type", "/$defs/b/x-c/~1/type"])
    }

    @Test("The patterns of a unit type have a limit together")
    func patterns() throws {
        var limits = CatalogLimits()
        limits.maxPatternStates = 10
        let json = ##"{"allOf": [{"pattern": "abc"}, {"pattern": "abcdef"}]}"##
        #expect(try TestedSchema(json).violations.isEmpty)
        #expect(
            try TestedSchema(json, limits: limits).violations.map(\.pointer) == ["/allOf/1/pattern"]
        )
    }

    @Test("A misspelt keyword has a diagnostic, and is ignored")
    func unknown() throws {
        let catalog = try Catalog(
            Array(##"{"units": {"A": {"schema": {"requried": ["a"], "x-note": 1}}}}"##.utf8))
        #expect(catalog.diagnostics.map(\.pointer) == ["/units/A/schema/requried"])
        #expect(catalog.diagnostics.first?.detail.contains("\"required\"") == true)
    }
}
