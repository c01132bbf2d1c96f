package import BroadsheetIO

/// What a SQLite store may be told beside where its file is; the defaults are what a daemon wants.
package struct SQLiteStoreOptions: Sendable {
    /// The date that screens expire by.
    package var clock: TimeSource
    /// Hears what happens that nobody asked for.
    package var onEvent: StoreEvent.Handler
    /// How long the inspection of what is stored rests after each piece, as a multiple of the time
    /// that the piece took: what it leaves of the disk and of a core to those who are waiting.
    package var inspectionPauseFactor: Int
    /// How long the write-ahead log may grow, in pages, before it is folded into the file.
    package var autocheckpointPages: Int
    /// How long a statement waits for a lock of another program before it is refused.
    package var busyTimeout: Duration
    /// The most pages that the file may have; nil for no limit but the disk's.
    package var maxPages: Int?

    /// The log's length by default: 64 MiB of pages.
    package static let defaultAutocheckpointPages = 16384
    /// The timeout by default: long enough for a backup's short locks, short enough that a client
    /// gets its 503 while it still waits.
    package static let defaultBusyTimeout = Duration.seconds(2)
    /// The rest by default: a quarter of the time is spent at work.
    package static let defaultInspectionPauseFactor = 3

    /// Puts options together.
    package init(
        clock: TimeSource = .system, inspectionPauseFactor: Int = defaultInspectionPauseFactor,
        autocheckpointPages: Int = defaultAutocheckpointPages,
        busyTimeout: Duration = defaultBusyTimeout,
        maxPages: Int? = nil,
        onEvent: @escaping StoreEvent.Handler = { _ in }
    ) {
        self.clock = clock
        self.inspectionPauseFactor = inspectionPauseFactor
        self.autocheckpointPages = autocheckpointPages
        self.busyTimeout = busyTimeout
        self.maxPages = maxPages
        self.onEvent = onEvent
    }
}
