import TestSupport

/// A random catalog with one cell type, `T`, and data that keeps its schema.
struct RandomCatalog {
    /// A schema, and values that keep it and are written as they were read.
    private struct Part {
        let schema: String
        let sample: String
        /// A value without branches of unions that the catalog does not have.
        let known: String

        init(_ schema: String, _ sample: String, known: String? = nil) {
            (self.schema, self.sample, self.known) = (schema, sample, known ?? sample)
        }
    }

    private(set) var text = ""
    /// Data that may be of a newer catalog.
    private(set) var data = ""
    /// Data of this catalog.
    private(set) var knownData = ""
    private var generator: SeededGenerator

    private static let names = [
        "id", "class", "image_url", "SS_A", "2x", "in", "self", "toJson", "é", "名", "raw", "_",
        "Type", "default", "additionalMembers", "x y", "URL", "url", "hash", "it", "value",
        "members", "container", "decoder", "encoder", "others", "key", "name",
    ]

    init(seed: UInt64) {
        generator = SeededGenerator(seed: seed)
        let part = object(depth: 0)
        (text, data, knownData) = (.catalog(schema: part.schema), part.sample, part.known)
    }

    private mutating func flip() -> Bool { Bool.random(using: &generator) }

    private mutating func part(depth: Int) -> Part {
        switch Int.random(in: 0..<(depth < 3 ? 14 : 8), using: &generator) {
        case 0: Part(#"{"type": "boolean"}"#, "true")
        case 1: Part(#"{"type": "string"}"#, #""s""#)
        case 2: Part(#"{"type": "integer"}"#, "9007199254740993")
        case 3: Part(#"{"type": "number"}"#, "1.5")
        case 4: Part(#"{"enum": ["a", "unknown", "b c"]}"#, #""b c""#)
        case 5: Part(#"{"const": "c"}"#, #""c""#)
        case 6: Part("true", #"{"any": [null, 1]}"#)
        case 7: Part(#"{"enum": [1, 2]}"#, "2")
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
            #"{"type": "array", "items": \#(items.schema)}"#, "[\(items.sample), \(items.sample)]",
            known: "[\(items.known)]")
    }

    private mutating func map(depth: Int) -> Part {
        let values = part(depth: depth + 1)
        return Part(
            #"{"type": "object", "additionalProperties": \#(values.schema)}"#,
            #"{"k": \#(values.sample)}"#, known: #"{"k": \#(values.known)}"#)
    }

    private mutating func union(depth: Int) -> Part {
        let part = part(depth: depth + 1)
        let branches = ["a", "b"].map { kind in
            #"{"required": ["k"], "properties": {"k": {"const": "\#(kind)"}, "v": \#(part.schema)}}"#
        }
        return Part(
            #"{"oneOf": [\#(branches.joined(separator: ","))]}"#,
            flip() ? #"{"k": "b", "v": \#(part.sample)}"# : #"{"k": "newer", "z": 1}"#,
            known: #"{"k": "b", "v": \#(part.known)}"#)
    }

    private mutating func kinds(depth: Int) -> Part {
        let items = part(depth: depth + 1)
        let schema = #"{"type": ["string", "number", "array"], "items": \#(items.schema)}"#
        return flip()
            ? Part(schema, "[\(items.sample)]", known: "[\(items.known)]") : Part(schema, "2.5")
    }

    private mutating func object(depth: Int) -> Part {
        let count = Int.random(in: 1...6, using: &generator)
        let names = Self.names.shuffled(using: &generator).prefix(count)
        var (required, properties, members, known): ([String], [String], [String], [String]) =
            ([], [], [], [])
        for name in names {
            var part = part(depth: depth + 1)
            if flip() {
                let schema = #"{"anyOf": [\#(part.schema), {"type": "null"}]}"#
                part =
                    flip()
                    ? Part(schema, "null") : Part(schema, part.sample, known: part.known)
            }
            properties.append("\"\(name)\": \(part.schema)")
            let isRequired = flip()
            if isRequired { required.append("\"\(name)\"") }
            guard isRequired || flip() else { continue }
            members.append("\"\(name)\": \(part.sample)")
            known.append("\"\(name)\": \(part.known)")
        }
        let schema = """
            {"type": "object", "required": [\(required.joined(separator: ","))],
             "properties": {\(properties.joined(separator: ","))}}
            """
        return Part(
            schema, "{\(members.joined(separator: ","))}",
            known: "{\(known.joined(separator: ","))}")
    }
}
