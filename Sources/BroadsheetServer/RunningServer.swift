import Broadsheet
import BroadsheetService
import Synchronization

/// The service of a server while it runs, for the program of the server.
final class RunningServer: Sendable {
    private let service = OnceValue<BroadsheetService?>()
    private let isOver = Atomic(false)
    /// The receivers of the events of clients.
    let receivedEvents = ReceivedEvents()

    var hasEnded: Bool { isOver.load(ordering: .acquiring) }

    /// Makes the service available: the server listens.
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
