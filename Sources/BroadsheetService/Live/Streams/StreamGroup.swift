import BroadsheetHTTP
import Synchronization

/// The content of equal streams: events that lead from one state to another.
protocol StreamContent: Sendable {
    /// Throws a problem that ends the streams, unless it may pass (``Problem/mayPass``).
    func read() async throws(Problem) -> any StreamMoment
}

/// A state of the content of streams.
protocol StreamMoment: Sendable {
    /// The id of the events that lead to the state.
    var version: TreeVersion { get }

    /// A Boolean value that indicates whether a problem ends only the streams in the state that it
    /// is about.
    var hasOwnProblems: Bool { get }

    func event(from state: StreamState) async throws(Problem) -> StreamAdvance
}

extension StreamMoment {
    var hasOwnProblems: Bool { false }
}

/// The state of a client of a stream.
struct StreamState: Sendable, Hashable {
    var known: TreeVersion?
    /// The last revision of the screen at which that tree was the same but for its revision and
    /// tokens; `nil` for the revision of the tree.
    var base: UInt64?
    /// A Boolean value that indicates whether the client wants what its query says instead of what
    /// it has.
    var moves = false
}

/// An event, and the tree that the client has after it.
struct StreamAdvance: Sendable {
    let output: StreamOutput
    /// The revision and the tag of the tree; `nil` for a client that has none.
    let version: TreeVersion?
    /// The revision of the screen at which the tree is known to be the same; `nil` for that of the
    /// tree.
    var base: UInt64?
}

/// An event that many streams may send.
enum StreamOutput: Sendable {
    /// No event: the client has the state.
    case nothing
    case event(StreamPart, type: StreamEventType)
    /// A large event, which each stream writes while it sends it.
    case large(LargeEvent, type: StreamEventType)
    /// The event of a problem, with which the stream ends.
    case last(StreamPart, type: StreamEventType)
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
        var counts: [StreamState: Int] = [:]
        /// The events that lead to the current state, as long as there are streams that need them.
        var events: [StreamState: StreamAdvance] = [:]
        /// The event after which the streams end.
        var last: StreamOutput?
        var isRunning = false
        var isDue = false
    }

    /// The time after which a round that failed is repeated.
    static let retryInterval = Duration.seconds(1)

    let key: StreamKey
    private let content: any StreamContent
    private let hub: ScreenStreams
    private let state = Mutex(State())

    init(_ content: any StreamContent, _ key: StreamKey, in hub: ScreenStreams) {
        self.key = key
        self.content = content
        self.hub = hub
    }

    var isEmpty: Bool { state.withLock { $0.streams.isEmpty && $0.added.isEmpty } }

    var isOver: Bool { state.withLock { $0.last != nil } }

    /// Adds a stream, whose first event follows from a round that begins later.
    func add(_ stream: ScreenStream) {
        state.withLock { $0.added.append(stream) }
        check()
    }

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
        if begins { Task.detached { await self.run() } }
    }

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
        for stream in state.withLock({ $0.servedStreams() }) { stream.signal() }
        for known in state.withLock({ $0.neededStates() }) {
            let event = try await event(of: moment, from: known)
            let waiting = state.withLock { $0.keep(event, from: known, to: moment.version) }
            for stream in waiting { stream.signal() }
        }
    }

    private func event(
        of moment: any StreamMoment, from state: StreamState
    ) async throws(Problem) -> StreamAdvance {
        do throws(Problem) {
            return try await moment.event(from: state)
        } catch {
            guard moment.hasOwnProblems, !error.mayPass, error.code != .screenNotFound,
                case .event(let part, let type) = hub.lastEvent(after: error, of: key.screen)
            else { throw error }
            return StreamAdvance(output: .last(part, type: type), version: state.known)
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
    case output(StreamOutput)
    /// Nothing yet; the stream is signalled.
    case wait
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
            counts[stream.state, default: 0] += 1
        }
        added = []
        return true
    }

    /// Makes a state the current one, and returns the events that led to the one before.
    fileprivate mutating func advance(to version: TreeVersion) -> [StreamState: StreamAdvance] {
        guard version != self.version else { return [:] }
        self.version = version
        var outdated: [StreamState: StreamAdvance] = [:]
        swap(&outdated, &events)
        return outdated
    }

    /// Returns the streams that wait and whose event there is: those that the round has added in a
    /// state of others.
    fileprivate func servedStreams() -> [ScreenStream] {
        guard !events.isEmpty else { return [] }
        return streams.values.filter {
            $0.isWaiting && !isCurrent($0) && events[$0.state] != nil
        }
    }

    /// Returns the states of the streams that wait for an event, that of the most streams first.
    fileprivate func neededStates() -> [StreamState] {
        let states = counts.keys.filter { $0.known != version && events[$0] == nil }
        guard !states.isEmpty else { return [] }
        let waiting = Set(
            streams.values.lazy.filter { $0.isWaiting && !isCurrent($0) }.map(\.state))
        return states.filter(waiting.contains)
            .sorted { counts[$0, default: 0] > counts[$1, default: 0] }
    }

    /// Returns whether a stream has had all events up to the current state.
    private func isCurrent(_ stream: ScreenStream) -> Bool {
        stream.seen == version || stream.state.known == version
    }

    /// Keeps an event for the streams that need it, and returns those that wait for it.
    fileprivate mutating func keep(
        _ event: StreamAdvance, from state: StreamState, to version: TreeVersion
    ) -> [ScreenStream] {
        guard counts[state] != nil, version == self.version else { return [] }
        events[state] = event
        return streams.values.filter { $0.isWaiting && $0.state == state && !isCurrent($0) }
    }

    /// Ends the streams with an event, and returns those that wait.
    fileprivate mutating func end(with last: StreamOutput) -> [ScreenStream] {
        self.last = last
        events = [:]
        return (Array(streams.values) + added).filter(\.isWaiting)
    }

    /// Returns the next event of a stream, and whether a round is due for it.
    fileprivate mutating func next(for stream: ScreenStream) -> (StreamReply, isLate: Bool) {
        if stream.isOver { return (.end, false) }
        if let last {
            stream.isOver = true
            return (.output(last), false)
        }
        let isAdmitted = streams[ObjectIdentifier(stream)] != nil
        guard isAdmitted, let version, !isCurrent(stream) else {
            stream.isWaiting = true
            return (.wait, false)
        }
        guard let event = events[stream.state] else {
            defer { stream.isWaiting = true }
            return (.wait, true)
        }
        stream.isWaiting = false
        move(stream, to: StreamState(known: event.version, base: event.base))
        stream.seen = version
        switch event.output {
        case .nothing:
            stream.isWaiting = true
            return (.wait, false)
        case .last: stream.isOver = true
        case .event, .large: break
        }
        return (.output(event.output), false)
    }

    private mutating func move(_ stream: ScreenStream, to state: StreamState) {
        counts[state, default: 0] += 1
        leave(stream.state)
        stream.state = state
    }

    /// Removes a stream from the count of its state, and the event that no other one needs.
    @discardableResult
    private mutating func leave(_ state: StreamState) -> StreamAdvance? {
        counts[state, default: 1] -= 1
        guard counts[state] == 0 else { return nil }
        counts[state] = nil
        return events.removeValue(forKey: state)
    }

    /// Removes a stream, and returns the event that no other one needs.
    fileprivate mutating func remove(_ stream: ScreenStream) -> StreamAdvance? {
        guard streams.removeValue(forKey: ObjectIdentifier(stream)) != nil else {
            added.removeAll { $0 === stream }
            return nil
        }
        return leave(stream.state)
    }
}
