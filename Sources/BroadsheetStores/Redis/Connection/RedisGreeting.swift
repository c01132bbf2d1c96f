/// The beginning of a connection, before any request is sent: TLS, and commands.
protocol RedisGreeting {
    var tls: RedisTLS? { get }
    var limits: RESPLimits { get }
    /// The first command; `nil` if requests may follow at once.
    var firstCommand: RESPCommand? { get }
    /// The properties of the server that are known so far.
    var session: RedisSession { get }

    /// Handles the reply to the last command.
    mutating func receive(_ reply: RESPValue) -> RedisGreetingStep
}

/// The step of a greeting that follows a reply.
enum RedisGreetingStep: Hashable {
    case send(RESPCommand)
    case done
    case rejected(RedisErrorReply)
}
