import Synchronization

/// A duration that a test ends.
final class ManualSleep: Sendable {
    private struct State {
        var sleepers: [Int: CheckedContinuation<Void, Never>] = [:]
        var next = 0
        var durations: [Duration] = []
    }

    private let state = Mutex(State())

    /// The durations that were begun so far, each of which ``end()`` can end.
    var durations: [Duration] { state.withLock { $0.durations } }

    /// Suspends until ``end()``, or until the task is cancelled.
    @Sendable func sleep(_ duration: Duration) async {
        let number = state.withLock { state in
            state.next += 1
            return state.next
        }
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                state.withLock { state in
                    state.sleepers[number] = continuation
                    state.durations.append(duration)
                }
                if Task.isCancelled { resume(number) }
            }
        } onCancel: {
            resume(number)
        }
    }

    /// Ends all durations.
    func end() {
        let sleepers = state.withLock { state in
            defer { state.sleepers = [:] }
            return state.sleepers
        }
        for sleeper in sleepers.values { sleeper.resume() }
    }

    private func resume(_ number: Int) {
        state.withLock { $0.sleepers.removeValue(forKey: number) }?.resume()
    }
}
