import Synchronization

/// A list of values that any thread may append to, and for whose first values a test can wait.
package final class Recorder<Value: Sendable>: Sendable {
    private let state = Mutex<[Value]>([])
    private let stream: AsyncStream<Value>
    private let continuation: AsyncStream<Value>.Continuation

    /// Creates an empty list.
    package init() {
        (stream, continuation) = AsyncStream.makeStream(of: Value.self)
    }

    /// The values so far.
    package var values: [Value] { state.withLock { $0 } }

    /// The number of values so far.
    package var count: Int { values.count }

    /// Appends a value.
    package func record(_ value: Value) {
        state.withLock { $0.append(value) }
        continuation.yield(value)
    }

    /// Waits for the first `count` values; for one caller only.
    package func first(_ count: Int) async -> [Value] {
        var received: [Value] = []
        for await value in stream.prefix(count) { received.append(value) }
        return received
    }
}
