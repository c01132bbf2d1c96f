import BroadsheetIO
import Synchronization

/// Keeps what it is told, and lets a test wait until it has heard enough.
final class Recorder<Value: Sendable>: Sendable {
    private let state = Mutex<[Value]>([])
    private let stream: AsyncStream<Value>
    private let continuation: AsyncStream<Value>.Continuation

    init() {
        (stream, continuation) = AsyncStream.makeStream(of: Value.self)
    }

    /// What has been heard so far.
    var values: [Value] { state.withLock { $0 } }

    func record(_ value: Value) {
        state.withLock { $0.append(value) }
        continuation.yield(value)
    }

    /// Waits for the first `count` values.
    ///
    /// One waiter only.
    func first(_ count: Int) async -> [Value] {
        var heard: [Value] = []
        for await value in stream.prefix(count) { heard.append(value) }
        return heard
    }
}

/// A handler that records every readiness it hears of.
final class ReadinessRecorder: ReadinessHandler, Sendable {
    let heard = Recorder<Readiness>()

    func becameReady(_ readiness: Readiness) {
        heard.record(readiness)
    }
}
