import BroadsheetIO
import Synchronization

/// Work that requests need at the same time: the first of them does it, and the others wait for its
/// outcome.
///
/// Waiting does not block a thread. There is an entry for a key only while its work is in progress.
/// If the request that does the work loses its connection, one of those that wait does it instead.
final class SharedWork<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    /// The end of a wait; `nil` for a request that has to do the work itself.
    private typealias Outcome = Result<Value, Problem>?

    private struct State: Sendable {
        var waiters: [Key: [UInt64: Waiter<Outcome>]] = [:]
        var nextNumber: UInt64 = 0
    }

    private let state = Mutex(State())

    /// Does the work of a key, or waits for the request that does it now.
    ///
    /// - Parameters:
    ///   - key: Everything that the outcome depends on.
    ///   - memory: The memory that is released before waiting, since the other request may need it.
    /// - Returns: The outcome, and whether it is that of another request's work, which may have
    ///   begun before this call.
    /// - Throws: The error of `body`, also that of another request; the error of a lost connection.
    func perform(
        _ key: Key, releasing memory: MemoryReservation, _ body: () async throws(Problem) -> Value
    ) async throws(Problem) -> (value: Value, isShared: Bool) {
        while true {
            try Work.checkConnection()
            if !begin(key) {
                memory.shrink(to: 0)
                switch await wait(for: key) {
                case .success(let value)?: return (value, true)
                case .failure(let problem)? where !problem.isConnectionLost: throw problem
                case .failure?: continue
                case nil: break
                }
            }
            do throws(Problem) {
                try Work.checkConnection()
                let value = try await body()
                end(key, .success(value))
                return (value, false)
            } catch {
                end(key, .failure(error))
                throw error
            }
        }
    }

    func waiterCount(for key: Key) -> Int? { state.withLock { $0.waiters[key]?.count } }

    /// Begins the work of a key; returns `false` if it is in progress.
    private func begin(_ key: Key) -> Bool {
        state.withLock { state in
            guard state.waiters[key] == nil else { return false }
            state.waiters[key] = [:]
            return true
        }
    }

    private func wait(for key: Key) async -> Outcome {
        let number = state.withLock { state in
            state.nextNumber += 1
            return state.nextNumber
        }
        return await Waiter.wait(orElse: .some(.failure(.connectionLost))) { waiter in
            let hasBegun = state.withLock { state in
                guard state.waiters[key] != nil else {
                    state.waiters[key] = [:]
                    return false
                }
                state.waiters[key]?[number] = waiter
                return true
            }
            if !hasBegun { waiter.resume(nil) }
        } onCancel: {
            // Freed outside of the lock.
            _ = state.withLock { $0.waiters[key]?.removeValue(forKey: number) }
        }
    }

    private func end(_ key: Key, _ outcome: Result<Value, Problem>) {
        let waiters = state.withLock { $0.waiters.removeValue(forKey: key) }
        for waiter in (waiters ?? [:]).values { waiter.resume(outcome) }
    }
}
