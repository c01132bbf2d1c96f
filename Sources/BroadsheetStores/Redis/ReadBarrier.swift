import BroadsheetIO
import Synchronization

/// A barrier at which reads wait for a round trip to the server that begins after they arrive.
///
/// At most one round trip is in progress; reads that arrive meanwhile share the next one. The
/// server therefore receives one request a round trip, however many reads there are.
final class ReadBarrier: Sendable {
    /// A function that begins a round trip on the thread of the loop.
    ///
    /// It calls `completion` there with `true` if the round trip succeeded. It returns `false`, and
    /// never calls `completion`, if it cannot begin one.
    typealias RoundTrip = @Sendable (_ completion: @escaping @Sendable (Bool) -> Void) -> Bool

    private struct State {
        /// The reads that wait for the next round trip.
        var waiters: [Waiter<Bool>] = []
        /// A Boolean value that indicates whether a round trip is in progress or scheduled.
        var isBusy = false

        mutating func takeWaiters() -> [Waiter<Bool>] {
            defer { waiters = [] }
            return waiters
        }
    }

    private let state = Mutex(State())
    private let loop: EventLoop
    private let roundTrip: RoundTrip

    init(on loop: EventLoop, _ roundTrip: @escaping RoundTrip) {
        self.loop = loop
        self.roundTrip = roundTrip
    }

    var waiterCount: Int { state.withLock { $0.waiters.count } }

    /// Waits for a round trip that begins after this call; returns `false` if it failed.
    func pass() async -> Bool {
        await Waiter.wait(orElse: false) { waiter in
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
            // The next round trip begins before any read is resumed and competes for the processor.
            self.finishRoundTrip()
            for waiter in passing { waiter.resume(succeeded) }
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

    private func fail(_ passing: [Waiter<Bool>]) {
        let late = state.withLock { state in
            state.isBusy = false
            return state.takeWaiters()
        }
        for waiter in passing + late { waiter.resume(false) }
    }
}
