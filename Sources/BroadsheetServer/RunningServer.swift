import Broadsheet
import BroadsheetIO
import BroadsheetService
import Synchronization

/// The service of a server while it runs, for the program of the server.
final class RunningServer: Sendable {
    private let service = OnceValue<BroadsheetService?>()
    private let isOver = Atomic(false)
    let receivedEvents = ReceivedEvents()

    var hasEnded: Bool { isOver.load(ordering: .acquiring) }

    func begin(_ service: BroadsheetService) { self.service.set(service) }

    /// Ends all operations: the server has ended, or cannot start.
    func end() {
        isOver.store(true, ordering: .releasing)
        service.set(nil)
        receivedEvents.finish()
    }

    /// Returns the screens of the service, once the server listens.
    func screens() async throws(ScreenError) -> ProgramScreens {
        guard !hasEnded, let known = await service.value, let service = known, !hasEnded else {
            throw .stopped
        }
        return ProgramScreens(service)
    }

    /// Returns a stream of the events of a screen, or of all screens, from now on.
    func events(of screen: String? = nil) -> AsyncStream<ReceivedEvent> {
        let queue = receivedEvents.queue(of: screen)
        return AsyncStream {
            await queue.next().map {
                ReceivedEvent(screen: $0.screen, event: $0.event, missed: $0.missed)
            }
        }
    }
}

/// A value that is set once, and that tasks can wait for.
final class OnceValue<Value: Sendable>: Sendable {
    private struct State {
        var value: Value?
        var waiters: [UInt64: Waiter<Value?>] = [:]
        var nextWaiter: UInt64 = 0
    }

    private let state = Mutex(State())

    func set(_ value: Value) {
        let waiters = state.withLock { state in
            guard state.value == nil else { return [:] as [UInt64: Waiter<Value?>] }
            state.value = value
            defer { state.waiters = [:] }
            return state.waiters
        }
        for waiter in waiters.values { waiter.resume(value) }
    }

    /// The value, once it is set; `nil` if the waiting task is cancelled before.
    var value: Value? {
        get async {
            let id = state.withLock { state in
                state.nextWaiter += 1
                return state.nextWaiter
            }
            return await Waiter.wait(orElse: nil) { waiter in
                let current = state.withLock { state in
                    if state.value == nil { state.waiters[id] = waiter }
                    return state.value
                }
                if let current { waiter.resume(current) }
            } onCancel: {
                // Freed outside of the lock.
                _ = state.withLock { $0.waiters.removeValue(forKey: id) }
            }
        }
    }
}
