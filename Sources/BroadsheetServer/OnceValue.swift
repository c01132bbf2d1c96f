import BroadsheetIO
import Synchronization

/// A value that is set once, and that tasks can wait for.
final class OnceValue<Value: Sendable>: Sendable {
    private struct State {
        var value: Value?
        var waiters: [UInt64: Waiter<Value?>] = [:]
        var nextWaiter: UInt64 = 0
    }

    private let state = Mutex(State())

    /// Sets the value, unless it is set already.
    func set(_ value: Value) {
        let waiters = state.withLock { state in
            guard state.value == nil else { return [:] as [UInt64: Waiter<Value?>] }
            state.value = value
            defer { state.waiters = [:] }
            return state.waiters
        }
        for waiter in waiters.values { waiter.resume(value) }
    }

    /// The value, once it is set; `nil` if the waiting task is cancelled before.
    var value: Value? {
        get async {
            let id = state.withLock { state in
                state.nextWaiter += 1
                return state.nextWaiter
            }
            return await Waiter.wait(orElse: nil) { waiter in
                let known = state.withLock { state in
                    if state.value == nil { state.waiters[id] = waiter }
                    return state.value
                }
                if let known { waiter.resume(known) }
            } onCancel: {
                // Freed outside of the lock.
                _ = state.withLock { $0.waiters.removeValue(forKey: id) }
            }
        }
    }
}
