import BroadsheetIO

/// The feeds of the screens of a store in memory, as a value.
struct MemoryFeeds: Sendable {
    /// The feed of a screen.
    private struct Feed: Sendable {
        let instance = FeedPart.newInstance()
        var events = FIFO<FeedEvent>()
        var last: UInt64 = 0
        var byteCount = 0
    }

    /// The bounds of each feed.
    let bounds: FeedBounds
    /// The maximum size of all feeds together, in bytes.
    let limit: Int
    private var feeds: [ScreenName: Feed] = [:]
    /// The estimated size of all feeds, in bytes.
    private(set) var byteCount = 0
    /// The number of events that were dropped because of the bounds or of the limit.
    private(set) var droppedCount: UInt64 = 0

    /// The estimated size of an event without its bytes.
    static let eventByteCount = 128
    /// The part of the limit that is not used after events were dropped, as a divisor: the next
    /// events do not cause another search for the largest feed.
    private static let spare = 16

    /// Creates feeds without events.
    init(bounds: FeedBounds, limit: Int) {
        self.bounds = bounds
        self.limit = limit
    }

    /// Stores events; drops the oldest ones that are beyond the bounds, and those of the largest
    /// feeds that are beyond the limit.
    mutating func append(_ events: [[UInt8]], to screen: ScreenName) {
        guard !bounds.isNone, !events.isEmpty else { return }
        // Taken out, so that its events are changed in place.
        var feed = feeds.removeValue(forKey: screen) ?? Feed()
        for data in events {
            feed.last += 1
            feed.events.append(FeedEvent(number: feed.last, data: data))
            feed.byteCount += data.count
            byteCount += data.count + Self.eventByteCount
            while feed.events.count > 1,
                feed.events.count > bounds.maxEvents || feed.byteCount > bounds.maxBytes
            {
                drop(from: &feed)
                droppedCount += 1
            }
        }
        feeds[screen] = feed
        shrink(to: limit)
    }

    /// Drops the oldest events of the largest feeds until all are within a limit, so that a feed
    /// loses nothing because of larger ones.
    private mutating func shrink(to limit: Int) {
        guard byteCount > limit else { return }
        let target = limit - limit / Self.spare
        while byteCount > target,
            let largest = feeds.max(by: { Self.size(of: $0.value) < Self.size(of: $1.value) })?.key,
            var feed = feeds.removeValue(forKey: largest), !feed.events.isEmpty
        {
            // Half of it: another one may be the largest then.
            let half = Self.size(of: feed) / 2
            while byteCount > target, !feed.events.isEmpty, Self.size(of: feed) > half {
                drop(from: &feed)
                droppedCount += 1
            }
            feeds[largest] = feed
        }
    }

    private static func size(of feed: Feed) -> Int {
        feed.byteCount + feed.events.count * eventByteCount
    }

    /// Removes the feed of a screen that was removed.
    mutating func remove(_ screen: ScreenName) {
        guard var feed = feeds.removeValue(forKey: screen) else { return }
        while !feed.events.isEmpty { drop(from: &feed) }
    }

    /// Returns a part of the feed of a screen.
    func part(
        of screen: ScreenName, after number: UInt64, byteCount limit: Int
    ) -> FeedPart {
        guard let feed = feeds[screen] else { return FeedPart() }
        let first = feed.last + 1 - UInt64(feed.events.count)
        var part = FeedPart(instance: feed.instance, first: first, last: feed.last)
        var rest = limit
        let start = feed.events.firstPosition { $0.number > number }
        for position in start..<feed.events.count {
            guard let event = feed.events[position], part.events.isEmpty || event.data.count <= rest
            else { break }
            part.events.append(event)
            rest -= event.data.count
        }
        return part
    }

    private mutating func drop(from feed: inout Feed) {
        guard let event = feed.events.popFirst() else { return }
        feed.byteCount -= event.data.count
        byteCount -= event.data.count + Self.eventByteCount
    }
}
