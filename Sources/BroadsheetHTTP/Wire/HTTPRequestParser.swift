/// Reads requests from bytes that arrive cut anywhere, without any I/O (RFC 9112).
///
/// Feed it what the socket gives; it hands out one request at a time and keeps what follows until
/// ``next()`` is called. The same bytes give the same requests and the same failure however they
/// are cut. Memory is bounded: by ``HTTPLimits`` while a head is read, by twice what has arrived
/// (or 64 KiB) while a body is, and by a fixed size for what was sent ahead.
///
///     var action = parser.feed(bytes)
///     while case .request(let request) = action {
///         send(answer(request))
///         action = parser.next()
///     }
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

    private let limits: HTTPLimits
    private var headReader: HeadReader
    /// The request whose body is being read, or that is out.
    private var head: HTTPRequestHead?
    private var bodyReader: BodyReader?
    private var ahead = SentAhead()
    private var peerHasEnded = false

    /// A parser for a new connection.
    package init(limits: HTTPLimits = HTTPLimits()) {
        self.limits = limits
        headReader = HeadReader(limits: limits)
    }

    /// The method of the request at hand as soon as its request line is known.
    ///
    /// Also when the request fails later: an error that answers HEAD must not carry a body.
    package var method: HTTPMethod? { head?.method ?? headReader.requestLine?.method }

    /// Whether to read from the socket: not while a request is out and more has come already, and
    /// not after the end.
    package var wantsInput: Bool {
        switch phase {
        case .closed: false
        case .handedOut: ahead.isEmpty && !peerHasEnded
        case .idle, .head, .body: true
        }
    }

    /// Takes all of `bytes` and says what to do now.
    ///
    /// - Complexity: O(bytes), whatever the cuts.
    package mutating func feed(_ bytes: UnsafeRawBufferPointer) -> HTTPParserAction {
        switch phase {
        case .closed: return .wait
        case .handedOut:
            ahead.append(bytes)
            return .wait
        case .idle, .head, .body:
            var input = bytes
            let action = advance(&input)
            if phase == .handedOut { ahead.append(input) }
            return action
        }
    }

    /// Goes on after the request that was handed out is answered: reads on in what was sent ahead.
    package mutating func next() -> HTTPParserAction {
        guard phase == .handedOut else { return .wait }
        phase = .idle
        head = nil
        let action = readAhead()
        switch action {
        case .wait, .expectContinue:
            // The bytes that would come next were dropped, or will never come.
            if ahead.isOverfull { return fail(.badRequest(.tooMuchPipelined)) }
            return peerHasEnded ? end() : action
        case .request, .failure, .end: return action
        }
    }

    /// Tells that the peer has closed its sending side; requests already here are still handed out.
    ///
    /// - Returns: `.end` between requests, a failure in the middle of one, `.wait` while one is out
    ///   (``next()`` then tells).
    package mutating func finish() -> HTTPParserAction {
        peerHasEnded = true
        switch phase {
        case .closed, .handedOut: return .wait
        case .idle, .head, .body: return end()
        }
    }

    private mutating func readAhead() -> HTTPParserAction {
        guard !ahead.isEmpty else { return .wait }
        var unread = SentAhead()
        swap(&unread, &ahead)
        let action = unread.read { advance(&$0) }
        swap(&unread, &ahead)
        return action
    }

    /// Reads on up to the next thing to do; takes all input unless that comes before its end.
    private mutating func advance(_ input: inout UnsafeRawBufferPointer) -> HTTPParserAction {
        do {
            if phase != .body {
                guard !input.isEmpty else { return .wait }
                phase = .head
                guard let (head, framing, expects) = try headReader.read(&input) else {
                    return .wait
                }
                startBody(of: head, framing)
                if expects, bodyReader != nil, input.isEmpty { return .expectContinue(head) }
            }
            return try readBody(&input)
        } catch {
            return fail(error)
        }
    }

    private mutating func startBody(of head: HTTPRequestHead, _ framing: BodyFraming) {
        self.head = head
        headReader = HeadReader(limits: limits)
        bodyReader = BodyReader(framing, limits: limits)
        phase = .body
    }

    private mutating func readBody(
        _ input: inout UnsafeRawBufferPointer
    ) throws(HTTPError) -> HTTPParserAction {
        guard let head else { return .wait }
        var body: [UInt8] = []
        if bodyReader != nil {
            guard let whole = try bodyReader?.read(&input) else { return .wait }
            body = whole
            bodyReader = nil
        }
        phase = .handedOut
        return .request(HTTPRequest(head: head, body: body))
    }

    private mutating func end() -> HTTPParserAction {
        guard phase == .idle || (phase == .head && headReader.isEmpty) else {
            return fail(.badRequest(.incomplete))
        }
        phase = .closed
        return .end
    }

    private mutating func fail(_ error: HTTPError) -> HTTPParserAction {
        phase = .closed
        bodyReader = nil
        ahead = SentAhead()
        return .failure(error)
    }
}
