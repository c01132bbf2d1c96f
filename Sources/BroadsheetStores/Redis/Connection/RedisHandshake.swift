/// The commands and replies at the beginning of a connection to a server.
///
/// `HELLO 3` selects RESP3. A server that does not support it (Redis below 6) or does not permit it
/// is used with RESP2, whose replies the parser reads as well. A read of one of the store's keys
/// follows: a server that is still loading, or a cluster node without the keys, replies with an
/// error before any write is sent. Then the server's run ID and its line are read. The last command
/// subscribes to the channel, if there is one.
///
/// A replica is rejected; a server that a Sentinel has named has to say that it is the primary.
struct RedisHandshake: RedisGreeting {
    private enum Phase {
        case hello
        case authentication
        case role
        case selection
        case probe
        case run
        case subscription
    }

    /// The name of the connection in the server's list of clients.
    static let clientName = "broadsheet"

    private(set) var session = RedisSession()
    private let endpoint: RedisEndpoint
    private let channel: String?
    private var phase = Phase.hello

    init(_ endpoint: RedisEndpoint, subscribingTo channel: String? = nil) {
        self.endpoint = endpoint
        self.channel = channel
    }

    var tls: RedisTLS? { endpoint.tls }
    var limits: RESPLimits { RESPLimits() }

    var firstCommand: RESPCommand? {
        guard let password = endpoint.password else {
            return RESPCommand("HELLO", "3", "SETNAME", Self.clientName)
        }
        return RESPCommand(
            "HELLO", "3", "AUTH", endpoint.user ?? "default", password, "SETNAME", Self.clientName)
    }

    mutating func receive(_ reply: RESPValue) -> RedisGreetingStep {
        if case .error(let message) = reply, !toleratesError(message) {
            let isToSecret = endpoint.password != nil && [.hello, .authentication].contains(phase)
            return .rejected(RedisErrorReply(message, toSecret: isToSecret))
        }
        switch phase {
        case .hello: return receiveHello(reply)
        case .authentication: return requestRole()
        case .role: return isPrimary(reply.elements?.first) ? select() : rejectReplica()
        case .selection: return probe()
        case .probe: return requestServerInfo()
        case .run:
            session.readServerInfo(reply)
            return subscribe()
        case .subscription: return .done
        }
    }

    /// Returns a Boolean value that indicates whether the handshake continues after an error reply
    /// to the last command.
    private func toleratesError(_ message: String) -> Bool {
        switch phase {
        // Servers without RESP3 have no HELLO, or reply that they do not support the protocol
        // version.
        case .hello:
            ["ERR unknown command", "NOPROTO", "NOPERM"].contains { message.hasPrefix($0) }
        // Optional information that not every user may read.
        case .role, .run: true
        case .authentication, .selection, .probe, .subscription: false
        }
    }

    private mutating func receiveHello(_ reply: RESPValue) -> RedisGreetingStep {
        if case .error = reply { return authenticate() }
        let fields = reply.elements ?? []
        let node = fields.firstIndex { $0.text == "role" }
        let role = node.flatMap { $0 + 1 < fields.count ? fields[$0 + 1] : nil }
        return isPrimary(role) ? select() : rejectReplica()
    }

    private mutating func authenticate() -> RedisGreetingStep {
        session.version = .two
        guard let password = endpoint.password else { return requestRole() }
        phase = .authentication
        // Servers without HELLO have no users, only one password.
        if let user = endpoint.user { return .send(RESPCommand("AUTH", user, password)) }
        return .send(RESPCommand("AUTH", password))
    }

    /// Requests the role of the server, which RESP3 returns in the reply to `HELLO`.
    private mutating func requestRole() -> RedisGreetingStep {
        phase = .role
        return .send(RESPCommand("ROLE"))
    }

    private mutating func select() -> RedisGreetingStep {
        guard endpoint.database != 0 else { return probe() }
        phase = .selection
        return .send(RESPCommand("SELECT", String(endpoint.database)))
    }

    private mutating func probe() -> RedisGreetingStep {
        phase = .probe
        return .send(RESPCommand("EXISTS", RedisKeys.identity))
    }

    private mutating func requestServerInfo() -> RedisGreetingStep {
        phase = .run
        // Servers before version 7 take one section, or none for all that is usual.
        return .send(RESPCommand("INFO"))
    }

    private mutating func subscribe() -> RedisGreetingStep {
        guard let channel else { return .done }
        phase = .subscription
        return .send(RESPCommand("SUBSCRIBE", channel))
    }

    /// Returns a Boolean value that indicates whether the server may be used with a role, which is
    /// `nil` if the user may not read it.
    private func isPrimary(_ role: RESPValue?) -> Bool {
        guard endpoint.sentinels == nil else { return role?.text == "master" }
        return !["replica", "slave"].contains(role?.text)
    }

    private func rejectReplica() -> RedisGreetingStep {
        let remedy =
            endpoint.sentinels == nil
            ? "this is a replica; name its primary"
            : "a Sentinel names this server, which does not say that it is a primary (ROLE)"
        return .rejected(RedisErrorReply("READONLY \(remedy)"))
    }
}

/// The properties of a server, known after the handshake.
struct RedisSession: Hashable, Sendable {
    var version = RESPVersion.three
    /// The identifier of the server's current run, which no other server or run has; `nil` if the
    /// server does not disclose it.
    var runID: String?
    /// A Boolean value that indicates whether the server discloses its line (``LuaScript``).
    var hasLine = false

    /// Reads the run ID from the reply to `INFO`, and whether it has a line.
    mutating func readServerInfo(_ reply: RESPValue) {
        let lines = reply.text?.split(whereSeparator: \.isNewline) ?? []
        func value(of name: String) -> Substring? {
            lines.first { $0.hasPrefix(name) }?.dropFirst(name.count)
        }
        runID = value(of: "run_id:").map { String($0) }
        hasLine = value(of: "master_replid:") != nil
    }
}
