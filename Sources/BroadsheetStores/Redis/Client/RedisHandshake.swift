/// What is said first on a new connection, and what must come back before anything else is sent.
///
/// RESP3 by `HELLO 3`; a server that does not know it (Redis below 6) is spoken to in RESP2, whose
/// answers the parser reads as well. The last thing asked for is a key of ours: a server that is still
/// loading, or a cluster's node that has other keys, says so then, before anybody's write does.
struct RedisHandshake {
    /// What to do after an answer.
    enum Step: Hashable {
        /// Say this next.
        case send(RESPCommand)
        /// The connection is ready.
        case done
        /// The server will not have us.
        case refused(RedisRefusal)
    }

    private enum Phase {
        case hello
        case authentication
        case selection
        case probe
    }

    /// What the connection is called in the server's list of clients.
    static let clientName = "broadsheet"

    private let endpoint: RedisEndpoint
    private var phase = Phase.hello

    /// A handshake by what `endpoint` says of user, password and database.
    init(_ endpoint: RedisEndpoint) { self.endpoint = endpoint }

    /// The first thing to say.
    var opening: RESPCommand {
        guard let password = endpoint.password else {
            return RESPCommand("HELLO", "3", "SETNAME", Self.clientName)
        }
        return RESPCommand(
            "HELLO", "3", "AUTH", endpoint.user ?? "default", password, "SETNAME", Self.clientName)
    }

    /// Takes the answer to what was said last.
    mutating func receive(_ answer: RESPValue) -> Step {
        if case .error(let words) = answer {
            // Before RESP3 there was no HELLO: such a server calls it unknown, or no protocol of it.
            let isOld = words.hasPrefix("ERR unknown command") || words.hasPrefix("NOPROTO")
            if phase == .hello, isOld { return authenticate() }
            return .refused(RedisRefusal(words, hiding: endpoint.password))
        }
        switch phase {
        case .hello:
            if Self.isReplica(answer) {
                return .refused(RedisRefusal("READONLY this is a replica; name its primary"))
            }
            return select()
        case .authentication: return select()
        case .selection: return probe()
        case .probe: return .done
        }
    }

    private mutating func authenticate() -> Step {
        guard let password = endpoint.password else { return select() }
        phase = .authentication
        // Users came with HELLO; a server without it knows one password.
        if let user = endpoint.user { return .send(RESPCommand("AUTH", user, password)) }
        return .send(RESPCommand("AUTH", password))
    }

    private mutating func select() -> Step {
        guard endpoint.database != 0 else { return probe() }
        phase = .selection
        return .send(RESPCommand("SELECT", String(endpoint.database)))
    }

    private mutating func probe() -> Step {
        phase = .probe
        return .send(RESPCommand("EXISTS", RedisKeys.identity))
    }

    /// Whether the map that HELLO is answered with says so.
    private static func isReplica(_ answer: RESPValue) -> Bool {
        guard let fields = answer.elements,
            let place = fields.firstIndex(where: { $0.text == "role" }), place + 1 < fields.count
        else { return false }
        return ["replica", "slave"].contains(fields[place + 1].text)
    }
}
