internal import Synchronization

/// Keeps which run of which server a store's two connections are to: that for questions, and that for
/// messages.
///
/// After a failover they may be to two servers for a while, and what is heard from one says nothing of
/// the other. A server that does not let us ask which it is counts as the one it should be.
final class RedisRuns: Sendable {
    private struct State {
        /// Whether questions were ever asked of anybody.
        var hasQuestions = false
        var ofQuestions: String?
        var ofMessages: String?
    }

    private let state = Mutex(State())

    /// Whether both connections are to one server, as far as is known.
    var agree: Bool {
        state.withLock { state in
            guard let one = state.ofQuestions, let other = state.ofMessages else { return true }
            return one == other
        }
    }

    /// Questions go to `run` from now on; answers whether they may have gone to another before.
    func openedForQuestions(to run: String?) -> Bool {
        state.withLock { state in
            defer {
                state.hasQuestions = true
                state.ofQuestions = run
            }
            return state.hasQuestions && (run == nil || run != state.ofQuestions)
        }
    }

    /// Messages come from `run` from now on.
    func openedForMessages(from run: String?) { state.withLock { $0.ofMessages = run } }
}
