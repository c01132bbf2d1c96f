import Synchronization

/// The id of a request in its response, in the log and in problem documents (`X-Request-Id`).
struct RequestID: Hashable, Sendable {
    /// The id: 1 to 128 of `A-Z a-z 0-9 . _ ~ + / = : -`.
    let text: String

    /// The maximum length of an id that a client sends, in characters.
    static let maxLength = 128

    /// Creates an id from the value that a client sent, or returns `nil` if it has a character that
    /// would need escaping in a header, a URL or a log, or is too long.
    init?(_ sent: String) {
        guard !sent.isEmpty, sent.utf8.count <= Self.maxLength,
            sent.utf8.allSatisfy(Self.isAllowed)
        else { return nil }
        text = sent
    }

    fileprivate init(unchecked text: String) { self.text = text }

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
    private let prefix: String
    private let count = Atomic<UInt64>(0)

    /// Creates a source with a prefix drawn from `generator`.
    init(using generator: inout some RandomNumberGenerator) {
        prefix = Self.hex(generator.next(), digits: 16)
    }

    /// Returns the next id, which differs from every other id of this source.
    func next() -> RequestID {
        let number = count.wrappingAdd(1, ordering: .relaxed).newValue
        return RequestID(unchecked: prefix + Self.hex(number, digits: 8))
    }

    private static func hex(_ number: UInt64, digits: Int) -> String {
        let text = String(number, radix: 16)
        return String(repeating: "0", count: max(0, digits - text.utf8.count)) + text
    }
}
