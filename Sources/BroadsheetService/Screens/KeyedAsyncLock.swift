import BroadsheetIO
import Synchronization

/// A lock for each key, which suspends a task until the lock is free, first come, first served.
///
/// Waiting does not block a thread. There is an entry for a key only while its lock is held, so
/// keys that clients invent use no memory.
final class KeyedAsyncLock<Key: Hashable & Sendable>: Sendable {
    /// The tasks that wait for each lock; while there is a queue, the lock is held.
    private let queues = Mutex<[Key: FIFO<Waiter<Bool>>]>([:])

    /// An error of `body` releases the lock and is thrown.
    func withLock<Value: Sendable, Failure: Error>(
        of key: Key, _ body: () async throws(Failure) -> Value
    ) async throws(Failure) -> Value {
        _ = await acquire(key, atMost: nil) { _ in }
        defer { release(key) }
        return try await body()
    }

    /// As ``withLock(of:_:)``, but throws an error if the lock is not free in time.
    ///
    /// - Parameters:
    ///   - duration: The maximum time to wait for the lock; `nil` for no limit.
    ///   - sleep: Suspends a task for a duration, unless it is cancelled.
    ///   - error: The error of a lock that is not free in time.
    func withLock<Value: Sendable, Failure: Error>(
        of key: Key, atMost duration: Duration?, sleep: @escaping ScreenObservers.Sleep,
        orThrow error: @autoclosure () -> Failure, _ body: () async throws(Failure) -> Value
    ) async throws(Failure) -> Value {
        guard await acquire(key, atMost: duration, sleep) else { throw error() }
        defer { release(key) }
        return try await body()
    }

    /// Returns the number of tasks that wait for the lock of `key`, those whose time is over
    /// included, or `nil` if it is free.
    func waiterCount(for key: Key) -> Int? {
        queues.withLock { $0[key]?.count }
    }

    private func acquire(
        _ key: Key, atMost duration: Duration?, _ sleep: @escaping ScreenObservers.Sleep
    ) async -> Bool {
        if acquire(key, orEnqueue: nil) { return true }
        var timer: Task<Void, Never>?
        defer { timer?.cancel() }
        // A task whose client has disconnected waits as well: it releases the lock quickly.
        return await Waiter.wait(orElse: false) { waiter in
            if acquire(key, orEnqueue: waiter) {
                waiter.resume(true)
            } else if let duration {
                timer = Task.detached {
                    await sleep(duration)
                    waiter.resume(false)
                }
            }
        }
    }

    private func acquire(_ key: Key, orEnqueue waiter: Waiter<Bool>?) -> Bool {
        queues.withLock { queues in
            guard queues[key] != nil else {
                queues[key] = FIFO()
                return true
            }
            if let waiter { queues[key]?.append(waiter) }
            return false
        }
    }

    private func release(_ key: Key) {
        while true {
            let next = queues.withLock { queues -> Waiter<Bool>? in
                if let next = queues[key]?.popFirst() { return next }
                queues[key] = nil
                return nil
            }
            // Those whose time was over stay in the queue until here.
            guard let next, !next.resume(true) else { return }
        }
    }
}
