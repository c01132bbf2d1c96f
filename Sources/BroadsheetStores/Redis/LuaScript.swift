import CNettle

/// A script that the server runs atomically, and keeps by the SHA-1 of its text.
struct LuaScript: Sendable {
    let text: String
    /// The digest by which the server knows the script, in hexadecimal digits.
    let digest: String

    init(_ text: String) {
        self.text = text
        var sum = [UInt8](repeating: 0, count: Int(SHA1_DIGEST_SIZE))
        cnettle_sha1(Array(text.utf8), text.utf8.count, &sum)
        digest = sum.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
    }
}

extension RedisMarker {
    /// The marker is the last argument; `isLoaded` assumes that the server has the script.
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
