/// A validator of a representation (RFC 9110 §8.8.3).
package struct EntityTag: Sendable, Hashable, CustomStringConvertible {
    /// A Boolean value that indicates whether it guarantees semantic equality only (`W/`).
    package let isWeak: Bool
    /// The text between the quotes.
    package let opaque: String

    /// Creates a tag; bytes that are not allowed in one (quotes, blanks, controls) are removed.
    package init(_ opaque: String, isWeak: Bool = false) {
        self.isWeak = isWeak
        self.opaque =
            opaque.utf8.allSatisfy(Self.isTagByte)
            ? opaque : String(decoding: opaque.utf8.filter(Self.isTagByte), as: UTF8.self)
    }

    /// The tag as it is sent: `"r3"` or `W/"r3"`.
    package var description: String { isWeak ? "W/\"\(opaque)\"" : "\"\(opaque)\"" }

    /// The tag of the same representation in the gzip coding, which has other bytes and therefore
    /// another tag (RFC 9110 §8.8.3.3).
    package var compressed: Self { Self(opaque + "-gzip", isWeak: isWeak) }

    /// Returns whether both tags are strong and equal (strong comparison, RFC 9110 §8.8.3.2).
    package func matchesStrongly(_ other: Self) -> Bool {
        !isWeak && !other.isWeak && opaque == other.opaque
    }

    /// Returns whether the tags are equal, weak or not (weak comparison, RFC 9110 §8.8.3.2).
    package func matchesWeakly(_ other: Self) -> Bool { opaque == other.opaque }

    /// Returns whether a byte is an `etagc` (RFC 9110 §8.8.3).
    static func isTagByte(_ byte: UInt8) -> Bool {
        byte == 0x21 || (byte >= 0x23 && byte != 0x7F)
    }
}

/// The value of If-Match or If-None-Match (RFC 9110 §13.1.1, §13.1.2).
package enum EntityTagCondition: Sendable, Hashable {
    /// `*`: any current representation.
    case any
    case tags([EntityTag])

    /// Reads the condition from a request's headers; `nil` when there is no field of that name.
    ///
    /// Several lines of the field form one list (RFC 9110 §5.3); empty elements are ignored
    /// (§5.6.1.2).
    ///
    /// - Throws: ``HTTPError/invalidHeader(_:_:)`` when it is neither `*` nor a list of tags.
    package init?(_ name: HTTPFieldName, in headers: HTTPHeaders) throws(HTTPError) {
        let lines = headers.values(of: name)
        guard !lines.isEmpty else { return nil }
        if lines.count == 1, lines[0] == "*" {
            self = .any
            return
        }
        var scanner = EntityTagScanner(lines.joined(separator: ","))
        guard let tags = scanner.scanList(), !tags.isEmpty else {
            throw .invalidHeader(name, .notEntityTags)
        }
        self = .tags(tags)
    }

    /// Returns whether If-Match is true for the current tag (strong comparison,
    /// RFC 9110 §13.1.1).
    ///
    /// - Parameter current: The current entity tag, or `nil` if nothing is stored.
    package func holdsStrongly(for current: EntityTag?) -> Bool {
        guard let current else { return false }
        switch self {
        case .any: return true
        case .tags(let tags): return tags.contains { $0.matchesStrongly(current) }
        }
    }

    /// Returns whether If-None-Match contains the current tag (weak comparison,
    /// RFC 9110 §13.1.2).
    ///
    /// If it does, the response to GET and HEAD is 304, to other methods 412.
    ///
    /// - Parameter current: The current entity tag, or `nil` if nothing is stored.
    package func matchesWeakly(_ current: EntityTag?) -> Bool {
        guard let current else { return false }
        switch self {
        case .any: return true
        case .tags(let tags): return tags.contains { $0.matchesWeakly(current) }
        }
    }
}

private struct EntityTagScanner {
    private let bytes: [UInt8]
    private var index = 0

    init(_ text: String) { bytes = Array(text.utf8) }

    mutating func scanList() -> [EntityTag]? {
        var tags: [EntityTag] = []
        while true {
            skip { $0.isBlank || $0 == UInt8(ascii: ",") }
            guard index < bytes.count else { return tags }
            guard let tag = scanTag() else { return nil }
            tags.append(tag)
            skip(\.isBlank)
            guard index == bytes.count || bytes[index] == UInt8(ascii: ",") else { return nil }
        }
    }

    /// Scans `[ W/ ] DQUOTE *etagc DQUOTE`; the W is case-sensitive.
    private mutating func scanTag() -> EntityTag? {
        let isWeak = bytes[index...].starts(with: "W/".utf8)
        if isWeak { index += 2 }
        guard index < bytes.count, bytes[index] == UInt8(ascii: "\"") else { return nil }
        let start = index + 1
        index = start
        skip(EntityTag.isTagByte)
        guard index < bytes.count, bytes[index] == UInt8(ascii: "\"") else { return nil }
        let opaque = String(decoding: bytes[start..<index], as: UTF8.self)
        index += 1
        return EntityTag(opaque, isWeak: isWeak)
    }

    private mutating func skip(_ isSkipped: (UInt8) -> Bool) {
        while index < bytes.count, isSkipped(bytes[index]) { index += 1 }
    }
}
