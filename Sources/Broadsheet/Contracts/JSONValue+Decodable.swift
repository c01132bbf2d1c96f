extension JSONValue: Decodable {
    /// Creates a value from any decoder, so that a model may have members of any JSON.
    ///
    /// It is the root of a document of its own. Numbers are those that the decoder has: 64-bit
    /// integers, or else 64-bit floating-point numbers.
    ///
    /// - Complexity: O(size of the value), and sorting the members of objects by their names.
    public init(from decoder: any Decoder) throws {
        var writer = JSONWriter()
        try writer.value(of: decoder)
        self = try JSONDocument(writer.bytes, maxDepth: .max).root
    }
}

extension JSONWriter {
    fileprivate mutating func value(of decoder: any Decoder) throws {
        if let members = try? decoder.container(keyedBy: MemberName.self) {
            raw("{")
            let names = members.allKeys.sorted { $0.stringValue < $1.stringValue }
            for (index, name) in names.enumerated() {
                if index > 0 { raw(",") }
                string(name.stringValue)
                raw(":")
                try value(of: members.superDecoder(forKey: name))
            }
            raw("}")
        } else if var elements = try? decoder.unkeyedContainer() {
            raw("[")
            while !elements.isAtEnd {
                if elements.currentIndex > 0 { raw(",") }
                try value(of: elements.superDecoder())
            }
            raw("]")
        } else {
            try scalar(of: decoder.singleValueContainer())
        }
    }

    private mutating func scalar(of container: any SingleValueDecodingContainer) throws {
        if container.decodeNil() {
            raw("null")
        } else if let value = try? container.decode(Bool.self) {
            bool(value)
        } else if let value = try? container.decode(String.self) {
            string(value)
        } else if let value = try? container.decode(Int.self) {
            integer(value)
        } else if let value = try? container.decode(UInt64.self) {
            integer(value)
        } else {
            try exactNumber(container)
        }
    }

    /// Writes a number with all of its digits, unlike ``number(_:)``, which rounds lengths.
    private mutating func exactNumber(_ container: any SingleValueDecodingContainer) throws {
        let value = try container.decode(Double.self)
        guard value.isFinite else {
            throw DecodingError.dataCorruptedError(
                in: container, debugDescription: "\(value) is not a number of JSON")
        }
        raw(Array(value.description.utf8))
    }
}

/// The name of a member that is known at run time.
struct MemberName: CodingKey, ExpressibleByStringLiteral {
    let stringValue: String
    var intValue: Int? { nil }

    init(stringValue: String) { self.stringValue = stringValue }
    init(stringLiteral name: String) { stringValue = name }
    init?(intValue: Int) { nil }
}
