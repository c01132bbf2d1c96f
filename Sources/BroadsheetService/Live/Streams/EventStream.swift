import Broadsheet
import BroadsheetHTTP
import BroadsheetIO
import Synchronization

/// The types of events of streams, which clients register for.
enum StreamEventType: String, Sendable, Hashable, CaseIterable {
    case revision
    /// A whole tree.
    case tree
    case changes
    /// A problem, with which the stream ends.
    case problem
    /// The removal of the screen, with which the stream ends.
    case removed
    /// The end of the client's token, with which the stream ends.
    case expired
    /// An event that a client has reported, for a backend.
    case client
    /// Events for a backend that were dropped before it had them.
    case dropped
}

/// One of the Server-Sent Events (WHATWG HTML, "Server-sent events").
struct StreamEvent: Sendable {
    let type: StreamEventType
    /// The id of the event, which a client sends as `Last-Event-ID` when it connects again; it has
    /// no ends of line.
    let id: String?
    /// The data: JSON, whose ends of line are blanks between values.
    let data: [UInt8]

    init(_ type: StreamEventType, id: String?, data: [UInt8]) {
        self.type = type
        self.id = id
        self.data = data
    }

    static func head(_ type: StreamEventType, id: String?) -> [UInt8] {
        Array("event: \(type.rawValue)\n\(id.map { "id: \($0)\n" } ?? "")data: ".utf8)
    }

    static let end = Array("\n\n".utf8)

    /// Replaces the ends of line of JSON by spaces.
    ///
    /// In a stream the next line would be another field. JSON has them between values only.
    static func joinLines(of json: inout [UInt8], from start: Int = 0) {
        for index in start..<max(start, json.count) where json[index] == 10 || json[index] == 13 {
            json[index] = 32
        }
    }

    var bytes: [UInt8] {
        var bytes = Self.head(type, id: id)
        let start = bytes.count
        bytes.reserveCapacity(start + data.count + Self.end.count)
        bytes += data
        Self.joinLines(of: &bytes, from: start)
        bytes += Self.end
        return bytes
    }

    /// The event as a part of a stream whose memory each connection reserves: for a short one.
    var shortPart: StreamPart { StreamPart(bytes) }

    /// Returns the event as a part whose memory all streams that send it share.
    ///
    /// - Throws: `OVERLOADED` if no memory was free in time.
    func sharedPart(in memory: MemoryBudget) async throws(Problem) -> StreamPart {
        let bytes = bytes
        let size = bytes.count + StreamPart.frameByteCount
        guard let owner = await memory.waitForReservation(of: size, for: .responses) else {
            throw .tooLittleMemory
        }
        return StreamPart(bytes, owner: owner)
    }
}

/// The constants of streams of events.
enum EventStream {
    /// The time after which a comment is sent if nothing else was.
    static let heartbeatInterval = Duration.seconds(15)
    static let heartbeat = HTTPStream.Heartbeat(
        every: heartbeatInterval, StreamPart(Array(":\n\n".utf8)))

    /// The least time after which a client connects again, and the range of times above it, in
    /// milliseconds.
    ///
    /// Otherwise all clients of a daemon that was stopped would connect again at the same moment.
    private static let retry = (least: 1000, range: 4000)
    /// A prime with which times of clients in a row are spread over the range.
    private static let retryStep = 997

    /// The times after which a client whose token has expired connects again, in milliseconds.
    ///
    /// Tokens that expire together are not renewed together.
    private static let retryAfterExpiry = 1000...10_000

    fileprivate static func expired(_ screen: String) -> StreamPart {
        var data = StructuredJSONWriter()
        data.object { data in
            data.member("screen", screen)
            data.member("code", TokenFailure.tokenExpired.code.rawValue)
        }
        let head =
            "event: \(StreamEventType.expired.rawValue)\n"
            + "retry: \(Int.random(in: retryAfterExpiry))\ndata: "
        return StreamPart(Array(head.utf8) + data.bytes + StreamEvent.end)
    }

    /// Returns the beginning of the stream with a number: the time after which its client connects
    /// again when the stream ends.
    static func beginning(of number: Int) -> StreamPart {
        let wait = retry.least + number % retry.range * retryStep % retry.range
        return StreamPart(Array("retry: \(wait)\n\n".utf8))
    }
}

extension Call {
    /// Returns a response of events, for as long as the client may have it.
    ///
    /// - Parameter source: The source of the events (``StreamEvent``).
    /// - Throws: `OVERLOADED` if too many streams are open, of all clients or of this one, or if
    ///   there is no memory for another.
    func events(
        from source: some StreamSource, through gate: StreamGate, _ access: AccessControl,
        _ metrics: ServiceMetrics
    ) throws(Problem) -> HTTPResponse {
        switch gate.enter(request.head, for: work.client) {
        case .success(let ticket):
            var response = HTTPResponse(
                status: .ok,
                headers: [
                    .contentType: EventStreamMedia.type, .cacheControl: "no-cache",
                    // nginx keeps a response until it has a buffer of it.
                    .accelBuffering: "no",
                ])
            response.stream = HTTPStream(
                KeyedStream(source, of: self, access: access, metrics),
                first: EventStream.beginning(of: gate.statistics.opened),
                heartbeat: EventStream.heartbeat, ticket: ticket)
            return response
        case .failure(.limit): throw .overloaded("Too many streams are open")
        case .failure(.share): throw .overloaded("Too many streams are open with this key")
        case .failure(.memory): throw .tooLittleMemory
        }
    }
}

/// A stream that ends when the key of its client is no longer valid, or has other rights: the
/// client then connects again, with the rights that it has by then.
///
/// The heartbeat limits the time until the end of a key is noticed. Other keys end no stream. The
/// end of a token is an event; a large event that was begun before is completed first.
private final class KeyedStream: StreamSource {
    private let source: any StreamSource
    private let caller: Caller
    private let access: AccessControl
    private let screen: String
    private let state = Mutex(State())
    private let key: String?
    private let metrics: ServiceMetrics

    private struct State {
        var observation: KeyObservation?
        /// A Boolean value that indicates whether a part of an event was sent, and not all of it.
        var isWithinEvent = false
        var isOver = false
    }

    init(
        _ source: any StreamSource, of call: Call, access: AccessControl,
        _ metrics: ServiceMetrics
    ) {
        self.source = source
        caller = call.caller
        screen = call.path["screen"] ?? ""
        self.access = access
        key = caller.name
        self.metrics = metrics
    }

    func begin(_ signal: StreamSignal) {
        let begun = access.observe(caller) { signal.send() }
        state.withLock { $0.observation = begun }
        metrics.keys.addStreams(1, of: key)
        source.begin(signal)
    }

    func next() -> StreamStep {
        do throws(Problem) {
            try access.check(caller)
        } catch {
            guard error.code == .tokenExpired, !state.withLock({ $0.isOver }) else { return .end }
            // Otherwise the event would be a part of the one before.
            guard state.withLock({ $0.isWithinEvent }) else { return expire() }
        }
        let step = source.next()
        if case .part(let part) = step, caller.token != nil {
            let isComplete = part.bytes.suffix(StreamEvent.end.count).elementsEqual(StreamEvent.end)
            state.withLock { $0.isWithinEvent = !isComplete }
        }
        return step
    }

    private func expire() -> StreamStep {
        state.withLock { $0.isOver = true }
        metrics.tokens.expiredStreams.add()
        metrics.streamEvents.add(StreamEventType.expired.rawValue)
        return .part(EventStream.expired(screen))
    }

    func drain() { source.drain() }

    func end() {
        _ = state.withLock { $0.observation.take() }
        metrics.keys.addStreams(-1, of: key)
        source.end()
    }
}

extension MetricSource {
    static func streams(_ gate: StreamGate) -> [MetricSource] {
        [
            MetricSource(
                name: "broadsheet_streams_open", help: "Streams that are open.",
                read: { Double(gate.statistics.open) }),
            .limit(
                "broadsheet_streams_limit", "The maximum number of open streams (--max-streams).",
                gate.limit),
            MetricSource(
                name: "broadsheet_streams_total", type: .counter,
                help: "Streams that were opened.",
                read: { Double(gate.statistics.opened) }),
            MetricSource(
                name: "broadsheet_streams_lost_total", type: .counter,
                help: "Streams whose connection was lost, or whose client read nothing.",
                read: { Double(gate.statistics.lost) }),
            MetricSource(
                name: "broadsheet_stream_bytes_total", type: .counter,
                help: "Bytes of the contents of streams.",
                read: { Double(gate.statistics.byteCount) }),
        ]
    }
}
