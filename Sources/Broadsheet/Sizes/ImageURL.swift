/// The URL of an image: a template (RFC 6570, of a few forms) that a value of the data and the
/// frame of the part fill in (docs/catalog.md, "URLs of images").
package final class ImageURL: Sendable {
    /// A piece of a template.
    enum Piece: Sendable, Hashable {
        case literal(Range<Int>)
        /// The value; with `keepsReserved` also its reserved characters and its `%XX`.
        case value(keepsReserved: Bool)
        case width
        case height
    }

    /// The template in UTF-8.
    let template: [UInt8]
    /// The pieces in their order; exactly one of them is the value.
    let pieces: [Piece]
    /// The widths in which the image is there, ascending, in device pixels; empty for all.
    let widths: [UInt64]
    /// A Boolean value that indicates whether the value decides about the scheme of the result.
    let isSchemeOpen: Bool
    /// An upper bound of the number of bytes of a result besides those of its value.
    let maxByteCount: Int
    private let keepsReserved: Bool
    private let hasHeight: Bool

    package static let maxTemplateBytes = 1024
    /// The largest number of bytes of a value once it is written; fixed.
    package static let maxValueBytes = 4096
    package static let maxWidths = 16
    /// The largest width, in device pixels; fixed.
    package static let maxWidth = 16_384
    /// The largest length of a frame, in device pixels, so that products do not overflow.
    private static let maxPixels = 0x1p40

    init(_ template: [UInt8], _ pieces: [Piece], widths: [UInt64] = []) {
        self.template = template
        self.pieces = pieces
        self.widths = widths
        isSchemeOpen = !URLScheme(before: pieces, of: template).isKnown
        keepsReserved = pieces.contains(.value(keepsReserved: true))
        hasHeight = pieces.contains(.height)
        maxByteCount = pieces.reduce(0) { count, piece in
            switch piece {
            case .literal(let range): count + range.count
            case .value: count
            case .width, .height: count + JSONCursor.longestNumber
            }
        }
    }

    var hasLengths: Bool { hasHeight || pieces.contains(.width) }

    /// The width of an image, and its height if the template has it, in device pixels.
    struct Pixels {
        var width: UInt64
        var height: UInt64
    }

    func pixels(of frame: Frame, scale: Double) -> Pixels {
        var pixels = Pixels(width: Self.pixels(frame.width * scale), height: 0)
        let width = widths.first { $0 >= pixels.width } ?? widths.last ?? pixels.width
        if hasHeight {
            pixels.height = Self.pixels(frame.height * scale)
            if width != pixels.width {
                pixels.height = max(
                    1, (2 * pixels.height * width + pixels.width) / (2 * pixels.width))
            }
        }
        pixels.width = width
        return pixels
    }

    private static func pixels(_ length: Double) -> UInt64 {
        guard length < maxPixels else { return UInt64(maxPixels) }
        return length >= 1 ? UInt64(length.rounded(.toNearestOrAwayFromZero)) : 1
    }
}

extension ImageURL: Hashable {
    package static func == (one: ImageURL, other: ImageURL) -> Bool {
        one === other || one.template == other.template && one.widths == other.widths
    }

    package func hash(into hasher: inout Hasher) {
        hasher.combine(template)
        hasher.combine(widths)
    }
}

/// The value: a string's content between its quotes, or the bytes of a number.
extension ImageURL {
    /// Returns an upper bound of the number of bytes of a value once it is written; `nil` if it has
    /// no result: it is too long, or the result has a scheme other than `http` and `https`.
    ///
    /// - Complexity: O(``maxValueBytes``), and O(1) for most values.
    func byteCount(of value: UnsafeBufferPointer<UInt8>) -> Int? {
        if !isSchemeOpen, value.count <= Self.maxValueBytes / 3 { return value.count * 3 }
        var bytes = ValueBytes(value, keepsReserved: keepsReserved)
        var count = 0
        while let next = bytes.next() {
            count += next.isKept ? 1 : 3
            if count > Self.maxValueBytes { return nil }
        }
        return isSchemeOpen && !hasUsableScheme(with: value) ? nil : count
    }

    func canHave(_ value: JSONValue) -> Bool {
        value.text?.withContent { byteCount(of: $0) } != nil
    }

    /// Writes the result for a value that has one.
    ///
    /// - Parameter cursor: Has space for ``maxByteCount`` bytes and those of the value.
    func write(
        _ value: UnsafeBufferPointer<UInt8>, _ pixels: Pixels, to cursor: inout JSONCursor
    ) {
        for piece in pieces {
            switch piece {
            case .literal(let range):
                template.withUnsafeBufferPointer {
                    cursor.copyShort(UnsafeBufferPointer(rebasing: $0[range]))
                }
            case .width: cursor.digits(of: pixels.width)
            case .height: cursor.digits(of: pixels.height)
            case .value(let keepsReserved):
                guard value.contains(where: ValueBytes.isRead) else {
                    for byte in value {
                        if URLBytes.isKept(byte, keepsReserved) {
                            cursor.byte(byte)
                        } else {
                            cursor.percent(byte)
                        }
                    }
                    continue
                }
                var bytes = ValueBytes(value, keepsReserved: keepsReserved)
                while let next = bytes.next() {
                    if next.isKept { cursor.byte(next.byte) } else { cursor.percent(next.byte) }
                }
            }
        }
    }

    private func hasUsableScheme(with value: UnsafeBufferPointer<UInt8>) -> Bool {
        var scheme = URLScheme()
        for piece in pieces where !scheme.isKnown {
            guard case .value(let keepsReserved) = piece else {
                scheme.add(piece, of: template)
                continue
            }
            var bytes = ValueBytes(value, keepsReserved: keepsReserved)
            while !scheme.isKnown, let next = bytes.next() {
                scheme.add(next.isKept ? next.byte : UInt8(ascii: "%"))
            }
        }
        return scheme.isUsable
    }
}

/// The bytes of a value's UTF-8, and whether each is written as it is.
private struct ValueBytes {
    private var rest: JSONUnescaper
    private let keepsReserved: Bool
    /// The bytes that were read ahead, the next one in the lowest bits.
    private var ahead: UInt16 = 0
    private var aheadCount: UInt16 = 0

    /// Creates the bytes of a value; without escapes they are its own.
    init(_ value: UnsafeBufferPointer<UInt8>, keepsReserved: Bool) {
        rest = JSONUnescaper(value)
        self.keepsReserved = keepsReserved
    }

    @inline(__always)
    mutating func next() -> (byte: UInt8, isKept: Bool)? {
        guard let byte = nextByte() else { return nil }
        guard keepsReserved, byte == UInt8(ascii: "%") else {
            return (byte, URLBytes.isKept(byte, keepsReserved))
        }
        return (byte, isBeforeDigits())
    }

    /// Returns whether a byte of a value has a meaning together with those that follow.
    static func isRead(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: "\\") || byte == UInt8(ascii: "%")
    }

    @inline(__always)
    private mutating func nextByte() -> UInt8? {
        guard aheadCount > 0 else { return rest.next() }
        defer {
            aheadCount -= 1
            ahead >>= 8
        }
        return UInt8(truncatingIfNeeded: ahead)
    }

    private mutating func isBeforeDigits() -> Bool {
        while aheadCount < 2, let byte = rest.next() {
            ahead |= UInt16(byte) << (8 * aheadCount)
            aheadCount += 1
        }
        return aheadCount == 2 && Self.isDigit(ahead) && Self.isDigit(ahead >> 8)
    }

    private static func isDigit(_ bits: UInt16) -> Bool {
        JSONEscape.hexadecimalValue(of: UInt8(truncatingIfNeeded: bits)) != nil
    }
}

/// The kinds of bytes of URLs (RFC 3986 §2).
enum URLBytes {
    /// The letters, the digits, and `-._~`, which are written as they are.
    private static let unreserved: (UInt64, UInt64) = (0x03FF_6000_0000_0000, 0x47FF_FFFE_87FF_FFFE)
    /// The delimiters: ``!#$&'()*+,/:;=?@[]``.
    private static let reserved: (UInt64, UInt64) = (0xAC00_9FDA_0000_0000, 0x0000_0000_2800_0001)

    @inline(__always)
    static func isKept(_ byte: UInt8, _ keepsReserved: Bool) -> Bool {
        isIn(unreserved, byte) || keepsReserved && isIn(reserved, byte)
    }

    /// Returns whether a byte below 128 has its bit in a set.
    @inline(__always)
    private static func isIn(_ set: (UInt64, UInt64), _ byte: UInt8) -> Bool {
        let half = byte < 64 ? set.0 : set.1
        return byte < 128 && half >> UInt64(byte & 63) & 1 == 1
    }
}

/// The scheme at the beginning of a URL, byte by byte (RFC 3986 §3.1).
struct URLScheme {
    /// A Boolean value that indicates whether later bytes make no difference.
    private(set) var isKnown = false
    /// A Boolean value that indicates whether the URL has no scheme so far, or `http` or `https`.
    private(set) var isUsable = true
    /// The first bytes in lower case, as many as the longest usable scheme has, and one more.
    private var name: UInt64 = 0
    private var count = 0

    /// Adds a piece of a template without its value.
    mutating func add(_ piece: ImageURL.Piece, of template: [UInt8]) {
        switch piece {
        case .literal(let range): for byte in template[range] { add(byte) }
        // Digits may be in a scheme, and are not in these two, whatever the width is.
        case .width, .height: add(UInt8(ascii: "0"))
        case .value: break
        }
    }

    mutating func add(_ byte: UInt8) {
        guard !isKnown else { return }
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"):
            append(byte | 0x20)
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "+"), UInt8(ascii: "-"),
            UInt8(ascii: "."):
            if count == 0 { isKnown = true } else { append(byte) }
        case UInt8(ascii: ":"):
            isKnown = true
            isUsable = count == 0 || name == Self.http || name == Self.https
        default: isKnown = true
        }
    }

    private mutating func append(_ byte: UInt8) {
        if count < 6 { name = name << 8 | UInt64(byte) }
        count += 1
    }

    private static let http: UInt64 = 0x6874_7470
    private static let https: UInt64 = 0x68_7474_7073
}

extension URLScheme {
    init(before pieces: [ImageURL.Piece], of template: [UInt8]) {
        for piece in pieces {
            if case .value = piece { break }
            add(piece, of: template)
        }
    }
}

extension JSONCursor {
    /// Writes `%` and the two digits of a byte in upper case.
    fileprivate mutating func percent(_ byte: UInt8) {
        self.byte(UInt8(ascii: "%"))
        hexadecimalDigit(byte >> 4)
        hexadecimalDigit(byte & 0xF)
    }

    private mutating func hexadecimalDigit(_ digit: UInt8) {
        byte(digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "A") - 10 + digit)
    }
}
