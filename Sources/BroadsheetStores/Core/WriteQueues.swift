import BroadsheetIO
import Synchronization

/// The writes that wait for each screen: one at a time is applied, and the appends of events that
/// wait meanwhile are applied together.
final class WriteQueues: Sendable {
    /// Events, and the task that waits for them to be stored.
    private typealias Append = (events: [[UInt8]], reply: Waiter<Result<Bool, StoreError>>)

    private struct Queue {
        var isBusy = false
        var waiting = FIFO<Waiter<Void>>()
        var appends: [Append] = []
    }

    private let queues = Mutex<[ScreenName: Queue]>([:])

    /// Performs a write when those before it are complete.
    func perform<Result: Sendable>(
        on screen: ScreenName, _ write: () async throws(StoreError) -> Result
    ) async throws(StoreError) -> Result {
        await enter(screen)
        defer { leave(screen) }
        return try await write()
    }

    /// `write` appends the events of all that wait; `false` if there is no such screen.
    func append(
        _ events: [[UInt8]], to screen: ScreenName,
        _ write: @escaping @Sendable ([[UInt8]]) async throws(StoreError) -> Bool
    ) async throws(StoreError) -> Bool {
        let cancelled = Result<Bool, StoreError>.failure(.unavailable("the store is closed"))
        let result = await Waiter.wait(orElse: cancelled) { reply in
            let isFirst = queues.withLock { queues in
                queues[screen, default: Queue()].appends.append((events, reply))
                return queues[screen]?.appends.count == 1
            }
            // The first one waits for all: the caller's task may only wait for its reply.
            if isFirst { Task { await self.appendAll(to: screen, write) } }
        }
        return try result.get()
    }

    private func appendAll(
        to screen: ScreenName,
        _ write: @Sendable ([[UInt8]]) async throws(StoreError) -> Bool
    ) async {
        await enter(screen)
        defer { leave(screen) }
        let appends = queues.withLock { queues in
            defer { queues[screen]?.appends = [] }
            return queues[screen]?.appends ?? []
        }
        let result: Result<Bool, StoreError>
        do throws(StoreError) {
            result = .success(try await write(appends.flatMap(\.events)))
        } catch {
            result = .failure(error)
        }
        for append in appends { append.reply.resume(result) }
    }

    private func enter(_ screen: ScreenName) async {
        await Waiter.wait(orElse: ()) { waiter in
            let isFree = queues.withLock { queues in
                if queues[screen]?.isBusy ?? false {
                    queues[screen]?.waiting.append(waiter)
                    return false
                }
                queues[screen, default: Queue()].isBusy = true
                return true
            }
            if isFree { waiter.resume(()) }
        }
    }

    private func leave(_ screen: ScreenName) {
        let next: Waiter<Void>? = queues.withLock { queues in
            guard var queue = queues.removeValue(forKey: screen) else { return nil }
            let next = queue.waiting.popFirst()
            if next == nil { queue.isBusy = false }
            if queue.isBusy || !queue.appends.isEmpty { queues[screen] = queue }
            return next
        }
        next?.resume(())
    }
}
