package import BroadsheetIO

/// A parser of requests that arrive in arbitrary pieces, without any I/O (RFC 9112).
///
/// It takes the bytes of a socket, returns one request at a time, and keeps the bytes after it
/// until ``next()`` is called. The same bytes produce the same requests and the same failure in any
/// pieces. Memory is bounded: by ``HTTPLimits`` while a head is read, by twice the bytes that have
/// arrived (or 64 KiB) while a body is read, and by a fixed size for pipelined requests.
///
///     var action = parser.feed(bytes)
///     while case .request(let request) = action {
///         send(response(to: request))
///         action = parser.next()
///     }
package struct HTTPRequestParser: Sendable {
    /// A function that returns the response to a request whose body is not to be read.
    package typealias Refusal = (HTTPRequestHead) -> HTTPResponse?

    /// The state of a parser, from which a connection chooses its timeout.
    package enum Phase: Sendable, Hashable {
        /// Between requests; no byte of the next one has arrived.
        case idle
        case head
        case body
        /// A request was returned; its response is awaited.
        case handedOut
        /// A failure was returned, or the peer has ended; further bytes are discarded.
        case closed
    }

    package private(set) var phase: Phase = .idle

    package var peer = IPAddress.unspecified

    private let limits: HTTPLimits
    private var headReader: HeadReader
    /// The request whose body is being read, or that was returned.
    private(set) var head: HTTPRequestHead?
    private var bodyReader: BodyReader?
    private var pipelined = PipelineBuffer()
    private var peerHasEnded = false

    package init(limits: HTTPLimits = HTTPLimits()) {
        self.limits = limits
        headReader = HeadReader(limits: limits)
    }

    /// The method of the current request, as soon as its request line is known.
    ///
    /// Also when the request fails later: the response to a failed HEAD must not have a body.
    package var method: HTTPMethod? { head?.method ?? headReader.requestLine?.method }

    /// The head of the current request, as far as it is known; also when the request fails later.
    var partialHead: HTTPRequestHead? { head ?? headReader.partialHead }

    /// A Boolean value that indicates whether to read from the socket: not while a response is
    /// awaited and more has arrived already, and not after the end.
    package var wantsInput: Bool {
        switch phase {
        case .closed: false
        case .handedOut: pipelined.isEmpty && !peerHasEnded
        case .idle, .head, .body: true
        }
    }

    /// The size of the buffers of the request that is being read, and of pipelined bytes; not of a
    /// request that was returned.
    package var bufferedByteCount: Int {
        let head = phase == .handedOut ? 0 : head?.headers.bytes.count ?? 0
        return head + headReader.byteCount + (bodyReader?.capacity ?? 0) + pipelined.byteCount
    }

    var receivedBody: Int { bodyReader?.count ?? 0 }

    /// Returns the size of the buffers while `count` more bytes of a body are read, of which the
    /// buffer before is a part until its bytes have been moved.
    func bufferedByteCount(reading count: Int) -> Int {
        guard let bodyReader else { return bufferedByteCount }
        let grown = bodyReader.capacity(after: count)
        return bufferedByteCount + (grown > bodyReader.capacity ? grown : 0)
    }

    /// Consumes all of `bytes` and returns the next action.
    ///
    /// - Parameter refuse: Returns the response to a request whose body is not to be read; `nil` to
    ///   read it. Called once for a body that is chunked, or longer than
    ///   ``HTTPLimits/maxUncheckedBody``, or that the client sends only after 100 Continue.
    /// - Complexity: O(bytes), in any pieces.
    package mutating func feed(
        _ bytes: UnsafeRawBufferPointer, refuse: Refusal = { _ in nil }
    ) -> HTTPParserAction {
        switch phase {
        case .closed: return .wait
        case .handedOut:
            pipelined.append(bytes)
            return .wait
        case .idle, .head, .body:
            var input = bytes
            let action = advance(&input, refuse)
            if phase == .handedOut { pipelined.append(input) }
            return action
        }
    }

    /// Continues after the response to the current request: reads pipelined bytes first.
    package mutating func next(refuse: Refusal = { _ in nil }) -> HTTPParserAction {
        guard phase == .handedOut else { return .wait }
        phase = .idle
        head = nil
        let action = readPipelined(refuse)
        switch action {
        case .wait, .expectContinue:
            // The next bytes were discarded, or will never arrive.
            if pipelined.isOverfull { return fail(.badRequest(.tooMuchPipelined)) }
            return peerHasEnded ? end() : action
        case .request, .refusal, .failure, .end: return action
        }
    }

    /// Handles the end of the peer's stream; requests that have arrived are still returned.
    ///
    /// - Returns: `.end` between requests, a failure within one, `.wait` while a response is
    ///   awaited (``next()`` then returns the end).
    package mutating func finish() -> HTTPParserAction {
        peerHasEnded = true
        switch phase {
        case .closed, .handedOut: return .wait
        case .idle, .head, .body: return end()
        }
    }

    private mutating func readPipelined(_ refuse: Refusal) -> HTTPParserAction {
        guard !pipelined.isEmpty else { return .wait }
        var unread = PipelineBuffer()
        swap(&unread, &pipelined)
        let action = unread.read { advance(&$0, refuse) }
        swap(&unread, &pipelined)
        return action
    }

    /// Reads up to the next action; consumes all input unless the action occurs before its end.
    private mutating func advance(
        _ input: inout UnsafeRawBufferPointer, _ refuse: Refusal
    ) -> HTTPParserAction {
        do {
            if phase != .body {
                guard !input.isEmpty else { return .wait }
                phase = .head
                guard let (head, framing, expects) = try headReader.read(&input) else {
                    return .wait
                }
                startBody(of: head, framing)
                if bodyReader != nil, expects || framing.mayBeLarge, let response = refuse(head) {
                    abandon()
                    return .refusal(head, response)
                }
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
        return .request(HTTPRequest(head: head, body: body, peer: peer))
    }

    private mutating func end() -> HTTPParserAction {
        guard phase == .idle || (phase == .head && headReader.isEmpty) else {
            return fail(.badRequest(.incomplete))
        }
        phase = .closed
        return .end
    }

    private mutating func fail(_ error: HTTPError) -> HTTPParserAction {
        abandon()
        return .failure(error)
    }

    /// Discards the request that is being read, and all further bytes; its method stays known.
    package mutating func abandon() {
        phase = .closed
        bodyReader = nil
        pipelined = PipelineBuffer()
    }

    /// Discards everything that was received, and all further bytes.
    package mutating func discard() {
        abandon()
        head = nil
        headReader = HeadReader(limits: limits)
    }
}

/// The action that ``HTTPRequestParser`` requests from its connection.
package enum HTTPParserAction: Sendable, Equatable {
    case wait
    /// A complete head whose client expects 100 Continue; none of the body has arrived.
    ///
    /// The connection sends 100 and continues to feed, or sends a final response and closes
    /// (RFC 9110 §10.1.1).
    case expectContinue(HTTPRequestHead)
    /// A request to respond to; ``HTTPRequestParser/next()`` follows the response.
    case request(HTTPRequest)
    /// A response to a request whose body is not read: the connection sends it, closes, and feeds
    /// no more.
    case refusal(HTTPRequestHead, HTTPResponse)
    /// A request that cannot be served: the connection responds, closes, and feeds no more.
    case failure(HTTPError)
    case end
}

/// The bytes that arrive while an earlier request is served (pipelining, RFC 9112 §9.3.2).
struct PipelineBuffer: Sendable {
    private var bytes: [UInt8] = []
    private var position = 0

    /// A Boolean value that indicates whether more bytes arrived than are kept; the excess was
    /// discarded.
    private(set) var isOverfull = false

    var isEmpty: Bool { position == bytes.count }

    var byteCount: Int { bytes.count }

    /// Adds bytes, up to ``HTTPLimits/maxPipelinedBytes`` unread ones.
    mutating func append(_ input: UnsafeRawBufferPointer) {
        guard !input.isEmpty, !isOverfull else { return }
        guard bytes.count - position + input.count <= HTTPLimits.maxPipelinedBytes else {
            isOverfull = true
            return
        }
        if position > 0 {
            bytes.removeFirst(position)
            position = 0
        }
        bytes.append(contentsOf: input)
    }

    /// Calls `read` with the bytes, from whose front it consumes; the rest stays, without being
    /// moved.
    ///
    /// Once all bytes are consumed the memory is freed.
    mutating func read<Result>(
        _ read: (inout UnsafeRawBufferPointer) -> Result
    ) -> Result {
        let (result, left) = bytes.withUnsafeBytes { all in
            var rest = UnsafeRawBufferPointer(rebasing: all.dropFirst(position))
            let result = read(&rest)
            return (result, rest.count)
        }
        position = bytes.count - left
        if isEmpty {
            bytes = []
            position = 0
        }
        return result
    }
}
