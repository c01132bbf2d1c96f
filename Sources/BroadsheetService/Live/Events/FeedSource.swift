import BroadsheetHTTP
import BroadsheetStores
import Synchronization

/// The events of one screen for one backend.
///
/// It has no queue: it reads the events that are kept for all backends, from the last one on that
/// it has handed over.
final class FeedSource: StreamSource {
    private struct State {
        var last: UInt64
        var signal: StreamSignal?
        var isEnded = false
    }

    let screen: ScreenName
    private let reports: ClientReports
    private let metrics: ServiceMetrics
    private let state: Mutex<State>

    /// The maximum size of a part of several events, in bytes.
    private static let partByteCount = 64 << 10

    /// Creates a source of the events after the one with an id; from now on for `nil`.
    ///
    /// An id of an earlier process, of another daemon, or that no event has had yet, is before all
    /// events that are kept.
    init(
        of screen: ScreenName, after id: String?, _ reports: ClientReports,
        _ metrics: ServiceMetrics
    ) {
        self.screen = screen
        self.reports = reports
        self.metrics = metrics
        let last =
            id.map { reports.number(ofEvent: $0, of: screen) ?? 0 }
            ?? reports.lastNumber(of: screen)
        state = Mutex(State(last: last))
    }

    func begin(_ signal: StreamSignal) {
        state.withLock { $0.signal = signal }
        reports.add(self)
        signal.send()
    }

    func next() -> StreamStep {
        let (last, isEnded) = state.withLock { ($0.last, $0.isEnded) }
        let events = reports.forwarded(of: screen, after: last, byteCount: Self.partByteCount)
        guard let newest = events.last?.number else { return isEnded ? .end : .wait }
        var bytes: [UInt8] = []
        for event in events {
            let id = reports.id(ofEvent: event.number)
            bytes += StreamEvent(.client, id: id, data: event.data).bytes
        }
        state.withLock { $0.last = newest }
        metrics.streamEvents.add(StreamEventType.client.rawValue, UInt64(events.count))
        return .part(StreamPart(bytes))
    }

    func drain() { finish() }

    func end() { reports.remove(self) }

    func notify() { state.withLock(\.signal)?.send() }

    /// Ends the stream after the events that are kept.
    func finish() {
        state.withLock { state in
            state.isEnded = true
            return state.signal
        }?.send()
    }
}
