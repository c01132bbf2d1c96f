/// What is said first on a new connection, and what must come back before anything else is sent.
///
/// RESP3 by `HELLO 3`; a server that does not know it (Redis below 6), or does not let us say it, is
/// spoken to in RESP2, whose replies the parser reads as well. A key of ours is asked for: a server
/// that is still loading, or a cluster's node that has other keys, says so then, before anybody's
/// write does. Then the server is asked which one it is, and last, if there is a channel to listen to,
/// that is subscribed to.
struct RedisHandshake {
    /// What to do after an reply.
    enum Step: Hashable {
        /// Say this next.
        case send(RESPCommand)
        /// The connection is ready.
        case done
        /// The server will not have us.
        case rejected(RedisErrorReply)
    }

    private enum Phase {
        case hello
        case authentication
        case role
        case selection
        case probe
        case run
        case subscription
    }

    /// What the connection is called in the server's list of clients.
    static let clientName = "broadsheet"

    /// What is known of the server so far.
    private(set) var session = RedisSession()
    private let endpoint: RedisEndpoint
    private let channel: String?
    private var phase = Phase.hello

    /// A handshake by what `endpoint` says of user, password and database; with a channel, the
    /// connection listens to that.
    init(_ endpoint: RedisEndpoint, subscribingTo channel: String? = nil) {
        self.endpoint = endpoint
        self.channel = channel
    }

    /// The first thing to say.
    var firstCommand: RESPCommand {
        guard let password = endpoint.password else {
            return RESPCommand("HELLO", "3", "SETNAME", Self.clientName)
        }
        return RESPCommand(
            "HELLO", "3", "AUTH", endpoint.user ?? "default", password, "SETNAME", Self.clientName)
    }

    /// Takes the reply to what was said last.
    mutating func receive(_ reply: RESPValue) -> Step {
        if case .error(let message) = reply, !toleratesError(message) {
            return .rejected(RedisErrorReply(message, redacting: endpoint.password))
        }
        switch phase {
        case .hello: return receiveHello(reply)
        case .authentication: return requestRole()
        case .role: return isReplica(reply.elements?.first) ? rejectReplica() : select()
        case .selection: return probe()
        case .probe: return requestServerInfo()
        case .run:
            session.readRunID(from: reply)
            return subscribe()
        case .subscription: return .done
        }
    }

    /// Whether the handshake goes on though the server has refused what was said last.
    private func toleratesError(_ message: String) -> Bool {
        switch phase {
        // Before RESP3 there was no HELLO: such a server calls it unknown, or no protocol of it.
        case .hello:
            ["ERR unknown command", "NOPROTO", "NOPERM"].contains { message.hasPrefix($0) }
        // It would be good to know, and that is all: not every user may ask.
        case .role, .run: true
        case .authentication, .selection, .probe, .subscription: false
        }
    }

    private mutating func receiveHello(_ reply: RESPValue) -> Step {
        if case .error = reply { return authenticate() }
        let fields = reply.elements ?? []
        let node = fields.firstIndex { $0.text == "role" }
        let role = node.flatMap { $0 + 1 < fields.count ? fields[$0 + 1] : nil }
        return isReplica(role) ? rejectReplica() : select()
    }

    private mutating func authenticate() -> Step {
        session.version = .two
        guard let password = endpoint.password else { return requestRole() }
        phase = .authentication
        // Users came with HELLO; a server without it knows one password.
        if let user = endpoint.user { return .send(RESPCommand("AUTH", user, password)) }
        return .send(RESPCommand("AUTH", password))
    }

    /// RESP3's HELLO is replied with the role; in RESP2 it is a request of its own.
    private mutating func requestRole() -> Step {
        phase = .role
        return .send(RESPCommand("ROLE"))
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

    private mutating func requestServerInfo() -> Step {
        phase = .run
        return .send(RESPCommand("INFO", "server"))
    }

    private mutating func subscribe() -> Step {
        guard let channel else { return .done }
        phase = .subscription
        return .send(RESPCommand("SUBSCRIBE", channel))
    }

    private func isReplica(_ role: RESPValue?) -> Bool {
        ["replica", "slave"].contains(role?.text)
    }

    private func rejectReplica() -> Step {
        .rejected(RedisErrorReply("READONLY this is a replica; name its primary"))
    }
}

/// What is known of a server once it has been receiveHello.
struct RedisSession: Hashable, Sendable {
    /// The version of the protocol that it is spoken to in.
    var version = RESPVersion.three
    /// What tells this run of this server from any other, of it or of another server; nil where it
    /// does not say.
    var runID: String?

    /// Takes the run out of what `INFO server` is replied with.
    mutating func readRunID(from reply: RESPValue) {
        let lines = reply.text?.split(whereSeparator: \.isNewline) ?? []
        let prefix = "run_id:"
        runID = lines.first { $0.hasPrefix(prefix) }.map { String($0.dropFirst(prefix.count)) }
    }
}
