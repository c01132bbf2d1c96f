internal import Foundation
internal import Synchronization

/// A thread of a store's own, for work that blocks; async callers may wait for its end.
final class StoreThread: Sendable {
    private struct State {
        var isOver = false
        var waiting: [CheckedContinuation<Void, Never>] = []
    }

    private let state = Mutex(State())

    /// Starts a thread called `name` that runs `body` and ends.
    init(_ name: String, _ body: @escaping @Sendable () -> Void) {
        let thread = Thread { [self] in
            body()
            let waiting = state.withLock { state in
                state.isOver = true
                return state.waiting
            }
            for continuation in waiting { continuation.resume() }
        }
        thread.name = name
        thread.start()
    }

    /// Returns once the thread's body has.
    func end() async {
        await withCheckedContinuation { continuation in
            let isOver = state.withLock { state in
                if !state.isOver { state.waiting.append(continuation) }
                return state.isOver
            }
            if isOver { continuation.resume() }
        }
    }
}
