import Synchronization

/// A value that is set once, and that tasks can wait for.
final class OnceValue<Value: Sendable>: Sendable {
    private struct State {
        var value: Value?
        var waiters: [UInt64: CheckedContinuation<Value?, Never>] = [:]
        var nextWaiter: UInt64 = 0
    }

    private let state = Mutex(State())

    /// Sets the value, unless it is set already.
    func set(_ value: Value) {
        let waiters = state.withLock { state in
            guard state.value == nil else { return [] as [CheckedContinuation<Value?, Never>] }
            state.value = value
            defer { state.waiters = [:] }
            return Array(state.waiters.values)
        }
        for waiter in waiters { waiter.resume(returning: value) }
    }

    /// The value, once it is set; `nil` if the waiting task is cancelled before.
    var value: Value? {
        get async {
            let id = state.withLock { state in
                state.nextWaiter += 1
                return state.nextWaiter
            }
            return await withTaskCancellationHandler {
                await withCheckedContinuation { continuation in
                    let (isWaiting, value) = state.withLock { state in
                        guard state.value == nil, !Task.isCancelled else {
                            return (false, state.value)
                        }
                        state.waiters[id] = continuation
                        return (true, nil)
                    }
                    if !isWaiting { continuation.resume(returning: value) }
                }
            } onCancel: {
                state.withLock { $0.waiters.removeValue(forKey: id) }?.resume(returning: nil)
            }
        }
    }
}
