import BroadsheetIO
import Synchronization

/// Lets reads wait for a round trip to the server that begins after they have.
///
/// There is at most one under way; reads that come meanwhile share the next. So what it costs the
/// server is one request a round trip, however many reads there are.
final class ReadBarrier: Sendable {
    /// Begins a round trip on the loop's thread and calls `completion` there with whether it was made;
    /// replies false, and `completion` is never called, when there is no way to begin one.
    typealias RoundTrip = @Sendable (_ completion: @escaping @Sendable (Bool) -> Void) -> Bool

    private typealias Waiter = CheckedContinuation<Bool, Never>

    private struct State {
        /// Those that the next round trip is for.
        var waiters: [Waiter] = []
        /// Whether one is under way, or will be as soon as the loop gets to it.
        var isBusy = false

        mutating func takeWaiters() -> [Waiter] {
            defer { waiters = [] }
            return waiters
        }
    }

    private let state = Mutex(State())
    private let loop: EventLoop
    private let roundTrip: RoundTrip

    /// A barrier whose round trips `roundTrip` makes on `loop`.
    init(on loop: EventLoop, _ roundTrip: @escaping RoundTrip) {
        self.loop = loop
        self.roundTrip = roundTrip
    }

    /// How many reads wait for the next round trip.
    var waiterCount: Int { state.withLock { $0.waiters.count } }

    /// Returns after a round trip that began after this call, or false when it could not be made.
    func pass() async -> Bool {
        await withCheckedContinuation { waiter in
            let isFirst = state.withLock { state in
                state.waiters.append(waiter)
                defer { state.isBusy = true }
                return !state.isBusy
            }
            guard isFirst else { return }
            if !loop.submit({ self.begin() }) { fail([]) }
        }
    }

    private func begin() {
        let passing = state.withLock { $0.takeWaiters() }
        let hasBegun = roundTrip { succeeded in
            // The next one goes out before anybody is woken, who would take the processor.
            self.finishRoundTrip()
            for waiter in passing { waiter.resume(returning: succeeded) }
        }
        if !hasBegun { fail(passing) }
    }

    private func finishRoundTrip() {
        let hasWaiters = state.withLock { state in
            state.isBusy = !state.waiters.isEmpty
            return state.isBusy
        }
        if hasWaiters { begin() }
    }

    private func fail(_ passing: [Waiter]) {
        let late = state.withLock { state in
            state.isBusy = false
            return state.takeWaiters()
        }
        for waiter in passing + late { waiter.resume(returning: false) }
    }
}
