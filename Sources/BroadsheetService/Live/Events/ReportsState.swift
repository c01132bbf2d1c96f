import Broadsheet
import BroadsheetStores

/// The reports of the clients of all screens; used while the lock of ``ClientReports`` is held.
struct ReportsState: Sendable {
    /// A part of the reports of one screen.
    final class Part<Value: Sendable>: @unchecked Sendable {
        // Unchecked: it is used only while the lock of its owner is held.
        var value: Value

        init(_ value: Value) { self.value = value }
    }

    /// The journeys, the one that was reported longest ago first.
    var journeys = LRUCache<ScreenName, Part<Journey>>(limit: .max)
    /// The events for backends, those of the screen that was reported longest ago first.
    var feeds = LRUCache<ScreenName, Part<ForwardedEvents>>(limit: .max)
    var streams: [ScreenName: [ObjectIdentifier: FeedSource]] = [:]
    /// The highest number of an event of any screen.
    private var lastNumber: UInt64 = 0
    private var lostCount = 0

    /// The estimated size of a journey without its parts, in bytes.
    private static let journeyByteCount = 1024
    /// The part of a capacity that is not used after something was dropped, as a divisor: what
    /// arrives next does not cause another search for who has most.
    private static let spare = 16

    init() {}

    var byteCount: Int { journeys.cost + feeds.cost }

    mutating func lastNumber(of screen: ScreenName) -> UInt64 {
        feeds.value(for: screen)?.value.lastNumber ?? lastNumber
    }

    mutating func takeLostCount() -> Int {
        defer { lostCount = 0 }
        return lostCount
    }

    mutating func add(
        _ events: [PostedEvent], to screen: ScreenName, maxItems: Int, now: Double
    ) {
        let known = journeys.value(for: screen)
        let journey = known ?? Part(Journey(maxItems: maxItems))
        for event in events { journey.value.add(event, now: now) }
        guard journey.value.byteCount > 0 else { return }
        if known == nil { _ = journeys.insert(journey, for: screen, cost: 0) }
        setCost(of: journey, screen)
    }

    mutating func forward(_ data: [[UInt8]], of screen: ScreenName, by reporter: Reporter) {
        guard !data.isEmpty else { return }
        let known = feeds.value(for: screen)
        let feed = known ?? Part(ForwardedEvents(after: lastNumber))
        if known == nil { _ = feeds.insert(feed, for: screen, cost: 0) }
        change(feed, screen) { feed in
            for data in data { feed.add(data, by: reporter) }
        }
        lastNumber = max(lastNumber, feed.value.lastNumber)
    }

    /// Drops reports until the others are within a limit: journeys first.
    mutating func shrink(to limit: Int) {
        guard byteCount > limit else { return }
        shrinkJourneys(to: limit - feeds.cost)
        if feeds.cost > limit { shrinkFeeds(to: limit) }
    }
}

// MARK: - Journeys

extension ReportsState {
    private mutating func shrinkJourneys(to limit: Int) {
        guard journeys.cost > limit else { return }
        let target = limit - limit / Self.spare
        let all = listed(journeys)
        let share = FairShare.level(of: all.map { cost(of: $0.part) }, within: target)
        for (screen, part) in all {
            while cost(of: part) > share, part.value.removeOldest() {}
            setCost(of: part, screen)
        }
        // A journey of one item may be larger than a share of very many screens.
        for (screen, part) in all where journeys.cost > target && cost(of: part) > share {
            _ = journeys.remove(screen)
        }
    }

    private func cost(of part: Part<Journey>) -> Int {
        Self.journeyByteCount + part.value.byteCount
    }

    private mutating func setCost(of part: Part<Journey>, _ screen: ScreenName) {
        journeys.setCost(cost(of: part), for: screen)
    }

    private func listed<Value>(
        _ cache: LRUCache<ScreenName, Part<Value>>
    ) -> [(screen: ScreenName, part: Part<Value>)] {
        var all: [(screen: ScreenName, part: Part<Value>)] = []
        cache.forEachFromOldest { all.append(($0, $1)) }
        return all
    }
}

// MARK: - Events for backends

extension ReportsState {
    /// The events of a reporter on a screen.
    private struct Lane {
        let screen: ScreenName
        let feed: Part<ForwardedEvents>
        let byteCount: Int
    }

    /// Drops the oldest events of the reporters that have most, and of them of the screens on which
    /// they have most.
    private mutating func shrinkFeeds(to limit: Int) {
        let target = limit - limit / Self.spare
        var lanes: [Reporter: [Lane]] = [:]
        for (screen, feed) in listed(feeds) {
            for (reporter, share) in feed.value.shares {
                let lane = Lane(screen: screen, feed: feed, byteCount: share.byteCount)
                lanes[reporter, default: []].append(lane)
            }
        }
        let totals = lanes.mapValues { $0.reduce(0) { $0 + $1.byteCount } }
        let share = FairShare.level(of: totals.values, within: target)
        for (reporter, lanes) in lanes where totals[reporter] ?? 0 > share {
            shrink(lanes, of: reporter, to: share)
        }
    }

    /// Drops events of a reporter, whose lanes are in the order of their last reports.
    private mutating func shrink(_ lanes: [Lane], of reporter: Reporter, to limit: Int) {
        let share = FairShare.level(of: lanes.map(\.byteCount), within: limit)
        var total = 0
        for lane in lanes {
            change(lane.feed, lane.screen) { $0.trim(reporter, to: share) }
            total += byteCount(of: lane.feed, by: reporter)
        }
        // One event may be larger than a share of very many screens.
        for lane in lanes where total > limit && byteCount(of: lane.feed, by: reporter) > share {
            total -= byteCount(of: lane.feed, by: reporter)
            change(lane.feed, lane.screen) { $0.removeAll(by: reporter) }
            if lane.feed.value.shares.isEmpty { _ = feeds.remove(lane.screen) }
        }
    }

    private func byteCount(of feed: Part<ForwardedEvents>, by reporter: Reporter) -> Int {
        feed.value.shares[reporter]?.byteCount ?? 0
    }

    /// Changes the events of a screen, and counts those that are lost.
    private mutating func change(
        _ feed: Part<ForwardedEvents>, _ screen: ScreenName,
        _ change: (inout ForwardedEvents) -> Void
    ) {
        let before = feed.value.lostCount
        change(&feed.value)
        lostCount += feed.value.lostCount - before
        feeds.setCost(feed.value.byteCount, for: screen)
    }
}
