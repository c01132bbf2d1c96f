internal import Dispatch
internal import Synchronization

/// Where the writer asks for the log to be folded, and sees whether it has been.
final class FoldingRequests: Sendable {
    private struct State {
        /// How many requests are being served or wait.
        var unfinished = 0
        /// Whether there is nobody to ask.
        var isAbandoned = false
    }

    // One that waits is as good as many.
    private let mailbox = Mailbox<Void>(capacity: 1)
    private let state = Mutex(State())
    /// Signalled at the end of each piece of work.
    private let ends = DispatchSemaphore(value: 0)

    /// Whether nothing is being folded, and nothing is asked for.
    var isIdle: Bool { state.withLock { $0.unfinished == 0 } }

    /// Asks for the log to be folded; nothing happens when there is nobody who does.
    func ask() {
        state.withLock { state in
            guard !state.isAbandoned, mailbox.send(()) == .accepted else { return }
            state.unfinished += 1
        }
    }

    /// Says that there will be no more requests.
    func close() { mailbox.close() }

    /// Blocks until nothing is being folded; for one thread, the one that asks.
    func waitUntilIdle() {
        // Ends that nobody waited for come first.
        while !isIdle { ends.wait() }
    }

    /// Waits for the next request; false when there will be none.
    func wait() -> Bool { mailbox.take(atMost: 1) != nil }

    /// Says that what was asked for is done, or has failed.
    func finish() {
        state.withLock { $0.unfinished = max(0, $0.unfinished - 1) }
        ends.signal()
    }

    /// Says that nobody will do what is asked for.
    func abandon() {
        state.withLock { $0 = State(unfinished: 0, isAbandoned: true) }
        ends.signal()
    }
}
