import BroadsheetHTTP
import Synchronization

/// The content of equal streams: events that lead from one state to another.
protocol StreamContent: Sendable {
    /// Returns the current state.
    ///
    /// - Throws: A problem that ends the streams, unless it may pass (``Problem/mayPass``).
    func read() async throws(Problem) -> any StreamMoment
}

/// A state of the content of streams.
protocol StreamMoment: Sendable {
    /// The id of the events that lead to the state.
    var version: TreeVersion { get }

    /// Returns the event that leads a client to the state.
    ///
    /// - Parameter known: The state that the client has; `nil` if it has none.
    func event(from known: TreeVersion?) async throws(Problem) -> StreamOutput
}

/// An event that many streams may send.
enum StreamOutput: Sendable {
    /// No event: the client has the state.
    case nothing
    /// An event in memory, of a type.
    case event(StreamPart, type: StreamEventType)
    /// A large event, which each stream writes while it sends it.
    case large(LargeEvent, type: StreamEventType)
}

/// The streams of equal requests, which have the same content.
///
/// A round reads the content and makes the events that streams wait for: one for all that have the
/// same state. Rounds begin when the screen may have changed and when a stream has sent everything
/// and has an older state. In between, a group has no task. A stream that is not read waits for
/// nothing, so its next event leads from the state that it has to the one that is then current.
final class StreamGroup: Sendable {
    fileprivate struct State {
        /// The streams, and those that were added after the current round began, which may require
        /// a later state than it finds.
        var streams: [ObjectIdentifier: ScreenStream] = [:]
        var added: [ScreenStream] = []
        /// The current state; `nil` before the first round.
        var version: TreeVersion?
        /// The number of streams by the state that they have.
        var counts: [TreeVersion?: Int] = [:]
        /// The events that lead to the current state, as long as there are streams that need them.
        var events: [TreeVersion?: StreamOutput] = [:]
        /// The event after which the streams end.
        var last: StreamOutput?
        var isRunning = false
        var isDue = false
    }

    /// The time after which a round that failed is repeated.
    static let retryInterval = Duration.seconds(1)

    /// The screen and the kind of content.
    let key: StreamKey
    private let content: any StreamContent
    private let hub: ScreenStreams
    private let state = Mutex(State())

    /// Creates a group without streams.
    init(_ content: any StreamContent, _ key: StreamKey, in hub: ScreenStreams) {
        self.key = key
        self.content = content
        self.hub = hub
    }

    /// A Boolean value that indicates whether the group has no streams.
    var isEmpty: Bool { state.withLock { $0.streams.isEmpty && $0.added.isEmpty } }

    /// A Boolean value that indicates whether the streams are at their end.
    var isOver: Bool { state.withLock { $0.last != nil } }

    /// Adds a stream, whose first event follows from a round that begins later.
    func add(_ stream: ScreenStream) {
        state.withLock { $0.added.append(stream) }
        check()
    }

    /// Removes a stream.
    func remove(_ stream: ScreenStream) {
        // An event that no other stream needs is freed outside of the lock.
        _ = state.withLock { $0.remove(stream) }
    }

    /// Begins a round, or another one after the current one.
    func check() {
        let begins = state.withLock { state in
            state.isDue = true
            defer { state.isRunning = true }
            return !state.isRunning
        }
        if begins { Task { await run() } }
    }

    /// Returns the next event of a stream.
    func next(for stream: ScreenStream) -> StreamReply {
        let (reply, isLate) = state.withLock { $0.next(for: stream) }
        if isLate { check() }
        if case .output(let output) = reply { hub.count(output) }
        return reply
    }

    private func run() async {
        while state.withLock({ $0.beginRound() }) {
            do throws(Problem) {
                try await round()
            } catch {
                await handle(error)
            }
        }
    }

    private func round() async throws(Problem) {
        let moment = try await content.read()
        // The earlier events are freed outside of the lock.
        let outdated = state.withLock { $0.advance(to: moment.version) }
        withExtendedLifetime(outdated) {}
        for known in state.withLock({ $0.neededStates() }) {
            let output = try await moment.event(from: known)
            let waiting = state.withLock { $0.keep(output, from: known, to: moment.version) }
            for stream in waiting { stream.signal() }
        }
    }

    private func handle(_ problem: Problem) async {
        if problem.mayPass {
            await hub.sleep(Self.retryInterval)
            check()
        } else {
            let last = hub.lastEvent(after: problem, of: key.screen)
            let waiting = state.withLock { $0.end(with: last) }
            for stream in waiting { stream.signal() }
        }
    }
}

/// The reply of a group to a stream that asks for its next event.
enum StreamReply {
    /// The next event.
    case output(StreamOutput)
    /// Nothing yet; the stream is signalled.
    case wait
    /// The end.
    case end
}

extension Problem {
    /// A Boolean value that indicates whether a stream waits for the end of the problem, rather
    /// than to end with it: the daemon, its store or its origin cannot serve requests at the
    /// moment.
    var mayPass: Bool { isConnectionLost || (502...504).contains(code.status.code) }
}

extension StreamGroup.State {
    /// Begins a round if one is due; otherwise the group has no task.
    fileprivate mutating func beginRound() -> Bool {
        isRunning = isDue && last == nil && !(streams.isEmpty && added.isEmpty)
        isDue = false
        guard isRunning else { return false }
        for stream in added {
            streams[ObjectIdentifier(stream)] = stream
            counts[stream.known, default: 0] += 1
        }
        added = []
        return true
    }

    /// Makes a state the current one, and returns the events that led to the one before.
    fileprivate mutating func advance(to version: TreeVersion) -> [TreeVersion?: StreamOutput] {
        guard version != self.version else { return [:] }
        self.version = version
        var outdated: [TreeVersion?: StreamOutput] = [:]
        swap(&outdated, &events)
        return outdated
    }

    /// Returns the states of the streams that wait for an event, that of the most streams first.
    fileprivate func neededStates() -> [TreeVersion?] {
        let states = counts.keys.filter { $0 != version && events[$0] == nil }
        guard !states.isEmpty else { return [] }
        let waiting = Set(streams.values.lazy.filter(\.isWaiting).map(\.known))
        return states.filter(waiting.contains)
            .sorted { counts[$0, default: 0] > counts[$1, default: 0] }
    }

    /// Keeps an event for the streams that need it, and returns those that wait for it.
    fileprivate mutating func keep(
        _ output: StreamOutput, from known: TreeVersion?, to version: TreeVersion
    ) -> [ScreenStream] {
        guard counts[known] != nil, version == self.version else { return [] }
        events[known] = output
        return streams.values.filter { $0.isWaiting && $0.known == known }
    }

    /// Ends the streams with an event, and returns those that wait.
    fileprivate mutating func end(with last: StreamOutput) -> [ScreenStream] {
        self.last = last
        events = [:]
        return (Array(streams.values) + added).filter(\.isWaiting)
    }

    /// Returns the next event of a stream, and whether a round is due for it.
    fileprivate mutating func next(for stream: ScreenStream) -> (StreamReply, isLate: Bool) {
        if let last {
            defer { stream.isOver = true }
            return (stream.isOver ? .end : .output(last), false)
        }
        let isAdmitted = streams[ObjectIdentifier(stream)] != nil
        guard isAdmitted, let version, stream.known != version else {
            stream.isWaiting = true
            return (.wait, false)
        }
        guard let output = events[stream.known] else {
            defer { stream.isWaiting = true }
            return (.wait, true)
        }
        stream.isWaiting = false
        move(stream, to: version)
        guard case .nothing = output else { return (.output(output), false) }
        stream.isWaiting = true
        return (.wait, false)
    }

    private mutating func move(_ stream: ScreenStream, to version: TreeVersion) {
        leave(stream.known)
        stream.known = version
        counts[version, default: 0] += 1
    }

    /// Removes a stream from the count of its state, and the event that no other one needs.
    @discardableResult
    private mutating func leave(_ known: TreeVersion?) -> StreamOutput? {
        counts[known, default: 1] -= 1
        guard counts[known] == 0 else { return nil }
        counts[known] = nil
        return events.removeValue(forKey: known)
    }

    /// Removes a stream, and returns the event that no other one needs.
    fileprivate mutating func remove(_ stream: ScreenStream) -> StreamOutput? {
        guard streams.removeValue(forKey: ObjectIdentifier(stream)) != nil else {
            added.removeAll { $0 === stream }
            return nil
        }
        return leave(stream.known)
    }
}
