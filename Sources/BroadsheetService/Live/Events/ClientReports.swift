import Broadsheet
import BroadsheetIO
import BroadsheetStores
import Synchronization

/// The reports of clients that are kept in memory: the journey of each screen, and the last events
/// for its backend.
///
/// All screens together have a share of the memory budget (``MemoryKind/events``). If that is
/// exceeded, journeys are dropped first, and only then events. Both have fair shares
/// (``FairShare``): a report takes nothing from a screen that has no more than its share. The
/// events are shared between the keys of the clients that have reported them, and what a key has
/// between its screens.
final class ClientReports: Sendable {
    private let state = Mutex(ReportsState())
    private let reservation: MemoryReservation
    private let maxItems: Int
    private let lost: Counter
    /// The part of the ids of events that distinguishes this process.
    private let token: String
    /// The maximum size of all reports, in bytes.
    let limit: Int

    /// The step by which the reserved memory grows and shrinks, in bytes.
    private static let step = 64 << 10

    /// `token` is a number that no other process has, for the ids of events.
    init(maxItems: Int, _ memory: MemoryBudget, lost: Counter, token: UInt64) {
        self.maxItems = maxItems
        self.lost = lost
        self.token = String(token, radix: 36)
        limit = memory.cacheBytes(for: .events)
        reservation = MemoryReservation(in: memory, for: .events)
    }

    var byteCount: Int { state.withLock { $0.byteCount } }

    /// `now` is the time of events that have none, in seconds since 1970.
    func add(
        _ events: [PostedEvent], forwarding forwarded: [Int], to screen: ScreenName,
        by sender: EventSender, now: Double
    ) {
        let data = forwarded.compactMap {
            ForwardedEvents.data(of: events[$0], in: screen, by: sender)
        }
        let (feeds, lostCount) = state.withLock { state in
            state.add(events, to: screen, maxItems: maxItems, now: now)
            state.forward(data, of: screen, by: sender.reporter)
            state.shrink(to: limit)
            reserve(&state)
            return (data.isEmpty ? [:] : state.streams[screen] ?? [:], state.takeLostCount())
        }
        lost.add(UInt64(lostCount))
        for feed in feeds.values { feed.notify() }
    }

    /// Reserves the memory of the reports; drops some as long as it is not free.
    private func reserve(_ state: inout ReportsState) {
        let needed = (state.byteCount + Self.step - 1) / Self.step * Self.step
        if needed != reservation.count, !reservation.resize(to: needed) {
            state.shrink(to: reservation.count)
        }
    }

    func journey(of screen: ScreenName) -> Journey {
        state.withLock { $0.journeys.value(for: screen)?.value } ?? Journey(maxItems: maxItems)
    }

    func receive(_ event: ScreenEvent) {
        if case .removed(let screen) = event { drop(screen) }
    }

    /// Removes the reports of a screen that does not exist, and ends the streams of its events.
    func drop(_ screen: ScreenName) {
        let feeds = state.withLock { state in
            let journey = state.journeys.remove(screen)
            if state.feeds.remove(screen) != nil || journey != nil { reserve(&state) }
            return state.streams[screen] ?? [:]
        }
        for feed in feeds.values { feed.finish() }
    }
}

// MARK: - Streams of events

extension ClientReports {
    func add(_ feed: FeedSource) {
        state.withLock { $0.streams[feed.screen, default: [:]][ObjectIdentifier(feed)] = feed }
    }

    func remove(_ feed: FeedSource) {
        state.withLock { state in
            state.streams[feed.screen]?[ObjectIdentifier(feed)] = nil
            if state.streams[feed.screen]?.isEmpty == true { state.streams[feed.screen] = nil }
        }
    }

    func lastNumber(of screen: ScreenName) -> UInt64 {
        state.withLock { $0.lastNumber(of: screen) }
    }

    /// Returns events of a screen after a number, about `byteCount` bytes of them, which a stream
    /// then sends.
    func forwarded(
        of screen: ScreenName, after number: UInt64, byteCount: Int
    ) -> [(number: UInt64, data: [UInt8])] {
        state.withLock { state in
            guard let feed = state.feeds.value(for: screen) else { return [] }
            let events = feed.value.events(after: number, byteCount: byteCount)
            if let last = events.last { feed.value.noteDelivery(upTo: last.number) }
            return events
        }
    }

    func id(ofEvent number: UInt64) -> String { "\(token).\(number)" }

    /// Returns the number of the event of a screen with an id; `nil` for an id of another process,
    /// and for one that no event of the screen has had yet.
    func number(ofEvent id: String, of screen: ScreenName) -> UInt64? {
        let parts = id.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 2, let number = UInt64(parts[1]), id == self.id(ofEvent: number),
            number <= lastNumber(of: screen)
        else { return nil }
        return number
    }
}
