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
