import Broadsheet

/// The schemas of the OpenAPI document.
///
/// The schemas of each subject are in an extension; the members here create common forms.
enum OpenAPISchemas {
    /// Creates the schema of an object in a response.
    ///
    /// - Parameters:
    ///   - description: The description.
    ///   - required: The names of the members that are always present.
    ///   - properties: The members.
    static func object(
        _ description: String, required: [String] = [], _ properties: OpenAPINode
    ) -> OpenAPINode {
        let head: OpenAPINode = ["type": "object", "description": .string(description)]
        let names: OpenAPINode =
            required.isEmpty ? [:] : ["required": .array(required.map { .string($0) })]
        return head.merging(names).merging(["properties": properties])
    }

    /// Creates the schema of an object in a request; members that are not required may be null.
    ///
    /// A member that refers to another schema may be null if that schema may.
    static func posted(
        _ description: String, required: [String] = [], _ properties: OpenAPINode
    ) -> OpenAPINode {
        guard case .object(let members) = properties else { return properties }
        let open = members.map { member in
            (member.name, required.contains(member.name) ? member.value : orNull(member.value))
        }
        return object(description, required: required, .object(open))
    }

    /// Creates the schema of an object in a request that may be null itself.
    static func nullable(
        _ description: String, required: [String] = [], _ properties: OpenAPINode
    ) -> OpenAPINode {
        orNull(posted(description, required: required, properties))
    }

    /// Creates the schema of an object in a request with arbitrary names, whose values may be null
    /// if their schema may.
    ///
    /// - Parameter schema: The name of the values' schema.
    static func table(of schema: String) -> OpenAPINode {
        ["type": "object", "additionalProperties": .schema(schema)]
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

    /// Creates the schema of an array.
    ///
    /// - Parameter schema: The name of the elements' schema.
    static func array(of schema: String) -> OpenAPINode {
        ["type": "array", "items": .schema(schema)]
    }

    /// Creates the schema of an array without nulls.
    ///
    /// - Parameter schema: The name of the elements' schema, which accepts null elsewhere.
    static func array(ofPresent schema: String) -> OpenAPINode {
        ["type": "array", "items": .present(schema)]
    }

    /// Creates the schema of the raw values of an enumeration.
    static func choice<Choice: CaseIterable & RawRepresentable<String>>(
        _ type: Choice.Type
    ) -> OpenAPINode {
        choice(type.allCases.map(\.rawValue))
    }

    /// Creates the schema of a string with a fixed set of values.
    static func choice(_ texts: [String]) -> OpenAPINode {
        string.merging(["enum": .array(texts.map { .string($0) })])
    }

    /// Creates the schema of the raw values of an enumeration, or null.
    static func optionalChoice<Choice: CaseIterable & RawRepresentable<String>>(
        _ type: Choice.Type
    ) -> OpenAPINode {
        orNull(choice(type))
    }

    /// Creates the schema of a string with a fixed set of values, or null.
    static func optionalChoice(_ texts: [String]) -> OpenAPINode { orNull(choice(texts)) }

    /// The schema of a number.
    static let number: OpenAPINode = ["type": "number"]
    /// The schema of an integer of at least 0.
    static let count: OpenAPINode = ["type": "integer", "minimum": 0]
    /// The schema of an integer in a request.
    static let integer: OpenAPINode = [
        "type": "integer", "minimum": -2_147_483_648, "maximum": 2_147_483_648,
    ]
    /// The schema of a string.
    static let string: OpenAPINode = ["type": "string"]
    /// The schema of a Boolean value.
    static let bool: OpenAPINode = ["type": "boolean"]
}
