/// A script that the server runs atomically, and keeps by the SHA-1 of its text.
struct LuaScript: Sendable {
    /// The text.
    let text: String
    /// The digest by which the server knows the script, in hexadecimal digits.
    let digest: String

    /// Creates a script.
    init(_ text: String) {
        self.text = text
        digest = Self.digest(of: Array(text.utf8))
    }

    /// Returns the SHA-1 of bytes (RFC 3174) in hexadecimal digits.
    static func digest(of bytes: [UInt8]) -> String {
        var hash: [UInt32] = [0x6745_2301, 0xefcd_ab89, 0x98ba_dcfe, 0x1032_5476, 0xc3d2_e1f0]
        var message = bytes + [0x80]
        message += [UInt8](repeating: 0, count: (120 - message.count % 64) % 64)
        let bitCount = UInt64(bytes.count) * 8
        message += (0..<8).map { UInt8(truncatingIfNeeded: bitCount >> (56 - 8 * $0)) }
        for start in stride(from: 0, to: message.count, by: 64) {
            add(message[start..<start + 64], to: &hash)
        }
        return hash.map { word in
            let digits = String(word, radix: 16)
            return String(repeating: "0", count: 8 - digits.count) + digits
        }.joined()
    }

    private static func add(_ block: ArraySlice<UInt8>, to hash: inout [UInt32]) {
        var words = stride(from: block.startIndex, to: block.endIndex, by: 4).map { place in
            block[place..<place + 4].reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
        }
        for place in 16..<80 {
            words.append(
                rotate(words[place - 3] ^ words[place - 8] ^ words[place - 14] ^ words[place - 16])
            )
        }
        var (a, b, c, d, e) = (hash[0], hash[1], hash[2], hash[3], hash[4])
        for (place, word) in words.enumerated() {
            let (mixed, constant): (UInt32, UInt32) =
                switch place {
                case ..<20: (b & c | ~b & d, 0x5a82_7999)
                case ..<40: (b ^ c ^ d, 0x6ed9_eba1)
                case ..<60: (b & c | b & d | c & d, 0x8f1b_bcdc)
                default: (b ^ c ^ d, 0xca62_c1d6)
                }
            let next = rotate(a, by: 5) &+ mixed &+ e &+ word &+ constant
            (a, b, c, d, e) = (next, a, rotate(b, by: 30), c, d)
        }
        for (place, value) in [a, b, c, d, e].enumerated() { hash[place] &+= value }
    }

    private static func rotate(_ word: UInt32, by count: UInt32 = 1) -> UInt32 {
        word << count | word >> (32 - count)
    }
}

extension RedisMarker {
    /// Returns the command that runs a script on keys, with the marker as its last argument.
    ///
    /// - Parameter isLoaded: A Boolean value that indicates whether the server is assumed to have
    ///   the script.
    fileprivate func command(
        _ script: LuaScript, isLoaded: Bool, keys: [String], _ arguments: [[UInt8]]
    ) -> RESPCommand {
        let head =
            (isLoaded ? ["EVALSHA", script.digest] : ["EVAL", script.text])
            + [String(keys.count)] + keys
        return RESPCommand(head.map { Array($0.utf8) } + arguments + [bytes])
    }
}

extension RedisClient {
    /// Runs a script, which it sends to a server that does not have it.
    ///
    /// - Parameters:
    ///   - script: The script, whose last argument is a marker at the end of its reply.
    ///   - keys: The keys.
    ///   - arguments: The arguments without the marker.
    ///   - commands: Commands to send before, whose replies come first and may be errors.
    ///   - isWrite: A Boolean value that indicates whether the script writes.
    /// - Returns: All replies, including error replies, for ``check(_:)``.
    /// - Throws: ``StoreError/unavailable(_:)``, or for a script that writes
    ///   ``StoreError/unknown(_:)`` if it may have been run.
    func run(
        _ script: LuaScript, keys: [String], _ arguments: [[UInt8]],
        after commands: [RESPCommand] = [], isWrite: Bool = false
    ) async throws(StoreError) -> RedisReplies {
        let first = try await replies(to: commands, isWrite: isWrite) {
            $0.command(script, isLoaded: true, keys: keys, arguments)
        }
        guard case .error(let message)? = first.values.last, message.hasPrefix("NOSCRIPT") else {
            return first
        }
        var second = try await replies(to: [], isWrite: isWrite) {
            $0.command(script, isLoaded: false, keys: keys, arguments)
        }
        second.values = first.values.dropLast() + second.values
        second.mayBeRepeated = second.mayBeRepeated || first.mayBeRepeated
        return second
    }
}
