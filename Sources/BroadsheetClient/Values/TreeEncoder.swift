extension TreeValue {
    /// Creates the value of a model, integers exactly.
    ///
    /// - Throws: `EncodingError` for a number that JSON does not have, or the error of the model.
    /// - Complexity: O(size).
    public init(encoding model: some Encodable) throws {
        let slot = EncodedSlot()
        try slot.write(model, at: [])
        self = slot.value
    }
}

/// The place of a value that an encoder writes, in parts.
private final class EncodedSlot {
    private enum Content {
        case scalar(TreeValue)
        case array([EncodedSlot])
        case object([String: EncodedSlot])
    }

    private var content = Content.object([:])

    /// The value; an empty object if the model wrote nothing.
    var value: TreeValue {
        switch content {
        case .scalar(let value): value
        case .array(let elements): .array(elements.map(\.value))
        case .object(let members): .object(members.mapValues(\.value))
        }
    }

    var count: Int {
        if case .array(let elements) = content { elements.count } else { 0 }
    }

    func beginArray() {
        if case .array = content { return }
        content = .array([])
    }

    func beginObject() {
        if case .object = content { return }
        content = .object([:])
    }

    /// Returns the place after the last element.
    func append() -> EncodedSlot {
        guard case .array(var elements) = content else { return EncodedSlot() }
        content = .array([])
        let slot = EncodedSlot()
        elements.append(slot)
        content = .array(elements)
        return slot
    }

    /// Returns the place of a member: a container that was begun there is continued.
    func member(_ name: String, continues: Bool = false) -> EncodedSlot {
        guard case .object(var members) = content else { return EncodedSlot() }
        if continues, let slot = members[name] { return slot }
        content = .object([:])
        let slot = EncodedSlot()
        members[name] = slot
        content = .object(members)
        return slot
    }

    func write(_ value: TreeValue) { content = .scalar(value) }

    func write<Model: Encodable>(_ model: Model, at path: [any CodingKey]) throws {
        switch model {
        case let value as TreeValue: write(value)
        case let bool as Bool: write(.bool(bool))
        case let text as String: write(.string(text))
        case let number as Double: try write(number, at: path)
        case let number as Float: try write(Double(number), at: path)
        case let number as any BinaryInteger: write(.number(TreeNumber(number)))
        default: try model.encode(to: TreeEncoder(slot: self, codingPath: path))
        }
    }

    private func write(_ number: Double, at path: [any CodingKey]) throws {
        guard let exact = TreeNumber(number) else {
            throw EncodingError.invalidValue(
                number,
                .init(codingPath: path, debugDescription: "\(number) is not a number of JSON"))
        }
        write(.number(exact))
    }
}

/// An encoder of models to a value, which keeps integers exactly.
private struct TreeEncoder: Encoder {
    let slot: EncodedSlot
    let codingPath: [any CodingKey]
    var userInfo: [CodingUserInfoKey: Any] { [:] }

    func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
        slot.beginObject()
        return KeyedEncodingContainer(EncodedMembers(slot: slot, codingPath: codingPath))
    }

    func unkeyedContainer() -> any UnkeyedEncodingContainer {
        slot.beginArray()
        return EncodedElements(slot: slot, codingPath: codingPath)
    }

    func singleValueContainer() -> any SingleValueEncodingContainer { self }
}

extension TreeEncoder: SingleValueEncodingContainer {
    func encodeNil() { slot.write(.null) }

    func encode<Model: Encodable>(_ value: Model) throws { try slot.write(value, at: codingPath) }
}

private struct EncodedMembers<Key: CodingKey>: KeyedEncodingContainerProtocol {
    let slot: EncodedSlot
    let codingPath: [any CodingKey]

    func encodeNil(forKey key: Key) { slot.member(key.stringValue).write(.null) }

    func encode<Model: Encodable>(_ value: Model, forKey key: Key) throws {
        try slot.member(key.stringValue).write(value, at: codingPath + [key])
    }

    func nestedContainer<Nested: CodingKey>(
        keyedBy type: Nested.Type, forKey key: Key
    ) -> KeyedEncodingContainer<Nested> {
        encoder(key.stringValue, key, continues: true).container(keyedBy: type)
    }

    func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
        encoder(key.stringValue, key, continues: true).unkeyedContainer()
    }

    func superEncoder() -> any Encoder {
        TreeEncoder(slot: slot.member("super"), codingPath: codingPath)
    }

    func superEncoder(forKey key: Key) -> any Encoder {
        encoder(key.stringValue, key, continues: false)
    }

    private func encoder(_ name: String, _ key: Key, continues: Bool) -> TreeEncoder {
        TreeEncoder(
            slot: slot.member(name, continues: continues), codingPath: codingPath + [key])
    }
}

private struct EncodedElements: UnkeyedEncodingContainer {
    let slot: EncodedSlot
    let codingPath: [any CodingKey]

    var count: Int { slot.count }

    func encodeNil() { slot.append().write(.null) }

    func encode<Model: Encodable>(_ value: Model) throws {
        try slot.append().write(value, at: codingPath)
    }

    func nestedContainer<Nested: CodingKey>(
        keyedBy type: Nested.Type
    ) -> KeyedEncodingContainer<Nested> { next.container(keyedBy: type) }

    func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer { next.unkeyedContainer() }

    func superEncoder() -> any Encoder { next }

    private var next: TreeEncoder { TreeEncoder(slot: slot.append(), codingPath: codingPath) }
}
