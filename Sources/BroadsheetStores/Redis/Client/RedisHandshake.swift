/// What is said first on a new connection, and what must come back before anything else is sent.
///
/// RESP3 by `HELLO 3`; a server that does not know it (Redis below 6) is spoken to in RESP2, whose
/// answers the parser reads as well.
struct RedisHandshake {
    /// What to do after an answer.
    enum Step: Hashable {
        /// Say this next.
        case send(RESPCommand)
        /// The connection is ready.
        case done
        /// The server will not have us; in its own words.
        case refused(String)
    }

    private enum Phase {
        case hello
        case authentication
        case selection
    }

    private let endpoint: RedisEndpoint
    private var phase = Phase.hello

    /// A handshake by what `endpoint` says of user, password and database.
    init(_ endpoint: RedisEndpoint) { self.endpoint = endpoint }

    /// The first thing to say.
    var opening: RESPCommand {
        guard let password = endpoint.password else { return RESPCommand("HELLO", "3") }
        return RESPCommand("HELLO", "3", "AUTH", endpoint.user ?? "default", password)
    }

    /// Takes the answer to what was said last.
    mutating func receive(_ answer: RESPValue) -> Step {
        if case .error(let words) = answer {
            // Before RESP3 there was no HELLO: such a server calls it unknown, or no protocol of it.
            let isOld = words.hasPrefix("ERR unknown command") || words.hasPrefix("NOPROTO")
            guard case .hello = phase, isOld else { return .refused(words) }
            return authenticate()
        }
        switch phase {
        case .hello, .authentication: return select()
        case .selection: return .done
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
        guard endpoint.database != 0 else { return .done }
        phase = .selection
        return .send(RESPCommand("SELECT", String(endpoint.database)))
    }
}
