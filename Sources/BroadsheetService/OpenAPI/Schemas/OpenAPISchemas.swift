/// The schemas of the OpenAPI document; each file has those of one subject.
enum OpenAPISchemas {
    /// An object with these members, of which those of the given names are always there.
    static func object(
        _ description: String, required: [String] = [], _ properties: OpenAPINode
    ) -> OpenAPINode {
        let head: OpenAPINode = ["type": "object", "description": .string(description)]
        let names: OpenAPINode =
            required.isEmpty ? [:] : ["required": .array(required.map { .string($0) })]
        return head.merging(names).merging(["properties": properties])
    }

    /// An object that is posted: null is as good as leaving a member out, but for the required ones.
    static func posted(
        _ description: String, required: [String] = [], _ properties: OpenAPINode
    ) -> OpenAPINode {
        guard case .object(let members) = properties else { return properties }
        let open = members.map { member in
            (member.name, required.contains(member.name) ? member.value : orNull(member.value))
        }
        return object(description, required: required, .object(open))
    }

    /// An object that is posted and has an entry for each of any names; null is none.
    static func table(of schema: OpenAPINode) -> OpenAPINode {
        ["type": "object", "additionalProperties": orNull(schema)]
    }

    /// What a schema describes, or null; a schema without a keyword describes null as well.
    static func orNull(_ schema: OpenAPINode) -> OpenAPINode {
        schema == [:] ? schema : ["anyOf": [schema, ["type": "null"]]]
    }

    /// An array of what a schema describes.
    static func array(of schema: String) -> OpenAPINode {
        ["type": "array", "items": .schema(schema)]
    }

    /// One of a few words.
    static func choice(_ words: [String]) -> OpenAPINode {
        ["type": "string", "enum": .array(words.map { .string($0) })]
    }

    /// A number of any sort.
    static let number: OpenAPINode = ["type": "number"]
    /// A whole number from 0 on.
    static let count: OpenAPINode = ["type": "integer", "minimum": 0]
    /// A whole number that is posted, of either sign.
    static let integer: OpenAPINode = [
        "type": "integer", "minimum": -2_147_483_648, "maximum": 2_147_483_648,
    ]
    /// A text.
    static let string: OpenAPINode = ["type": "string"]
    /// A truth.
    static let bool: OpenAPINode = ["type": "boolean"]
}
