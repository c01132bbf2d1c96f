/// The host of a request or of an origin: a name in lower case, or an address.
package struct HostName: Sendable, Hashable {
    /// The name without a dot at its end, or the address, which is in brackets if it is an IPv6
    /// address.
    package let text: String

    package let isAddress: Bool

    /// Reads a name of `A-Z a-z 0-9 . _ -`, an IPv4 address, or an IPv6 address in brackets,
    /// without a port; `nil` for any other text.
    package init?(_ text: some StringProtocol) {
        var bytes = text.utf8.map(\.lowercased)[...]
        // A name with a dot at its end is the same name (RFC 1034 §3.1).
        if bytes.last == UInt8(ascii: ".") { bytes.removeLast() }
        guard let last = bytes.last, last != UInt8(ascii: "."), bytes.count <= Self.maxLength
        else { return nil }
        if bytes.first == UInt8(ascii: "[") {
            let literal = Array(bytes.dropFirst().dropLast())
            guard bytes.last == UInt8(ascii: "]"), IPLiteral.isIPv6(literal.span) else {
                return nil
            }
            isAddress = true
        } else {
            guard bytes.allSatisfy(Self.isNameByte) else { return nil }
            isAddress = IPLiteral.isIPv4(Array(bytes).span)
        }
        self.text = String(decoding: bytes, as: UTF8.self)
    }

    /// The maximum length, in characters (RFC 1035 §2.3.4).
    private static let maxLength = 255

    private static func isNameByte(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"),
            UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "-"):
            true
        default: false
        }
    }
}

/// A host with a port: the value of `Host`, and the part of an origin after its scheme.
package struct HostAndPort: Sendable, Hashable {
    package let host: HostName
    /// The port; `nil` for the usual one, 80 or 443.
    ///
    /// A daemon behind a proxy does not know which of them its clients use.
    package let port: UInt16?

    /// Reads `host[:port]`; `nil` for any other text.
    package init?(_ text: some StringProtocol) {
        let bytes = Array(text.utf8)
        var end = bytes.count
        while end > 0, bytes[end - 1].isDigit { end -= 1 }
        var port: UInt16?
        if end > 0, bytes[end - 1] == UInt8(ascii: ":") {
            let digits = String(decoding: bytes[end...], as: UTF8.self)
            guard let number = UInt16(digits.isEmpty ? "80" : digits) else { return nil }
            port = number
            end -= 1
        } else {
            end = bytes.count
        }
        guard let host = HostName(String(decoding: bytes[..<end], as: UTF8.self)) else {
            return nil
        }
        self.host = host
        self.port = port == 80 || port == 443 ? nil : port
    }
}

extension HostAndPort: CustomStringConvertible {
    package var description: String { host.text + (port.map { ":\($0)" } ?? "") }
}

/// The origin of a web page: a scheme, a host, and a port (RFC 6454).
package struct WebOrigin: Sendable, Hashable {
    /// The scheme, in lower case.
    package let scheme: String
    package let authority: HostAndPort

    /// Reads `scheme://host[:port]`; `nil` for any other text, also for `null`.
    package init?(_ text: some StringProtocol) {
        guard let separator = text.firstRange(of: "://"),
            let authority = HostAndPort(text[separator.upperBound...])
        else { return nil }
        scheme = text[..<separator.lowerBound].lowercased()
        let characters = scheme.utf8
        guard let first = characters.first, UInt8(ascii: "a")...UInt8(ascii: "z") ~= first,
            characters.allSatisfy(\.isTokenByte)
        else { return nil }
        self.authority = authority
    }

    /// Returns what is wrong with a text that is not an origin, and what to write instead.
    package static func remedy(for text: some StringProtocol) -> String {
        let start = text.firstRange(of: "://")?.upperBound
        if let start, let end = text[start...].firstIndex(of: "/"),
            let origin = WebOrigin(text[..<end])
        {
            return "an origin ends before the slash: write \(origin)"
        }
        if start == nil, text.contains("."), let host = HostAndPort(text) {
            return "an origin begins with its scheme: write https://\(host)"
        }
        return "write an origin such as https://shop.example, without a path and a slash at its end"
    }
}

extension WebOrigin: CustomStringConvertible {
    package var description: String {
        "\(scheme)://\(authority)"
    }
}
