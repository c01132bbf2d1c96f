import Broadsheet

/// The schemas of the OpenAPI document.
///
/// `Sources/BroadsheetWeb/openapi.json` has most of them, as the document shows them. Those that
/// derive from declarations are in the extension with ``declared``. The members here create common
/// forms.
enum OpenAPISchemas {
    /// All schemas by name.
    ///
    /// - Complexity: O(*n*) in the length of the file, which is read.
    static var all: [(String, OpenAPINode)] { OpenAPIFile.members(of: "schemas") + declared }

    /// Creates the schema of an object in a request; members that are not required may be null.
    ///
    /// A member that refers to another schema may be null if that schema may.
    ///
    /// - Parameter required: The names of the members that are always present.
    static func posted(
        _ description: String, required: [String] = [], _ properties: [(String, OpenAPINode)]
    ) -> OpenAPINode {
        let members = properties.map { name, schema in
            (name, required.contains(name) ? schema : orNull(schema))
        }
        var schema: [(String, OpenAPINode)] = [
            ("type", "object"), ("description", .string(description)),
        ]
        if !required.isEmpty {
            schema.append(("required", .array(required.map { .string($0) })))
        }
        return .object(schema + [("properties", .object(members))])
    }

    /// Creates a schema that also accepts null, by its type: generators of clients lose members
    /// that are a choice between null and a reference.
    ///
    /// A schema without keywords already accepts null, and so does the target of a reference.
    static func orNull(_ schema: OpenAPINode) -> OpenAPINode {
        guard let type = schema["type"] else { return schema }
        let nullable = schema.replacing("type", with: [type, "null"])
        guard case .array(let values)? = schema["enum"] else { return nullable }
        return nullable.replacing("enum", with: .array(values + [.null]))
    }

    /// Creates the schema of a value in one of several forms, which generators need a name for.
    static func alternatives(_ description: String, _ forms: [OpenAPINode]) -> OpenAPINode {
        ["description": .string(description), "oneOf": .array(forms)]
    }

    static func choice<Choice: CaseIterable & RawRepresentable<String>>(
        _ type: Choice.Type
    ) -> OpenAPINode {
        choice(type.allCases.map(\.rawValue))
    }

    static func choice(_ texts: [String]) -> OpenAPINode {
        ["type": "string", "enum": .array(texts.map { .string($0) })]
    }

    static func number(in range: ClosedRange<Double>) -> OpenAPINode {
        [
            "type": "number", "minimum": .number(range.lowerBound),
            "maximum": .number(range.upperBound),
        ]
    }

    static let number: OpenAPINode = ["type": "number"]
    static let count: OpenAPINode = ["type": "integer", "minimum": 0]
    static let string: OpenAPINode = ["type": "string"]
    static let bool: OpenAPINode = ["type": "boolean"]
    static let pointer: OpenAPINode = ["type": "string", "pattern": "^(/([^~]|~[01])*)?$"]
}
