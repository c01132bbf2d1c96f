package import BroadsheetIO

/// What a Redis store may be told beside where its server is; the defaults are what a daemon wants.
package struct RedisStoreOptions: Sendable {
    /// The clock by which what is known of a screen grows stale.
    package var clock: TimeSource
    /// The most bytes that the pages of one screen may have together.
    package var maxScreenBytes: Int
    /// Hears what happens that nobody asked for.
    package var onEvent: StoreEvent.Handler

    /// The most bytes of a screen by default: 256 MiB.
    package static let defaultMaxScreenBytes = RedisScript.maxScreenBytes

    /// Puts options together.
    package init(
        clock: TimeSource = .system, maxScreenBytes: Int = defaultMaxScreenBytes,
        onEvent: @escaping StoreEvent.Handler = { _ in }
    ) {
        self.clock = clock
        self.maxScreenBytes = maxScreenBytes
        self.onEvent = onEvent
    }
}
