import BroadsheetStores
import Synchronization

/// Keeps what a store tells, and lets a test wait for it.
final class EventLog: Sendable {
    private struct State {
        var events: [StoreEvent] = []
        var waiting:
            [(isWanted: @Sendable (StoreEvent) -> Bool, CheckedContinuation<Void, Never>)] =
                []
    }

    private let state = Mutex(State())

    /// What the store is to tell its events to.
    var sink: StoreEvent.Sink {
        { event in
            let found = self.state.withLock { state in
                state.events.append(event)
                let found = state.waiting.filter { $0.isWanted(event) }
                state.waiting.removeAll { $0.isWanted(event) }
                return found
            }
            for (_, continuation) in found { continuation.resume() }
        }
    }

    /// All that was told so far.
    var events: [StoreEvent] { state.withLock { $0.events } }

    /// Returns once an event that `isWanted` has been told, which may be long ago.
    ///
    /// The suite's time limit ends a wait that is in vain.
    func wait(for isWanted: @escaping @Sendable (StoreEvent) -> Bool) async {
        await withCheckedContinuation { continuation in
            let isThere = state.withLock { state in
                let isThere = state.events.contains(where: isWanted)
                if !isThere { state.waiting.append((isWanted, continuation)) }
                return isThere
            }
            if isThere { continuation.resume() }
        }
    }

    /// Forgets what was told.
    func clear() { state.withLock { $0.events = [] } }
}

/// Asks until the answer is yes, and says whether it was within ten seconds.
func eventually(_ condition: () async throws -> Bool) async rethrows -> Bool {
    let deadline = ContinuousClock.now.advanced(by: .seconds(10))
    while ContinuousClock.now < deadline {
        if try await condition() { return true }
        await Task.yield()
    }
    return false
}
