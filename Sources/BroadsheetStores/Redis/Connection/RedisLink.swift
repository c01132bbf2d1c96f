import BroadsheetIO

/// A connection to a server that is established again, after increasing delays, whenever it ends.
///
/// Requests are pipelined: each is sent at once, and replies arrive in the same order. While a
/// connection attempt is in progress, requests wait for it; after it fails, they fail at once until
/// the next attempt begins. Used on the thread of its loop only.
final class RedisLink: @unchecked Sendable {
    // Unchecked: confined to `loop`, which every entry point asserts.

    private enum State {
        /// No attempt is in progress; the timer begins the next one.
        case disconnected(reason: String)
        /// An attempt is in progress.
        case connecting(RedisConnectionAttempt)
        /// The connection is established.
        case open(RedisConnection, RedisSession)
        /// The link is closed permanently.
        case closed
    }

    /// The timeout of a connection attempt, including the handshake.
    static let connectTimeout = Duration.seconds(2)
    /// The maximum number of consecutive redirections by a cluster.
    static let maxRedirections = 5

    private let loop: EventLoop
    private let endpoint: RedisEndpoint
    private let observer: RedisLinkObserver
    private let lookup: AddressLookup
    private let memory: MemoryBudget
    /// The node to connect to: that of the endpoint, or one that a cluster redirected to.
    private var node: RedisNode
    private var redirections = 0
    private var attempts = 0
    private var state = State.disconnected(reason: "the server has not been reached yet")
    private var reconnectDelay = RedisReconnectDelay()
    private var requests = RedisRequestQueue()
    /// A function to call once all requests have finished; no further request is accepted while it
    /// is set.
    private var onIdle: (() -> Void)?
    private lazy var attemptTimer = DeadlineTimer { [weak self] in self?.attemptTimerFired() }
    private lazy var requestTimer = DeadlineTimer { [weak self] in self?.requestTimerFired() }

    /// Creates a link to `endpoint` on `loop`, which ``start()`` establishes.
    ///
    /// - Parameter memory: The budget that large requests and replies are charged to.
    init(
        _ endpoint: RedisEndpoint, on loop: EventLoop, _ observer: RedisLinkObserver,
        memory: MemoryBudget = .unlimited
    ) {
        self.memory = memory
        self.endpoint = endpoint
        self.loop = loop
        self.observer = observer
        lookup = AddressLookup(on: loop)
        node = RedisNode(endpoint)
    }

    /// The version of the protocol in use; `nil` without a connection.
    var protocolVersion: RESPVersion? {
        if case .open(_, let session) = state { session.version } else { nil }
    }

    /// Establishes the connection, and again after each loss, until ``close()``.
    func start() {
        assert(loop.isCurrent)
        guard case .disconnected = state else { return }
        open()
    }

    /// Sends a request; its `finish` is called exactly once, on the thread of the loop.
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

    /// Waits for the outstanding replies, at most until their last deadline, then closes the link
    /// permanently and calls `done`.
    func finish(_ done: @escaping () -> Void) {
        assert(loop.isCurrent)
        let earlier = onIdle
        onIdle = {
            earlier?()
            done()
        }
        closeIfIdle()
    }

    /// Closes the link permanently; outstanding requests fail.
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
            RedisHandshake(endpoint, subscribingTo: observer.channel), lookup
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
                return lost(because: "Redis rejects the connection: \(error.message)")
            }
            redirections += 1
            node = newNode
            open()
        }
    }

    private func use(_ connection: RedisConnection, _ session: RedisSession) {
        state = .open(connection, session)
        reconnectDelay.reset()
        redirections = 0
        loop.setDeadline(nil, of: attemptTimer)
        // The connection retains the link until one of the two ends it.
        connection.transfer(
            to: RedisConnection.Events(
                connected: {}, received: { [self] in receive($0) },
                ended: { [self] in lost(because: $0) }),
            chargingTo: memory)
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
        // Operators see it in the log and when a daemon does not start.
        let reason = "\(reason) (\(node))"
        var generator = SystemRandomNumberGenerator()
        let pause = reconnectDelay.next(using: &generator)
        // The node of an earlier redirection may not exist any longer.
        node = RedisNode(endpoint)
        redirections = 0
        drop(.disconnected(reason: reason), because: reason)
        closeIfIdle()
        guard case .disconnected = state else { return }
        loop.setDeadline(loop.clock.now.advanced(by: pause), of: attemptTimer)
        observer.lost(reason)
    }

    /// Closes the connection or cancels the attempt, and fails outstanding requests.
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
        case .misassigned(let finish):
            let reason = "replies of Redis are repeated, missing or delayed"
            finish(.failure(.unavailable("\(reason) (\(node))")))
            return lost(because: reason)
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

    /// Handles an overdue reply or a request that waited too long for a connection.
    ///
    /// Replies arrive in order, so a connection with an overdue reply cannot be used any longer:
    /// the late reply would be assigned to the next request.
    private func requestTimerFired() {
        if let deadline = requests.replyDeadline, deadline <= loop.now {
            return lost(because: "Redis does not reply in time")
        }
        for finish in requests.removeWaiting(expiredAt: loop.now) {
            finish(.failure(.unavailable("Redis was not reached in time (\(node))")))
        }
        moveRequestTimer()
        closeIfIdle()
    }

    private func moveRequestTimer() {
        loop.setDeadline(requests.nextDeadline, of: requestTimer)
    }
}

/// The functions that the owner of a ``RedisLink`` receives events with, on the thread of the loop.
struct RedisLinkObserver: Sendable {
    /// The channel whose messages are received; the link is open only after it has subscribed.
    var channel: String?
    /// The connection to this node is established, and no request was sent on it yet; later
    /// messages are received.
    var opened: @Sendable (RedisNode, RedisSession) -> Void = { _, _ in }
    /// The connection is lost, or an attempt has failed.
    var lost: @Sendable (String) -> Void = { _ in }
    /// A message was received; its elements are its kind, the channel, and the content.
    var received: @Sendable ([RESPValue]) -> Void = { _ in }
}
