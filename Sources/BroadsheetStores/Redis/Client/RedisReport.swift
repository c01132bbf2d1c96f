internal import Synchronization

/// Tells the operator of a connection's ups and downs, each reason once, not at every attempt.
final class RedisReport: Sendable {
    private let lastReason = Mutex<String?>(nil)
    private let tell: StoreEvent.Handler
    private let opened: @Sendable (RedisPlace) -> StoreEvent?
    private let lost: @Sendable (String) -> StoreEvent

    /// Reports to `tell` what `opened` and `lost` make of a place and of a reason.
    private init(
        _ tell: @escaping StoreEvent.Handler,
        opened: @escaping @Sendable (RedisPlace) -> StoreEvent?,
        lost: @escaping @Sendable (String) -> StoreEvent
    ) {
        self.tell = tell
        self.opened = opened
        self.lost = lost
    }

    /// Reports of the connection that questions go over.
    static func ofQuestions(_ tell: @escaping StoreEvent.Handler) -> RedisReport {
        RedisReport(
            tell, opened: { .connected($0.description) }, lost: { .unreachable($0) })
    }

    /// Reports of the connection that messages come over; that it stands is nothing to tell.
    static func ofMessages(_ tell: @escaping StoreEvent.Handler) -> RedisReport {
        RedisReport(tell, opened: { _ in nil }, lost: { .subscriptionLost($0) })
    }

    /// The connection stands.
    func opened(_ place: RedisPlace) {
        lastReason.withLock { $0 = nil }
        if let event = opened(place) { tell(event) }
    }

    /// The connection is lost, or could not be made.
    func lost(because reason: String) {
        let isNews = lastReason.withLock { last in
            defer { last = reason }
            return last != reason
        }
        if isNews { tell(lost(reason)) }
    }
}
