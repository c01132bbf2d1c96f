/// An error reply of a server, whose message begins with a code.
struct RedisErrorReply: Hashable {
    /// The maximum number of characters that are kept of a message.
    private static let maxLength = 300

    let message: String

    /// Creates an error reply.
    ///
    /// - Parameters:
    ///   - message: The message of the server.
    ///   - isToSecret: A Boolean value that indicates whether the command had a password. Some
    ///     servers repeat a command, so only the code of a message that is not known is kept.
    init(_ message: String, toSecret isToSecret: Bool = false) {
        guard isToSecret, !Self.harmless.contains(message) else {
            self.message = String(message.prefix(Self.maxLength))
            return
        }
        let code = message.prefix { $0.isASCII && $0.isUppercase }
        self.message = code.isEmpty ? "…" : "\(code.prefix(16)) …"
    }

    /// The messages of Redis and Valkey to a command with a password, which do not repeat it.
    private static let harmless: Set<String> = [
        "WRONGPASS invalid username-password pair or user is disabled.",
        "WRONGPASS invalid username-password pair", "ERR invalid password",
        "ERR Client sent AUTH, but no password is set",
        "ERR AUTH <password> called without any password configured for the default user. "
            + "Are you sure your configuration is correct?",
        "NOAUTH Authentication required.", "LOADING Redis is loading the dataset in memory",
        "ERR max number of clients reached",
    ]

    /// The store error that corresponds to the reply.
    ///
    /// Servers before version 7 append the message of a command to that of the script that called
    /// it, so the code may be anywhere.
    var storeError: StoreError {
        if message.hasPrefix("OOM") || message.contains("OOM command not allowed") {
            return .full("Redis: \(message)")
        }
        if message.contains("WRONGTYPE") { return .corrupt("Redis: \(message)") }
        return .unavailable("Redis: \(message)")
    }

    /// A Boolean value that indicates whether the connection cannot be used any longer: the server
    /// is not the primary since a failover and would refuse every write.
    var endsConnection: Bool {
        message.hasPrefix("READONLY") || message.contains("-READONLY") || newNode != nil
    }

    /// The node that owns the keys, from `MOVED slot host:port`; `nil` for other errors, and if the
    /// host is omitted, which means the current one.
    var newNode: RedisNode? {
        let parts = message.split(separator: " ")
        guard parts.count >= 3, parts[0] == "MOVED", let colon = parts[2].lastIndex(of: ":"),
            let port = UInt16(parts[2][parts[2].index(after: colon)...]), port > 0
        else { return nil }
        let host = parts[2][..<colon].drop { $0 == "[" }.prefix { $0 != "]" }
        return host.isEmpty ? nil : RedisNode(host: String(host), port: port)
    }
}
