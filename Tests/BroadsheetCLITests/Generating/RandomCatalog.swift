import TestSupport

/// A random catalog with one cell type, `T`, and data that keeps its schema.
struct RandomCatalog {
    /// A schema, and a value that keeps it and is written as it was read.
    private struct Part {
        let schema: String
        let sample: String
    }

    private(set) var text = ""
    private(set) var data = ""
    private var generator: SeededGenerator

    private static let names = [
        "id", "class", "image_url", "SS_A", "2x", "in", "self", "toJson", "é", "名", "raw", "_",
        "Type", "default", "additionalMembers", "x y", "URL", "url", "hash", "it", "value",
        "members", "container", "decoder", "encoder", "others", "key", "name",
    ]

    init(seed: UInt64) {
        generator = SeededGenerator(seed: seed)
        let part = object(depth: 0)
        (text, data) = (.catalog(schema: part.schema), part.sample)
    }

    private mutating func flip() -> Bool { Bool.random(using: &generator) }

    private mutating func part(depth: Int) -> Part {
        switch Int.random(in: 0..<(depth < 3 ? 14 : 8), using: &generator) {
        case 0: Part(schema: #"{"type": "boolean"}"#, sample: "true")
        case 1: Part(schema: #"{"type": "string"}"#, sample: #""s""#)
        case 2: Part(schema: #"{"type": "integer"}"#, sample: "9007199254740993")
        case 3: Part(schema: #"{"type": "number"}"#, sample: "1.5")
        case 4: Part(schema: #"{"enum": ["a", "unknown", "b c"]}"#, sample: #""b c""#)
        case 5: Part(schema: #"{"const": "c"}"#, sample: #""c""#)
        case 6: Part(schema: "true", sample: #"{"any": [null, 1]}"#)
        case 7: Part(schema: #"{"enum": [1, 2]}"#, sample: "2")
        case 8: array(depth: depth)
        case 9: map(depth: depth)
        case 10: union(depth: depth)
        case 11: kinds(depth: depth)
        default: object(depth: depth + 1)
        }
    }

    private mutating func array(depth: Int) -> Part {
        let items = part(depth: depth + 1)
        return Part(
            schema: #"{"type": "array", "items": \#(items.schema)}"#,
            sample: "[\(items.sample), \(items.sample)]")
    }

    private mutating func map(depth: Int) -> Part {
        let values = part(depth: depth + 1)
        return Part(
            schema: #"{"type": "object", "additionalProperties": \#(values.schema)}"#,
            sample: #"{"k": \#(values.sample)}"#)
    }

    private mutating func union(depth: Int) -> Part {
        let part = part(depth: depth + 1)
        let branches = ["a", "b"].map { kind in
            #"{"required": ["k"], "properties": {"k": {"const": "\#(kind)"}, "v": \#(part.schema)}}"#
        }
        return Part(
            schema: #"{"oneOf": [\#(branches.joined(separator: ","))]}"#,
            sample: flip() ? #"{"k": "b", "v": \#(part.sample)}"# : #"{"k": "newer", "z": 1}"#)
    }

    private mutating func kinds(depth: Int) -> Part {
        let items = part(depth: depth + 1)
        let schema = #"{"type": ["string", "number", "array"], "items": \#(items.schema)}"#
        return Part(schema: schema, sample: flip() ? "[\(items.sample)]" : "2.5")
    }

    private mutating func object(depth: Int) -> Part {
        let count = Int.random(in: 1...6, using: &generator)
        let names = Self.names.shuffled(using: &generator).prefix(count)
        var (required, properties, members): ([String], [String], [String]) = ([], [], [])
        for name in names {
            var part = part(depth: depth + 1)
            if flip() {
                let schema = #"{"anyOf": [\#(part.schema), {"type": "null"}]}"#
                part = Part(schema: schema, sample: flip() ? "null" : part.sample)
            }
            properties.append("\"\(name)\": \(part.schema)")
            let isRequired = flip()
            if isRequired { required.append("\"\(name)\"") }
            if isRequired || flip() { members.append("\"\(name)\": \(part.sample)") }
        }
        return Part(
            schema: """
                {"type": "object", "required": [\(required.joined(separator: ","))],
                 "properties": {\(properties.joined(separator: ","))}}
                """,
            sample: "{\(members.joined(separator: ","))}")
    }
}
