/// The thread that reads: a connection of its own, which the writer never waits for.
struct SQLiteReader {
    /// A reading on its way, and what to call with its answer, exactly once.
    enum Job: Sendable {
        /// A screen with all its pages.
        case screen(ScreenName, @Sendable (Result<StoredScreen?, StoreError>) -> Void)
        /// A piece of the list of screens.
        case list(
            after: ScreenName?, limit: Int,
            @Sendable (Result<[ScreenListing], StoreError>) -> Void)
        /// A look at the file and no more: what readiness asks.
        case probe(@Sendable (Result<Void, StoreError>) -> Void)
    }

    /// The most readings that may wait; the next is answered "too busy".
    static let maxWaiting = 4096

    private let connection: SQLiteConnection
    private let rows: SQLiteRowReader

    /// Readies a connection for reading.
    init(_ connection: SQLiteConnection) throws(SQLiteFailure) {
        rows = try SQLiteRowReader(on: connection)
        self.connection = connection
    }

    /// Serves the mailbox until it is closed and empty.
    func serve(_ mailbox: Mailbox<Job>) {
        while let jobs = mailbox.take(atMost: 1) {
            for job in jobs { serve(job) }
        }
    }

    private func serve(_ job: Job) {
        switch job {
        case .screen(let name, let finish):
            finish(answer { () throws(SQLiteFailure) in try rows.screen(name) })
        case .list(let name, let limit, let finish):
            finish(
                answer { () throws(SQLiteFailure) in
                    try rows.screens(after: name, limit: limit)
                })
        case .probe(let finish):
            finish(
                answer { () throws(SQLiteFailure) in
                    _ = try rows.screens(after: nil, limit: 1)
                })
        }
    }

    /// Reads in a transaction, so that a screen's row and its pages are of one moment.
    private func answer<Answer>(
        _ body: () throws(SQLiteFailure) -> Answer
    ) -> Result<Answer, StoreError> {
        do throws(SQLiteFailure) {
            try connection.execute("BEGIN")
            defer { try? connection.execute("COMMIT") }
            return .success(try body())
        } catch {
            return .failure(error.storeError)
        }
    }
}
