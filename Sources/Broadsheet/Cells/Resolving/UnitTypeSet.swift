/// A set of the unit types of a section in one word, which may have more of them than the section,
/// but never misses one.
struct UnitTypeSet: Sendable {
    private var bits: UInt64 = 0

    mutating func insert(_ type: String) { bits |= Self.bit(of: type.utf8) }

    mutating func insert(_ type: JSONKey) { bits |= Self.bit(of: type.utf8) }

    func mayContain(_ type: JSONKey) -> Bool { bits & Self.bit(of: type.utf8) != 0 }

    private static func bit(of name: some BidirectionalCollection<UInt8>) -> UInt64 {
        let ends = 7 &* Int(name.first ?? 0) &+ 13 &* Int(name.last ?? 0)
        return 1 << UInt64((name.count &+ ends) & 63)
    }
}
