/// What a server may be told; the defaults are those of docs/cli.md.
package struct HTTPServerConfiguration: Sendable, Hashable {
    /// The address to listen on: a literal or a name.
    ///
    /// Default `127.0.0.1`.
    package var host = "127.0.0.1"
    /// The port to listen on; 0 takes a free one.
    ///
    /// Default 8080.
    package var port: UInt16 = 8080
    /// What one request may cost.
    package var limits = HTTPLimits()
    /// Connections open at once; one more is answered 503 and closed.
    ///
    /// Default 10 000.
    package var maxConnections = 10_000
    /// How long a connection may be open without a byte of a request; then it is closed without a
    /// word.
    ///
    /// Default 60 s.
    package var idleTimeout = Duration.seconds(60)
    /// From the first byte of a head to its last, however it drips; then 408.
    ///
    /// Default 10 s.
    package var headerTimeout = Duration.seconds(10)
    /// How long a body may go without a byte of progress; then 408.
    ///
    /// Default 30 s.
    package var bodyTimeout = Duration.seconds(30)
    /// How long an answer may go without a byte of progress; then the connection is reset.
    ///
    /// Default 30 s.
    package var writeTimeout = Duration.seconds(30)
    /// How long a connection that was closed after an answer is still read from, so that the peer
    /// gets to read the answer before a reset tells it to stop (RFC 9112 §9.6).
    ///
    /// Default 2 s.
    package var lingerTime = Duration.seconds(2)
    /// How many bytes are read and dropped meanwhile: enough for a client that sends a body a
    /// little beyond the limit before it looks for an answer.
    ///
    /// Default 32 MiB.
    package var lingerBytes = 32 * 1024 * 1024
    /// How many connections beyond ``maxConnections`` may be waiting to read their 503; one more is
    /// closed without an answer.
    ///
    /// Default 256.
    package var maxRefusals = 256

    /// The defaults.
    package init() {}
}
