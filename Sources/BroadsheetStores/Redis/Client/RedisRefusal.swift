/// What a server means by refusing a command: its words begin with a code.
struct RedisRefusal: Hashable {
    /// The server's words.
    let words: String

    /// What the refusal means to somebody who called a store.
    ///
    /// Servers before version 7 put a command's own words at the end of those of the script that
    /// called it, so they are looked for anywhere.
    var storeError: StoreError {
        if words.hasPrefix("OOM") || words.contains("OOM command not allowed") {
            return .full("Redis: \(words)")
        }
        if words.contains("WRONGTYPE") { return .corrupt("Redis: \(words)") }
        return .unavailable("Redis: \(words)")
    }

    /// Whether the connection is of no more use: the server has handed its office to another, as a
    /// failover makes it do, and would refuse every write from now on.
    var endsConnection: Bool {
        words.hasPrefix("READONLY") || words.contains("-READONLY") || newPlace != nil
    }

    /// Where a cluster says that the keys are: `MOVED slot host:port`; nil for other refusals, and
    /// where the host is left out, which means "the one you know".
    var newPlace: RedisPlace? {
        let parts = words.split(separator: " ")
        guard parts.count >= 3, parts[0] == "MOVED", let colon = parts[2].lastIndex(of: ":"),
            let port = UInt16(parts[2][parts[2].index(after: colon)...]), port > 0
        else { return nil }
        let host = parts[2][..<colon].drop { $0 == "[" }.prefix { $0 != "]" }
        return host.isEmpty ? nil : RedisPlace(host: String(host), port: port)
    }

    /// Puts a refusal together; `secret` is left out of the words, for some servers repeat what they
    /// were told.
    init(_ words: String, hiding secret: String? = nil) {
        let shown = words.prefix(Self.maxLength)
        guard let secret, !secret.isEmpty else {
            self.words = String(shown)
            return
        }
        self.words = shown.split(separator: secret, omittingEmptySubsequences: false)
            .joined(separator: "***")
    }

    /// The most that is repeated of a server's words, in characters.
    private static let maxLength = 300
}
