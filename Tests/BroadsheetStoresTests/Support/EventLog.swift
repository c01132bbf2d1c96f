import BroadsheetStores
import Synchronization

/// Keeps what a store tells, and lets a test wait for it.
final class EventLog: Sendable {
    private struct Wait {
        let isWanted: @Sendable (StoreEvent) -> Bool
        var missing: Int
        let continuation: CheckedContinuation<Void, Never>
    }

    private struct State {
        var events: [StoreEvent] = []
        var waits: [Wait] = []

        /// Keeps an event, and takes out the waits that it was the last for.
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

    /// What the store is to tell its events to.
    var sink: StoreEvent.Handler {
        { event in
            for wait in self.state.withLock({ $0.add(event) }) { wait.continuation.resume() }
        }
    }

    /// All that was told so far.
    var events: [StoreEvent] { state.withLock { $0.events } }

    /// Returns once so many events that are wanted have been told since the log was made.
    ///
    /// The suite's time limit ends a wait that is in vain.
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

    /// Returns once the store has been connected so many times.
    func waitForConnection(_ number: Int) async {
        await wait(times: number) { if case .connected = $0 { true } else { false } }
    }

    /// Returns once the store has said that its server is away.
    func waitForLoss() async {
        await wait { if case .unreachable = $0 { true } else { false } }
    }
}

/// Asks until the answer is yes, and says whether it was within a minute.
func eventually(_ condition: () async throws -> Bool) async rethrows -> Bool {
    let deadline = ContinuousClock.now.advanced(by: .seconds(60))
    while ContinuousClock.now < deadline {
        if try await condition() { return true }
        await Task.yield()
    }
    return false
}
