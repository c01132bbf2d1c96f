import Broadsheet
import Synchronization

/// The id of a request in its response, in the log and in problem documents (`X-Request-Id`).
struct RequestID: Hashable, Sendable {
    private enum Form: Hashable {
        /// An id from the request.
        case sent(String)
        /// The prefix of a source and the number of the id, both in hexadecimal digits.
        case made(prefix: UInt64, number: UInt64)
    }

    private let form: Form

    /// The maximum length of an id that a client sends, in characters.
    static let maxLength = 128

    /// Creates an id from the value that a client sent, or returns `nil` if it has a character that
    /// would need escaping in a header, a URL or a log, or is too long.
    init?(_ sent: String) {
        guard !sent.isEmpty, sent.utf8.count <= Self.maxLength,
            sent.utf8.allSatisfy(Self.isAllowed)
        else { return nil }
        form = .sent(sent)
    }

    fileprivate init(prefix: UInt64, number: UInt64) {
        form = .made(prefix: prefix, number: number)
    }

    /// The id: 1 to 128 of `A-Z a-z 0-9 . _ ~ + / = : -`.
    var text: String {
        if case .sent(let text) = form { return text }
        var bytes: [UInt8] = []
        append(to: &bytes)
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Appends the characters; of an id that this daemon made without a further allocation.
    func append(to bytes: inout [UInt8]) {
        switch form {
        case .sent(let text): bytes.append(contentsOf: text.utf8)
        case .made(let prefix, let number):
            Self.appendHex(prefix, minDigits: 16, to: &bytes)
            Self.appendHex(number, minDigits: 8, to: &bytes)
        }
    }

    /// Writes the id as JSON in quotes; no character needs an escape.
    func write(into line: inout JSONWriter) {
        switch form {
        case .sent(let text): line.string(text)
        case .made(let prefix, let number):
            line.withCapacity(2 + 16 + 16) { cursor in
                cursor.byte(UInt8(ascii: "\""))
                Self.forEachHexDigit(of: prefix, minDigits: 16) { cursor.byte($0) }
                Self.forEachHexDigit(of: number, minDigits: 8) { cursor.byte($0) }
                cursor.byte(UInt8(ascii: "\""))
            }
        }
    }

    private static func appendHex(_ number: UInt64, minDigits: Int, to bytes: inout [UInt8]) {
        forEachHexDigit(of: number, minDigits: minDigits) { bytes.append($0) }
    }

    /// Calls `body` with each digit, with zeros in front up to a number of digits.
    @inline(__always)
    private static func forEachHexDigit(
        of number: UInt64, minDigits: Int, _ body: (UInt8) -> Void
    ) {
        var count = max(minDigits, (UInt64.bitWidth - number.leadingZeroBitCount + 3) / 4)
        while count > 0 {
            count &-= 1
            let digit = UInt8(truncatingIfNeeded: number &>> UInt64(count &* 4) & 0xF)
            body(digit < 10 ? UInt8(ascii: "0") &+ digit : UInt8(ascii: "a") &- 10 &+ digit)
        }
    }

    private static func isAllowed(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        default: "._~+/=:-".utf8.contains(byte)
        }
    }
}

/// Creates the ids of requests that have none: a random prefix, which is drawn once, and a count.
final class RequestIDSource: Sendable {
    private let prefix: UInt64
    private let count = Atomic<UInt64>(0)

    init(using generator: inout some RandomNumberGenerator) {
        prefix = generator.next()
    }

    func next() -> RequestID { id(nextNumber()) }

    func nextNumber() -> UInt64 { count.wrappingAdd(1, ordering: .relaxed).newValue }

    func id(_ number: UInt64) -> RequestID { RequestID(prefix: prefix, number: number) }
}
