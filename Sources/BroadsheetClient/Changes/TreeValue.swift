/// A JSON value of a tree or of a changes document.
///
/// It conforms to `Codable`, so that any JSON decoder reads it.
public enum TreeValue: Sendable, Hashable {
    /// `null`.
    case null
    /// `true` or `false`.
    case bool(Bool)
    /// A number.
    case number(Double)
    /// A string.
    case string(String)
    /// An array.
    case array([TreeValue])
    /// An object; of a repeated member the last value.
    case object([String: TreeValue])

    /// The members of an object, or `nil`.
    public var members: [String: TreeValue]? {
        if case .object(let members) = self { members } else { nil }
    }

    /// The elements of an array, or `nil`.
    public var elements: [TreeValue]? {
        if case .array(let elements) = self { elements } else { nil }
    }

    /// The text of a string, or `nil`.
    public var text: String? {
        if case .string(let text) = self { text } else { nil }
    }

    /// The value of a number, or `nil`.
    public var number: Double? {
        if case .number(let number) = self { number } else { nil }
    }

    /// The value of a whole number, or `nil`.
    public var integer: Int? { number.flatMap(Int.init(exactly:)) }

    /// The Boolean value, or `nil`.
    public var bool: Bool? {
        if case .bool(let bool) = self { bool } else { nil }
    }

    /// Returns the value of an object's member, or `nil`.
    public subscript(name: String) -> TreeValue? { members?[name] }
}

extension TreeValue: Codable {
    /// Decodes any JSON value.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if container.decodeNil() {
            self = .null
        } else if let bool = try? container.decode(Bool.self) {
            self = .bool(bool)
        } else if let number = try? container.decode(Double.self) {
            self = .number(number)
        } else if let text = try? container.decode(String.self) {
            self = .string(text)
        } else if let elements = try? container.decode([TreeValue].self) {
            self = .array(elements)
        } else {
            self = .object(try container.decode([String: TreeValue].self))
        }
    }

    /// Encodes the value.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch self {
        case .null: try container.encodeNil()
        case .bool(let bool): try container.encode(bool)
        case .number(let number): try container.encode(number)
        case .string(let text): try container.encode(text)
        case .array(let elements): try container.encode(elements)
        case .object(let members): try container.encode(members)
        }
    }
}
