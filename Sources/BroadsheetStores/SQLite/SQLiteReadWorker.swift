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
        /// A minimal read of the file, for readiness.
        case probe(@Sendable (Result<Void, StoreError>) -> Void)
    }

    /// The maximum number of waiting reads.
    static let maxWaiting = 4096

    private let connection: SQLiteConnection
    private let rows: SQLiteRowReader
    private let begin: SQLiteStatement
    private let end: SQLiteStatement
    private let context: SQLiteStoreContext

    /// Opens a connection for reading.
    init(_ context: SQLiteStoreContext) throws(SQLiteFailure) {
        connection = try SQLiteConnection(
            path: context.path, mode: .readOnly, busyTimeout: context.options.busyTimeout)
        rows = try SQLiteRowReader(on: connection)
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
                context.health.recordVerification(of: name, at: found.screen.revision)
            }
            return found
        }
    }

    /// Checks a screen and all its pages, in the memory of one page; `proceed` is called before
    /// each page, and may throw.
    func verify(
        _ name: ScreenName, _ proceed: () throws(SQLiteFailure) -> Void
    ) throws(SQLiteFailure) {
        _ = try reading(name, completely: true) { now throws(SQLiteFailure) in
            try rows.verify(name, at: now, maxPageBytes: Self.maxVerifiedPageBytes, proceed)
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
