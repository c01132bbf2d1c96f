package import BroadsheetIO

/// The configuration of a server; the defaults are those of docs/cli.md.
package struct HTTPServerConfiguration: Sendable, Hashable {
    /// The address to listen on: a literal or a name.
    package var host = "127.0.0.1"
    /// The port to listen on; with 0 the kernel chooses a free one.
    package var port: UInt16 = 8080
    /// The inherited sockets to accept on in place of ``host`` and ``port``, which one server may
    /// use; `nil` for none.
    package var sockets: InheritedSockets?
    package var limits = HTTPLimits()
    /// The maximum number of open connections; a further one receives 503 and is closed.
    package var maxConnections = 10_000
    /// The time that a connection may be open without a byte of a request; it is then closed
    /// without a response.
    package var idleTimeout = Duration.seconds(60)
    /// The time from the first byte of a head to its last, however slowly they arrive; then 408.
    package var headerTimeout = Duration.seconds(10)
    /// The time that a body may make no progress; then 408.
    package var bodyTimeout = Duration.seconds(30)
    /// The time that a response may make no progress; the connection is then reset.
    package var writeTimeout = Duration.seconds(30)
    /// The minimum rate of a body that arrives and of a response that is read, in bytes a second;
    /// 0 for none.
    ///
    /// A window of 10 s with some bytes, but fewer, ends the connection, with 408 or a reset.
    package var minRate = 1024
    /// The time for which input is still read after the last response, so that the peer can read
    /// the response before a reset stops it (RFC 9112 §9.6).
    package var lingerTime = Duration.seconds(2)
    /// The maximum number of bytes that are read and discarded during that time: enough for a
    /// client that sends a body a little beyond the limit before it reads the response.
    package var lingerBytes = 32 * 1024 * 1024
    /// The maximum number of connections beyond ``maxConnections`` that receive a 503 at one time;
    /// a further one is closed without a response.
    package var maxRefusals = 256

    package init() {}
}
