internal import BroadsheetIO

/// Keeps one connection to a server: makes it, greets, hands answers to those who asked, and makes
/// it anew, with growing pauses, whenever it ends.
///
/// Commands are pipelined: each is sent at once and answers come in the same order. While the
/// connection is being made questions wait for it; once that has failed they fail at once until the
/// next attempt begins. Touched on its loop's thread only.
final class RedisLink: @unchecked Sendable {
    // Unchecked: confined to `loop`, which every entry point asserts.

    private enum State {
        /// No attempt is under way; the next is due when the timer fires.
        case resting(reason: String)
        /// The address is being looked up, or the socket connects, or the greeting is under way.
        case opening
        /// Questions go out.
        case open
        /// Over for good.
        case closed
    }

    /// How long an attempt to connect and greet may take.
    static let openingTimeout = Duration.seconds(2)
    /// How often in a row a cluster may point to another of its nodes.
    static let maxRedirections = 5

    private let loop: EventLoop
    private let endpoint: RedisEndpoint
    private let listening: RedisListening
    /// Where the connection goes: to the endpoint, or where a cluster has pointed instead.
    private var place: RedisPlace
    private var redirections = 0

    private var state = State.resting(reason: "the server has not been reached yet")
    private var lookup: AddressLookup?
    /// The addresses of the present attempt that have not been tried.
    private var addresses: ArraySlice<SocketAddress> = []
    /// Counts attempts, so that each begins with another of a server's addresses.
    private var attempts = 0
    private var connection: RedisConnection?
    private var handshake: RedisHandshake
    private var backoff = RedisBackoff()
    private var questions = RedisQuestions()
    /// Called once nothing is unanswered any more; no further question is taken then.
    private var whenIdle: (() -> Void)?
    private lazy var attemptTimer = DeadlineTimer { [weak self] in self?.attemptTimerFired() }
    private lazy var answerTimer = DeadlineTimer { [weak self] in self?.answerTimerFired() }

    /// A link to `endpoint` on `loop`, which ``start()`` makes.
    init(_ endpoint: RedisEndpoint, on loop: EventLoop, _ listening: RedisListening) {
        self.endpoint = endpoint
        self.loop = loop
        self.listening = listening
        place = RedisPlace(endpoint)
        handshake = RedisHandshake(endpoint)
    }

    /// Makes the connection, and keeps making it until ``close()``.
    func start() {
        assert(loop.isCurrent)
        guard case .resting = state else { return }
        open()
    }

    /// Asks the server; `question.finish` is called exactly once, on the loop's thread.
    func ask(_ question: RedisQuestion) {
        assert(loop.isCurrent)
        switch state {
        case .closed: question.finish(.failure(.unavailable("the store is closed")))
        case _ where whenIdle != nil:
            question.finish(.failure(.unavailable("the store is closing")))
        case .resting(let reason): question.finish(.failure(.unavailable(reason)))
        case .opening: take(question, waiting: true) { questions.keep($0) }
        case .open: take(question, waiting: false) { send($0) }
        }
    }

    /// Waits until what was asked is answered, which takes no longer than the last deadline; then
    /// ends the connection for good and calls `done`.
    func finish(_ done: @escaping () -> Void) {
        assert(loop.isCurrent)
        whenIdle = done
        closeIfIdle()
    }

    /// Ends the connection for good; what is unanswered fails.
    func close() {
        assert(loop.isCurrent)
        state = .closed
        drop(because: "the store is closed")
        loop.remove(attemptTimer)
        loop.remove(answerTimer)
        let done = whenIdle
        whenIdle = nil
        done?()
    }

    private func take(
        _ question: RedisQuestion, waiting: Bool, _ accept: (RedisQuestion) -> Void
    ) {
        guard questions.hasRoom(forBytes: question.bytes.count, waiting: waiting) else {
            return question.finish(.failure(.unavailable("too many requests wait for Redis")))
        }
        accept(question)
    }

    private func send(_ question: RedisQuestion) {
        questions.ask(question)
        moveAnswerDeadline()
        connection?.send(question.bytes)
    }

    private func closeIfIdle() {
        if whenIdle != nil, questions.count == 0 { close() }
    }
}

// MARK: - Opening

extension RedisLink {
    private func open() {
        state = .opening
        attempts += 1
        handshake = RedisHandshake(endpoint)
        loop.setDeadline(loop.clock.now.advanced(by: Self.openingTimeout), of: attemptTimer)
        // A look-up that has not come back is waited for: the next one would not be faster.
        guard lookup == nil else { return }
        // A name may have moved to another server since the last attempt.
        let lookup = AddressLookup(of: place, on: loop) { [weak self] in self?.found($0) }
        self.lookup = lookup
        lookup.start()
    }

    private func found(_ result: Result<[SocketAddress], IOError>) {
        let isOfThisPlace = lookup?.place == place
        lookup = nil
        guard case .opening = state, connection == nil else { return }
        guard isOfThisPlace else { return open() }
        do throws(IOError) {
            let found = try result.get()
            let first = (attempts - 1) % max(1, found.count)
            addresses = found[first...] + found[..<first]
            connect()
        } catch {
            lost(because: error.description)
        }
    }

    /// Connects to the next address of this attempt.
    private func connect() {
        guard let address = addresses.popFirst() else {
            return lost(because: "\(place) has no address")
        }
        do throws(IOError) {
            // The connection keeps the link alive until one of the two ends it.
            let events = RedisConnection.Events(
                connected: { [self] in connection?.send(handshake.opening.bytes) },
                received: { [self] in receive($0) },
                ended: { [self] in connectionEnded($0) })
            connection = try RedisConnection(to: address, on: loop, events: events)
        } catch {
            connectionEnded(error.description)
        }
    }

    private func connectionEnded(_ reason: String) {
        let wasConnected = connection?.isConnected ?? false
        guard case .opening = state, !wasConnected, !addresses.isEmpty else {
            return lost(because: reason)
        }
        connection = nil
        connect()
    }

    private func greet(_ answer: RESPValue) {
        switch handshake.receive(answer) {
        case .send(let command): connection?.send(command.bytes)
        case .refused(let refusal): refused(refusal)
        case .done:
            state = .open
            backoff.reset()
            redirections = 0
            loop.setDeadline(nil, of: attemptTimer)
            if let greeting = listening.greeting { connection?.send(greeting.bytes) }
            listening.opened(place)
            connection?.send(questions.askAll())
            moveAnswerDeadline()
        }
    }

    private func refused(_ refusal: RedisRefusal) {
        guard let newPlace = refusal.newPlace, redirections < Self.maxRedirections else {
            return lost(because: "Redis refuses the connection: \(refusal.words)")
        }
        redirections += 1
        connection?.close()
        connection = nil
        place = RedisPlace(host: newPlace.host, port: newPlace.port)
        open()
    }
}

// MARK: - Answers

extension RedisLink {
    private func receive(_ value: RESPValue) {
        if case .push = value { return listening.heard(value) }
        switch state {
        case .opening: greet(value)
        case .open: take(value)
        case .resting, .closed: break
        }
    }

    private func take(_ answer: RESPValue) {
        // Before RESP3 messages come as answers to nobody's question.
        guard questions.take(answer) else { return listening.heard(answer) }
        moveAnswerDeadline()
        if case .error(let words) = answer { check(RedisRefusal(words)) }
        closeIfIdle()
    }

    private func check(_ refusal: RedisRefusal) {
        guard refusal.endsConnection else { return }
        lost(because: "Redis: \(refusal.words)")
        guard case .resting = state, let newPlace = refusal.newPlace else { return }
        place = RedisPlace(host: newPlace.host, port: newPlace.port)
    }

    /// An answer is overdue.
    ///
    /// Those behind it come in order, so the connection is of no more use: a
    /// late answer would be taken for the next one's.
    private func answerTimerFired() {
        guard let deadline = questions.nextDeadline else { return }
        guard deadline <= loop.now else { return moveAnswerDeadline() }
        lost(because: "Redis does not answer in time")
    }

    private func moveAnswerDeadline() {
        loop.setDeadline(questions.nextDeadline, of: answerTimer)
    }
}

// MARK: - Losing

extension RedisLink {
    private func lost(because reason: String) {
        if case .closed = state { return }
        var generator = SystemRandomNumberGenerator()
        let pause = backoff.next(using: &generator)
        state = .resting(reason: reason)
        drop(because: reason)
        // Where a cluster once pointed may be nobody's place by now.
        place = RedisPlace(endpoint)
        redirections = 0
        guard case .resting = state else { return }
        loop.setDeadline(loop.clock.now.advanced(by: pause), of: attemptTimer)
        listening.lost(reason)
    }

    private func drop(because reason: String) {
        connection?.close()
        connection = nil
        addresses = []
        loop.setDeadline(nil, of: answerTimer)
        questions.fail(.unavailable(reason))
        if case .closed = state { return }
        closeIfIdle()
    }

    private func attemptTimerFired() {
        switch state {
        case .resting: open()
        case .opening: lost(because: "Redis does not answer")
        case .open, .closed: break
        }
    }
}
