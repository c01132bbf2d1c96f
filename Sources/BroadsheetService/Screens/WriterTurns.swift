import BroadsheetIO
import BroadsheetStores
import Synchronization

/// Lets the writers of one screen take turns, first come first served; writers of different screens
/// do not meet.
///
/// Waiting costs no thread: a writer is suspended until it is its turn. There is an entry for a
/// screen only while someone writes it, so names that clients make up take no memory.
final class WriterTurns: Sendable {
    private typealias Waiter = CheckedContinuation<Void, Never>

    /// Who waits for one screen; that there is a queue means that someone is writing.
    private let queues = Mutex<[ScreenName: FIFO<Waiter>]>([:])

    /// Runs `body` when it is this writer's turn.
    ///
    /// What it throws is thrown, and the turn is over.
    func taking<Value: Sendable, Failure: Error>(
        _ screen: ScreenName, _ body: () async throws(Failure) -> Value
    ) async throws(Failure) -> Value {
        await begin(screen)
        defer { end(screen) }
        return try await body()
    }

    /// How many writers wait for their turn; nil when nobody writes the screen.
    func waiting(for screen: ScreenName) -> Int? {
        queues.withLock { $0[screen]?.count }
    }

    private func begin(_ screen: ScreenName) async {
        if begins(screen, else: nil) { return }
        // A writer whose client is gone waits all the same: its turn passes quickly.
        await withCheckedContinuation { waiter in
            if begins(screen, else: waiter) { waiter.resume() }
        }
    }

    /// Begins a turn if nobody has it, else lets `waiter` wait for it.
    private func begins(_ screen: ScreenName, else waiter: Waiter?) -> Bool {
        queues.withLock { queues in
            guard queues[screen] != nil else {
                queues[screen] = FIFO()
                return true
            }
            if let waiter { queues[screen]?.append(waiter) }
            return false
        }
    }

    private func end(_ screen: ScreenName) {
        let next = queues.withLock { queues -> Waiter? in
            if let next = queues[screen]?.popFirst() { return next }
            queues[screen] = nil
            return nil
        }
        next?.resume()
    }
}
