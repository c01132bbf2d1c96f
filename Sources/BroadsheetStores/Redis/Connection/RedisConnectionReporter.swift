import Synchronization

/// Tells the operator of a connection's ups and downs, each reason once, not at every attempt.
final class RedisConnectionReporter: Sendable {
    private let lastReason = Mutex<String?>(nil)
    private let onEvent: StoreEvent.Handler
    private let opened: @Sendable (RedisNode) -> StoreEvent?
    private let lost: @Sendable (String) -> StoreEvent

    /// Reports to `onEvent` what `opened` and `lost` make of a node and of a reason.
    private init(
        _ onEvent: @escaping StoreEvent.Handler,
        opened: @escaping @Sendable (RedisNode) -> StoreEvent?,
        lost: @escaping @Sendable (String) -> StoreEvent
    ) {
        self.onEvent = onEvent
        self.opened = opened
        self.lost = lost
    }

    /// Reports of the connection that requests go over.
    static func forRequests(_ onEvent: @escaping StoreEvent.Handler) -> RedisConnectionReporter {
        RedisConnectionReporter(
            onEvent, opened: { .connected($0.description) }, lost: { .unreachable($0) })
    }

    /// Reports of the connection that messages come over; that it stands is nothing to onEvent.
    static func forSubscription(_ onEvent: @escaping StoreEvent.Handler) -> RedisConnectionReporter
    {
        RedisConnectionReporter(onEvent, opened: { _ in nil }, lost: { .subscriptionLost($0) })
    }

    /// The connection stands.
    func opened(_ node: RedisNode) {
        lastReason.withLock { $0 = nil }
        if let event = opened(node) { onEvent(event) }
    }

    /// The connection is lost, or could not be made.
    func lost(because reason: String) {
        let isNew = lastReason.withLock { last in
            defer { last = reason }
            return last != reason
        }
        if isNew { onEvent(lost(reason)) }
    }
}
