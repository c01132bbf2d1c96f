import BroadsheetIO

/// Keeps one connection to a server: hands replies to those who asked, and makes it anew, with
/// growing pauses, whenever it ends.
///
/// Commands are pipelined: each is sent at once and replies come in the same order. While the
/// connection is being made requests wait for it; once that has failed they fail at once until the
/// next attempt begins. Touched on its loop's thread only.
final class RedisLink: @unchecked Sendable {
    // Unchecked: confined to `loop`, which every entry point asserts.

    private enum State {
        /// No attempt is under way; the next is due when the timer fires.
        case disconnected(reason: String)
        /// An attempt is under way.
        case connecting(RedisConnectionAttempt)
        /// Requests go out.
        case open(RedisConnection, RedisSession)
        /// Over for good.
        case closed
    }

    /// How long an attempt to connect and greet may take.
    static let connectTimeout = Duration.seconds(2)
    /// How often in a row a cluster may point to another of its nodes.
    static let maxRedirections = 5

    private let loop: EventLoop
    private let endpoint: RedisEndpoint
    private let observer: RedisLinkObserver
    private let lookup: AddressLookup
    /// Where the connection goes: to the endpoint, or where a cluster has pointed instead.
    private var node: RedisNode
    private var redirections = 0
    private var attempts = 0
    private var state = State.disconnected(reason: "the server has not been reached yet")
    private var backoff = RedisBackoff()
    private var requests = RedisRequestQueue()
    /// Called once nothing is unanswered any more; no further request is taken then.
    private var onIdle: (() -> Void)?
    private lazy var attemptTimer = DeadlineTimer { [weak self] in self?.attemptTimerFired() }
    private lazy var requestTimer = DeadlineTimer { [weak self] in self?.requestTimerFired() }

    /// A link to `endpoint` on `loop`, which ``start()`` makes.
    init(_ endpoint: RedisEndpoint, on loop: EventLoop, _ observer: RedisLinkObserver) {
        self.endpoint = endpoint
        self.loop = loop
        self.observer = observer
        lookup = AddressLookup(on: loop)
        node = RedisNode(endpoint)
    }

    /// The version of the protocol that the server is spoken to in; nil while there is no connection.
    var protocolVersion: RESPVersion? {
        if case .open(_, let session) = state { session.version } else { nil }
    }

    /// Makes the connection, and keeps making it until ``close()``.
    func start() {
        assert(loop.isCurrent)
        guard case .disconnected = state else { return }
        open()
    }

    /// Asks the server; `request.finish` is called exactly once, on the loop's thread.
    func send(_ request: RedisRequest) {
        assert(loop.isCurrent)
        switch state {
        case .closed: request.finish(.failure(.unavailable("the store is closed")))
        case _ where onIdle != nil:
            request.finish(.failure(.unavailable("the store is closing")))
        case .disconnected(let reason): request.finish(.failure(.unavailable(reason)))
        case .connecting: take(request, waiting: true) { requests.enqueue($0) }
        case .open(let connection, _):
            take(request, waiting: false) {
                requests.send($0)
                connection.send($0.bytes)
            }
        }
    }

    /// Waits until what was asked is replied, which takes no longer than the last deadline; then
    /// ends the connection for good and calls `done`.
    func finish(_ done: @escaping () -> Void) {
        assert(loop.isCurrent)
        let earlier = onIdle
        onIdle = {
            earlier?()
            done()
        }
        closeIfIdle()
    }

    /// Ends the connection for good; what is unanswered fails.
    func close() {
        assert(loop.isCurrent)
        drop(.closed, because: "the store is closed")
        loop.remove(attemptTimer)
        loop.remove(requestTimer)
        let done = onIdle
        onIdle = nil
        done?()
    }

    private func closeIfIdle() {
        if onIdle != nil, requests.count == 0 { close() }
    }
}

// MARK: - Connections

extension RedisLink {
    private func open() {
        let attempt = RedisConnectionAttempt(
            of: node, attemptNumber: attempts,
            RedisHandshake(endpoint, subscribingTo: observer.channel),
            on: loop, lookup
        ) { [self] in opened($0) }
        attempts += 1
        state = .connecting(attempt)
        loop.setDeadline(loop.clock.now.advanced(by: Self.connectTimeout), of: attemptTimer)
        attempt.start()
    }

    private func opened(_ outcome: RedisConnectionAttempt.Outcome) {
        switch outcome {
        case .open(let connection, let session): use(connection, session)
        case .failed(let reason): lost(because: reason)
        case .rejected(let error):
            guard let newNode = error.newNode, redirections < Self.maxRedirections else {
                return lost(because: "Redis refuses the connection: \(error.message)")
            }
            redirections += 1
            node = newNode
            open()
        }
    }

    private func use(_ connection: RedisConnection, _ session: RedisSession) {
        state = .open(connection, session)
        backoff.reset()
        redirections = 0
        loop.setDeadline(nil, of: attemptTimer)
        // The connection keeps the link alive until one of the two ends it.
        connection.transfer(
            to: RedisConnection.Events(
                connected: {}, received: { [self] in receive($0) },
                ended: { [self] in lost(because: $0) }))
        observer.opened(node, session)
        connection.send(requests.sendAll())
        moveRequestTimer()
    }

    private func attemptTimerFired() {
        switch state {
        case .disconnected: open()
        case .connecting: lost(because: "Redis does not reply")
        case .open, .closed: break
        }
    }

    private func lost(because reason: String) {
        if case .closed = state { return }
        var generator = SystemRandomNumberGenerator()
        let pause = backoff.next(using: &generator)
        // Where a cluster once pointed may be nobody's node by now.
        node = RedisNode(endpoint)
        redirections = 0
        drop(.disconnected(reason: reason), because: reason)
        closeIfIdle()
        guard case .disconnected = state else { return }
        loop.setDeadline(loop.clock.now.advanced(by: pause), of: attemptTimer)
        observer.lost(reason)
    }

    /// Lets go of the connection, or of the attempt to make one, and fails what is unanswered.
    private func drop(_ next: State, because reason: String) {
        switch state {
        case .connecting(let attempt): attempt.cancel()
        case .open(let connection, _): connection.close()
        case .disconnected, .closed: break
        }
        state = next
        loop.setDeadline(nil, of: requestTimer)
        for finish in requests.removeAll() { finish(.failure(.unavailable(reason))) }
    }
}

// MARK: - Requests

extension RedisLink {
    private func take(
        _ request: RedisRequest, waiting: Bool, _ accept: (RedisRequest) -> Void
    ) {
        guard requests.hasCapacity(forBytes: request.bytes.count, waiting: waiting) else {
            return request.finish(.failure(.unavailable("too many requests wait for Redis")))
        }
        accept(request)
        moveRequestTimer()
    }

    private func receive(_ value: RESPValue) {
        if let message = value.message(isSubscribed: observer.channel != nil) {
            return observer.received(message)
        }
        switch requests.take(value) {
        case .unexpected: return
        case .incomplete: break
        case .complete(let replies, let finish): finish(.success(replies))
        }
        moveRequestTimer()
        if case .error(let message) = value { check(RedisErrorReply(message)) }
        closeIfIdle()
    }

    private func check(_ error: RedisErrorReply) {
        guard error.endsConnection else { return }
        lost(because: "Redis: \(error.message)")
        guard case .disconnected = state, let newNode = error.newNode else { return }
        node = newNode
    }

    /// An reply is overdue, or a request that waits for the connection.
    ///
    /// Replies come in order, so once one is overdue the connection is of no more use: a late one
    /// would be taken for the next one's.
    private func requestTimerFired() {
        if let deadline = requests.replyDeadline, deadline <= loop.now {
            return lost(because: "Redis does not reply in time")
        }
        for finish in requests.removeWaiting(expiredAt: loop.now) {
            finish(.failure(.unavailable("Redis is not reached in time")))
        }
        moveRequestTimer()
        closeIfIdle()
    }

    private func moveRequestTimer() {
        loop.setDeadline(requests.nextDeadline, of: requestTimer)
    }
}

/// What the owner of a ``RedisLink`` hears of it, on the loop's thread.
struct RedisLinkObserver: Sendable {
    /// The channel whose messages are heard; it is subscribed to before the link counts as open.
    var channel: String?
    /// The connection stands, to this node, and nothing has been asked on it yet; what the channel
    /// says from now on is heard.
    var opened: @Sendable (RedisNode, RedisSession) -> Void = { _, _ in }
    /// The connection is lost, or an attempt to make it has failed.
    var lost: @Sendable (String) -> Void = { _ in }
    /// A message has come, with its elements: its kind, the channel, what is said there.
    var received: @Sendable ([RESPValue]) -> Void = { _ in }
}

/// How long to wait before the next attempt to connect: longer after each that failed, and never the
/// same for all daemons, so that a server that comes back is not met by everybody at once.
struct RedisBackoff {
    /// The first wait at most.
    static let first = Duration.milliseconds(50)
    /// The longest wait.
    static let longest = Duration.seconds(2)

    private var failures = 0

    /// Starts anew: a connection stands.
    mutating func reset() { failures = 0 }

    /// The wait after one more failure: between a half and the whole of what doubles each time.
    mutating func next(using generator: inout some RandomNumberGenerator) -> Duration {
        let whole = min(Self.first * (1 << min(failures, 16)), Self.longest)
        failures += 1
        return whole * Double.random(in: 0.5...1, using: &generator)
    }
}
