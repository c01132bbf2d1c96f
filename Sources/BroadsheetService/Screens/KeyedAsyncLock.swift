import BroadsheetIO
import Synchronization

/// A lock for each key, which suspends a task until the lock is free, first come, first served.
///
/// Waiting does not block a thread. There is an entry for a key only while its lock is held, so
/// keys that clients invent use no memory.
final class KeyedAsyncLock<Key: Hashable & Sendable>: Sendable {
    /// The tasks that wait for each lock; while there is a queue, the lock is held.
    private let queues = Mutex<[Key: FIFO<Waiter<Void>>]>([:])

    /// Runs `body` while holding the lock of `key`.
    ///
    /// An error of `body` releases the lock and is thrown.
    func withLock<Value: Sendable, Failure: Error>(
        of key: Key, _ body: () async throws(Failure) -> Value
    ) async throws(Failure) -> Value {
        await acquire(key)
        defer { release(key) }
        return try await body()
    }

    /// Returns the number of tasks that wait for the lock of `key`, or `nil` if it is free.
    func waiterCount(for key: Key) -> Int? {
        queues.withLock { $0[key]?.count }
    }

    private func acquire(_ key: Key) async {
        if acquire(key, orEnqueue: nil) { return }
        // A task whose client has disconnected waits as well: it releases the lock quickly.
        await Waiter.wait { waiter in
            if acquire(key, orEnqueue: waiter) { waiter.resume(()) }
        }
    }

    /// Acquires the lock if it is free, otherwise appends `waiter` to its queue.
    private func acquire(_ key: Key, orEnqueue waiter: Waiter<Void>?) -> Bool {
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
        let next = queues.withLock { queues -> Waiter<Void>? in
            if let next = queues[key]?.popFirst() { return next }
            queues[key] = nil
            return nil
        }
        next?.resume(())
    }
}
