import Synchronization

/// A function that receives events on any thread, if one is set.
///
/// The function is in a structure. Each access to a `Mutex` of a function type would wrap the
/// function once more, until a call needs more stack than a thread has.
package final class Observer<Event>: Sendable {
    private struct State {
        var handler: (@Sendable (Event) -> Void)?
    }

    private let state = Mutex(State())

    package init() {}

    package func set(_ handler: @escaping @Sendable (Event) -> Void) {
        state.withLock { $0.handler = handler }
    }

    /// Calls the function, outside of the lock.
    package func notify(_ event: Event) { state.withLock { $0.handler }?(event) }
}
