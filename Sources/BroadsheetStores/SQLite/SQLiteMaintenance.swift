import Dispatch
import Synchronization

/// The checkpoints that run on a thread of their own, at the request of the writer.
struct SQLiteCheckpointer {
    private let connection: SQLiteConnection

    /// Opens a connection to the file at `path`.
    init(path: String) throws(SQLiteFailure) {
        connection = try SQLiteConnection(path: path, mode: .readWrite)
        // The pages that a checkpoint copies must be on the disk before the log is overwritten.
        try connection.execute("PRAGMA synchronous = FULL")
    }

    /// Performs a checkpoint for each request until the requests are closed.
    func serve(_ requests: CheckpointRequests, _ context: SQLiteStoreContext) {
        while requests.wait() {
            do throws(SQLiteFailure) {
                try WriteAheadLog.checkpoint(connection, .passive)
            } catch {
                context.health.record(error)
                context.report(
                    .maintenanceFailed("a checkpoint failed (\(error.message))"))
            }
            requests.finish()
        }
    }
}

/// The writer's requests for checkpoints, and their state.
final class CheckpointRequests: Sendable {
    private struct State {
        /// The number of requests that are waiting or in progress.
        var unfinished = 0
        /// A Boolean value that indicates whether no thread performs requests.
        var isAbandoned = false
    }

    // One waiting request covers all that follow it.
    private let queue = JobQueue<Void>(capacity: 1)
    private let state = Mutex(State())
    /// A semaphore that is signalled at the end of each checkpoint.
    private let ends = DispatchSemaphore(value: 0)

    /// A Boolean value that indicates whether no checkpoint is requested or in progress.
    var isIdle: Bool { state.withLock { $0.unfinished == 0 } }

    /// Requests a checkpoint, unless the requests were abandoned.
    func request() {
        state.withLock { state in
            guard !state.isAbandoned, queue.enqueue(()) == .accepted else { return }
            state.unfinished += 1
        }
    }

    /// Declares that no more requests follow.
    func close() { queue.close() }

    /// Blocks until no checkpoint is requested or in progress; called on the writer's thread only.
    func waitUntilIdle() {
        // Signals of earlier checkpoints may be pending.
        while !isIdle { ends.wait() }
    }

    /// Waits for a request; returns `false` when none will follow.
    func wait() -> Bool { queue.dequeue(atMost: 1) != nil }

    /// Declares that the current checkpoint has ended, successfully or not.
    func finish() {
        state.withLock { $0.unfinished = max(0, $0.unfinished - 1) }
        ends.signal()
    }

    /// Declares that no thread performs requests.
    func abandon() {
        state.withLock { $0 = State(unfinished: 0, isAbandoned: true) }
        ends.signal()
    }
}

/// The times at which the writer sweeps.
///
/// A search for something to remove costs a tenth of a transaction that stores pages. After such a
/// transaction there is one only once a second, and after a removal at once.
struct SweepSchedule: Hashable {
    /// The time between searches while pages are stored, in milliseconds.
    static let interval: Int64 = 1000
    /// The time that the writer waits for writes after a search that found nothing.
    static let pause = DispatchTimeInterval.seconds(30)

    /// The time of the last search that found nothing; `nil` if there may be something to remove.
    private var lastSearch: Int64?

    /// Returns whether to search after a batch of writes, which is empty after a pause.
    ///
    /// - Parameters:
    ///   - storesPagesOnly: A Boolean value that indicates whether the batch stores pages and
    ///     removes nothing.
    ///   - now: The time, in milliseconds since 1970.
    func isDue(storesPagesOnly: Bool, at now: Int64) -> Bool {
        guard storesPagesOnly, let lastSearch else { return true }
        // The clock may have been set back.
        return !(lastSearch..<lastSearch + Self.interval).contains(now)
    }

    /// Records a search, and whether there may be more to remove.
    mutating func recordSearch(at now: Int64, mayHaveMore: Bool) {
        lastSearch = mayHaveMore ? nil : now
    }
}

/// A sweep that removes expired screens and the pages of discarded folders in small steps.
///
/// Once a minute it begins to look for earlier revisions that are too old.
final class SQLiteSweeper {
    /// The maximum number of screens that one step removes.
    static let screensPerSweep = 32
    /// The maximum number of pages that one step deletes; each may have the maximum size of a body.
    static let pagesPerSweep = 32

    private let connection: SQLiteConnection
    private let findExpired: SQLiteStatement
    private let findDiscarded: SQLiteStatement
    private let findPages: SQLiteStatement
    private let deletePages: SQLiteStatement
    private let findHistories: SQLiteStatement
    private let deleteChanges: SQLiteStatement
    private let forgetDiscarded: SQLiteStatement
    private let reader: SQLiteRowReader
    private let prunesHistories: Bool
    /// The time of the next search for old revisions.
    private var nextSearch: Int64 = 0
    /// The screen after which the search goes on; `nil` between two searches.
    private var searched: String?

    /// The time between two searches for old revisions, in milliseconds.
    static let searchInterval: Int64 = 30_000
    /// The number of screens with a history that a step of the search looks at.
    static let historiesPerStep = 64

    /// Prepares the statements on a connection with the current schema.
    ///
    /// - Parameter prunesHistories: A Boolean value that indicates whether it looks for earlier
    ///   revisions that are too old.
    init(
        on connection: SQLiteConnection, prunesHistories: Bool = false
    ) throws(SQLiteFailure) {
        self.connection = connection
        self.prunesHistories = prunesHistories
        findPages = try connection.prepare(
            """
            SELECT \(PageSource.id), coalesce(length(c.bytes), 0) FROM \(PageSource.tables)
            WHERE p.key BETWEEN ?1 AND ?2 ORDER BY p.key LIMIT ?3
            """)
        findHistories = try connection.prepare(
            """
            SELECT name FROM screens WHERE name > ?1 AND first_revision < revision
            ORDER BY name LIMIT ?2
            """)
        findExpired = try connection.prepare(
            "SELECT name FROM screens WHERE expires_at <= ?1 ORDER BY expires_at LIMIT ?2")
        findDiscarded = try connection.prepare("SELECT folder, checksum FROM discarded LIMIT 1")
        deletePages = try connection.prepare(
            """
            DELETE FROM pages WHERE key IN
                (SELECT key FROM pages WHERE key BETWEEN ?1 AND ?2 ORDER BY key LIMIT ?3)
            """)
        deleteChanges = try connection.prepare(
            "DELETE FROM page_changes WHERE key BETWEEN ?1 AND ?2")
        forgetDiscarded = try connection.prepare("DELETE FROM discarded WHERE folder = ?1")
        reader = try SQLiteRowReader(on: connection)
    }

    /// Returns a Boolean value that indicates whether there is something to remove.
    func hasWork(at now: Int64) throws(SQLiteFailure) -> Bool {
        if try discardedFolder() != nil { return true }
        if prunesHistories, searched != nil || !isRecent(at: now) { return true }
        return try !expiredScreens(at: now, limit: 1).isEmpty
    }

    /// Returns a screen with earlier revisions, or `nil` if there is none.
    func nextHistory() throws(SQLiteFailure) -> ScreenName? {
        try histories(after: "", limit: 1).first
    }

    /// Returns whether a search for old revisions has begun within the interval.
    private func isRecent(at now: Int64) -> Bool {
        // The clock may have been set back.
        (nextSearch - Self.searchInterval..<nextSearch).contains(now)
    }

    /// Performs one step in a transaction of the caller, and returns the number of removed screens.
    func sweep(by writer: SQLiteRowWriter, at now: Int64) throws(SQLiteFailure) -> Int {
        let expired = try expiredScreens(at: now, limit: Self.screensPerSweep)
        for screen in expired {
            // A damaged index must not cause the removal of a screen that has not expired.
            guard let row = try reader.row(of: screen), row.isExpired(at: now) else {
                throw .broken("the expiry index names screen \(screen)")
            }
            try writer.retire(row, of: screen)
        }
        if let folder = try discardedFolder() {
            if SQLiteHistory.creations.contains(folder) {
                let hasFeed = try !writer.feeds.deleteSome(of: folder)
                if try writer.history.deleteSome(of: folder), !hasFeed { try forget(folder) }
            } else {
                try deleteSome(of: folder, writer.history.contents)
            }
        }
        if prunesHistories, searched != nil || !isRecent(at: now) {
            try pruneSome(by: writer, at: now)
        }
        return expired.count
    }

    /// Drops the old revisions of the next screens of a search.
    private func pruneSome(by writer: SQLiteRowWriter, at now: Int64) throws(SQLiteFailure) {
        if searched == nil { nextSearch = now + Self.searchInterval }
        let names = try histories(after: searched ?? "", limit: Self.historiesPerStep)
        for name in names {
            if let row = try reader.row(of: name), !row.isExpired(at: now) {
                try writer.prune(row, of: name, at: now)
            }
        }
        searched = names.count < Self.historiesPerStep ? nil : names.last?.text
    }

    private func histories(
        after name: String, limit: Int
    ) throws(SQLiteFailure) -> [ScreenName] {
        try findHistories.run { row throws(SQLiteFailure) in
            try row.bind(name, at: 1)
            try row.bind(Int64(limit), at: 2)
            var names: [ScreenName] = []
            while try row.step() {
                guard let name = ScreenName(row.text(0)) else { throw .invalid("a screen's name") }
                names.append(name)
            }
            return names
        }
    }

    private func deleteSome(
        of folder: Int64, _ contents: SQLiteContents
    ) throws(SQLiteFailure) {
        let keys = PageKey.keys(in: folder)
        var places: [(id: Int64, byteCount: Int)] = []
        try findPages.run { row throws(SQLiteFailure) in
            var isThere = try row.step(
                keys.lowerBound, keys.upperBound, Int64(Self.pagesPerSweep))
            while isThere {
                if !row.isNull(0) { places.append((row.integer(0), Int(row.integer(1)))) }
                isThere = try row.step()
            }
        }
        for place in places { try contents.release(place.id, byteCount: place.byteCount) }
        try deleteChanges.run { statement throws(SQLiteFailure) in
            _ = try statement.step(keys.lowerBound, keys.upperBound)
        }
        try deletePages.run { statement throws(SQLiteFailure) in
            _ = try statement.step(keys.lowerBound, keys.upperBound, Int64(Self.pagesPerSweep))
        }
        guard connection.changedRows < Self.pagesPerSweep else { return }
        try forget(folder)
    }

    private func forget(_ folder: Int64) throws(SQLiteFailure) {
        try forgetDiscarded.run { statement throws(SQLiteFailure) in
            _ = try statement.step(folder)
        }
    }

    private func discardedFolder() throws(SQLiteFailure) -> Int64? {
        try findDiscarded.run { row throws(SQLiteFailure) in
            guard try row.step() else { return nil }
            guard RowChecksum.value(of: row.integer(0)) == row.integer(1) else {
                throw .damaged("a discarded folder")
            }
            return row.integer(0)
        }
    }

    private func expiredScreens(
        at now: Int64, limit: Int
    ) throws(SQLiteFailure) -> [ScreenName] {
        try findExpired.run { row throws(SQLiteFailure) in
            var names: [ScreenName] = []
            var isThere = try row.step(now, Int64(limit))
            while isThere {
                guard let name = ScreenName(row.text(0)) else { throw .invalid("a screen's name") }
                names.append(name)
                isThere = try row.step()
            }
            return names
        }
    }
}
