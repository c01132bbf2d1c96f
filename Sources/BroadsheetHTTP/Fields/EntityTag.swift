/// A validator of a representation (RFC 9110 §8.8.3).
package struct EntityTag: Sendable, Hashable, CustomStringConvertible {
    /// Whether it only promises semantic equality (`W/`).
    package let isWeak: Bool
    /// What stands between the quotes.
    package let opaque: String

    /// A tag; bytes that a tag may not hold (quotes, blanks, controls) are left out of `opaque`.
    package init(_ opaque: String, isWeak: Bool = false) {
        self.isWeak = isWeak
        self.opaque =
            opaque.utf8.allSatisfy(Self.isTagByte)
            ? opaque : String(decoding: opaque.utf8.filter(Self.isTagByte), as: UTF8.self)
    }

    /// The tag as it is sent: `"r3"` or `W/"r3"`.
    package var description: String { isWeak ? "W/\"\(opaque)\"" : "\"\(opaque)\"" }

    /// Strong comparison (RFC 9110 §8.8.3.2): both strong and the same.
    package func matchesStrongly(_ other: Self) -> Bool {
        !isWeak && !other.isWeak && opaque == other.opaque
    }

    /// Weak comparison (RFC 9110 §8.8.3.2): the same, weak or not.
    package func matchesWeakly(_ other: Self) -> Bool { opaque == other.opaque }

    /// `etagc` (RFC 9110 §8.8.3).
    static func isTagByte(_ byte: UInt8) -> Bool {
        byte == 0x21 || (byte >= 0x23 && byte != 0x7F)
    }
}
