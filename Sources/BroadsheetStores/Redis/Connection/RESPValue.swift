/// A value of the Redis serialization protocol, versions 2 and 3.
enum RESPValue: Hashable, Sendable {
    /// Text of the server: `+`, or RESP3's big numbers and verbatim strings.
    case simple(String)
    /// An error, `-` or `!`; the first word is a code such as `ERR` or `NOAUTH`.
    case error(String)
    /// An integer, `:`.
    case integer(Int64)
    /// A floating-point number, `,`.
    case double(Double)
    /// A Boolean value, `#`.
    case bool(Bool)
    /// Bytes of a client, `$`.
    case bulk([UInt8])
    /// Null: `_`, or RESP2's bulk string or array of length -1.
    case null
    /// An array, `*`, or RESP3's set.
    case array([RESPValue])
    /// A map, `%`: keys and values alternately, since keys need not be strings.
    case map([RESPValue])
    /// `>`: a message that is not a reply to a request.
    case push([RESPValue])
}

extension RESPValue {
    /// The bytes of a bulk or simple string.
    var bytes: [UInt8]? {
        switch self {
        case .bulk(let bytes): bytes
        case .simple(let words): Array(words.utf8)
        default: nil
        }
    }

    var text: String? { bytes.map { String(decoding: $0, as: UTF8.self) } }

    /// An integer in any representation.
    var integer: Int64? {
        switch self {
        case .integer(let value): value
        case .bulk, .simple: text.flatMap { Int64($0) }
        default: nil
        }
    }

    /// The elements of an array, a set, a push, or a map; the keys and values of a map alternate.
    var elements: [RESPValue]? {
        switch self {
        case .array(let elements), .map(let elements), .push(let elements): elements
        default: nil
        }
    }

    /// Returns the elements of a published message, or `nil` if the value is a reply.
    ///
    /// - Parameter isSubscribed: A Boolean value that indicates whether the connection has
    ///   subscribed to a channel. In RESP2 its messages are arrays, distinguished by their first
    ///   word from the reply to `PING`, the only reply on such a connection.
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
    /// The version that every server supports. A subscribed connection may send nothing but `PING`,
    /// and messages have the form of replies.
    case two
    /// The version since Redis 6.
    case three
}

/// A command for the server: a name and arguments of any bytes.
struct RESPCommand: Hashable, Sendable {
    /// The encoded command: an array of bulk strings, in both versions of the protocol.
    let bytes: [UInt8]

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

    init(_ parts: String...) { self.init(parts.map { Array($0.utf8) }) }

    private static func append(_ type: UInt8, _ number: Int, to bytes: inout [UInt8]) {
        bytes.append(type)
        bytes += Array(String(number).utf8)
        bytes += [UInt8(ascii: "\r"), UInt8(ascii: "\n")]
    }
}
