/// A server's connections, for metrics.
package struct ServerStatistics: Sendable, Hashable {
    /// Connections that are being served now.
    package var openConnections: Int
    /// Connections that have come in since the start, refused ones included.
    package var acceptedConnections: Int
    /// Connections that were turned away since the start because the server was full.
    package var refusedConnections: Int
}
