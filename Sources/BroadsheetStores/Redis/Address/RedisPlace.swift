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
