/// One value of the Redis serialisation protocol, versions 2 and 3.
enum RESPValue: Hashable, Sendable {
    /// `+`, or RESP3's big numbers and verbatim text: words of the server's own.
    case simple(String)
    /// `-` or `!`: the server refused; the first word is a code such as `ERR` or `NOAUTH`.
    case error(String)
    /// `:`
    case integer(Int64)
    /// `,`
    case double(Double)
    /// `#`
    case bool(Bool)
    /// `$`: bytes of a client's.
    case bulk([UInt8])
    /// `_`, or RESP2's bulk and array of length -1.
    case null
    /// `*`, or RESP3's set.
    case array([RESPValue])
    /// `%`: names and values in turn, since names need not be texts.
    case map([RESPValue])
    /// `>`: nothing's answer, but a message that the server sends on its own.
    case push([RESPValue])
}

extension RESPValue {
    /// The bytes of a bulk, or of the server's own words.
    var bytes: [UInt8]? {
        switch self {
        case .bulk(let bytes): bytes
        case .simple(let words): Array(words.utf8)
        default: nil
        }
    }

    /// Those bytes as text.
    var text: String? { bytes.map { String(decoding: $0, as: UTF8.self) } }

    /// An integer, however the server wrote it.
    var integer: Int64? {
        switch self {
        case .integer(let value): value
        case .bulk, .simple: text.flatMap { Int64($0) }
        default: nil
        }
    }

    /// What an array, a set, a push, or a map taken as names and values in turn holds.
    var elements: [RESPValue]? {
        switch self {
        case .array(let elements), .map(let elements), .push(let elements): elements
        default: nil
        }
    }

    /// What a message of the server's consists of; nil when this is an answer.
    ///
    /// - Parameter isListening: Whether the connection listens to a channel: before RESP3 messages
    ///   come there as arrays, told from the one answer there is, to `PING`, by their first word.
    func message(isListening: Bool) -> [RESPValue]? {
        switch self {
        case .push(let elements): elements
        case .array(let elements) where isListening && elements.first?.text == "message": elements
        default: nil
        }
    }
}
