extension CommitPlan {
    /// Adds events to the feed, and drops the oldest beyond the bounds.
    mutating func append(
        _ events: [[UInt8]], _ number: WriteNumber, version: UInt64, in bounds: FeedBounds
    ) throws(MissingObjects) {
        guard !events.isEmpty, !bounds.isNone else { return }
        let screen = batch.screen
        let former = feed
        var feed = former ?? FeedRecord(instance: FeedPart.newInstance(), base: version)
        var puts: [StoreBatch.Put] = []
        for data in events {
            feed.last += 1
            feed.byteCount += data.count
            known.eventLengths[feed.last] = data.count
            puts.append(feed.put(data, feed.last, of: screen))
        }
        while feed.count > 1,
            feed.count > UInt64(clamping: bounds.maxEvents) || feed.byteCount > bounds.maxBytes
        {
            try drop(&feed, since: former, &puts)
        }
        finish(feed, puts, number, version: version)
    }

    fileprivate mutating func drop(
        _ feed: inout FeedRecord, since former: FeedRecord?, _ puts: inout [StoreBatch.Put]
    ) throws(MissingObjects) {
        guard let length = known.eventLengths[feed.first] else {
            let last = min(feed.first + Self.lengthsRead - 1, former?.last ?? feed.last)
            let base = feed.base
            throw MissingObjects(
                keys: (feed.first...last).filter { known.eventLengths[$0] == nil }.map {
                    .event($0, base: base)
                })
        }
        known.eventLengths[feed.first] = nil
        feed.byteCount -= length
        let key = ObjectKey.event(feed.first, base: feed.base)
        if let former, feed.first <= former.last {
            batch.deletes.append(key)
        } else {
            puts.removeAll { $0.key == key }
        }
        feed.first += 1
        droppedEvents += 1
    }

    fileprivate mutating func finish(
        _ feed: FeedRecord, _ puts: [StoreBatch.Put], _ number: WriteNumber, version: UInt64
    ) {
        var feed = feed
        feed.writes = [number] + feed.writes.prefix(ScreenRecord.maxWrites - 1)
        batch.puts += puts
        batch.feed = StoreBatch.FeedWrite(
            expected: version, version: feed.version, bytes: feed.bytes(of: batch.screen),
            weight: feed.byteCount + Int(clamping: feed.count) * FeedRecord.eventWeight)
        self.feed = feed
    }

    /// The number of events whose lengths are read at once.
    private static let lengthsRead: UInt64 = 256
}

extension FeedRecord {
    /// The estimated size of an event without its bytes.
    static let eventWeight = 128
}

/// The plan of an append of events, which makes no revision.
enum FeedPlanner {
    static func append(
        _ events: [[UInt8]], _ number: WriteNumber, to screen: ScreenName, at revision: UInt64,
        in context: PlanContext
    ) throws(MissingObjects) -> CommitPlan {
        var batch = StoreBatch(screen: screen, line: context.server.line, expecting: .alive)
        batch.message = .written(screen, lowest: revision)
        var plan = CommitPlan(batch: batch, revision: 0, feed: context.feed, known: context.known)
        try plan.append(events, number, version: context.feedVersion, in: context.bounds.feeds)
        return plan
    }

    /// Returns the plan that drops the oldest events until the feed has at most a weight.
    static func shrink(
        to weight: Int, _ number: WriteNumber, of screen: ScreenName, in context: PlanContext
    ) throws(MissingObjects) -> CommitPlan? {
        guard var feed = context.feed else { return nil }
        var batch = StoreBatch(screen: screen, line: context.server.line, expecting: .alive)
        batch.frees = true
        var plan = CommitPlan(batch: batch, revision: 0, feed: feed, known: context.known)
        let former = feed
        var puts: [StoreBatch.Put] = []
        while feed.count > 0,
            feed.byteCount + Int(clamping: feed.count) * FeedRecord.eventWeight > weight
        {
            try plan.drop(&feed, since: former, &puts)
        }
        guard plan.droppedEvents > 0 else { return nil }
        plan.finish(feed, puts, number, version: context.feedVersion)
        return plan
    }
}
