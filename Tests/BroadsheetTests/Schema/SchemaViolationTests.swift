@testable import Broadsheet
import Testing

@Suite("Violations of schemas") struct SchemaViolationTests {
    @Test(
        "A violation is at its value, and says the rule",
        arguments: [
            (##"{"type": ["string", "null"]}"##, "1", "", "must be null or a string"),
            (##"{"type": "integer"}"##, "{}", "", "must be a whole number, not an object"),
            (
                ##"{"properties": {"a/b": {"minimum": 2}}}"##, ##"{"a/b": 1}"##, "/a~1b",
                "must be at least 2"
            ),
            (
                ##"{"items": {"maxLength": 1}}"##, ##"["a", "bc"]"##, "/1",
                "must have at most 1 characters"
            ),
            (##"{"required": ["id"]}"##, ##"{"x": 1}"##, "", "must have the member \"id\""),
            (
                ##"{"properties": {"price": true}, "additionalProperties": false}"##,
                ##"{"prise": 1}"##, "/prise",
                "is not a member that the schema knows; did you mean \"price\"?"
            ),
            (##"{"enum": ["a", 2]}"##, "3", "", "must be one of \"a\", 2"),
            (##"{"const": "a"}"##, "3", "", "must be \"a\""),
            (##"{"pattern": "^a$"}"##, "\"b\"", "", "must match the pattern ^a$"),
            (
                ##"{"uniqueItems": true}"##, "[1, 2, 1]", "/2",
                "equals an earlier element of its array"
            ),
            (
                ##"{"anyOf": [{"type": "null"}, false]}"##, "1", "",
                "keeps none of the 2 schemas of \"anyOf\""
            ),
            (
                ##"{"oneOf": [true, {}, false]}"##, "1", "",
                "keeps 2 of the 3 schemas of \"oneOf\", instead of one"
            ),
            (##"{"not": {}}"##, "1", "", "keeps the schema of \"not\", which it must not"),
            (
                ##"{"propertyNames": {"maxLength": 1}}"##, ##"{"ab": 1}"##, "/ab",
                "must have at most 1 characters"
            ),
            (##"{"properties": {"a": false}}"##, ##"{"a": 1}"##, "/a", "is not permitted here"),
            (##"{"maximum": 1e1}"##, "10.5", "", "must be at most 1e1"),
            (##"{"exclusiveMinimum": 2}"##, "2.0", "", "must be more than 2"),
            (##"{"exclusiveMaximum": 2}"##, "2", "", "must be less than 2"),
            (##"{"multipleOf": 0.1}"##, "0.25", "", "must be a multiple of 0.1"),
            (##"{"minLength": 2}"##, "\"é\"", "", "must have at least 2 characters"),
            (
                ##"{"patternProperties": {"^a": {"type": "null"}}}"##, ##"{"ab": 1}"##, "/ab",
                "must be null"
            ),
            (##"{"prefixItems": [true, {"const": 1}]}"##, "[2, 2]", "/1", "must be 1"),
            (##"{"minItems": 1}"##, "[]", "", "must have at least 1 elements"),
            (##"{"maxItems": 1}"##, "[1, 2]", "", "must have at most 1 elements"),
            (
                ##"{"contains": {"const": 1}, "minContains": 2}"##, "[1, 2]", "",
                "must have at least 2 elements that keep the schema of \"contains\""
            ),
            (
                ##"{"contains": {"const": 1}, "maxContains": 1}"##, "[1, 1]", "",
                "must have at most 1 elements that keep the schema of \"contains\""
            ),
            (##"{"minProperties": 1}"##, "{}", "", "must have at least 1 members"),
            (##"{"maxProperties": 0}"##, ##"{"a": 1}"##, "", "must have at most 0 members"),
            (
                ##"{"dependentRequired": {"a": ["b"]}}"##, ##"{"a": 1}"##, "",
                "must have the member \"b\" beside \"a\""
            ),
            (
                ##"{"dependentSchemas": {"a": {"properties": {"b": false}}}}"##,
                ##"{"a": 1, "b": 1}"##, "/b", "is not permitted here"
            ),
            (##"{"if": {"minimum": 1}, "then": {"maximum": 2}}"##, "3", "", "must be at most 2"),
            (##"{"if": {"minimum": 1}, "else": {"const": 0}}"##, "0.5", "", "must be 0"),
            (
                ##"{"allOf": [{"items": {"$ref": "#/$defs/a"}}], "$defs": {"a": {"const": 1}}}"##,
                "[1, 0]", "/1", "must be 1"
            ),
            (
                ##"{"prefixItems": [true], "unevaluatedItems": {"type": "null"}}"##, "[1, 2]", "/1",
                "must be null"
            ),
            (
                ##"{"properties": {"a": true}, "unevaluatedProperties": false}"##,
                ##"{"a": 1, "b": 1}"##, "/b",
                "is not a member that the schema knows"
            ),
        ])
    func violation(schema: String, value: String, pointer: String, detail: String) throws {
        let found = try TestedSchema(schema).judge(value)
        #expect(found.total == 1)
        #expect(found.first.map(\.pointer) == [pointer])
        #expect(found.first.map(\.detail) == [detail])
    }

    @Test("All violations are found, the first of them in document order are listed")
    func all() throws {
        let schema = try TestedSchema(
            """
            {"allOf": [{"$ref": "#/$defs/n"}, {"$ref": "#/$defs/n"}],
             "$defs": {"n": {"items": {"type": "integer", "minimum": 0}}},
             "items": {"multipleOf": 2}}
            """)
        let found = try schema.judge(##"[1, 2, -3, "x", 4]"##, keeping: 3)
        #expect(found.total == 4)
        #expect(found.first.map(\.pointer) == ["/0", "/2", "/2"])
    }

    @Test("A shared subschema judges a value once")
    func memo() throws {
        // Without results that are kept, each level would double the judgements.
        let schema = try TestedSchema(
            """
            {"$defs": {"n": {"anyOf": [{"properties": {"c": {"$ref": "#/$defs/n"}}, "required": ["x"]},
                                       {"properties": {"c": {"$ref": "#/$defs/n"}}}]}},
             "$ref": "#/$defs/n"}
            """)
        let depth = 60
        let value =
            String(repeating: ##"{"c": "##, count: depth) + "1"
            + String(repeating: "}", count: depth)
        let document = try JSONDocument(Array(value.utf8), maxDepth: 1_024)
        var judge = SchemaJudge(document)
        #expect(judge.violations(of: 0, by: try #require(schema.schema), keeping: 1).total == 0)
        #expect(judge.judgements <= 3 * (depth + 1))
        let failing = try TestedSchema(
            """
            {"$defs": {"n": {"allOf": [{"properties": {"c": {"$ref": "#/$defs/n"}}},
                                       {"properties": {"c": {"$ref": "#/$defs/n"}}}], "type": "object"}},
             "$ref": "#/$defs/n"}
            """)
        #expect(try failing.judge(value).total == 1)
    }

    @Test("More judgements, steps or nested judgements than a page may take are a violation")
    func limits() throws {
        let items = try TestedSchema(##"{"items": {"type": "integer"}}"##)
        #expect(try items.judge("[1, 2, 3]", limits: SchemaLimits(maxJudgements: 4)).total == 0)
        for limits in [
            SchemaLimits(maxJudgements: 3), SchemaLimits(maxSteps: 2), SchemaLimits(maxNesting: 0),
        ] {
            let found = try items.judge("[1, 2, 3]", limits: limits)
            #expect(found.first.map(\.pointer) == [""])
            #expect(found.first.first?.detail.contains("cannot be judged") == true)
        }
        #expect(SchemaLimits().maxJudgements == 10_000_000)
    }

    @Test("A page's units after the one that crossed the limit are not judged either")
    func limitOfPage() throws {
        let schema = try #require(try TestedSchema(##"{"items": {"type": "integer"}}"##).schema)
        let document = try JSONDocument(Array("[[1], [1, 2, 3], [1]]".utf8))
        var judge = SchemaJudge(document, limits: SchemaLimits(maxJudgements: 5))
        let totals = document.root.elements.map {
            judge.violations(of: $0.node, by: schema, keeping: 1).total
        }
        #expect(totals == [0, 1, 1])
    }

    @Test(
        "320 judgements within each other are permitted, one more is a violation",
        arguments: [
            (##"{"items": {"$ref": "#"}, "maxItems": 1}"##, "[", "]"),
            (##"{"properties": {"a": {"$ref": "#"}}, "maxProperties": 1}"##, #"{"a":"#, "}"),
            (
                ##"{"additionalProperties": {"$ref": "#"}, "unevaluatedProperties": false}"##,
                #"{"a":"#, "}"
            ),
        ])
    func nesting(schema: String, start: String, end: String) throws {
        let schema = try TestedSchema(schema)
        func value(_ depth: Int) -> String {
            String(repeating: start, count: depth) + "0" + String(repeating: end, count: depth)
        }
        #expect(SchemaLimits().maxNesting == 320)
        #expect(try schema.accepts(value(319)))
        let found = try schema.judge(value(320))
        #expect(found.total == 1)
        #expect(found.first.first?.detail.contains("320 judgements within each other") == true)
    }

    @Test("The 128 references that are permitted may be in 128 schemas of \"anyOf\" and \"allOf\"")
    func nestedReferences() throws {
        let chain = (1..<128).map { number in
            ##""d\##(number)": {"anyOf": [{"$ref": "#/$defs/d\##(number + 1)", "title": "x"}], "allOf": [true]}"##
        }
        let schema = try TestedSchema(
            ##"{"$ref": "#/$defs/d1", "$defs": {\##(chain.joined(separator: ", ")), "d128": {"type": "null"}}}"##
        )
        #expect(schema.violations.isEmpty)
        #expect(try schema.accepts("null"))
        #expect(try schema.judge("1").first.map(\.pointer) == [""])
    }
}
