import BroadsheetIO
import Synchronization

/// The fetches that may run at one time; others wait, first come, first served, and hold no thread.
final class FetchSlots: Sendable {
    static let maxWaitingPerSlot = 32

    private struct State: Sendable {
        var free: Int
        var waiting = 0
        var queue = FIFO<Waiter<Bool>>()
    }

    private let maxWaiting: Int
    private let sleep: ScreenObservers.Sleep
    private let state: Mutex<State>

    init(count: Int, sleep: @escaping ScreenObservers.Sleep) {
        maxWaiting = count * Self.maxWaitingPerSlot
        self.sleep = sleep
        state = Mutex(State(free: count))
    }

    var waitingCount: Int { state.withLock { $0.waiting } }

    /// Takes a slot, and waits for it if necessary; the caller releases it.
    ///
    /// - Returns: `false` if too many wait already, or if none was free in time.
    func acquire(atMost duration: Duration) async -> Bool {
        var timer: Task<Void, Never>?
        defer { timer?.cancel() }
        return await Waiter.wait(orElse: false) { waiter in
            let isGranted: Bool? = state.withLock { state in
                guard state.free == 0 else {
                    state.free -= 1
                    return true
                }
                guard state.waiting < maxWaiting else { return false }
                state.waiting += 1
                state.queue.append(waiter)
                return nil
            }
            if let isGranted {
                waiter.resume(isGranted)
            } else {
                timer = Task.detached { [self] in
                    await sleep(duration)
                    if waiter.resume(false) { state.withLock { $0.waiting -= 1 } }
                }
            }
        }
    }

    /// Returns a slot, which the next fetch that waits takes.
    func release() {
        while true {
            let waiter = state.withLock { state in
                let waiter = state.queue.popFirst()
                if waiter == nil { state.free += 1 }
                return waiter
            }
            guard let waiter else { return }
            // Those whose time was over stay in the queue until here.
            if waiter.resume(true) { return state.withLock { $0.waiting -= 1 } }
        }
    }
}
