internal import BroadsheetIO
internal import Foundation

/// Keeps one connection to a server: makes it, greets, hands answers to those who asked, and makes
/// it anew, with growing pauses, whenever it ends.
///
/// Commands are pipelined: each is sent at once and answers come in the same order. While the
/// connection is being made commands wait for it; once that has failed they fail at once until the
/// next attempt begins. Touched on its loop's thread only.
final class RedisLink: @unchecked Sendable {
    // Unchecked: confined to `loop`, which every entry point asserts.

    /// Who asked, and until when an answer is of use.
    struct Question {
        var command: RESPCommand
        var deadline: MonotonicInstant
        var finish: @Sendable (Result<RESPValue, StoreError>) -> Void
    }

    private enum State {
        /// No attempt is under way; the next is due when the timer fires.
        case resting(reason: String)
        /// The address is being looked up, or the socket connects, or the greeting is under way.
        case opening
        /// Commands go out.
        case open
        /// Over for good.
        case closed
    }

    /// How long an attempt to connect and greet may take.
    static let openingTimeout = Duration.seconds(2)
    /// The most questions that may be unanswered.
    static let maxQuestions = 10_000

    let loop: EventLoop
    private let endpoint: RedisEndpoint
    /// What is sent first whenever the connection stands, before any question.
    private let greeting: RESPCommand?
    /// Hears of the connection's ups (true) and downs.
    private let stateChanged: (Bool) -> Void
    /// Hears what the server sends unasked, and the answer to `greeting`.
    private let heard: (RESPValue) -> Void

    private var state = State.resting(reason: "the server has not been reached yet")
    private var connection: RedisConnection?
    private var handshake: RedisHandshake
    private var backoff = RedisBackoff()
    /// Counts attempts, so that an address that was looked up for an earlier one is not used.
    private var attempt = 0
    private var waiting: [Question] = []
    private var asked = Questions()
    private lazy var attemptTimer = DeadlineTimer { [unowned self] in attemptTimerFired() }
    private lazy var answerTimer = DeadlineTimer { [unowned self] in answerTimerFired() }

    init(
        _ endpoint: RedisEndpoint, on loop: EventLoop, greeting: RESPCommand? = nil,
        stateChanged: @escaping (Bool) -> Void = { _ in },
        heard: @escaping (RESPValue) -> Void = { _ in }
    ) {
        self.endpoint = endpoint
        self.loop = loop
        self.greeting = greeting
        self.stateChanged = stateChanged
        self.heard = heard
        handshake = RedisHandshake(endpoint)
    }

    /// Makes the connection, and keeps making it until ``close()``.
    func start() {
        assert(loop.isCurrent)
        guard case .resting = state else { return }
        open()
    }

    /// Asks the server; `question.finish` is called exactly once, on the loop's thread.
    func ask(_ question: Question) {
        assert(loop.isCurrent)
        switch state {
        case .closed: question.finish(.failure(.unavailable("the store is closed")))
        case .resting(let reason): question.finish(.failure(.unavailable(reason)))
        case .opening, .open:
            guard waiting.count + asked.count < Self.maxQuestions else {
                return question.finish(.failure(.unavailable("too many requests wait for Redis")))
            }
            if case .open = state { send(question) } else { waiting.append(question) }
        }
    }

    /// Ends the connection for good; what is unanswered fails.
    func close() {
        assert(loop.isCurrent)
        state = .closed
        drop(because: "the store is closed")
        loop.remove(attemptTimer)
        loop.remove(answerTimer)
    }

    private func send(_ question: Question) {
        asked.append(question)
        if answerTimer.deadline == nil {
            loop.setDeadline(question.deadline, of: answerTimer)
        }
        connection?.send(question.command.bytes)
    }

    // MARK: Opening

    private func open() {
        state = .opening
        attempt += 1
        handshake = RedisHandshake(endpoint)
        loop.setDeadline(loop.clock.now.advanced(by: Self.openingTimeout), of: attemptTimer)
        // A name may have moved to another server since the last attempt. The resolver blocks, so
        // it has a thread for as long as it takes.
        let (endpoint, attempt) = (endpoint, attempt)
        Thread.detachNewThread { [self] in
            let found: Result<SocketAddress, IOError>
            do throws(IOError) {
                found = .success(try SocketAddress(host: endpoint.host, port: endpoint.port))
            } catch {
                found = .failure(error)
            }
            loop.submit { self.connect(found, attempt) }
        }
    }

    private func connect(_ address: Result<SocketAddress, IOError>, _ attempt: Int) {
        guard case .opening = state, attempt == self.attempt, connection == nil else { return }
        do throws(IOError) {
            let events = RedisConnection.Events(
                connected: { [unowned self] in connection?.send(handshake.opening.bytes) },
                received: { [unowned self] in receive($0) },
                ended: { [unowned self] in lost(because: $0) })
            connection = try RedisConnection(to: try address.get(), on: loop, events: events)
        } catch {
            lost(because: error.description)
        }
    }

    private func receive(_ value: RESPValue) {
        if case .push = value { return heard(value) }
        switch state {
        case .opening: greet(value)
        case .open:
            if let question = asked.popFirst() {
                moveAnswerDeadline()
                question.finish(.success(value))
            } else {
                // Before RESP3 messages come as answers to nobody's question.
                heard(value)
            }
        case .resting, .closed: break
        }
    }

    private func greet(_ answer: RESPValue) {
        switch handshake.receive(answer) {
        case .send(let command): connection?.send(command.bytes)
        case .refused(let words): lost(because: "Redis refuses the connection: \(words)")
        case .done:
            state = .open
            backoff.reset()
            loop.setDeadline(nil, of: attemptTimer)
            if let greeting { connection?.send(greeting.bytes) }
            let questions = waiting
            waiting = []
            questions.forEach(send)
            stateChanged(true)
        }
    }

    // MARK: Losing

    private func lost(because reason: String) {
        if case .closed = state { return }
        let wasOpen = if case .open = state { true } else { false }
        var generator = SystemRandomNumberGenerator()
        let pause = backoff.next(using: &generator)
        state = .resting(reason: reason)
        drop(because: reason)
        loop.setDeadline(loop.clock.now.advanced(by: pause), of: attemptTimer)
        if wasOpen { stateChanged(false) }
    }

    private func drop(because reason: String) {
        connection?.close()
        connection = nil
        loop.setDeadline(nil, of: answerTimer)
        let questions = asked.removeAll() + waiting
        waiting = []
        for question in questions { question.finish(.failure(.unavailable(reason))) }
    }

    private func attemptTimerFired() {
        switch state {
        case .resting: open()
        case .opening: lost(because: "Redis does not answer")
        case .open, .closed: break
        }
    }

    /// An answer is overdue. Those behind it come in order, so the connection is of no more use: a
    /// late answer would be taken for the next one's.
    private func answerTimerFired() {
        guard let oldest = asked.first else { return }
        guard oldest.deadline <= loop.now else {
            return loop.setDeadline(oldest.deadline, of: answerTimer)
        }
        lost(because: "Redis does not answer in time")
    }

    private func moveAnswerDeadline() {
        loop.setDeadline(asked.first?.deadline, of: answerTimer)
    }
}

/// Questions in the order in which they were asked; first in, first out, in constant time.
private struct Questions {
    private var items: [RedisLink.Question?] = []
    private var head = 0

    var count: Int { items.count - head }
    var first: RedisLink.Question? { head < items.count ? items[head] : nil }

    mutating func append(_ question: RedisLink.Question) { items.append(question) }

    mutating func popFirst() -> RedisLink.Question? {
        guard head < items.count else { return nil }
        defer {
            items[head] = nil
            head += 1
            if head == items.count || head > 1024 {
                items.removeFirst(head)
                head = 0
            }
        }
        return items[head]
    }

    mutating func removeAll() -> [RedisLink.Question] {
        defer {
            items = []
            head = 0
        }
        return items[head...].compactMap { $0 }
    }
}
