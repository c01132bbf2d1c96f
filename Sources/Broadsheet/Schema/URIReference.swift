import BroadsheetClient

/// A URI reference in its parts (RFC 3986 section 4.1), for the identifiers inside one schema.
struct URIReference: Hashable, Sendable {
    private var scheme: Substring?
    private var authority: Substring?
    private var path: String
    private var query: Substring?
    /// The text after `#`, with its percent-encoded bytes; `nil` without `#`.
    private(set) var fragment: String?

    /// Creates a reference from its text, as RFC 3986 appendix B divides it.
    init(_ text: String) {
        var rest = Substring(text)
        if let hash = rest.firstIndex(of: "#") {
            fragment = String(rest[rest.index(after: hash)...])
            rest = rest[..<hash]
        }
        if let mark = rest.firstIndex(of: "?") {
            query = rest[rest.index(after: mark)...]
            rest = rest[..<mark]
        }
        if let colon = rest.firstIndex(where: { $0 == ":" || $0 == "/" }), rest[colon] == ":",
            colon > rest.startIndex
        {
            scheme = Substring(rest[..<colon].lowercased())
            rest = rest[rest.index(after: colon)...]
        }
        if rest.hasPrefix("//") {
            rest = rest.dropFirst(2)
            let end = rest.firstIndex(of: "/") ?? rest.endIndex
            authority = rest[..<end]
            rest = rest[end...]
        }
        path = String(rest)
    }

    var withoutFragment: URIReference {
        var reference = self
        reference.fragment = nil
        return reference
    }

    /// Returns the reference resolved against `base` (RFC 3986 section 5.2.2).
    func resolved(against base: URIReference) -> URIReference {
        var target = self
        if scheme != nil || authority != nil {
            target.scheme = scheme ?? base.scheme
            target.path = Self.withoutDots(path)
            return target
        }
        target.scheme = base.scheme
        target.authority = base.authority
        if path.isEmpty {
            target.path = base.path
            target.query = query ?? base.query
        } else if path.hasPrefix("/") {
            target.path = Self.withoutDots(path)
        } else {
            target.path = Self.withoutDots(base.merged(with: path))
        }
        return target
    }

    /// Returns the path of a relative reference behind this reference's folder (section 5.2.3).
    private func merged(with relative: String) -> String {
        if authority != nil, path.isEmpty { return "/" + relative }
        guard let slash = path.lastIndex(of: "/") else { return relative }
        return path[...slash] + relative
    }

    /// Returns a path without its `.` and `..` (section 5.2.4).
    private static func withoutDots(_ path: String) -> String {
        guard path.contains("/") || path.hasPrefix(".") else { return path }
        var kept: [Substring] = []
        let segments = path.split(separator: "/", omittingEmptySubsequences: false)
        for (index, segment) in segments.enumerated() {
            let isLast = index == segments.count - 1
            switch segment {
            case ".": if isLast { kept.append("") }
            case "..":
                if kept.count > 1 || kept.first.map({ !$0.isEmpty }) == true { kept.removeLast() }
                if isLast { kept.append("") }
            default: kept.append(segment)
            }
        }
        return kept.joined(separator: "/")
    }

    /// The fragment with its percent-encoded bytes decoded; `nil` if that is not UTF-8.
    var decodedFragment: String? {
        guard let fragment else { return "" }
        var bytes: [UInt8] = []
        var rest = Substring(fragment).utf8
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "%") else {
                bytes.append(byte)
                continue
            }
            guard let high = rest.popFirst().flatMap(JSONEscape.hexadecimalValue),
                let low = rest.popFirst().flatMap(JSONEscape.hexadecimalValue)
            else { return nil }
            bytes.append(high << 4 | low)
        }
        return bytes.validText
    }
}
