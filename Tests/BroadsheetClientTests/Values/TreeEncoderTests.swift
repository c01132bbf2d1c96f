import BroadsheetClient
import Testing

@Suite("Values of models")
struct TreeEncoderTests {
    private struct Model: Codable, Equatable {
        var id = "a"
        var count: Int64 = 9_007_199_254_740_993
        var ratio: Float = 0.5
        var isOn = true
        var none: String?
        var list: [UInt8?] = [1, nil]
        var names = ["b": 2.5]
        var value: TreeValue = ["x": nil]
        var children: [Model] = []
    }

    /// A model whose coding is written by hand.
    private struct Nested: Encodable {
        enum Key: String, CodingKey {
            case outer, inner, list, parent
        }

        func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: Key.self)
            try container.encodeNil(forKey: .inner)
            var outer = container.nestedContainer(keyedBy: Key.self, forKey: .outer)
            try outer.encode(1, forKey: .inner)
            var again = container.nestedContainer(keyedBy: Key.self, forKey: .outer)
            try again.encode(2, forKey: .list)
            var list = container.nestedUnkeyedContainer(forKey: .list)
            try list.encodeNil()
            var elements = list.nestedUnkeyedContainer()
            try elements.encode("x")
            var members = list.nestedContainer(keyedBy: Key.self)
            try members.encode(true, forKey: .inner)
            try encodeText("s", to: list.superEncoder())
            try encodeText("t", to: container.superEncoder())
            try encodeText("u", to: container.superEncoder(forKey: .parent))
        }
    }

    @Test("A model is the value that it is read from, integers exactly")
    func roundTrip() throws {
        let model = Model(children: [Model(id: "b")])
        let value = try TreeValue(encoding: model)
        #expect(value["count"] == 9_007_199_254_740_993 && value["none"] == nil)
        #expect(value["list"] == [1, nil] && value["value"] == ["x": nil])
        #expect(try value.decode(Model.self) == model)
    }

    @Test("Nested containers are parts of their container, and the same one is continued")
    func nested() throws {
        #expect(
            try TreeValue(encoding: Nested()) == [
                "inner": nil, "outer": ["inner": 1, "list": 2],
                "list": [nil, ["x"], ["inner": true], "s"], "super": "t", "parent": "u",
            ])
    }

    @Test("Scalars, and values themselves, are values; what writes nothing is an empty object")
    func scalars() throws {
        struct Empty: Encodable {}
        #expect(try TreeValue(encoding: "a") == "a")
        #expect(try TreeValue(encoding: TreeValue.null) == .null)
        #expect(try TreeValue(encoding: String?.none) == .null)
        #expect(try TreeValue(encoding: [Int]()) == [])
        #expect(try TreeValue(encoding: Empty()) == [:])
    }

    @Test("A number that JSON does not have is an error")
    func invalidNumbers() {
        #expect(throws: EncodingError.self) { try TreeValue(encoding: [Double.nan]) }
    }
}

/// Encodes a value as the only one of an encoder.
private func encodeText(_ value: String, to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(value)
}
