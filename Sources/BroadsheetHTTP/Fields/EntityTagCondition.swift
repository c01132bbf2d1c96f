/// The value of If-Match or If-None-Match (RFC 9110 §13.1.1, §13.1.2).
package enum EntityTagCondition: Sendable, Hashable {
    /// `*`: any current representation.
    case any
    /// A list of tags, never empty.
    case tags([EntityTag])

    /// The condition that a request's headers set; `nil` when they have no field of that name.
    ///
    /// Several lines of the field make one list (RFC 9110 §5.3); empty elements are skipped
    /// (§5.6.1.2).
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

    /// Whether If-Match holds for the current tag, `nil` when nothing is stored (RFC 9110
    /// §13.1.1): strong comparison.
    package func holdsStrongly(for current: EntityTag?) -> Bool {
        guard let current else { return false }
        switch self {
        case .any: return true
        case .tags(let tags): return tags.contains { $0.matchesStrongly(current) }
        }
    }

    /// Whether the current tag, `nil` when nothing is stored, is one that If-None-Match names.
    ///
    /// By weak comparison (RFC 9110 §13.1.2). When it is one, GET and HEAD are answered 304, other
    /// methods 412.
    package func matchesWeakly(_ current: EntityTag?) -> Bool {
        guard let current else { return false }
        switch self {
        case .any: return true
        case .tags(let tags): return tags.contains { $0.matchesWeakly(current) }
        }
    }
}

/// Reads `#entity-tag`.
private struct EntityTagScanner {
    private let bytes: [UInt8]
    private var index = 0

    init(_ text: String) { bytes = Array(text.utf8) }

    /// The tags of the whole text; `nil` when it is no list of tags.
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

    /// `[ W/ ] DQUOTE *etagc DQUOTE`; the W is case-sensitive.
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
