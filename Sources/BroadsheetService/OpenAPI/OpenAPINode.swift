import Broadsheet

/// A piece of the OpenAPI document, written in the source as the JSON that it becomes.
indirect enum OpenAPINode: Sendable, Hashable {
    /// A text.
    case string(String)
    /// A whole number.
    case integer(Int)
    /// A number.
    case number(Double)
    /// A truth.
    case bool(Bool)
    /// Elements in order.
    case array([OpenAPINode])
    /// Members in the order they are written in.
    case object([Member])

    /// One member of an object.
    struct Member: Sendable, Hashable {
        let name: String
        let value: OpenAPINode
    }

    /// An object of these members.
    static func object(_ members: [(String, OpenAPINode)]) -> OpenAPINode {
        .object(members.map { Member(name: $0.0, value: $0.1) })
    }

    /// A reference to a schema of the document.
    static func schema(_ name: String) -> OpenAPINode {
        ["$ref": .string("#/components/schemas/\(name)")]
    }

    /// This object with the members of another behind its own.
    func merging(_ other: OpenAPINode) -> OpenAPINode {
        guard case .object(let mine) = self, case .object(let more) = other else { return self }
        return .object(mine + more)
    }

    /// Writes the piece as JSON.
    ///
    /// The source decides how deep it is, so recursion is safe.
    func write(into writer: inout JSONWriter) {
        switch self {
        case .string(let text): writer.string(text)
        case .integer(let number): writer.integer(number)
        case .number(let number): writer.number(number)
        case .bool(let truth): writer.bool(truth)
        case .array(let elements):
            writer.raw("[")
            for (index, element) in elements.enumerated() {
                if index > 0 { writer.raw(",") }
                element.write(into: &writer)
            }
            writer.raw("]")
        case .object(let members):
            writer.raw("{")
            for (index, member) in members.enumerated() {
                if index > 0 { writer.raw(",") }
                writer.string(member.name)
                writer.raw(":")
                member.value.write(into: &writer)
            }
            writer.raw("}")
        }
    }
}

extension OpenAPINode: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral,
    ExpressibleByFloatLiteral, ExpressibleByBooleanLiteral, ExpressibleByArrayLiteral,
    ExpressibleByDictionaryLiteral
{
    init(stringLiteral value: String) { self = .string(value) }
    init(integerLiteral value: Int) { self = .integer(value) }
    init(floatLiteral value: Double) { self = .number(value) }
    init(booleanLiteral value: Bool) { self = .bool(value) }
    init(arrayLiteral elements: OpenAPINode...) { self = .array(elements) }
    init(dictionaryLiteral elements: (String, OpenAPINode)...) { self = .object(elements) }
}
