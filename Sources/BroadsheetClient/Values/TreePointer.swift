/// A JSON Pointer (RFC 6901) into the data of an item.
struct TreePointer: Sendable {
    private let tokens: [String]

    init?(_ text: String) {
        guard text.isEmpty || text.utf8.first == UInt8(ascii: "/") else { return nil }
        var tokens: [String] = []
        for token in text.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
            .dropFirst()
        {
            guard let name = Self.name(token) else { return nil }
            tokens.append(name)
        }
        self.tokens = tokens
    }

    /// Returns the name that a token stands for (section 3); `nil` for another `~` than `~0` and
    /// `~1`.
    private static func name(_ token: Substring.UTF8View) -> String? {
        var bytes: [UInt8] = []
        var rest = token.makeIterator()
        while let byte = rest.next() {
            guard byte == UInt8(ascii: "~") else {
                bytes.append(byte)
                continue
            }
            switch rest.next() {
            case UInt8(ascii: "0"): bytes.append(UInt8(ascii: "~"))
            case UInt8(ascii: "1"): bytes.append(UInt8(ascii: "/"))
            default: return nil
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Returns the value in `data`, or `nil` (section 4).
    func value(in data: TreeValue) -> TreeValue? {
        var value = data
        for token in tokens {
            let next: TreeValue?
            switch value {
            case .object(let members): next = members[token]
            case .array(let elements): next = Self.index(token, in: elements).map { elements[$0] }
            case .null, .bool, .number, .string: next = nil
            }
            guard let next else { return nil }
            value = next
        }
        return value
    }

    private static func index(_ token: String, in elements: [TreeValue]) -> Int? {
        let digits = token.utf8
        guard digits.allSatisfy({ UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }),
            digits.first != UInt8(ascii: "0") || digits.count == 1, let index = Int(token),
            elements.indices ~= index
        else { return nil }
        return index
    }
}
