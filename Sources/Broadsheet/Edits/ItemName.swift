/// The id of an item in the tree, as an operation names it.
struct ItemName {
    let key: JSONKey
    let hash: UInt32
    /// The position that an item without an own id has, if the id is of that form: `p0.u2.e5`.
    let position: (page: Int, unit: Int, element: Int)?
    /// The number of bytes of the id without its numbers, such as `a` of `a#2` and `a#2#3`.
    private let rootCount: Int

    init(_ id: String) {
        self.init(JSONKey(id))
    }

    init(_ key: JSONKey) {
        self.key = key
        hash = TextHash.ofIdentity(key.utf8)
        position = Self.position(key.utf8)
        rootCount = Self.rootCount(key.utf8)
    }

    /// A Boolean value that indicates whether the id ends in a number, such as `a#2`.
    var hasNumber: Bool { rootCount < key.utf8.count }

    /// The id without its last number, such as `a` of `a#2`; `nil` for an id without numbers.
    var base: ItemName? {
        guard hasNumber, let mark = key.utf8.lastIndex(of: UInt8(ascii: "#"))
        else { return nil }
        return ItemName(JSONKey(utf8: Array(key.utf8[..<mark])))
    }

    /// The number at the end of the id, if what is before it has none and is not a position.
    var onlyNumber: Int? {
        guard hasNumber, let mark = key.utf8.lastIndex(of: UInt8(ascii: "#")), mark == rootCount
        else { return nil }
        return Self.number(key.utf8[(mark + 1)...])
    }

    /// The id without its numbers, such as `a` of `a#2#3`.
    var root: ItemName { ItemName(JSONKey(utf8: Array(key.utf8[..<rootCount]))) }

    /// Returns the hash of what is before the numbers of an identity, or `nil` if it ends in none.
    static func numberedRoot(of identity: JSONText) -> UInt32? {
        let mayHaveNumber = identity.withContent { content in
            guard let digit = content.lastIndex(where: { !isDigit($0) }) else { return false }
            return digit < content.count - 1
                && (content[digit] == UInt8(ascii: "#") || identity.hasEscapes)
        }
        guard mayHaveNumber else { return nil }
        let text = identity.utf8
        let count = rootCount(text)
        return count < text.count ? TextHash.ofIdentity(Array(text[..<count])) : nil
    }

    private static func isDigit(_ byte: UInt8) -> Bool {
        UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte
    }

    /// Returns whether the id could be that of an item of this identity, with or without a number.
    func couldBeNumbered(from identity: [UInt8]) -> Bool {
        identity.starts(with: key.utf8[..<rootCount])
            && (identity.count == rootCount || identity[rootCount] == UInt8(ascii: "#"))
    }

    private static func rootCount(_ id: [UInt8]) -> Int {
        var count = id.count
        while let mark = id[..<count].lastIndex(of: UInt8(ascii: "#")),
            number(id[(mark + 1)..<count]) ?? 0 >= 2
        {
            count = mark
        }
        return count
    }

    private static func position(_ text: [UInt8]) -> (Int, Int, Int)? {
        guard text.first == UInt8(ascii: "p"), text.count < 64 else { return nil }
        let parts = text.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        guard parts.count == 3 else { return nil }
        let numbers = zip(parts, "pue".utf8).compactMap { part, letter in
            part.first == letter ? number(part.dropFirst()) : nil
        }
        return numbers.count == 3 ? (numbers[0], numbers[1], numbers[2]) : nil
    }

    /// Returns the number of digits without a leading zero, or `nil`.
    private static func number(_ digits: ArraySlice<UInt8>) -> Int? {
        let zero = UInt8(ascii: "0")
        guard let first = digits.first, digits.count <= 18, first != zero || digits.count == 1,
            digits.allSatisfy({ zero...UInt8(ascii: "9") ~= $0 })
        else { return nil }
        return digits.reduce(0) { $0 * 10 + Int($1 - zero) }
    }
}
