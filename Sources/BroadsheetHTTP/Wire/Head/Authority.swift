/// `host[:port]` as Host and absolute-form targets carry it (RFC 9110 §7.2, RFC 3986 §3.2).
enum Authority {
    /// Whether bytes are a host that is not empty, and a port of at most 65535 if any.
    static func isValid(_ bytes: borrowing Span<UInt8>) -> Bool {
        guard let end = hostEnd(bytes), end > 0 else { return false }
        return end == bytes.count || isPort(bytes.extracting(end..<bytes.count))
    }

    private static func hostEnd(_ bytes: borrowing Span<UInt8>) -> Int? {
        guard bytes.count > 0 else { return nil }
        return bytes[0] == UInt8(ascii: "[") ? literalEnd(bytes) : nameEnd(bytes)
    }

    /// Past a reg-name or an IPv4 address.
    private static func nameEnd(_ bytes: borrowing Span<UInt8>) -> Int? {
        var index = 0
        while index < bytes.count, bytes[index] != UInt8(ascii: ":") {
            if bytes[index] == UInt8(ascii: "%") {
                guard index + 2 < bytes.count, bytes[index + 1].hexValue != nil,
                    bytes[index + 2].hexValue != nil
                else { return nil }
                index += 3
            } else {
                guard bytes[index].isNameByte else { return nil }
                index += 1
            }
        }
        return index
    }

    /// Past an IPv6 address or a later kind in brackets; which address it is does not matter here.
    private static func literalEnd(_ bytes: borrowing Span<UInt8>) -> Int? {
        var index = 1
        while index < bytes.count, bytes[index] != UInt8(ascii: "]") {
            guard bytes[index].isNameByte || bytes[index] == UInt8(ascii: ":") else { return nil }
            index += 1
        }
        return index < bytes.count && index > 1 ? index + 1 : nil
    }

    /// A colon and up to 65535; the digits may be missing (RFC 3986 §3.2.3).
    private static func isPort(_ bytes: borrowing Span<UInt8>) -> Bool {
        guard bytes[0] == UInt8(ascii: ":") else { return false }
        var port = 0
        for index in 1..<bytes.count {
            guard bytes[index].isDigit else { return false }
            port = port * 10 + Int(bytes[index] &- 0x30)
            guard port <= 65_535 else { return false }
        }
        return true
    }
}
