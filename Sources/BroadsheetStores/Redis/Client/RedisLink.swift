internal import BroadsheetIO

/// Keeps one connection to a server: hands answers to those who asked, and makes it anew, with
/// growing pauses, whenever it ends.
///
/// Commands are pipelined: each is sent at once and answers come in the same order. While the
/// connection is being made questions wait for it; once that has failed they fail at once until the
/// next attempt begins. Touched on its loop's thread only.
final class RedisLink: @unchecked Sendable {
    // Unchecked: confined to `loop`, which every entry point asserts.

    private enum State {
        /// No attempt is under way; the next is due when the timer fires.
        case resting(reason: String)
        /// An attempt is under way.
        case opening(RedisOpening)
        /// Questions go out.
        case open(RedisConnection, RedisSession)
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
    private let lookup: AddressLookup
    /// Where the connection goes: to the endpoint, or where a cluster has pointed instead.
    private var place: RedisPlace
    private var redirections = 0
    private var attempts = 0
    private var state = State.resting(reason: "the server has not been reached yet")
    private var backoff = RedisBackoff()
    private var questions = RedisQuestions()
    /// Called once nothing is unanswered any more; no further question is taken then.
    private var whenIdle: (() -> Void)?
    private lazy var attemptTimer = DeadlineTimer { [weak self] in self?.attemptTimerFired() }
    private lazy var questionTimer = DeadlineTimer { [weak self] in self?.questionTimerFired() }

    /// A link to `endpoint` on `loop`, which ``start()`` makes.
    init(_ endpoint: RedisEndpoint, on loop: EventLoop, _ listening: RedisListening) {
        self.endpoint = endpoint
        self.loop = loop
        self.listening = listening
        lookup = AddressLookup(on: loop)
        place = RedisPlace(endpoint)
    }

    /// The version of the protocol that the server is spoken to in; nil while there is no connection.
    var openVersion: RESPVersion? {
        if case .open(_, let session) = state { session.version } else { nil }
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
        case .open(let connection, _):
            take(question, waiting: false) {
                questions.ask($0)
                connection.send($0.bytes)
            }
        }
    }

    /// Waits until what was asked is answered, which takes no longer than the last deadline; then
    /// ends the connection for good and calls `done`.
    func finish(_ done: @escaping () -> Void) {
        assert(loop.isCurrent)
        let earlier = whenIdle
        whenIdle = {
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
        loop.remove(questionTimer)
        let done = whenIdle
        whenIdle = nil
        done?()
    }

    private func closeIfIdle() {
        if whenIdle != nil, questions.count == 0 { close() }
    }
}

// MARK: - Connections

extension RedisLink {
    private func open() {
        let opening = RedisOpening(
            of: place, turn: attempts, RedisHandshake(endpoint, listeningTo: listening.channel),
            on: loop, lookup
        ) { [self] in opened($0) }
        attempts += 1
        state = .opening(opening)
        loop.setDeadline(loop.clock.now.advanced(by: Self.openingTimeout), of: attemptTimer)
        opening.start()
    }

    private func opened(_ outcome: RedisOpening.Outcome) {
        switch outcome {
        case .open(let connection, let session): use(connection, session)
        case .failed(let reason): lost(because: reason)
        case .refused(let refusal):
            guard let newPlace = refusal.newPlace, redirections < Self.maxRedirections else {
                return lost(because: "Redis refuses the connection: \(refusal.words)")
            }
            redirections += 1
            place = newPlace
            open()
        }
    }

    private func use(_ connection: RedisConnection, _ session: RedisSession) {
        state = .open(connection, session)
        backoff.reset()
        redirections = 0
        loop.setDeadline(nil, of: attemptTimer)
        // The connection keeps the link alive until one of the two ends it.
        connection.hand(
            to: RedisConnection.Events(
                connected: {}, received: { [self] in receive($0) },
                ended: { [self] in lost(because: $0) }))
        listening.opened(place, session)
        connection.send(questions.askAll())
        moveQuestionTimer()
    }

    private func attemptTimerFired() {
        switch state {
        case .resting: open()
        case .opening: lost(because: "Redis does not answer")
        case .open, .closed: break
        }
    }

    private func lost(because reason: String) {
        if case .closed = state { return }
        var generator = SystemRandomNumberGenerator()
        let pause = backoff.next(using: &generator)
        // Where a cluster once pointed may be nobody's place by now.
        place = RedisPlace(endpoint)
        redirections = 0
        drop(.resting(reason: reason), because: reason)
        closeIfIdle()
        guard case .resting = state else { return }
        loop.setDeadline(loop.clock.now.advanced(by: pause), of: attemptTimer)
        listening.lost(reason)
    }

    /// Lets go of the connection, or of the attempt to make one, and fails what is unanswered.
    private func drop(_ next: State, because reason: String) {
        switch state {
        case .opening(let opening): opening.cancel()
        case .open(let connection, _): connection.close()
        case .resting, .closed: break
        }
        state = next
        loop.setDeadline(nil, of: questionTimer)
        for finish in questions.removeAll() { finish(.failure(.unavailable(reason))) }
    }
}

// MARK: - Questions

extension RedisLink {
    private func take(
        _ question: RedisQuestion, waiting: Bool, _ accept: (RedisQuestion) -> Void
    ) {
        guard questions.hasRoom(forBytes: question.bytes.count, waiting: waiting) else {
            return question.finish(.failure(.unavailable("too many requests wait for Redis")))
        }
        accept(question)
        moveQuestionTimer()
    }

    private func receive(_ value: RESPValue) {
        if let message = value.message(isListening: listening.channel != nil) {
            return listening.heard(message)
        }
        switch questions.take(value) {
        case .unasked: return
        case .part: break
        case .whole(let answers, let finish): finish(.success(answers))
        }
        moveQuestionTimer()
        if case .error(let words) = value { check(RedisRefusal(words)) }
        closeIfIdle()
    }

    private func check(_ refusal: RedisRefusal) {
        guard refusal.endsConnection else { return }
        lost(because: "Redis: \(refusal.words)")
        guard case .resting = state, let newPlace = refusal.newPlace else { return }
        place = newPlace
    }

    /// An answer is overdue, or a question that waits for the connection.
    ///
    /// Answers come in order, so once one is overdue the connection is of no more use: a late one
    /// would be taken for the next one's.
    private func questionTimerFired() {
        if let deadline = questions.answerDeadline, deadline <= loop.now {
            return lost(because: "Redis does not answer in time")
        }
        for finish in questions.removeWaiting(overdueAt: loop.now) {
            finish(.failure(.unavailable("Redis is not reached in time")))
        }
        moveQuestionTimer()
        closeIfIdle()
    }

    private func moveQuestionTimer() {
        loop.setDeadline(questions.nextDeadline, of: questionTimer)
    }
}
