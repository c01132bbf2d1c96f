package import Broadsheet
import BroadsheetIO
import BroadsheetStores
import Synchronization

/// The streams of the program that receive the events of clients.
package final class ReceivedEvents: Sendable {
    private struct State {
        var queues: [ObjectIdentifier: WeakQueue] = [:]
        var isOver = false
    }

    private struct WeakQueue {
        weak var queue: ReceivedEventQueue?
    }

    private let state = Mutex(State())

    package init() {}

    /// Returns a queue that receives events until it is released; of all screens for `nil`.
    package func queue(of screen: String? = nil) -> ReceivedEventQueue {
        let queue = ReceivedEventQueue(of: screen)
        let isOver = state.withLock { state in
            state.queues = state.queues.filter { $0.value.queue != nil }
            state.queues[ObjectIdentifier(queue)] = WeakQueue(queue: queue)
            return state.isOver
        }
        if isOver { queue.finish() }
        return queue
    }

    /// Ends all streams, also later ones: the server has ended.
    package func finish() {
        let queues = state.withLock { state in
            state.isOver = true
            return state.queues.values.compactMap(\.queue)
        }
        for queue in queues { queue.finish() }
    }

    func send(_ events: [PostedEvent], of screen: ScreenName) {
        let queues = state.withLock { $0.queues.values.compactMap(\.queue) }
        let receivers = queues.filter { $0.screen == nil || $0.screen == screen.text }
        guard !receivers.isEmpty else { return }
        let events = events.map(\.clientEvent)
        for queue in receivers { queue.append(events, of: screen.text) }
    }
}

/// The events that a stream of the program has not read: the newest, at most ``maxEvents``.
package final class ReceivedEventQueue: Sendable {
    /// An event, and the number of those that were dropped just before it.
    package typealias Entry = (screen: String, event: ClientEvent, missed: Int)

    private struct State {
        var events: [(screen: String, event: ClientEvent)] = []
        /// The index of the first event that was neither read nor dropped.
        var start = 0
        var missed = 0
        var waiter: Waiter<Entry?>?
        var isOver = false

        mutating func next() -> Entry? {
            guard start < events.count else { return nil }
            defer { missed = 0 }
            let (screen, event) = events[start]
            skip(1)
            return (screen, event, missed)
        }

        /// Passes over the first events, and frees them once there are many.
        mutating func skip(_ count: Int) {
            start += count
            guard start > ReceivedEventQueue.maxEvents else { return }
            events.removeFirst(start)
            start = 0
        }
    }

    /// The maximum number of events that are kept; fixed.
    package static let maxEvents = 1_000

    fileprivate let screen: String?
    private let state = Mutex(State())

    fileprivate init(of screen: String?) { self.screen = screen }

    /// The next event; `nil` at the end, and once the waiting task is cancelled.
    package func next() async -> Entry? {
        await Waiter.wait(orElse: nil) { waiter in
            let known: Entry?? = state.withLock { state in
                if let entry = state.next() { return .some(entry) }
                // One task reads a stream; an earlier waiter has been cancelled.
                guard !state.isOver, state.waiter == nil else { return .some(nil) }
                state.waiter = waiter
                return nil
            }
            if let known { waiter.resume(known) }
        } onCancel: {
            finish()
        }
    }

    fileprivate func append(_ events: [ClientEvent], of screen: String) {
        let (waiter, entry) = state.withLock { state in
            state.events += events.map { (screen, $0) }
            let excess = state.events.count - state.start - Self.maxEvents
            if excess > 0 {
                state.skip(excess)
                state.missed += excess
            }
            guard let waiter = state.waiter, let entry = state.next() else {
                return (nil as Waiter<Entry?>?, nil as Entry?)
            }
            state.waiter = nil
            return (waiter, entry)
        }
        waiter?.resume(entry)
    }

    /// Ends the stream after the events that it has.
    package func finish() {
        let waiter = state.withLock { state in
            state.isOver = true
            return state.waiter.take()
        }
        waiter?.resume(nil)
    }
}
