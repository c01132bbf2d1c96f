/// The tables of feeds and their events (``FeedStore``), read in a transaction of the caller.
struct SQLiteFeedReader {
    /// The row of a feed.
    struct Feed: Hashable {
        /// The number under which its events are stored; one that no other feed has, and no
        /// creation of a screen.
        var id: Int64
        /// The text that distinguishes it from other feeds.
        var instance: String
        /// The number of its oldest event.
        var first: UInt64 = 1
        /// The number of its last event.
        var last: UInt64 = 0
        /// The bytes of its events.
        var byteCount = 0

        /// Returns the checksum of the row, for the screen with the given name.
        func checksum(name: ScreenName) -> Int64 {
            RowChecksum.value { combine(into: &$0, name: name) }
        }

        fileprivate func combine(into sum: inout RowChecksum, name: ScreenName) {
            sum.combine(name.text)
            sum.combine(instance)
            for number in [
                id, Int64(bitPattern: first), Int64(bitPattern: last), Int64(byteCount),
            ] {
                sum.combine(number)
            }
        }
    }

    private let find: SQLiteStatement
    private let readEvents: SQLiteStatement

    /// Prepares the statements on a connection with the current schema.
    init(on connection: SQLiteConnection) throws(SQLiteFailure) {
        find = try connection.prepare(
            "SELECT id, instance, oldest, newest, byte_count, checksum FROM feeds WHERE name = ?1")
        readEvents = try connection.prepare(
            """
            SELECT number, data, checksum FROM feed_events WHERE feed = ?1 AND number > ?2
            ORDER BY number
            """)
    }

    /// Returns the feed of a screen, or `nil` before its first event.
    func feed(of screen: ScreenName) throws(SQLiteFailure) -> Feed? {
        try find.run { row throws(SQLiteFailure) in
            try row.bind(screen.text, at: 1)
            guard try row.step() else { return nil }
            let feed = Feed(
                id: row.integer(0), instance: row.text(1),
                first: UInt64(bitPattern: row.integer(2)),
                last: UInt64(bitPattern: row.integer(3)), byteCount: Int(row.integer(4)))
            guard RowChecksum.matches(row.integer(5), { feed.combine(into: &$0, name: screen) })
            else {
                throw .damaged("the feed of screen \(screen)")
            }
            return feed
        }
    }

    /// Returns events of a screen after a number: about `limit` bytes of them, and one at least.
    ///
    /// They end before one that is damaged or missing.
    ///
    /// - Throws: A failure if the first event after the number is damaged, or is not there.
    func part(
        of screen: ScreenName, after number: UInt64, byteCount limit: Int
    ) throws(SQLiteFailure) -> FeedPart {
        guard let feed = try feed(of: screen) else { return FeedPart() }
        var part = FeedPart(instance: feed.instance, first: feed.first, last: feed.last)
        var next = max(feed.first, number == .max ? number : number + 1)
        var rest = limit
        guard next <= feed.last else { return part }
        try readEvents.run { row throws(SQLiteFailure) in
            var isThere = try row.step(feed.id, Int64(clamping: number))
            while isThere, next <= feed.last {
                let data = row.bytes(1)
                guard UInt64(bitPattern: row.integer(0)) == next,
                    row.integer(2) == Self.checksum(feed.id, next, data)
                else { break }
                guard part.events.isEmpty || data.count <= rest else { return }
                part.events.append(FeedEvent(number: next, data: data))
                rest -= data.count
                next += 1
                isThere = try row.step()
            }
            guard next > feed.last || !part.events.isEmpty else {
                throw .damaged("event \(next) of the feed of screen \(screen)")
            }
        }
        return part
    }

    /// The size of the parts that are read to check a feed.
    static let verifiedByteCount = 1 << 20

    /// Checks all events of a screen.
    func verify(_ screen: ScreenName) throws(SQLiteFailure) {
        var number: UInt64? = 0
        while let last = number {
            number = try part(of: screen, after: last, byteCount: Self.verifiedByteCount)
                .events.last?.number
        }
    }

    /// Returns the checksum of the row of an event.
    static func checksum(_ feed: Int64, _ number: UInt64, _ data: [UInt8]) -> Int64 {
        RowChecksum.value { sum in
            sum.combine(feed)
            sum.combine(Int64(bitPattern: number))
            sum.combine(data)
        }
    }
}

/// The writes of feeds, in a transaction of the caller.
///
/// Used on the thread of the writer.
final class SQLiteFeeds {
    /// Events of a screen and the function that receives the outcome exactly once.
    struct Append: Sendable {
        let events: [[UInt8]]
        let screen: ScreenName
        let finish: @Sendable (Result<Bool, StoreError>) -> Void
    }

    private let connection: SQLiteConnection
    private let reader: SQLiteFeedReader
    private let bounds: FeedBounds
    private let saveFeed: SQLiteStatement
    private let deleteFeed: SQLiteStatement
    private let insertEvent: SQLiteStatement
    private let findOldest: SQLiteStatement
    private let deleteOldest: SQLiteStatement
    private let deleteSomeEvents: SQLiteStatement
    /// The number of events that the transaction has dropped.
    private(set) var droppedCount: UInt64 = 0

    /// The maximum number of events that a step deletes of a screen that was removed.
    static let eventsPerStep = 64

    /// Prepares the statements on a connection with the current schema.
    init(on connection: SQLiteConnection, bounds: FeedBounds) throws(SQLiteFailure) {
        self.connection = connection
        self.bounds = bounds
        reader = try SQLiteFeedReader(on: connection)
        saveFeed = try connection.prepare(
            """
            INSERT OR REPLACE INTO feeds (name, id, instance, oldest, newest, byte_count, checksum)
            VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)
            """)
        deleteFeed = try connection.prepare("DELETE FROM feeds WHERE name = ?1")
        insertEvent = try connection.prepare(
            "INSERT INTO feed_events (feed, number, data, checksum) VALUES (?1, ?2, ?3, ?4)")
        findOldest = try connection.prepare(
            """
            SELECT number, length(data) FROM feed_events WHERE feed = ?1 ORDER BY number LIMIT 1
            """)
        deleteOldest = try connection.prepare(
            "DELETE FROM feed_events WHERE feed = ?1 AND number < ?2")
        deleteSomeEvents = try connection.prepare(
            """
            DELETE FROM feed_events WHERE rowid IN
                (SELECT rowid FROM feed_events WHERE feed = ?1 LIMIT ?2)
            """)
    }

    /// Begins a transaction.
    func begin() { droppedCount = 0 }

    /// Stores events of a screen that exists, and drops the oldest ones beyond the bounds.
    func append(_ events: [[UInt8]], to screen: ScreenName) throws(SQLiteFailure) {
        guard !bounds.isNone, !events.isEmpty else { return }
        var feed =
            try reader.feed(of: screen)
            ?? SQLiteFeedReader.Feed(
                id: .random(in: SQLiteHistory.creations), instance: FeedPart.newInstance())
        for data in events {
            feed.last += 1
            feed.byteCount += data.count
            try insert(data, feed)
        }
        try drop(from: &feed)
        try save(feed, of: screen)
    }

    private func insert(
        _ data: [UInt8], _ feed: SQLiteFeedReader.Feed
    ) throws(SQLiteFailure) {
        try insertEvent.run { statement throws(SQLiteFailure) in
            try statement.bind(data, at: 3) { () throws(SQLiteFailure) in
                try statement.bind(feed.id, at: 1)
                try statement.bind(Int64(bitPattern: feed.last), at: 2)
                try statement.bind(SQLiteFeedReader.checksum(feed.id, feed.last, data), at: 4)
                _ = try statement.step()
            }
        }
    }

    /// Drops the oldest events beyond the bounds; the last one remains.
    private func drop(from feed: inout SQLiteFeedReader.Feed) throws(SQLiteFailure) {
        while feed.first < feed.last,
            feed.last - feed.first >= UInt64(clamping: bounds.maxEvents)
                || feed.byteCount > bounds.maxBytes
        {
            let id = feed.id
            let oldest = try findOldest.run { row throws(SQLiteFailure) -> (UInt64, Int)? in
                guard try row.step(id) else { return nil }
                return (UInt64(bitPattern: row.integer(0)), Int(row.integer(1)))
            }
            guard let oldest, oldest.0 == feed.first else {
                throw .damaged("event \(feed.first) of a feed")
            }
            feed.first += 1
            feed.byteCount -= oldest.1
            droppedCount += 1
            let first = Int64(bitPattern: feed.first)
            try deleteOldest.run { statement throws(SQLiteFailure) in
                _ = try statement.step(id, first)
            }
        }
    }

    private func save(
        _ feed: SQLiteFeedReader.Feed, of screen: ScreenName
    ) throws(SQLiteFailure) {
        try saveFeed.run { statement throws(SQLiteFailure) in
            try statement.bind(screen.text, at: 1)
            try statement.bind(feed.id, at: 2)
            try statement.bind(feed.instance, at: 3)
            try statement.bind(Int64(bitPattern: feed.first), at: 4)
            try statement.bind(Int64(bitPattern: feed.last), at: 5)
            try statement.bind(Int64(feed.byteCount), at: 6)
            try statement.bind(feed.checksum(name: screen), at: 7)
            _ = try statement.step()
        }
    }

    /// Removes the feed of a screen that is removed, and returns the number of its events, which
    /// are deleted later; `nil` if there is none.
    ///
    /// The events of a damaged row stay.
    func remove(_ screen: ScreenName) throws(SQLiteFailure) -> Int64? {
        var feed: SQLiteFeedReader.Feed?
        do throws(SQLiteFailure) {
            feed = try reader.feed(of: screen)
            guard feed != nil else { return nil }
        } catch {
            guard case .corrupt = error.storeError, !error.isStructural else { throw error }
        }
        try deleteFeed.run { statement throws(SQLiteFailure) in
            try statement.bind(screen.text, at: 1)
            _ = try statement.step()
        }
        return feed?.id
    }

    /// Deletes some of the events of a removed feed; returns `true` after the last one.
    func deleteSome(of feed: Int64) throws(SQLiteFailure) -> Bool {
        try deleteSomeEvents.run { statement throws(SQLiteFailure) in
            _ = try statement.step(feed, Int64(Self.eventsPerStep))
        }
        return connection.changedRows < Self.eventsPerStep
    }

    /// Gives the feed of a screen another instance: readers of the file that it was copied from
    /// then receive all events.
    func renew(_ screen: ScreenName) throws(SQLiteFailure) {
        guard var feed = try reader.feed(of: screen) else { return }
        feed.instance = FeedPart.newInstance()
        try save(feed, of: screen)
    }
}
