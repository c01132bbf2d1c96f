import Testing

@testable import BroadsheetCLI

/// A required member and its type in each language.
struct TypeRow: CustomTestStringConvertible {
    let schema: String
    let swift: String
    let kotlin: String
    let typescript: String

    init(_ schema: String, _ swift: String, _ kotlin: String, _ typescript: String) {
        (self.schema, self.swift, self.kotlin, self.typescript) =
            (schema, swift, kotlin, typescript)
    }

    var testDescription: String { schema }
}

@Suite("docs/generate.md: the types of schemas")
struct TypeTests {
    private static let definitions = """
        {"product": {"type": "object", "required": ["id"], "properties": {"id": {"type": "string"}}},
         "more": {"type": "object", "properties": {"n": {"type": "integer"}}},
         "mixed": {"type": ["string", "integer"]},
         "loop": {"type": "array", "items": {"$ref": "#/$defs/loop"}},
         "tree": {"type": "object", "properties": {"next": {"$ref": "#/$defs/tree"}}}}
        """

    private static let json = ("TreeValue", "JsonElement", "unknown")

    private static func untyped(_ schema: String) -> TypeRow {
        TypeRow(schema, json.0, json.1, json.2)
    }

    static let rows: [TypeRow] =
        [
            TypeRow(#"{"type": "boolean"}"#, "Bool", "Boolean", "boolean"),
            TypeRow(#"{"type": "string"}"#, "String", "String", "string"),
            TypeRow(#"{"type": "string", "format": "date-time"}"#, "String", "String", "string"),
            TypeRow(#"{"type": "integer", "minimum": 0}"#, "Int64", "Long", "number"),
            TypeRow(#"{"type": ["integer", "number"]}"#, "Double", "Double", "number"),
            TypeRow(#"{"type": "array"}"#, "[TreeValue]", "List<JsonElement>", "unknown[]"),
            TypeRow(
                #"{"items": {"type": "string"}}"#, "[String]", "List<String>", "string[]"),
            TypeRow(
                #"{"prefixItems": [{"type": "string"}], "items": {"type": "string"}}"#,
                "[TreeValue]", "List<JsonElement>", "unknown[]"),
            TypeRow(
                #"{"type": "array", "items": {"type": ["string", "null"]}}"#, "[String?]",
                "List<String?>", "(string | null)[]"),
            TypeRow(
                #"{"type": "object"}"#, "[String: TreeValue]", "Map<String, JsonElement>",
                "Record<string, unknown>"),
            TypeRow(
                #"{"additionalProperties": {"type": "integer"}}"#, "[String: Int64]",
                "Map<String, Long>", "Record<string, number>"),
            TypeRow(
                #"{"patternProperties": {"^a": {"type": "integer"}}, "additionalProperties": false}"#,
                "[String: Int64]", "Map<String, Long>", "Record<string, number>"),
            TypeRow(
                #"{"patternProperties": {"^a": {"type": "integer"}}}"#, "[String: TreeValue]",
                "Map<String, JsonElement>", "Record<string, unknown>"),
            TypeRow(#"{"properties": {"a": {"type": "string"}}}"#, "TM", "TM", "TM"),
            TypeRow(#"{"enum": ["a", "b"]}"#, "TM", "TM", "TM"),
            TypeRow(#"{"oneOf": [{"const": "a"}, {"const": "b"}]}"#, "TM", "TM", "TM"),
            TypeRow(
                #"{"const": "a"}"#, "String", #"String = "a""#, #""a""#),
            TypeRow(#"{"const": 5}"#, "Int64", "Long = 5L", "number"),
            TypeRow(
                #"{"const": "-9223372036854775808"}"#, "String",
                #"String = "-9223372036854775808""#, #""-9223372036854775808""#),
            TypeRow(#"{"enum": [1, 2.5]}"#, "Double", "Double", "number"),
            TypeRow(#"{"enum": [1, 2.0]}"#, "Int64", "Long", "number"),
            TypeRow(#"{"enum": [true, null]}"#, "Bool?", "Boolean?", "boolean | null"),
            TypeRow(#"{"type": ["string", "null"]}"#, "String?", "String?", "string | null"),
            TypeRow(
                #"{"oneOf": [{"type": "integer"}, {"type": "null"}]}"#, "Int64?", "Long?",
                "number | null"),
            TypeRow(##"{"$ref": "#/$defs/product"}"##, "Product", "Product", "Product"),
            TypeRow(
                ##"{"title": "A", "$ref": "#/$defs/product"}"##, "Product", "Product", "Product"),
            TypeRow(
                ##"{"allOf": [{"$ref": "#/$defs/product"}, {"minProperties": 1}]}"##, "Product",
                "Product", "Product"),
            TypeRow(
                ##"{"type": "object", "$ref": "#/$defs/product"}"##, "Product", "Product",
                "Product"),
            TypeRow(
                ##"{"allOf": [{"$ref": "#/$defs/product"}, {"$ref": "#/$defs/more"}]}"##, "TM",
                "TM", "TM"),
            TypeRow(#"{"type": ["string", "integer"]}"#, "TM", "TM", "TM"),
            TypeRow(
                #"{"anyOf": [{"type": "string"}, {"enum": ["a"]}]}"#, "String", "String",
                "string"),
            TypeRow(
                #"{"anyOf": [{"type": "string"}, {"allOf": [{"const": 1}, {"const": "a"}]}]}"#,
                "String", "String", "string"),
            TypeRow(
                ##"{"anyOf": [{"$ref": "#/$defs/product"}, {"$ref": "#/$defs/product"}]}"##,
                "Product", "Product", "Product"),
            TypeRow(
                ##"{"anyOf": [{"$ref": "#/$defs/mixed"}, {"type": "null"}]}"##, "Mixed?",
                "Mixed?", "Mixed | null"),
            TypeRow(
                ##"{"$ref": "#/$defs/loop"}"##, "[TreeValue]", "List<JsonElement>", "unknown[]"),
        ]
        + [
            "true", "{}", #"{"minimum": 1}"#, #"{"type": "integer", "maximum": 1e30}"#,
            #"{"enum": [1, "a"]}"#, #"{"const": {"a": 1}}"#, #"{"const": null}"#,
            #"{"allOf": [{"type": "array", "items": {"type": "string"}}, {"enum": ["a"]}]}"#,
            ##"{"anyOf": [{"$ref": "#/$defs/product"}, {"$ref": "#/$defs/more"}]}"##,
            #"{"anyOf": [{"type": "string"}, {"minimum": 1}]}"#,
        ].map(untyped)

    @Test("Each schema has its type in each language", arguments: rows)
    func types(row: TypeRow) async throws {
        let catalog = String.catalog(member: row.schema, definitions: Self.definitions)
        let swift = try await GeneratedCode(.swift, of: catalog)
        #expect(swift.line(after: "public var m: ") == row.swift)
        let kotlin = try await GeneratedCode(.kotlin, of: catalog)
        #expect(kotlin.line(after: "val m: ") == row.kotlin)
        let typescript = try await GeneratedCode(.typescript, of: catalog)
        #expect(typescript.line(after: "m: ") == row.typescript + ";")
    }

    @Test(
        "A member is optional, nullable or both",
        arguments: [
            (#""required": ["m"], "#, #""string""#, "String", "String", "m: string;"),
            (
                #""required": ["m"], "#, #"["string", "null"]"#, "String?", "String?",
                "m: string | null;"
            ),
            ("", #""string""#, "String?", "String? = null", "m?: string;"),
            (
                "", #"["string", "null"]"#, "Nullable<String>?", "Nullable<String>? = null",
                "m?: string | null;"
            ),
        ])
    func presence(
        required: String, type: String, swift: String, kotlin: String, typescript: String
    ) async throws {
        let catalog = String.catalog(
            schema: #"{"type": "object", \#(required)"properties": {"m": {"type": \#(type)}}}"#)
        let code = try await (
            GeneratedCode(.swift, of: catalog), GeneratedCode(.kotlin, of: catalog),
            GeneratedCode(.typescript, of: catalog)
        )
        #expect(code.0.line(after: "public var m: ") == swift)
        #expect(code.1.line(after: "val m: ") == kotlin)
        #expect(code.2.text.contains("    \(typescript)\n"))
    }

    @Test(
        "Members that the schema does not name are kept where they have schemas",
        arguments: [
            (#""additionalProperties": {"type": "integer"}"#, "[String: Int64]"),
            (#""patternProperties": {"^x": true}"#, "[String: TreeValue]"),
            (#""if": {}, "then": {}"#, "[String: TreeValue]"),
            (#""dependentSchemas": {"a": true}"#, "[String: TreeValue]"),
            (#""anyOf": [{"required": ["a"]}]"#, "[String: TreeValue]"),
            (#""additionalProperties": false"#, nil),
        ])
    func additionalMembers(keyword: String, type: String?) async throws {
        let schema = #"{"properties": {"a": {"type": "string"}}, \#(keyword)}"#
        let swift = try await GeneratedCode(.swift, of: .catalog(schema: schema))
        #expect(swift.line(after: "public var additionalMembers: ") == type)
        let typescript = try await GeneratedCode(.typescript, of: .catalog(schema: schema))
        #expect(typescript.text.contains("[member: string]: unknown;") == (type != nil))
    }

    @Test("A required name without schema is a JSON value, and a member with false is left out")
    func requiredNames() async throws {
        let schema =
            #"{"required": ["a", "b"], "properties": {"c": {"type": "string"}, "b": false}}"#
        let code = try await GeneratedCode(.swift, of: .catalog(schema: schema))
        #expect(code.line(after: "public var a: ") == "TreeValue")
        #expect(code.line(after: "public var b: ") == nil)
    }

    @Test("Objects of allOf become one, with members that both have")
    func merged() async throws {
        let schema = """
            {"allOf": [
              {"properties": {"a": {"type": "string"}, "o": {"properties": {"x": {"type": "string"}}}}},
              {"required": ["a"], "properties": {"o": {"properties": {"y": {"type": "number"}}}}}]}
            """
        let code = try await GeneratedCode(.swift, of: .catalog(schema: schema))
        #expect(code.line(after: "public var a: ") == "String")
        #expect(code.line(after: "public var o: ") == "TO?")
        #expect(code.line(after: "public var x: ") == "String?")
        #expect(code.line(after: "public var y: ") == "Double?")
    }

    @Test("Objects are distinguished by the constants of a member, other values by their kinds")
    func unions() async throws {
        let branch = { (kind: String, name: String) in
            #"{"required": ["k"], "properties": {"k": {"const": "\#(kind)"}, "\#(name)": {"type": "string"}}}"#
        }
        let objects = "[\(branch("a-b", "x")), \(branch("c", "y"))]"
        let code = try await GeneratedCode(
            .swift, of: .catalog(member: #"{"oneOf": \#(objects)}"#))
        #expect(code.text.contains("case aB(TMAB)\n"))
        #expect(code.text.contains("case c(TMC)\n"))
        #expect(code.text.contains(#"public init(k: String = "a-b", x: String? = nil)"#))
        let kinds = try await GeneratedCode(
            .kotlin,
            of: .catalog(member: #"{"oneOf": [{"type": "string"}, {"items": {"type": "string"}}]}"#)
        )
        #expect(kinds.text.contains("data class String(val value: kotlin.String) : Shop.TM()"))
        #expect(
            kinds.text.contains(
                "data class Array(val value: kotlin.collections.List<kotlin.String>)")
                || kinds.text.contains("data class Array(val value: List<kotlin.String>)"))
    }

    @Test("A member that contains its own type in place is indirect in Swift")
    func recursion() async throws {
        let catalog = String.catalog(
            member: ##"{"$ref": "#/$defs/tree"}"##, definitions: Self.definitions)
        let swift = try await GeneratedCode(.swift, of: catalog)
        #expect(swift.line(after: "public var next: ") == "Indirect<Tree>?")
        let typescript = try await GeneratedCode(.typescript, of: catalog)
        #expect(typescript.text.contains("    next?: Tree;\n"))
    }

    @Test("What has no type is a line with its place and reason, and in the comment")
    func notes() async throws {
        let schema =
            "{\"properties\": {\"a\": {\"type\": \"string\"},\n\"b\": {\"enum\": [1, \"x\"]}}}"
        let code = try await GeneratedCode(.swift, of: .catalog(schema: schema))
        #expect(
            code.errors == [
                "catalog.json:2:6 /cellTypes/T/schema/properties/b NOT_TYPED has values of several kinds"
            ])
        #expect(code.text.contains("/// Not typed: it has values of several kinds.\n"))
    }

    @Test(
        "The reason is in the comment of each JSON value",
        arguments: [
            (##"{"$ref": "#/$defs/0"}"##, "has more than 250 schemas for one value"),
            (
                #"{"properties": {"a": true}, "additionalProperties": {"enum": [1, "x"]}}"#,
                "has values of several kinds"
            ),
            (
                #"{"type": ["string", "array"], "items": {"const": {"a": 1}}}"#,
                "is a constant array or object"
            ),
            (#"{"type": ["string", "integer"], "maximum": 1e30}"#, "has a bound beyond 64 bits"),
        ])
    func notesInComments(schema: String, reason: String) async throws {
        let references = (0..<126).map {
            ##""\##($0)": {"allOf": [{"$ref": "#/$defs/\##($0 + 1)"}]}"##
        }
        let catalog = String.catalog(
            member: schema,
            definitions: #"{\#(references.joined(separator: ",")), "126": {"type": "string"}}"#)
        for language in GeneratedLanguage.allCases {
            let code = try await GeneratedCode(language, of: catalog)
            #expect(code.text.contains("Not typed: it \(reason)."))
            #expect(code.errors.count == 1)
        }
    }

    @Test("Names that become equal are keys of their own in TypeScript")
    func keys() async throws {
        let type = #"{"actions": {"like": {"forward": true}}}"#
        let code = try await GeneratedCode(
            .typescript, of: #"{"cellTypes": {"A-b": \#(type), "A_b": \#(type)}}"#)
        #expect(code.text.contains("    AB: {\n"))
        #expect(code.text.contains("    AB_2: {\n"))
    }

    @Test("A required member without a finite value is a JSON value")
    func infinite() async throws {
        let schema = ##"""
            {"required": ["a", "b", "c"], "properties": {"a": {"$ref": "#"},
              "b": {"oneOf": [{"type": "string"}, {"items": {"$ref": "#"}}]},
              "c": {"required": ["b"], "properties": {"b": {"$ref": "#/properties/b"}}}}}
            """##
        let code = try await GeneratedCode(.swift, of: .catalog(schema: schema))
        #expect(code.line(after: "public var a: ") == "TreeValue")
        #expect(code.line(after: "public var b: ") == "B")
        #expect(code.line(after: "public var c: ") == "TC")
        #expect(code.errors.count == 1)
    }

    @Test("Units have the names of the contract, actions their inputs, and names are constants")
    func besidesTypes() async throws {
        let catalog = """
            {"contract": {"unitType": "kind", "unitData": "payload"}, "sections": {"TopBanner": {}, "*": {}},
             "units": {"A_B": {"cell": {"type": "T", "when": {"flags": ["new-look"], "without": ["old"]}}}},
             "cellTypes": {"T": {
               "content": {"column": [{"image": "/a", "name": "title-line", "height": 10}], "name": "card"},
               "actions": {"like": {"forward": true, "input": {"properties": {"on": {"type": "boolean"}}}},
                           "remove": {"forward": true}}}}}
            """
        let swift = try await GeneratedCode(.swift, of: catalog).text
        #expect(swift.contains(#"_Key(stringValue: "kind")"#))
        #expect(swift.contains("_ input: TLikeInput, section: UpdateTarget, item: UpdateTarget"))
        #expect(
            swift.contains("_ input: TreeValue? = nil, section: UpdateTarget, view: SectionView"))
        for line in [
            #"topBanner = "TopBanner""#, #"newLook = "new-look""#, #"old = "old""#,
            #"titleLine = "title-line""#, #"aB = "A_B""#,
        ] { #expect(swift.contains("public static let \(line)\n")) }
        #expect(!swift.contains(#""*""#))
        let typescript = try await GeneratedCode(.typescript, of: catalog).text
        #expect(typescript.contains("): {kind: T; payload: UnitData[T]} {"))
        #expect(typescript.contains("    T: {\n        titleLine: \"title-line\",\n"))
        let kotlin = try await GeneratedCode(.kotlin, of: catalog).text
        #expect(kotlin.contains(#"const val TopBanner = "TopBanner""#))
    }
}
