/// A JSON value of a tree or of a changes document.
///
/// It reads and writes JSON itself, and conforms to `Codable`, so that any coder does, too.
public enum TreeValue: Sendable, Hashable {
    /// `null`.
    case null
    /// `true` or `false`.
    case bool(Bool)
    /// A number.
    case number(TreeNumber)
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

    /// The value of a number as a `Double`, or `nil`.
    public var number: Double? {
        if case .number(let number) = self { number.double } else { nil }
    }

    /// The value of a whole number, exactly, or `nil`.
    public var integer: Int? { integer(Int.self) }

    /// Returns the value of a whole number, exactly, or `nil`.
    public func integer<I: FixedWidthInteger>(_ type: I.Type) -> I? {
        if case .number(let number) = self { number.integer(type) } else { nil }
    }

    /// The Boolean value, or `nil`.
    public var bool: Bool? {
        if case .bool(let bool) = self { bool } else { nil }
    }

    /// Returns the value of an object's member, or `nil`.
    public subscript(name: String) -> TreeValue? { members?[name] }
}

extension TreeValue {
    /// Reads JSON (RFC 8259) of at most 512 nested containers, in UTF-8.
    ///
    /// - Throws: ``TreeError/syntax(offset:detail:)`` at the first byte that is not valid.
    /// - Complexity: O(bytes).
    public init(json: some Sequence<UInt8>) throws(TreeError) {
        var reader = TreeReader(Array(json))
        self = try reader.document()
    }

    /// The value as JSON; the members of objects are in the order of their names.
    ///
    /// - Complexity: O(bytes), and sorting the members.
    public var json: [UInt8] {
        var writer = TreeWriting()
        writer.write(self)
        return writer.bytes
    }

    /// Decodes the value as a model, integers exactly.
    ///
    /// - Throws: ``TreeError/model(pointer:detail:)`` with the first part that does not fit.
    /// - Complexity: O(bytes).
    public func decode<Model: Decodable>(
        _ type: Model.Type = Model.self
    ) throws(TreeError) -> Model {
        do { return try TreeDecoder(self).read(type) } catch { throw TreeError(error) }
    }
}

extension TreeValue: ExpressibleByNilLiteral, ExpressibleByBooleanLiteral,
    ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral, ExpressibleByStringLiteral,
    ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
    /// Creates null.
    public init(nilLiteral: ()) { self = .null }

    /// Creates a Boolean value.
    public init(booleanLiteral value: Bool) { self = .bool(value) }

    /// Creates a number.
    public init(integerLiteral value: Int) { self = .number(TreeNumber(value)) }

    /// Creates a number.
    public init(floatLiteral value: Double) { self = .number(TreeNumber(length: value)) }

    /// Creates a string.
    public init(stringLiteral value: String) { self = .string(value) }

    /// Creates an array.
    public init(arrayLiteral elements: TreeValue...) { self = .array(elements) }

    /// Creates an object; of a repeated member the last value.
    public init(dictionaryLiteral members: (String, TreeValue)...) {
        self = .object(Dictionary(members) { _, last in last })
    }
}

extension TreeValue: Codable {
    /// Decodes any JSON value.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if container.decodeNil() {
            self = .null
        } else if let bool = try? container.decode(Bool.self) {
            self = .bool(bool)
        } else if let text = try? container.decode(String.self) {
            self = .string(text)
        } else if let integer = try? container.decode(Int64.self) {
            self = .number(TreeNumber(integer))
        } else if let integer = try? container.decode(UInt64.self) {
            self = .number(TreeNumber(integer))
        } else if let number = (try? container.decode(Double.self)).flatMap(TreeNumber.init) {
            self = .number(number)
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
        case .number(let number):
            if let integer = number.integer(Int64.self) {
                try container.encode(integer)
            } else if let integer = number.integer(UInt64.self) {
                try container.encode(integer)
            } else {
                try container.encode(number.double)
            }
        case .string(let text): try container.encode(text)
        case .array(let elements): try container.encode(elements)
        case .object(let members): try container.encode(members)
        }
    }
}

/// The reason why JSON is not a tree, changes, or a model.
public enum TreeError: Error, Sendable, Hashable {
    /// The bytes are not JSON from this offset on.
    case syntax(offset: Int, detail: String)
    /// The JSON is not of the expected shape.
    case shape(String)
    /// The part at a JSON Pointer does not fit the model.
    case model(pointer: String, detail: String)
}

extension TreeError: CustomStringConvertible {
    /// The place and the reason.
    public var description: String {
        switch self {
        case .syntax(let offset, let detail): "byte \(offset): \(detail)"
        case .shape(let detail): detail
        case .model(let pointer, let detail): "\(pointer): \(detail)"
        }
    }
}
