import BroadsheetHTTP
import BroadsheetIO
import Synchronization
import TestSupport
import Testing

/// A content that the test writes while it is sent.
final class ScriptedStream: StreamSource {
    private struct State: Sendable {
        var parts: [StreamPart] = []
        var last: StreamStep?
        var signal: StreamSignal?
    }

    /// The heartbeat of all scripted streams: after 15 s.
    static let heartbeat = HTTPStream.Heartbeat(every: .seconds(15), StreamPart(Array(":\n".utf8)))

    private let state = Mutex(State())
    private let makesPart: (@Sendable () -> StreamPart?)?
    /// The number of times that the source was asked and had a part.
    let parts = Atomic(0)
    /// The number of requests to end.
    let drains = Atomic(0)
    /// The number of reported ends.
    let ends = Atomic(0)
    /// The beginning of the content.
    let first: StreamPart?
    /// A Boolean value that indicates whether the content ends when the server drains.
    let endsOnDrain: Bool

    /// Creates a content without parts.
    ///
    /// - Parameters:
    ///   - endsOnDrain: Whether the content ends when the server drains.
    ///   - first: The beginning of the content.
    ///   - makesPart: Makes a part whenever the source is asked and has none.
    init(
        endsOnDrain: Bool = true, first: StreamPart? = nil,
        makesPart: (@Sendable () -> StreamPart?)? = nil
    ) {
        self.first = first
        self.endsOnDrain = endsOnDrain
        self.makesPart = makesPart
    }

    /// Adds a part.
    func write(_ text: String) { write(StreamPart(Array(text.utf8))) }

    /// Adds a part.
    func write(_ part: StreamPart) { change { $0.parts.append(part) } }

    /// Ends the content after the parts that were added.
    func finish(_ last: StreamStep = .end) { change { $0.last = last } }

    private func change(_ change: (inout State) -> Void) {
        let signal = state.withLock { state in
            change(&state)
            return state.signal
        }
        signal?.send()
    }

    func begin(_ signal: StreamSignal) { state.withLock { $0.signal = signal } }

    func next() -> StreamStep {
        let step: StreamStep = state.withLock { state in
            if !state.parts.isEmpty { return .part(state.parts.removeFirst()) }
            if let last = state.last { return last }
            return makesPart?().map(StreamStep.part) ?? .wait
        }
        if case .part = step { parts.wrappingAdd(1, ordering: .relaxed) }
        return step
    }

    func drain() {
        drains.wrappingAdd(1, ordering: .relaxed)
        if endsOnDrain { finish() }
    }

    func end() { ends.wrappingAdd(1, ordering: .relaxed) }
}

extension ServerBench {
    /// Opens a stream on another connection, and reads its head.
    func openStream() async throws -> (client: TestClient, stream: ScriptedStream) {
        let before = handler.streams.count
        let client = try connect()
        try client.send(get("/stream"))
        let head = try await client.response(hasBody: false)
        #expect(head.status == 200)
        return (client, try await stream(before))
    }

    /// Waits for the stream that was opened after so many others.
    func stream(_ index: Int = 0) async throws -> ScriptedStream {
        try await eventually("the stream") { handler.streams.count > index }
        return handler.streams.values[index]
    }
}
