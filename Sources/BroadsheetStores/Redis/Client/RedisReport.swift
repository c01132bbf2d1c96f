internal import Synchronization

/// Tells the operator of a connection's ups and downs, each reason once, not at every attempt.
final class RedisReport: Sendable {
    private let lastReason = Mutex<String?>(nil)
    private let tell: StoreEvent.Sink

    /// Reports to `tell`.
    init(_ tell: @escaping StoreEvent.Sink) { self.tell = tell }

    /// The connection stands.
    func opened(_ place: RedisPlace) {
        lastReason.withLock { $0 = nil }
        tell(.connected(place.description))
    }

    /// The connection is lost, or could not be made.
    func lost(because reason: String) {
        let isNews = lastReason.withLock { last in
            defer { last = reason }
            return last != reason
        }
        if isNews { tell(.unreachable(reason)) }
    }
}
