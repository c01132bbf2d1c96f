/// What a SQLite store may be told beside where its file is; the defaults are what a daemon wants.
package struct SQLiteStoreOptions: Sendable {
    /// The date that screens expire by.
    package var clock: StoreClock
    /// Hears what happens that nobody asked for.
    package var tell: StoreEvent.Sink
    /// How long the inspection of what is stored rests after each piece, as a multiple of the time
    /// that the piece took: what it leaves of the disk and of a core to those who are waiting.
    package var inspectionRest: Int
    /// How long the write-ahead log may grow, in pages, before it is folded into the file.
    package var logPages: Int
    /// How long a statement waits for a lock of another program before it is refused.
    package var lockPatience: Duration
    /// The most pages that the file may have; nil for no limit but the disk's.
    package var maxPages: Int?

    /// The log's length by default: 64 MiB of pages.
    package static let defaultLogPages = 16384
    /// The patience by default: long enough for a backup's short locks, short enough that a client
    /// gets its 503 while it still waits.
    package static let defaultLockPatience = Duration.seconds(2)
    /// The rest by default: a quarter of the time is spent at work.
    package static let defaultInspectionRest = 3

    /// Puts options together.
    package init(
        clock: StoreClock = .system, inspectionRest: Int = defaultInspectionRest,
        logPages: Int = defaultLogPages, lockPatience: Duration = defaultLockPatience,
        maxPages: Int? = nil,
        tell: @escaping StoreEvent.Sink = { _ in }
    ) {
        self.clock = clock
        self.inspectionRest = inspectionRest
        self.logPages = logPages
        self.lockPatience = lockPatience
        self.maxPages = maxPages
        self.tell = tell
    }
}

/// What the threads of one store have in common.
struct SQLiteShared: Sendable {
    let path: String
    let options: SQLiteStoreOptions
    let known = KnownRevisions()
    let health: SQLiteHealth

    /// Nothing is known yet of the file at `path`.
    init(path: String, options: SQLiteStoreOptions) {
        self.path = path
        self.options = options
        health = SQLiteHealth(tell: options.tell)
    }

    /// Tells the operator.
    func tell(_ event: StoreEvent) { options.tell(event) }
}
