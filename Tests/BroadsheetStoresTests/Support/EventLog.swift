import BroadsheetStores
import Synchronization

/// A log of the events of a store that lets a test wait for them.
final class EventLog: Sendable {
    private struct Wait {
        let isWanted: @Sendable (StoreEvent) -> Bool
        var missing: Int
        let continuation: CheckedContinuation<Void, Never>
    }

    private struct State {
        var events: [StoreEvent] = []
        var waits: [Wait] = []

        /// Records an event and removes the waits that it completes.
        mutating func add(_ event: StoreEvent) -> [Wait] {
            events.append(event)
            for index in waits.indices where waits[index].isWanted(event) {
                waits[index].missing -= 1
            }
            let over = waits.filter { $0.missing == 0 }
            waits.removeAll { $0.missing == 0 }
            return over
        }
    }

    private let state = Mutex(State())

    /// The handler for the events of the store.
    var handler: StoreEvent.Handler {
        { event in
            for wait in self.state.withLock({ $0.add(event) }) { wait.continuation.resume() }
        }
    }

    /// The events so far.
    var events: [StoreEvent] { state.withLock { $0.events } }

    /// Waits for a number of matching events since the log was created.
    ///
    /// The time limit of the suite ends a wait that does not succeed.
    func wait(
        times: Int = 1, for isWanted: @escaping @Sendable (StoreEvent) -> Bool
    ) async {
        await withCheckedContinuation { continuation in
            let isOver = state.withLock { state in
                let missing = times - state.events.count(where: isWanted)
                guard missing > 0 else { return true }
                state.waits.append(
                    Wait(isWanted: isWanted, missing: missing, continuation: continuation))
                return false
            }
            if isOver { continuation.resume() }
        }
    }

    /// The number of times that the store has been connected so far.
    var connectionCount: Int {
        events.count { if case .connected = $0 { true } else { false } }
    }

    /// Waits until the store has been connected a number of times.
    func waitForConnection(_ number: Int) async {
        await wait(times: number) { if case .connected = $0 { true } else { false } }
    }

    /// Waits until the store has reported that its server is unreachable.
    func waitForLoss() async {
        await wait { if case .unreachable = $0 { true } else { false } }
    }
}
