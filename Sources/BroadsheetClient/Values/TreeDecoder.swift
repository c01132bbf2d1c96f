/// A model that reads itself from a value.
public protocol TreeDecodable {
    /// Creates the model of a value.
    ///
    /// - Throws: The reason why the value does not fit.
    init(_ value: TreeValue) throws
}

/// A decoder of models from a value, which keeps integers exactly.
struct TreeDecoder: Decoder {
    fileprivate let value: TreeValue
    let codingPath: [any CodingKey]
    var userInfo: [CodingUserInfoKey: Any] { [:] }

    init(_ value: TreeValue, at path: [any CodingKey] = []) {
        self.value = value
        codingPath = path
    }

    /// Decodes a model of any kind; one that reads itself does.
    func read<Model: Decodable>(_ type: Model.Type) throws -> Model {
        if let value = value as? Model { return value }
        guard let own = type as? any TreeDecodable.Type else { return try Model(from: self) }
        let decoded: any TreeDecodable
        do { decoded = try own.init(value) } catch { throw TreeMismatch(at: codingPath, error) }
        guard let model = decoded as? Model else { throw mismatch("\(type)") }
        return model
    }

    func container<Key: CodingKey>(
        keyedBy type: Key.Type
    ) throws -> KeyedDecodingContainer<Key> {
        guard let members = value.members else { throw mismatch("an object") }
        return KeyedDecodingContainer(TreeMembers(members: members, codingPath: codingPath))
    }

    func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
        guard let elements = value.elements else { throw mismatch("an array") }
        return TreeElements(elements: elements, codingPath: codingPath)
    }

    func singleValueContainer() throws -> any SingleValueDecodingContainer { self }

    fileprivate func mismatch(_ expected: String) -> TreeMismatch {
        TreeMismatch(path: codingPath, detail: "must be \(expected)\(value.insteadOf)")
    }

    /// Returns the value of a number that a type has exactly.
    fileprivate func integer<I: FixedWidthInteger>(_ type: I.Type) throws -> I {
        guard let value = value.integer(type) else {
            throw mismatch("a whole number from \(I.min) to \(I.max)")
        }
        return value
    }

    fileprivate func double() throws -> Double {
        guard let number = value.number else { throw mismatch("a number") }
        return number
    }

    fileprivate func primitive<Value>(_ type: Value.Type) throws -> Value? {
        switch type {
        case is Int.Type: try integer(Int.self) as? Value
        case is Int8.Type: try integer(Int8.self) as? Value
        case is Int16.Type: try integer(Int16.self) as? Value
        case is Int32.Type: try integer(Int32.self) as? Value
        case is Int64.Type: try integer(Int64.self) as? Value
        case is UInt.Type: try integer(UInt.self) as? Value
        case is UInt8.Type: try integer(UInt8.self) as? Value
        case is UInt16.Type: try integer(UInt16.self) as? Value
        case is UInt32.Type: try integer(UInt32.self) as? Value
        case is UInt64.Type: try integer(UInt64.self) as? Value
        case is Double.Type: try double() as? Value
        case is Float.Type: Float(try double()) as? Value
        case is Bool.Type: try bool() as? Value
        case is String.Type: try text() as? Value
        default: nil
        }
    }

    private func bool() throws -> Bool {
        guard let bool = value.bool else { throw mismatch("true or false") }
        return bool
    }

    private func text() throws -> String {
        guard let text = value.text else { throw mismatch("a string") }
        return text
    }
}

extension TreeDecoder: SingleValueDecodingContainer {
    func decodeNil() -> Bool { value == .null }

    func decode<Model: Decodable>(_ type: Model.Type) throws -> Model {
        try primitive(type) ?? read(type)
    }
}

private struct TreeMembers<Key: CodingKey>: KeyedDecodingContainerProtocol {
    let members: [String: TreeValue]
    let codingPath: [any CodingKey]

    var allKeys: [Key] { members.keys.sorted().compactMap { Key(stringValue: $0) } }

    func contains(_ key: Key) -> Bool { members[key.stringValue] != nil }

    func decodeNil(forKey key: Key) throws -> Bool { try decoder(key).value == .null }

    func decode<Model: Decodable>(_ type: Model.Type, forKey key: Key) throws -> Model {
        try decoder(key).decode(type)
    }

    func nestedContainer<Nested: CodingKey>(
        keyedBy type: Nested.Type, forKey key: Key
    ) throws -> KeyedDecodingContainer<Nested> { try decoder(key).container(keyedBy: type) }

    func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
        try decoder(key).unkeyedContainer()
    }

    func superDecoder() throws -> any Decoder {
        TreeDecoder(members["super"] ?? .null, at: codingPath)
    }

    func superDecoder(forKey key: Key) throws -> any Decoder { try decoder(key) }

    private func decoder(_ key: Key) throws -> TreeDecoder {
        guard let value = members[key.stringValue] else {
            throw TreeMismatch(path: codingPath + [key], detail: "is missing")
        }
        return TreeDecoder(value, at: codingPath + [key])
    }
}

private struct TreeElements: UnkeyedDecodingContainer {
    let elements: [TreeValue]
    let codingPath: [any CodingKey]
    private(set) var currentIndex = 0

    var count: Int? { elements.count }
    var isAtEnd: Bool { currentIndex >= elements.count }

    mutating func decodeNil() throws -> Bool {
        guard try current().value == .null else { return false }
        currentIndex += 1
        return true
    }

    mutating func decode<Model: Decodable>(_ type: Model.Type) throws -> Model {
        let model = try current().decode(type)
        currentIndex += 1
        return model
    }

    mutating func nestedContainer<Nested: CodingKey>(
        keyedBy type: Nested.Type
    ) throws -> KeyedDecodingContainer<Nested> {
        let container = try current().container(keyedBy: type)
        currentIndex += 1
        return container
    }

    mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer {
        let container = try current().unkeyedContainer()
        currentIndex += 1
        return container
    }

    mutating func superDecoder() throws -> any Decoder {
        let decoder = try current()
        currentIndex += 1
        return decoder
    }

    private func current() throws -> TreeDecoder {
        let path = codingPath + [ElementIndex(currentIndex)]
        guard !isAtEnd else { throw TreeMismatch(path: path, detail: "is missing") }
        return TreeDecoder(elements[currentIndex], at: path)
    }
}

private struct ElementIndex: CodingKey {
    let index: Int

    init(_ index: Int) { self.index = index }
    init?(intValue: Int) { index = intValue }
    init?(stringValue: String) { nil }

    var stringValue: String { String(index) }
    var intValue: Int? { index }
}

/// A part of a value that does not fit a model.
struct TreeMismatch: Error {
    let path: [any CodingKey]
    let detail: String

    init(path: [any CodingKey], detail: String) {
        self.path = path
        self.detail = detail
    }

    init(at path: [any CodingKey], _ error: any Error) {
        self.init(path: path, detail: String(describing: error))
    }
}

extension TreeError {
    init(_ error: any Error) {
        switch error {
        case let error as TreeError: self = error
        case let error as TreeMismatch:
            self = .model(pointer: Self.pointer(error.path), detail: error.detail)
        case DecodingError.keyNotFound(let key, let context):
            self = .model(pointer: Self.pointer(context.codingPath + [key]), detail: "is missing")
        case DecodingError.valueNotFound(_, let context),
            DecodingError.typeMismatch(_, let context), DecodingError.dataCorrupted(let context):
            self = .model(
                pointer: Self.pointer(context.codingPath), detail: context.debugDescription)
        default: self = .model(pointer: "", detail: String(describing: error))
        }
    }

    /// Returns the JSON Pointer to the end of a path (RFC 6901).
    private static func pointer(_ path: [any CodingKey]) -> String {
        path.reduce("") { pointer, key in
            pointer + "/"
                + key.stringValue.reduce("") { name, character in
                    switch character {
                    case "~": name + "~0"
                    case "/": name + "~1"
                    default: name + String(character)
                    }
                }
        }
    }
}

extension TreeValue {
    fileprivate var insteadOf: String {
        switch self {
        case .null: ", not null"
        case .bool: ", not a Boolean value"
        case .number(let number): ", not the number \(number.text)"
        case .string: ", not a string"
        case .array: ", not an array"
        case .object: ", not an object"
        }
    }
}
