import Broadsheet

/// A part of the OpenAPI document, written in the source as the JSON that it becomes.
indirect enum OpenAPINode: Sendable, Hashable {
    case string(String)
    case integer(Int)
    case number(Double)
    case bool(Bool)
    case null
    /// JSON that has been written.
    case raw([UInt8])
    case array([OpenAPINode])
    case object([Member])

    /// A member of an object.
    struct Member: Sendable, Hashable {
        let name: String
        let value: OpenAPINode
    }

    static func object(_ members: [(String, OpenAPINode)]) -> OpenAPINode {
        .object(members.map { Member(name: $0.0, value: $0.1) })
    }

    /// Creates a reference to a schema of the document.
    static func schema(_ name: String) -> OpenAPINode {
        ["$ref": .string("#/components/schemas/\(name)")]
    }

    /// Creates a reference to a nullable schema of the document, where null is not allowed.
    ///
    /// Generators of clients ignore the members beside `$ref`, and validators respect them.
    static func present(_ name: String) -> OpenAPINode {
        schema(name).merging(["not": ["type": "null"]])
    }

    subscript(name: String) -> OpenAPINode? {
        guard case .object(let members) = self else { return nil }
        return members.first { $0.name == name }?.value
    }

    /// Returns the object with another value of a member that it has.
    func replacing(_ name: String, with value: OpenAPINode) -> OpenAPINode {
        guard case .object(let members) = self else { return self }
        return .object(
            members.map { $0.name == name ? Member(name: name, value: value) : $0 })
    }

    /// Returns the object with the members of another object after its own.
    func merging(_ other: OpenAPINode) -> OpenAPINode {
        guard case .object(let mine) = self, case .object(let more) = other else { return self }
        return .object(mine + more)
    }

    /// Writes the node as JSON.
    ///
    /// The source limits the depth, so recursion is safe.
    func write(to output: inout StructuredJSONWriter) {
        switch self {
        case .string(let text): output.string(text)
        case .integer(let number): output.integer(number)
        case .number(let number): output.number(number)
        case .bool(let value): output.bool(value)
        case .null: output.null()
        case .raw(let json): output.raw(json)
        case .array(let elements):
            output.array { output in
                for element in elements {
                    output.element()
                    element.write(to: &output)
                }
            }
        case .object(let members):
            output.object { output in
                for member in members {
                    output.member(named: member.name)
                    member.value.write(to: &output)
                }
            }
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
