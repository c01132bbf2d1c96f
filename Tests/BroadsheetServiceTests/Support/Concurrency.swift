import Synchronization

/// A value that tasks share behind a lock.
final class Shared<Value: Sendable>: Sendable {
    private let mutex: Mutex<Value>

    init(_ value: Value) { mutex = Mutex(value) }

    /// The current value.
    var value: Value { mutex.withLock { $0 } }

    /// Runs `body` while holding the lock.
    func withLock<Result: Sendable>(_ body: (inout Value) -> Result) -> Result {
        mutex.withLock { value in body(&value) }
    }
}

/// A gate that suspends tasks until it is opened.
final class Gate: Sendable {
    private typealias Waiter = CheckedContinuation<Void, Never>
    private let state = Mutex<(isOpen: Bool, waiters: [Waiter])>((false, []))

    func wait() async {
        await withCheckedContinuation { waiter in
            let isOpen = state.withLock { state in
                if !state.isOpen { state.waiters.append(waiter) }
                return state.isOpen
            }
            if isOpen { waiter.resume() }
        }
    }

    func open() {
        let waiters = state.withLock { state in
            state.isOpen = true
            defer { state.waiters = [] }
            return state.waiters
        }
        for waiter in waiters { waiter.resume() }
    }
}

/// Yields to other tasks until `condition` holds.
func until(_ condition: () -> Bool) async {
    while !condition() { await Task.yield() }
}
