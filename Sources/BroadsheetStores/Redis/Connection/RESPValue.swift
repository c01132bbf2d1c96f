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
    /// `>`: nothing's reply, but a message that the server sends on its own.
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

    /// What a message of the server's consists of; nil when this is an reply.
    ///
    /// - Parameter isSubscribed: Whether the connection listens to a channel: before RESP3 messages
    ///   come there as arrays, told from the one reply there is, to `PING`, by their first word.
    func message(isSubscribed: Bool) -> [RESPValue]? {
        switch self {
        case .push(let elements): elements
        case .array(let elements) where isSubscribed && elements.first?.text == "message": elements
        default: nil
        }
    }
}

/// A version of the protocol.
enum RESPVersion: Hashable, Sendable {
    /// The one that every server speaks: a connection that listens to a channel may ask for nothing
    /// but `PING`, and messages look like replies.
    case two
    /// The one since Redis 6.
    case three
}

/// A command for the server: a name and arguments, which may be any bytes.
struct RESPCommand: Hashable, Sendable {
    /// The command as it goes over the wire: an array of bulks, in both versions of the protocol.
    let bytes: [UInt8]

    /// Puts a command together.
    ///
    /// O(bytes).
    init(_ parts: [[UInt8]]) {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(parts.reduce(16) { $0 + $1.count + 16 })
        Self.append(UInt8(ascii: "*"), parts.count, to: &bytes)
        for part in parts {
            Self.append(UInt8(ascii: "$"), part.count, to: &bytes)
            bytes += part
            bytes += [UInt8(ascii: "\r"), UInt8(ascii: "\n")]
        }
        self.bytes = bytes
    }

    /// Puts a command of texts together.
    init(_ parts: String...) { self.init(parts.map { Array($0.utf8) }) }

    private static func append(_ type: UInt8, _ number: Int, to bytes: inout [UInt8]) {
        bytes.append(type)
        bytes += Array(String(number).utf8)
        bytes += [UInt8(ascii: "\r"), UInt8(ascii: "\n")]
    }
}
