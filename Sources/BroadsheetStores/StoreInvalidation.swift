import Synchronization

/// An event in a store that invalidates what was derived from its screens.
public enum StoreInvalidation: Hashable, Sendable {
    /// A screen was written, possibly by another daemon; its revision is now `lowest` or a later
    /// one.
    ///
    /// A hint that lets caches free memory. It may be missed: only
    /// ``ScreenStore/load(_:unlessAt:)`` decides whether a cached screen is still current.
    case written(ScreenName, lowest: UInt64)
    /// Events may have been missed, so that any screen may have been written.
    case missed
    /// The store may have lost writes that it had acknowledged, and may assign their revisions
    /// again to different content, so a revision from before this event proves nothing. Delivered
    /// before the store returns anything that it read afterwards.
    case restarted

    /// A function that receives invalidations.
    ///
    /// It is called on any thread and must not block it.
    public typealias Handler = @Sendable (StoreInvalidation) -> Void
}

/// The handler that a store's invalidations are delivered to, if one is set.
final class InvalidationObserver: Sendable {
    private let handler = Mutex<StoreInvalidation.Handler?>(nil)

    /// Replaces the handler.
    func set(_ handler: @escaping StoreInvalidation.Handler) {
        self.handler.withLock { $0 = handler }
    }

    /// Delivers an invalidation to the handler.
    func notify(_ invalidation: StoreInvalidation) { handler.withLock { $0 }?(invalidation) }
}
