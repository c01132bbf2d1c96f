import BroadsheetIO
import Dispatch

/// The reads of a store, on a thread and a connection of their own that never delay the writer.
struct SQLiteReadWorker {
    /// A read and the function that receives its result exactly once.
    enum Job: Sendable {
        /// A part of a screen.
        case screen(
            ScreenName, ScreenPart, ReadLimits,
            @Sendable (Result<SQLiteRowReader.Found?, StoreError>) -> Void)
        /// A page of a screen (``ScreenStore/page(_:of:atMost:)``).
        case page(
            Int?, of: ScreenName, atMost: Int?,
            @Sendable (Result<PageLoad?, StoreError>) -> Void)
        /// A part of the list of screens.
        case list(
            after: ScreenName?, prefix: ScreenNamePrefix, limit: Int,
            @Sendable (Result<[ScreenListing], StoreError>) -> Void)
        /// A part of a screen at an earlier revision.
        case earlier(
            ScreenName, at: UInt64, ScreenPart, ReadLimits,
            @Sendable (Result<ScreenLoad, StoreError>) -> Void)
        /// A part of the list of a screen's revisions.
        case revisions(
            of: ScreenName, before: UInt64?, limit: Int,
            @Sendable (Result<RevisionList?, StoreError>) -> Void)
        /// A part of the feed of a screen.
        case feed(
            of: ScreenName, after: UInt64, byteCount: Int,
            @Sendable (Result<FeedPart?, StoreError>) -> Void)
        /// A minimal read of the file, for readiness.
        case probe(@Sendable (Result<Void, StoreError>) -> Void)
    }

    /// The maximum number of waiting reads.
    static let maxWaiting = 4096

    private let connection: SQLiteConnection
    private let rows: SQLiteRowReader
    private let earlier: SQLiteEarlierReader
    private let feeds: SQLiteFeedReader
    private let begin: SQLiteStatement
    private let end: SQLiteStatement
    private let context: SQLiteStoreContext

    /// Opens a connection for reading.
    init(_ context: SQLiteStoreContext) throws(SQLiteFailure) {
        connection = try SQLiteConnection(
            path: context.path, mode: .readOnly, busyTimeout: context.options.busyTimeout)
        rows = try SQLiteRowReader(on: connection)
        earlier = try SQLiteEarlierReader(
            on: connection, pages: rows.pages, bounds: context.options.history)
        feeds = try SQLiteFeedReader(on: connection)
        begin = try connection.prepare("BEGIN")
        end = try connection.prepare("COMMIT")
        self.context = context
    }

    /// Performs the jobs of the queue until it is closed and empty.
    func serve(_ queue: JobQueue<Job>) {
        while let jobs = queue.dequeue(atMost: 1) {
            for job in jobs { serve(job) }
        }
    }

    /// Reads a part of a screen in a transaction, so that its row and its pages are consistent.
    ///
    /// A part does not show that pages are lost, which belong to it or show that it is not all. So
    /// the keys of all pages are checked the first time; writes of this store keep that valid. If
    /// the whole screen is known to be damaged, nothing of it is returned.
    func screen(
        _ name: ScreenName, _ part: ScreenPart, within limits: ReadLimits
    ) throws(SQLiteFailure) -> SQLiteRowReader.Found? {
        try reading(name, completely: part == .all) { now throws(SQLiteFailure) in
            let found = try rows.screen(name, part, within: limits, at: now)
            if let found, found.mayLackPages,
                !context.health.hasVerifiedKeys(of: name, at: found.revision)
            {
                try rows.verifyKeys(of: name, at: now)
                context.health.recordKeys(of: name, at: found.revision)
            }
            return found
        }
    }

    /// Reads a page of a screen.
    ///
    /// A page whose key is damaged is not found. So if its bytes are requested, a screen without
    /// the page is checked, once at each revision.
    func page(
        _ number: Int?, of name: ScreenName, atMost byteCount: Int?
    ) throws(SQLiteFailure) -> PageLoad? {
        try reading(name, completely: false) { now throws(SQLiteFailure) in
            let found = try rows.page(number, of: name, atMost: byteCount, at: now)
            if let found, found.page == nil, byteCount != nil,
                !context.health.isVerified(name, at: found.screen.revision)
            {
                _ = try rows.verify(name, at: now, maxPageBytes: Self.maxVerifiedPageBytes)
                try rows.verifyKeys(of: name, at: now)
                context.health.recordVerification(of: name, at: found.screen.revision)
            }
            return found
        }
    }

    /// Checks a screen and all its pages, in the memory of one page, and then its feed; `proceed`
    /// is called before each page and each part of the feed, and may throw.
    func verify(
        _ name: ScreenName, _ proceed: () throws(SQLiteFailure) -> Void
    ) throws(SQLiteFailure) {
        _ = try reading(name, completely: true) { now throws(SQLiteFailure) in
            try rows.verify(name, at: now, maxPageBytes: Self.maxVerifiedPageBytes, proceed)
        }
        var number: UInt64? = 0
        while let last = number {
            try proceed()
            number = try transaction { () throws(SQLiteFailure) in
                try feeds.part(
                    of: name, after: last, byteCount: SQLiteFeedReader.verifiedByteCount
                ).events.last?.number
            }
        }
    }

    /// The maximum size of a page that is read to check it.
    static let maxVerifiedPageBytes = 64 << 20

    private func reading<Value>(
        _ name: ScreenName, completely: Bool,
        _ body: (Int64) throws(SQLiteFailure) -> Value?
    ) throws(SQLiteFailure) -> Value? {
        let now = context.options.clock.unixMilliseconds
        let mayBeDamaged = context.health.mayBeDamaged(name)
        do throws(SQLiteFailure) {
            let found = try transaction { () throws(SQLiteFailure) in
                if mayBeDamaged, !completely {
                    _ = try rows.verify(name, at: now, maxPageBytes: Self.maxVerifiedPageBytes)
                }
                let found = try body(now)
                // In a damaged file the screen may exist although it was not found.
                if found == nil { try context.health.check() }
                return found
            }
            if mayBeDamaged { context.health.recordRepair(of: name) }
            return found
        } catch {
            if case .corrupt = error.storeError { context.health.recordDamage(of: name) }
            throw error
        }
    }

    /// Reads a part of a screen at a revision.
    ///
    /// Damage that only an earlier revision has is reported once, and makes the revisions up to it
    /// unknown.
    func screen(
        _ name: ScreenName, at revision: UInt64, _ part: ScreenPart, within limits: ReadLimits
    ) throws(SQLiteFailure) -> ScreenLoad {
        let now = context.options.clock.unixMilliseconds
        let row = try transaction { () throws(SQLiteFailure) in try rows.row(of: name) }
        guard let row, !row.isExpired(at: now), revision <= row.revision else { return .absent }
        if revision == row.revision {
            let found = try screen(name, part, within: limits)
            // Otherwise it was written meanwhile, and is an earlier revision now.
            if found?.revision == revision { return found?.load ?? .absent }
        }
        return try transaction { () throws(SQLiteFailure) in
            guard let row = try rows.row(of: name), !row.isExpired(at: now),
                revision < row.revision, revision >= (try first(of: row, at: now))
            else { return .absent }
            var damage: SQLiteEarlierReader.Damage?
            let found = try earlier.screen(
                row, name, at: revision, (part, limits), damage: &damage)
            if let damage, let creation = row.creation {
                context.health.histories.record(damage.last, of: creation)
                context.health.record(damage.failure)
            }
            return found ?? .absent
        }
    }

    /// Reads a part of the list of a screen's revisions.
    func revisions(
        of name: ScreenName, before revision: UInt64?, limit: Int
    ) throws(SQLiteFailure) -> RevisionList? {
        let now = context.options.clock.unixMilliseconds
        return try transaction { () throws(SQLiteFailure) in
            guard var row = try rows.row(of: name), !row.isExpired(at: now) else { return nil }
            row.size = try rows.pages.size(of: row)
            return try earlier.list(
                of: row, from: try first(of: row, at: now), before: revision, limit: limit)
        }
    }

    /// Reads a part of the feed of a screen.
    func feed(
        of name: ScreenName, after number: UInt64, byteCount: Int
    ) throws(SQLiteFailure) -> FeedPart? {
        let now = context.options.clock.unixMilliseconds
        return try transaction { () throws(SQLiteFailure) in
            guard let row = try rows.row(of: name), !row.isExpired(at: now) else { return nil }
            return try feeds.part(of: name, after: number, byteCount: byteCount)
        }
    }

    private func first(of row: ScreenRow, at now: Int64) throws(SQLiteFailure) -> UInt64 {
        let damaged = row.creation.map(context.health.histories.last)
        return try earlier.first(of: row, after: damaged ?? 0, at: now)
    }

    /// Reads a part of the list of screens.
    func screens(
        after name: ScreenName?, prefix: ScreenNamePrefix = .none, limit: Int
    ) throws(SQLiteFailure) -> [ScreenListing] {
        try context.health.check()
        return try rows.screens(
            after: name, prefix: prefix, limit: limit, at: context.options.clock.unixMilliseconds)
    }

    private func serve(_ job: Job) {
        switch job {
        case .screen(let name, let part, let limits, let finish):
            finish(
                result { () throws(SQLiteFailure) in try screen(name, part, within: limits) })
        case .page(let number, let name, let byteCount, let finish):
            finish(
                result { () throws(SQLiteFailure) in
                    try page(number, of: name, atMost: byteCount)
                })
        case .list(let name, let prefix, let limit, let finish):
            finish(
                result { () throws(SQLiteFailure) in
                    try screens(after: name, prefix: prefix, limit: limit)
                })
        case .earlier(let name, let revision, let part, let limits, let finish):
            finish(
                result { () throws(SQLiteFailure) in
                    try screen(name, at: revision, part, within: limits)
                })
        case .revisions(let name, let revision, let limit, let finish):
            finish(
                result { () throws(SQLiteFailure) in
                    try revisions(of: name, before: revision, limit: limit)
                })
        case .feed(let name, let number, let byteCount, let finish):
            finish(
                result { () throws(SQLiteFailure) in
                    try feed(of: name, after: number, byteCount: byteCount)
                })
        case .probe(let finish):
            finish(
                result { () throws(SQLiteFailure) in
                    try context.files.check()
                    _ = try screens(after: nil, limit: 1)
                })
        }
    }

    private func result<Value>(
        _ body: () throws(SQLiteFailure) -> Value
    ) -> Result<Value, StoreError> {
        do throws(SQLiteFailure) {
            return .success(try body())
        } catch {
            context.health.record(error)
            return .failure(error.storeError)
        }
    }

    private func transaction<Value>(
        _ body: () throws(SQLiteFailure) -> Value
    ) throws(SQLiteFailure) -> Value {
        try begin.run { statement throws(SQLiteFailure) in _ = try statement.step() }
        defer { try? end.run { statement throws(SQLiteFailure) in _ = try statement.step() } }
        return try body()
    }
}
