import Broadsheet
import Testing

@testable import BroadsheetService

/// The rules that keep the document usable for generators of clients in Swift, TypeScript and
/// Python, each of which fails on, or drops, some of what OpenAPI allows.
@Suite("The OpenAPI document and generators of clients (docs/api.md, Generating a client)")
struct GeneratorRulesTests {
    private let document: JSONValue
    private let components: [(name: String, schema: JSONValue)]

    init() throws {
        document = try JSONDocument(OpenAPIDocument.bytes()).root
        let schemas = try #require(document["components"]?["schemas"])
        components = schemas.members.map { ($0.name.string, $0.value) }
    }

    @Test("Alternatives, enumerations and objects with members have names")
    func namedSchemas() {
        for (path, schema) in inlineSchemas() {
            for keyword in ["oneOf", "anyOf", "allOf", "enum", "const", "properties"] {
                #expect(schema[keyword] == nil, "\(path): \(keyword)")
            }
        }
    }

    @Test("An enumeration is of strings, without two that are equal once they are identifiers")
    func enumerations() {
        for (name, schema) in components {
            guard let values = schema["enum"] else { continue }
            let texts = values.elements.filter { !$0.isNull }.map(\.string)
            #expect(!texts.contains(nil), "\(name)")
            let type = schema["type"]
            #expect(type?.string == "string" || type?.strings.first == "string")
            expectDistinct(texts.compactMap(\.self), in: name)
        }
    }

    @Test("A schema has one type, or one type and null, and neither const nor allOf")
    func types() {
        for (path, schema) in allSchemas() {
            let types = schema["type"]?.strings ?? []
            #expect(types.isEmpty || types.count == 2 && types[1] == "null", "\(path)")
            #expect(schema["const"] == nil && schema["allOf"] == nil, "\(path)")
            let elements = (schema["oneOf"] ?? schema["anyOf"]).map { Array($0.elements) } ?? []
            for form in elements {
                #expect(form["type"]?.string != "null", "\(path): null is a type of a form")
            }
        }
    }

    @Test("A schema that may be null has its name as its title")
    func titles() {
        for (name, schema) in components where schema["type"]?.kind == .array {
            #expect(schema["title"]?.string == name, "\(name)")
        }
    }

    @Test("A member of a posted object may be null if and only if it is not required")
    func nulls() throws {
        for name in try postedComponents() {
            let schema = try #require(components.first { $0.name == name }?.schema)
            let required = schema["required"]?.strings ?? []
            for (member, value) in schema["properties"]?.namedValues ?? [] {
                let isOptional = !required.contains(member)
                let isAny = value.count == 0
                #expect(isAny || acceptsNull(value) == isOptional, "\(name): \(member)")
            }
        }
    }

    @Test("Every problem has the one schema of problems, and every content has a named schema")
    func contentsHaveSchemas() throws {
        for (path, content) in contents() {
            for (mediaType, media) in content.members {
                let schema = try #require(media["schema"])
                let reference = schema["$ref"]?.string
                if mediaType.string == Problem.mediaType {
                    #expect(reference == "#/components/schemas/Problem", "\(path)")
                } else {
                    #expect(reference != nil || schema["type"]?.string == "string", "\(path)")
                }
            }
        }
    }

    @Test("Names of schemas, operations, members and parameters stay distinct as identifiers")
    func distinctNames() throws {
        expectDistinct(components.map(\.name), in: "schemas")
        let identifiers = operations().compactMap { $0.node["operationId"]?.string }
        expectDistinct(identifiers, in: "operations")
        for (name, schema) in components {
            let members = schema["properties"]?.namedValues.map(\.name) ?? []
            expectDistinct(members, in: name)
        }
        for (path, operation) in operations() {
            expectDistinct(try parameterNames(of: operation), in: path)
        }
    }

    @Test("Names of schemas and operations, and values of enumerations, are not reserved words")
    func reservedWords() {
        for (name, schema) in components {
            #expect(!ReservedWords.types.contains(name), "\(name)")
            for value in schema["enum"]?.strings ?? [] {
                #expect(!ReservedWords.words.contains(value), "\(name): \(value)")
            }
        }
        for (path, operation) in operations() {
            let identifier = operation["operationId"]?.string ?? ""
            #expect(!ReservedWords.words.contains(identifier), "\(path)")
        }
    }

    @Test("Only members that the contracts of catalogs and changes require are reserved words")
    func reservedMembers() {
        var found: Set<String> = []
        for (_, schema) in components {
            let names = schema["properties"]?.namedValues.map(\.name) ?? []
            found.formUnion(names.filter(ReservedWords.words.contains))
        }
        // Generators escape them; renaming them would break catalogs and clients.
        #expect(found.isSubset(of: ["default", "switch", "from", "if"]), "\(found)")
    }
}

extension GeneratorRulesTests {
    private func operations() -> [(path: String, node: JSONValue)] {
        guard let paths = document["paths"] else { return [] }
        return paths.members.flatMap { path, item in
            item.members.map { ("\($0.name.string) \(path.string)", $0.value) }
        }
    }

    private func parameterNames(of operation: JSONValue) throws -> [String] {
        try (operation["parameters"].map { Array($0.elements) } ?? []).map { parameter in
            let name = try component(parameter)["name"]?.string
            return try #require(name)
        }
    }

    private func component(_ node: JSONValue) throws -> JSONValue {
        guard let reference = node["$ref"]?.string else { return node }
        return try #require(
            JSONPointer(String(reference.dropFirst())).evaluate(on: document), "\(reference)")
    }

    /// Returns the contents of the requests and responses of all operations.
    private func contents() -> [(path: String, content: JSONValue)] {
        operations().flatMap { path, operation in
            let responses = operation["responses"].map { $0.members.map(\.value) } ?? []
            return ([operation["requestBody"]] + responses)
                .compactMap { $0?["content"] }.map { (path, $0) }
        }
    }

    /// Returns every schema of the document with its path.
    private func allSchemas() -> [(path: String, schema: JSONValue)] {
        components.map { ($0.name, $0.schema) } + inlineSchemas()
    }

    /// Returns every schema that is not a component: it has no name in a generated client.
    private func inlineSchemas() -> [(path: String, schema: JSONValue)] {
        let inComponents = components.flatMap { Self.parts(of: $0.schema, at: $0.name) }
        let parameters = document["components"]?["parameters"].map { Array($0.members) } ?? []
        let inParameters = parameters.compactMap { parameter -> (String, JSONValue)? in
            parameter.value["schema"].map { (parameter.name.string, $0) }
        }
        return inComponents
            + inParameters.flatMap { [($0.0, $0.1)] + Self.parts(of: $0.1, at: $0.0) }
    }

    /// Returns the schemas inside of a schema, except that of `not`, which generators ignore.
    private static func parts(
        of schema: JSONValue, at path: String
    ) -> [(path: String, schema: JSONValue)] {
        var parts =
            schema["properties"]?.namedValues.map { ("\(path).\($0.name)", $0.value) } ?? []
        for keyword in ["items", "additionalProperties"] {
            if let part = schema[keyword] { parts.append(("\(path).\(keyword)", part)) }
        }
        for keyword in ["oneOf", "anyOf", "allOf"] {
            for part in schema[keyword].map({ Array($0.elements) }) ?? [] {
                parts.append(("\(path).\(keyword)", part))
            }
        }
        return parts.flatMap { [($0.0, $0.1)] + Self.parts(of: $0.1, at: $0.0) }
    }

    /// Returns the names of the components that the bodies of requests consist of.
    private func postedComponents() throws -> Set<String> {
        var reached: Set<String> = []
        var open = ["Page", "ComposeRequest"]
        while let name = open.popLast() {
            guard reached.insert(name).inserted else { continue }
            let schema = try #require(components.first { $0.name == name }?.schema)
            for (_, part) in [("", schema)] + Self.parts(of: schema, at: "") {
                guard let reference = part["$ref"]?.string else { continue }
                open.append(reference.replacing("#/components/schemas/", with: ""))
            }
        }
        return reached
    }

    private func acceptsNull(_ schema: JSONValue) -> Bool {
        if schema["not"]?["type"]?.string == "null" { return false }
        if let reference = schema["$ref"]?.string {
            let name = reference.replacing("#/components/schemas/", with: "")
            return components.first { $0.name == name }.map { acceptsNull($0.schema) } ?? false
        }
        let forms = (schema["oneOf"] ?? schema["anyOf"]).map { Array($0.elements) } ?? []
        return forms.contains(where: acceptsNull)
            || schema["type"]?.strings.contains("null") == true
    }

    /// Expects that names are distinct when case and separators do not count.
    private func expectDistinct(_ names: [String], in place: String) {
        let identifiers = names.map { $0.lowercased().filter { $0.isLetter || $0.isNumber } }
        #expect(Set(identifiers).count == names.count, "\(place): \(names)")
        #expect(identifiers.allSatisfy { $0.first?.isLetter == true }, "\(place): \(names)")
    }
}

extension JSONValue {
    /// The strings in an array; empty if the value is not an array.
    fileprivate var strings: [String] { elements.compactMap(\.string) }

    /// The members of an object; empty if the value is not an object.
    fileprivate var namedValues: [(name: String, value: JSONValue)] {
        members.map { ($0.name.string, $0.value) }
    }
}

/// Words that identifiers of generated clients cannot be, or that hide types of a language.
private enum ReservedWords {
    /// Keywords of Swift, TypeScript and Python.
    static let words = Set(
        """
        abstract and any as assert associatedtype async await boolean break case catch class const
        constructor continue debugger declare def default defer deinit del delete do elif else enum
        except export extends extension fallthrough false fileprivate finally for from func function
        global guard if implements import in init inout instanceof interface internal is lambda let
        new nil nonlocal not null number object open operator or package pass precedencegroup
        private protected protocol public raise repeat rethrows return self static string struct
        subscript super switch symbol this throw throws true try typealias typeof undefined
        unknown var void where while with yield
        """.split { $0 == " " || $0 == "\n" }.map(String.init))

    /// Types of the three languages' standard libraries that clients themselves use.
    static let types = Set(
        """
        Any Array Bool Boolean Character Client Codable Data Date Decodable Dictionary Double
        Encodable Enum Error Exception False Float Function Int Literal Map None Number Object
        Optional Promise Protocol Record Request Response Result Self Set String Symbol True Type
        URL Union Unset Void
        """.split { $0 == " " || $0 == "\n" }.map(String.init))
}
