/// Why bytes cannot be the protocol.
///
/// The connection that they came over is of no more use.
enum RESPError: Error, Hashable, Sendable {
    /// A value began with a byte that begins none.
    case unknownType(UInt8)
    /// A length or a number was no number.
    case malformedNumber
    /// A line, a bulk, a nesting or a whole answer was larger than ``RESPLimits`` allow.
    case tooLarge
    /// A bulk did not end where it said.
    case missingLineEnd
}

/// What a server's answer may take up; a server that sends more is not the one we think it is.
struct RESPLimits: Hashable, Sendable {
    /// The longest line, without its end, in bytes.
    var line = 64 * 1024
    /// The most bytes of one answer: four times what a screen may take up (``RedisScript``).
    var answer = 1024 * 1024 * 1024
    /// The most elements of one answer, nested ones included.
    var elements = 4_000_000
    /// How deep arrays may be nested.
    var depth = 16
}
