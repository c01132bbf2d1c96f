import Synchronization

/// A reporter of the state of a connection as store events, each reason once and not at every
/// attempt.
final class RedisConnectionReporter: Sendable {
    private let lastReason = Mutex<String?>(nil)
    private let onEvent: StoreEvent.Handler
    private let opened: @Sendable (RedisNode) -> StoreEvent?
    private let lost: @Sendable (String) -> StoreEvent

    private init(
        _ onEvent: @escaping StoreEvent.Handler,
        opened: @escaping @Sendable (RedisNode) -> StoreEvent?,
        lost: @escaping @Sendable (String) -> StoreEvent
    ) {
        self.onEvent = onEvent
        self.opened = opened
        self.lost = lost
    }

    static func forRequests(_ onEvent: @escaping StoreEvent.Handler) -> RedisConnectionReporter {
        RedisConnectionReporter(
            onEvent, opened: { .connected($0.description) }, lost: { .unreachable($0) })
    }

    /// Creates a reporter for the connection that messages are received on; its establishment is
    /// not an event.
    static func forSubscription(_ onEvent: @escaping StoreEvent.Handler) -> RedisConnectionReporter
    {
        RedisConnectionReporter(onEvent, opened: { _ in nil }, lost: { .subscriptionLost($0) })
    }

    func opened(_ node: RedisNode) {
        lastReason.withLock { $0 = nil }
        if let event = opened(node) { onEvent(event) }
    }

    /// Reports that the connection is lost or could not be established.
    func lost(because reason: String) {
        let isNew = lastReason.withLock { last in
            defer { last = reason }
            return last != reason
        }
        if isNew { onEvent(lost(reason)) }
    }
}
