/// Why bytes cannot be the protocol. The connection that they came over is of no more use.
enum RESPError: Error, Hashable, Sendable {
    /// A value began with a byte that begins none.
    case unknownType(UInt8)
    /// A length or a number was no number.
    case malformedNumber
    /// A line, a bulk, an array or a nesting was larger than ``RESPLimits`` allow.
    case tooLarge
    /// A bulk did not end where it said.
    case missingLineEnd
}

/// What a server's answer may take up; a server that sends more is not the one we think it is.
enum RESPLimits {
    /// The longest line, without its end, in bytes.
    static let line = 64 * 1024
    /// The longest bulk in bytes: Redis's own limit.
    static let bulk = 512 * 1024 * 1024
    /// The most elements of one array, map, set or push: twice the pages of a screen, and then some.
    static let elements = 4_000_000
    /// How deep arrays may be nested.
    static let depth = 16
}
