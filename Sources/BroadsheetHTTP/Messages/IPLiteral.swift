/// The grammar of addresses as hosts (RFC 3986 §3.2.2).
enum IPLiteral {
    /// Returns whether `bytes`, the text between the brackets, are an IPv6 address or an address of
    /// a future version.
    static func isValid(_ bytes: borrowing Span<UInt8>) -> Bool {
        isIPv6(bytes) || isFutureVersion(bytes)
    }

    /// Returns whether `bytes` are eight groups of hexadecimal digits, of which `::` may replace
    /// one or more, and an IPv4 address the last two.
    static func isIPv6(_ bytes: borrowing Span<UInt8>) -> Bool {
        var groups = 0
        var index = 0
        var hasGap = isGap(at: index, in: bytes)
        if hasGap { index = 2 }
        while index < bytes.count {
            let end = digitsEnd(from: index, in: bytes)
            guard end > index else { return false }
            if end < bytes.count, bytes[end] == UInt8(ascii: ".") {
                guard isIPv4(bytes.extracting(index..<bytes.count)) else { return false }
                groups += 2
                break
            }
            groups += 1
            index = end
            if index == bytes.count { break }
            if isGap(at: index, in: bytes) {
                guard !hasGap else { return false }
                hasGap = true
                index += 2
            } else {
                // A colon precedes a group: it is not the last byte.
                guard bytes[index] == UInt8(ascii: ":"), index + 1 < bytes.count else {
                    return false
                }
                index += 1
            }
        }
        return hasGap ? groups <= 7 : groups == 8
    }

    private static func isGap(at index: Int, in bytes: borrowing Span<UInt8>) -> Bool {
        index + 1 < bytes.count && bytes[index] == UInt8(ascii: ":")
            && bytes[index + 1] == UInt8(ascii: ":")
    }

    /// Returns the end of a group of at most four hexadecimal digits.
    private static func digitsEnd(from start: Int, in bytes: borrowing Span<UInt8>) -> Int {
        var end = start
        while end < bytes.count, end - start < 4, bytes[end].hexValue != nil { end += 1 }
        return end
    }

    /// Returns whether `bytes` are four numbers up to 255 without leading zeros.
    static func isIPv4(_ bytes: borrowing Span<UInt8>) -> Bool {
        var numbers = 0
        var index = 0
        while true {
            let start = index
            var value = 0
            while index < bytes.count, index - start < 3, bytes[index].isDigit {
                value = value * 10 + Int(bytes[index] &- 0x30)
                index += 1
            }
            guard index > start, value <= 255,
                index == start + 1 || bytes[start] != UInt8(ascii: "0")
            else { return false }
            numbers += 1
            if index == bytes.count { return numbers == 4 }
            guard bytes[index] == UInt8(ascii: "."), numbers < 4 else { return false }
            index += 1
        }
    }

    /// Returns whether `bytes` are `v`, hexadecimal digits, a dot, and an address of any form.
    private static func isFutureVersion(_ bytes: borrowing Span<UInt8>) -> Bool {
        guard bytes.count > 0, bytes[0].lowercased == UInt8(ascii: "v") else { return false }
        var index = 1
        while index < bytes.count, bytes[index].hexValue != nil { index += 1 }
        guard index > 1, index + 1 < bytes.count, bytes[index] == UInt8(ascii: ".") else {
            return false
        }
        for index in index + 1..<bytes.count
        where !bytes[index].isNameByte && bytes[index] != UInt8(ascii: ":") {
            return false
        }
        return true
    }
}
