package import BroadsheetIO

/// The options of a SQLite store besides its path.
package struct SQLiteStoreOptions: Sendable {
    /// The clock by which screens expire.
    package var clock: TimeSource
    package var onEvent: StoreEvent.Handler
    /// The pause after each step of the inspection, as a multiple of the duration of the step.
    ///
    /// It leaves the disk and the processor to requests.
    package var inspectionPauseFactor: Int
    /// The length of the write-ahead log, in pages, after which it is checkpointed.
    package var autocheckpointPages: Int
    /// The time that a statement waits for a lock of another program.
    package var busyTimeout: Duration
    /// The maximum number of pages of the file; `nil` for no limit.
    package var maxPages: Int?
    package var history: HistoryBounds
    package var feeds: FeedBounds
    /// A Boolean value that indicates whether a file is opened that a copy has not filled.
    package var allowsIncomplete = false

    /// The default of ``autocheckpointPages``: 64 MiB.
    package static let defaultAutocheckpointPages = 16384
    /// The default of ``busyTimeout``: long enough for the short locks of a backup, and short
    /// enough that a client receives its 503 response in time.
    package static let defaultBusyTimeout = Duration.seconds(2)

    /// The default of ``inspectionPauseFactor``: the inspection works a quarter of the time.
    package static let defaultInspectionPauseFactor = 3

    package init(
        clock: TimeSource = .system, inspectionPauseFactor: Int = defaultInspectionPauseFactor,
        autocheckpointPages: Int = defaultAutocheckpointPages,
        busyTimeout: Duration = defaultBusyTimeout, history: HistoryBounds = .none,
        feeds: FeedBounds = .none,
        onEvent: @escaping StoreEvent.Handler = { _ in }
    ) {
        self.clock = clock
        self.inspectionPauseFactor = inspectionPauseFactor
        self.autocheckpointPages = autocheckpointPages
        self.busyTimeout = busyTimeout
        self.history = history
        self.feeds = feeds
        self.onEvent = onEvent
    }
}
