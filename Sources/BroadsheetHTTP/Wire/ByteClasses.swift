/// The classes of bytes in the grammars of RFC 9110 and RFC 3986.
extension UInt8 {
    static var tab: UInt8 { 0x09 }
    static var lineFeed: UInt8 { 0x0A }
    static var carriageReturn: UInt8 { 0x0D }
    static var space: UInt8 { 0x20 }

    /// `tchar` (RFC 9110 §5.6.2).
    var isTokenByte: Bool {
        switch self {
        case 0x30...0x39, 0x41...0x5A, 0x5E...0x7A: true  // digits, letters and ^ _ `
        case 0x21, 0x23...0x27, 0x2A, 0x2B, 0x2D, 0x2E, 0x7C, 0x7E: true  // ! #$%&' * + - . | ~
        default: false
        }
    }

    /// A byte that a field value may contain: `field-vchar`, space or tab (RFC 9110 §5.5).
    var isFieldValueByte: Bool { self >= .space ? self != 0x7F : self == .tab }

    /// Optional white space, `OWS` (RFC 9110 §5.6.3).
    var isBlank: Bool { self == .space || self == .tab }

    var isDigit: Bool { self &- 0x30 < 10 }

    var isLetter: Bool { (self | 0x20) &- 0x61 < 26 }

    /// `unreserved` and `sub-delims` (RFC 3986 §2.2, §2.3): the bytes that a reg-name contains
    /// unescaped.
    var isNameByte: Bool {
        switch self {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
        case 0x2D, 0x2E, 0x5F, 0x7E: true  // - . _ ~
        case 0x21, 0x24, 0x26...0x2C, 0x3B, 0x3D: true  // ! $ &'()*+, ; =
        default: false
        }
    }

    /// `pchar`, the escape's percent sign and `/` (RFC 3986 §3.3).
    var isPathByte: Bool {
        isNameByte || self == 0x2F || self == 0x25 || self == 0x3A || self == 0x40  // / % : @
    }

    /// RFC 3986's query bytes and the ``\ ^ ` { | }`` that browsers do not escape in a query
    /// (WHATWG URL, "query percent-encode set"): rejecting them would break `fetch` without making
    /// it safer.
    var isQueryByte: Bool {
        switch self {
        case 0x3F, 0x5B...0x5E, 0x60, 0x7B...0x7D: true  // ? [\]^ ` {|}
        default: isPathByte
        }
    }

    var lowercased: UInt8 { self &- 0x41 < 26 ? self | 0x20 : self }

    var hexValue: Int? {
        switch self {
        case 0x30...0x39: Int(self &- 0x30)
        case 0x41...0x46: Int(self &- 0x41 &+ 10)
        case 0x61...0x66: Int(self &- 0x61 &+ 10)
        default: nil
        }
    }
}

extension Span<UInt8> {
    func equalsIgnoringCase(_ other: borrowing Span<UInt8>) -> Bool {
        guard count == other.count else { return false }
        for index in 0..<count where self[index].lowercased != other[index].lowercased {
            return false
        }
        return true
    }
}
