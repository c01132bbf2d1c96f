import Dispatch
import Foundation

/// A thread of a store's own, for work that blocks.
final class StoreThread: Sendable {
    private let running = DispatchGroup()

    /// Starts a thread that runs `body` and ends; of `name` the kernel shows 15 bytes.
    init(_ name: String, _ body: @escaping @Sendable () -> Void) {
        running.enter()
        Thread.detachNewThread { [running] in
            Thread.current.name = name
            body()
            running.leave()
        }
    }

    /// Blocks until the thread's body has returned.
    func join() { running.wait() }

    /// Returns once the thread's body has, without blocking anybody.
    func end() async {
        await withCheckedContinuation { continuation in
            running.notify(queue: .global()) { continuation.resume() }
        }
    }
}
