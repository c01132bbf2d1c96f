/// What a server means by refusing a command: its message begin with a code.
struct RedisErrorReply: Hashable {
    /// The server's message.
    let message: String

    /// What the error means to somebody who called a store.
    ///
    /// Servers before version 7 put a command's own message at the end of those of the script that
    /// called it, so they are looked for anywhere.
    var storeError: StoreError {
        if message.hasPrefix("OOM") || message.contains("OOM command not allowed") {
            return .full("Redis: \(message)")
        }
        if message.contains("WRONGTYPE") { return .corrupt("Redis: \(message)") }
        return .unavailable("Redis: \(message)")
    }

    /// Whether the connection is of no more use: the server has handed its office to another, as a
    /// failover makes it do, and would refuse every write from now on.
    var endsConnection: Bool {
        message.hasPrefix("READONLY") || message.contains("-READONLY") || newNode != nil
    }

    /// Where a cluster says that the keys are: `MOVED slot host:port`; nil for other refusals, and
    /// where the host is left out, which means "the one you know".
    var newNode: RedisNode? {
        let parts = message.split(separator: " ")
        guard parts.count >= 3, parts[0] == "MOVED", let colon = parts[2].lastIndex(of: ":"),
            let port = UInt16(parts[2][parts[2].index(after: colon)...]), port > 0
        else { return nil }
        let host = parts[2][..<colon].drop { $0 == "[" }.prefix { $0 != "]" }
        return host.isEmpty ? nil : RedisNode(host: String(host), port: port)
    }

    /// Puts a error together; `secret` is left out of the message, for some servers repeat what they
    /// were told.
    init(_ message: String, redacting secret: String? = nil) {
        let shown = message.prefix(Self.maxLength)
        guard let secret, !secret.isEmpty else {
            self.message = String(shown)
            return
        }
        self.message = shown.split(separator: secret, omittingEmptySubsequences: false)
            .joined(separator: "***")
    }

    /// The most that is repeated of a server's message, in characters.
    private static let maxLength = 300
}
