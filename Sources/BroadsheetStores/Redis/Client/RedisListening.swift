/// What the owner of a ``RedisLink`` says on each new connection, and what it hears of it, on the
/// loop's thread.
struct RedisListening: Sendable {
    /// What is said first once the connection stands, before any question; its answer is heard.
    var greeting: RESPCommand?
    /// The connection stands, to this place.
    var opened: @Sendable (RedisPlace) -> Void = { _ in }
    /// The connection is lost, or an attempt to make it has failed.
    var lost: @Sendable (String) -> Void = { _ in }
    /// The server has sent something unasked.
    var heard: @Sendable (RESPValue) -> Void = { _ in }
}

/// A server's name or address, and its port.
struct RedisPlace: Hashable, Sendable, CustomStringConvertible {
    /// The name or address.
    var host: String
    /// The port.
    var port: UInt16

    /// Puts a place together.
    init(host: String, port: UInt16) {
        self.host = host
        self.port = port
    }

    /// Where an endpoint is.
    init(_ endpoint: RedisEndpoint) { self.init(host: endpoint.host, port: endpoint.port) }

    /// The place as a log shows it.
    var description: String { "\(host):\(port)" }
}
