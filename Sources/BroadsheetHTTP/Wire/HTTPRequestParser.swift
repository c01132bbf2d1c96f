/// Reads requests from bytes that arrive cut anywhere, without any I/O (RFC 9112).
///
/// Feed it what the socket gives; it hands out one request at a time and keeps what follows until
/// ``next()`` is called. The same bytes give the same requests and the same failure however they
/// are cut. Memory is bounded: by ``HTTPLimits`` while a head is read, by twice what has arrived
/// while a body is, and by a fixed size for what was sent ahead.
///
///     var action = parser.feed(bytes)
///     loop: switch action {
///     case .request(let request): …answer…; action = parser.next()   // and again
///     …
package struct HTTPRequestParser: Sendable {
    /// What the parser is in the middle of, for a connection's choice of timeout.
    package enum Phase: Sendable, Hashable {
        /// Between requests; not one byte of the next has come.
        case idle
        /// Within a head.
        case head
        /// Within a body.
        case body
        /// A request is out; its answer is awaited.
        case handedOut
        /// A failure was reported, or the peer ended; all further bytes are dropped.
        case closed
    }

    /// What the parser is in the middle of.
    package private(set) var phase: Phase = .idle
    /// The method of the request at hand as soon as its request line is known, even when the
    /// request fails later: an error that answers HEAD must not carry a body.
    package var method: HTTPMethod? { nil }
    /// Whether to read from the socket: not while a request is out and more has come already.
    package var wantsInput: Bool { true }

    private let limits: HTTPLimits

    /// A parser for a new connection.
    package init(limits: HTTPLimits = HTTPLimits()) { self.limits = limits }

    /// Takes all of `bytes` and says what to do now.
    ///
    /// - Complexity: O(bytes), whatever the cuts.
    package mutating func feed(_ bytes: UnsafeRawBufferPointer) -> HTTPParserAction { .wait }

    /// Goes on after the request that was handed out is answered: reads on in what was sent ahead.
    package mutating func next() -> HTTPParserAction { .wait }

    /// Tells that the peer has closed its sending side; requests already here are still handed out.
    package mutating func finish() -> HTTPParserAction { .end }
}
