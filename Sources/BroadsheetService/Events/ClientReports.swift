import Broadsheet
import BroadsheetIO
import BroadsheetStores
import Synchronization

/// The reports of clients that are kept in memory: the journey of each screen, and the last events
/// for its backend.
///
/// All screens together have a share of the memory budget (``MemoryKind/events``). What exceeds it
/// is dropped: first the screens that were reported longest ago, then the oldest parts of the last.
final class ClientReports: Sendable {
    /// The reports of one screen; used while the lock is held.
    fileprivate final class ScreenReports: @unchecked Sendable {
        // Unchecked: it is used only while the lock of its owner is held.
        var journey: Journey
        var forwarded: ForwardedEvents

        init(maxItems: Int, after lastNumber: UInt64) {
            journey = Journey(maxItems: maxItems)
            forwarded = ForwardedEvents(after: lastNumber)
        }

        var byteCount: Int {
            ClientReports.screenByteCount + journey.byteCount + forwarded.byteCount
        }

        /// Removes an old part of the larger half; returns `false` if there is nothing to remove.
        func removeOldest() -> Bool {
            if forwarded.byteCount > journey.byteCount { return forwarded.removeOldest() }
            return journey.removeOldest()
        }
    }

    fileprivate struct State {
        var screens = LRUCache<ScreenName, ScreenReports>(limit: .max)
        /// The highest number of an event of any screen.
        var lastNumber: UInt64 = 0
        /// The streams of events by screen.
        var feeds: [ScreenName: [ObjectIdentifier: FeedSource]] = [:]
    }

    private let state = Mutex(State())
    private let reservation: MemoryReservation
    private let maxItems: Int
    /// The part of the ids of events that distinguishes this process.
    private let token: String
    /// The maximum size of all reports, in bytes.
    let limit: Int

    /// The estimated size of the reports of a screen without their parts, in bytes.
    private static let screenByteCount = 1024
    /// The step by which the reserved memory grows and shrinks, in bytes.
    private static let step = 64 << 10

    /// Creates a place for reports.
    ///
    /// - Parameters:
    ///   - maxItems: The maximum numbers of items and of pages in the journey of a screen.
    ///   - memory: The budget that the reports are reserved in.
    ///   - token: A number that no other process has, for the ids of events.
    init(maxItems: Int, _ memory: MemoryBudget, token: UInt64) {
        self.maxItems = maxItems
        self.token = String(token, radix: 36)
        limit = memory.cacheBytes(for: .events)
        reservation = MemoryReservation(in: memory, for: .events)
    }

    /// The estimated size of all reports, in bytes.
    var byteCount: Int { state.withLock { $0.byteCount } }

    /// Adds the events of a request.
    ///
    /// - Parameters:
    ///   - events: The events.
    ///   - forwarded: The indexes of those that a backend receives.
    ///   - now: The time of events that have none, in seconds since 1970.
    func add(
        _ events: [ClientEvent], forwarding forwarded: [Int], to screen: ScreenName, now: Double
    ) {
        let data = forwarded.compactMap { ForwardedEvents.data(of: events[$0], in: screen) }
        let feeds = state.withLock { state in
            let known = state.screens.value(for: screen)
            let reports = known ?? ScreenReports(maxItems: maxItems, after: state.lastNumber)
            if known == nil { _ = state.screens.insert(reports, for: screen, cost: 0) }
            for event in events { reports.journey.add(event, now: now) }
            for data in data { reports.forwarded.add(data) }
            state.lastNumber = max(state.lastNumber, reports.forwarded.lastNumber)
            state.screens.setCost(reports.byteCount, for: screen)
            state.shrink(to: limit)
            reserve(&state)
            return data.isEmpty ? [:] : state.feeds[screen] ?? [:]
        }
        for feed in feeds.values { feed.notify() }
    }

    /// Reserves the memory of the reports; drops the oldest ones as long as it is not free.
    private func reserve(_ state: inout State) {
        let needed = (state.byteCount + Self.step - 1) / Self.step * Self.step
        if needed != reservation.count, !reservation.resize(to: needed) {
            state.shrink(to: reservation.count)
        }
    }

    /// Returns the journey of a screen.
    func journey(of screen: ScreenName) -> Journey {
        state.withLock { $0.screens.value(for: screen)?.journey } ?? Journey(maxItems: maxItems)
    }

    /// Removes the reports of a screen that does not exist, and ends the streams of its events.
    func drop(_ screen: ScreenName) {
        let feeds = state.withLock { state in
            if state.screens.remove(screen) != nil { reserve(&state) }
            return state.feeds[screen] ?? [:]
        }
        for feed in feeds.values { feed.finish() }
    }
}

// MARK: - Streams of events

extension ClientReports {
    /// Adds a stream that receives the events of its screen.
    func add(_ feed: FeedSource) {
        state.withLock { $0.feeds[feed.screen, default: [:]][ObjectIdentifier(feed)] = feed }
    }

    /// Removes a stream that has ended.
    func remove(_ feed: FeedSource) {
        state.withLock { state in
            state.feeds[feed.screen]?[ObjectIdentifier(feed)] = nil
            if state.feeds[feed.screen]?.isEmpty == true { state.feeds[feed.screen] = nil }
        }
    }

    /// Returns the number of the last event of a screen.
    func lastNumber(of screen: ScreenName) -> UInt64 {
        state.withLock { state in
            state.screens.value(for: screen)?.forwarded.lastNumber ?? state.lastNumber
        }
    }

    /// Returns events of a screen after a number, about `byteCount` bytes of them.
    func forwarded(
        of screen: ScreenName, after number: UInt64, byteCount: Int
    ) -> [(number: UInt64, data: [UInt8])] {
        state.withLock { state in
            state.screens.value(for: screen)?.forwarded.events(after: number, byteCount: byteCount)
                ?? []
        }
    }

    /// Returns the id of the event with a number.
    func id(ofEvent number: UInt64) -> String { "\(token).\(number)" }

    /// Returns the number of the event with an id; `nil` for an id of another process.
    func number(ofEvent id: String) -> UInt64? {
        let parts = id.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 2, parts[0] == token else { return nil }
        return UInt64(parts[1])
    }
}

extension ClientReports.State {
    /// The estimated size of all reports, in bytes.
    fileprivate var byteCount: Int { screens.cost }

    /// Drops the oldest reports until the others are within the limit.
    fileprivate mutating func shrink(to limit: Int) {
        while byteCount > limit, screens.count > 1, screens.removeOldest() != nil {}
        guard byteCount > limit else { return }
        var last: (screen: ScreenName, reports: ClientReports.ScreenReports)?
        screens.forEachFromOldest { last = ($0, $1) }
        guard let last else { return }
        while last.reports.byteCount > limit, last.reports.removeOldest() {}
        screens.setCost(last.reports.byteCount, for: last.screen)
    }
}
