import BroadsheetIO

/// A connection to a server that is established again, after increasing delays, whenever it ends.
///
/// Requests are pipelined: each is sent at once, and replies arrive in the same order. While a
/// connection attempt is in progress, and before the first one after a connection was lost,
/// requests wait for it; after it fails, they fail at once until the next attempt begins, except
/// for those that wait for a connection. Used on the thread of its loop only.
final class RedisLink: @unchecked Sendable {
    // Unchecked: confined to `loop`, which every entry point asserts.

    private enum State {
        /// No attempt is in progress; the timer begins the next one, which is the first one if the
        /// connection was lost.
        case disconnected(reason: String, isLost: Bool = false)
        /// The Sentinels are asked for the server.
        case locating
        case connecting(RedisConnectionAttempt)
        /// The connection is established.
        case open(RedisConnection, RedisSession)
        case closed
    }

    /// The timeout of a connection attempt, including the handshake.
    static let connectTimeout = Duration.seconds(2)
    /// The maximum number of consecutive redirections by a cluster.
    static let maxRedirections = 5

    private let loop: EventLoop
    private let location: RedisLocation
    private let observer: RedisLinkObserver
    private let lookup: AddressLookup
    private let memory: MemoryBudget
    /// The node of the connection, or of the last attempt.
    private var node: RedisNode
    /// The node that a cluster has redirected to, for the next attempt.
    private var redirection: RedisNode?
    private var redirections = 0
    /// The number of servers in a row that were named and cannot be used.
    private var rejections = 0
    private var attempts = 0
    private var state = State.disconnected(reason: "the server has not been reached yet")
    private var reconnectDelay: RedisReconnectDelay
    private var requests = RedisRequestQueue()
    /// A function to call once all requests have finished; no further request is accepted while it
    /// is set.
    private var onIdle: (() -> Void)?
    private lazy var attemptTimer = DeadlineTimer { [weak self] in self?.attemptTimerFired() }
    private lazy var requestTimer = DeadlineTimer { [weak self] in self?.requestTimerFired() }

    /// Large requests and replies are charged to `memory`.
    init(
        _ location: RedisLocation, _ observer: RedisLinkObserver,
        memory: MemoryBudget = .unlimited
    ) {
        self.memory = memory
        self.location = location
        self.observer = observer
        loop = location.loop
        lookup = AddressLookup(on: location.loop)
        node = RedisNode(location.endpoint)
        reconnectDelay = location.isNamed ? .betweenSentinels : RedisReconnectDelay()
    }

    var protocolVersion: RESPVersion? {
        if case .open(_, let session) = state { session.version } else { nil }
    }

    /// Establishes the connection, and again after each loss, until ``close()``.
    func start() {
        assert(loop.isCurrent)
        guard case .disconnected = state else { return }
        location.add(self)
        open()
    }

    /// Sends a request; its `finish` is called exactly once, on the thread of the loop.
    func send(_ request: RedisRequest) {
        assert(loop.isCurrent)
        switch state {
        case .closed: request.finish(.failure(.closed("the store is closed")))
        case _ where onIdle != nil:
            request.finish(.failure(.closed("the store is closing")))
        case .disconnected(let reason, false) where !request.waitsForConnection:
            request.finish(.failure(.unsent(reason)))
        case .disconnected, .locating, .connecting:
            take(request, waiting: true) { requests.enqueue($0) }
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
        location.remove(self)
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
        if let redirection { return connect(to: redirection) }
        state = .locating
        location.locate { [weak self] in self?.located($0) }
    }

    private func located(_ result: Result<RedisNode, SentinelSilence>) {
        guard case .locating = state else { return }
        switch result {
        case .success(let node): connect(to: node)
        case .failure(let silence): lost(because: silence.reason, at: nil)
        }
    }

    private func connect(to node: RedisNode) {
        self.node = node
        let attempt = RedisConnectionAttempt(
            of: node, attemptNumber: attempts,
            RedisHandshake(location.endpoint, subscribingTo: observer.channel), lookup
        ) { [self] in opened($0) }
        attempts += 1
        state = .connecting(attempt)
        loop.setDeadline(loop.clock.now.advanced(by: Self.connectTimeout), of: attemptTimer)
        attempt.start()
    }

    private func opened(_ outcome: RedisConnectionAttempt.Outcome) {
        switch outcome {
        case .open(let connection, let session): use(connection, session)
        case .failed(let reason): rejectNode(because: reason)
        case .rejected(let error):
            guard let newNode = error.newNode, redirections < Self.maxRedirections else {
                return rejectNode(because: "Redis rejects the connection: \(error.message)")
            }
            redirections += 1
            connect(to: newNode)
        }
    }

    /// Ends an attempt, and asks the other Sentinels for another server, if there are any.
    ///
    /// Requests wait until all of them were asked, so that a daemon starts although the first one
    /// is wrong.
    private func rejectNode(because reason: String) {
        location.reject(node)
        rejections += 1
        guard rejections < location.sourceCount else { return lost(because: reason) }
        observer.lost("\(reason) (\(node))")
        redirection = nil
        open()
    }

    /// Closes the connection, because the Sentinels name another server.
    func primaryMoved(to other: RedisNode) {
        assert(loop.isCurrent)
        switch state {
        case .connecting, .open:
            if node != other { lost(because: "the Sentinels name another primary, \(other)") }
        case .disconnected, .locating, .closed: break
        }
    }

    private func use(_ connection: RedisConnection, _ session: RedisSession) {
        state = .open(connection, session)
        reconnectDelay.reset()
        redirections = 0
        rejections = 0
        redirection = nil
        location.confirm(node)
        loop.setDeadline(nil, of: attemptTimer)
        // The connection retains the link until one of the two ends it.
        connection.transfer(
            to: RedisConnection.Events(
                connected: {}, received: { [self] in receive($0) },
                ended: { [self] in lost(because: $0) }),
            chargingTo: memory)
        observer.opened(node, session)
        connection.send(requests.sendAll(at: loop.clock.now))
        moveRequestTimer()
    }

    private func attemptTimerFired() {
        switch state {
        case .disconnected: open()
        case .connecting(let attempt):
            location.reject(node)
            lost(because: attempt.delay)
        case .locating, .open, .closed: break
        }
    }

    private func lost(because reason: String) { lost(because: reason, at: node) }

    /// Waits for the next attempt; `node` is the one that the reason is about.
    private func lost(because reason: String, at node: RedisNode?) {
        if case .closed = state { return }
        // Operators see it in the log and when a daemon does not start.
        let reason = reason + (node.map { " (\($0))" + $0.remedy(for: reason) } ?? "")
        var generator = SystemRandomNumberGenerator()
        let pause = reconnectDelay.next(using: &generator)
        // The node of an earlier redirection may not exist any longer.
        redirection = nil
        redirections = 0
        rejections = 0
        let isLost = if case .open = state { true } else { false }
        drop(.disconnected(reason: reason, isLost: isLost), because: reason)
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
        case .disconnected, .locating, .closed: break
        }
        state = next
        loop.setDeadline(nil, of: requestTimer)
        let (sent, waiting) = requests.removeAll()
        if case .closed = next {
            for finish in sent + waiting { finish(.failure(.closed(reason))) }
        } else {
            for finish in sent { finish(.failure(.lost(reason))) }
            for finish in waiting { finish(.failure(.unsent(reason))) }
        }
    }
}

// MARK: - Requests

extension RedisLink {
    private func take(
        _ request: RedisRequest, waiting: Bool, _ accept: (RedisRequest) -> Void
    ) {
        guard requests.hasCapacity(forBytes: request.bytes.count, waiting: waiting) else {
            return request.finish(.failure(.unsent("too many requests wait for Redis")))
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
            finish(.failure(.lost("\(reason) (\(node))")))
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
        redirection = newNode
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
            finish(.failure(.unsent("Redis was not reached in time (\(node))")))
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
