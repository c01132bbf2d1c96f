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
    /// A text.
    static let string: OpenAPINode = ["type": "string"]
    /// A truth.
    static let bool: OpenAPINode = ["type": "boolean"]
}
