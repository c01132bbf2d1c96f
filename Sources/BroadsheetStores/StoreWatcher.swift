internal import Synchronization

/// Passes on to whoever watches what a store hears.
final class StoreWatcher: Sendable {
    private let watching = Mutex<StoreNews.Sink?>(nil)

    /// Has `hear` called from now on, in place of whoever watched before.
    func watch(_ hear: @escaping StoreNews.Sink) { watching.withLock { $0 = hear } }

    /// Passes news on.
    func tell(_ news: StoreNews) { watching.withLock { $0 }?(news) }
}
