import Synchronization

/// A list of numbers that handlers append to.
final class Requests: Sendable {
    private let state = Mutex<[Int]>([])

    /// The numbers so far.
    var pages: [Int] { state.withLock { $0 } }

    /// Appends a number.
    func add(_ page: Int) { state.withLock { $0.append(page) } }
}

/// A list of values that handlers append to.
final class Received<Value: Sendable>: Sendable {
    private let state = Mutex<[Value]>([])

    /// The values so far.
    var all: [Value] { state.withLock { $0 } }

    /// Appends a value.
    func add(_ value: Value) { state.withLock { $0.append(value) } }
}
