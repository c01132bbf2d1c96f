import Synchronization

/// One suspended task, which is resumed once: by a value, by its cancellation, or when the last
/// reference to the waiter is dropped.
///
/// A queue, a lock, or a closure that another thread calls keeps the waiter and resumes it. The
/// task itself has no reference to it, so a wait that nothing can end any more ends by itself.
package final class Waiter<Value: Sendable>: Sendable {
    // Unsafe continuations must be resumed exactly once, which the lock and `deinit` provide.
    private let continuation: Mutex<UnsafeContinuation<Value, Never>?>
    private let fallback: Value

    private init(_ continuation: UnsafeContinuation<Value, Never>, orElse fallback: Value) {
        self.continuation = Mutex(continuation)
        self.fallback = fallback
    }

    deinit { resume(fallback) }

    /// Resumes the task, unless it was resumed before.
    ///
    /// - Returns: Whether this call has resumed it.
    @discardableResult
    package func resume(_ value: Value) -> Bool {
        guard let waiting = continuation.withLock({ $0.take() }) else { return false }
        waiting.resume(returning: value)
        return true
    }

    /// Suspends the current task until its waiter is resumed or dropped, also if it is cancelled.
    ///
    /// - Parameters:
    ///   - fallback: The value for a waiter that is dropped.
    ///   - begin: Passes the waiter to what resumes it; it may resume the waiter itself.
    package static func wait(orElse fallback: Value, _ begin: (Waiter) -> Void) async -> Value {
        await withUnsafeContinuation { begin(Waiter($0, orElse: fallback)) }
    }

    /// Suspends the current task until its waiter is resumed or dropped, or the task is cancelled.
    ///
    /// - Parameters:
    ///   - fallback: The value for a waiter that is dropped, and for a task that is cancelled.
    ///   - begin: Passes the waiter to what resumes it; it may resume the waiter itself.
    ///   - forget: Called when the task is cancelled, maybe twice, on any thread: what has the
    ///     waiter need not keep it.
    package static func wait(
        orElse fallback: Value, _ begin: (Waiter) -> Void, onCancel forget: @Sendable () -> Void
    ) async -> Value {
        let slot = WeakWaiter<Value>()
        return await withTaskCancellationHandler {
            await wait(orElse: fallback) { waiter in
                slot.set(waiter)
                begin(waiter)
                // The handler of a task that was cancelled before has found no waiter.
                guard Task.isCancelled else { return }
                waiter.resume(fallback)
                forget()
            }
        } onCancel: {
            slot.waiter?.resume(fallback)
            forget()
        }
    }
}

extension Waiter<Void> {
    /// Suspends the current task until its waiter is resumed or dropped, also if it is cancelled.
    package static func wait(_ begin: (Waiter) -> Void) async { await wait(orElse: (), begin) }
}

/// A reference to a waiter that does not keep it.
private final class WeakWaiter<Value: Sendable>: Sendable {
    private struct Reference: Sendable {
        weak let waiter: Waiter<Value>?

        init(_ waiter: Waiter<Value>?) { self.waiter = waiter }
    }

    private let reference = Mutex(Reference(nil))

    var waiter: Waiter<Value>? { reference.withLock { $0.waiter } }

    func set(_ waiter: Waiter<Value>) { reference.withLock { $0 = Reference(waiter) } }
}
