import Synchronization

/// The reports of damaged values, each of which is made once.
final class DamageReports: Sendable {
    static let maxReports = 100

    private let reported = Mutex<Set<String>>([])
    private let onEvent: StoreEvent.Handler

    init(_ onEvent: @escaping StoreEvent.Handler) { self.onEvent = onEvent }

    /// Reports damage, unless it was reported.
    func report(_ reason: String) {
        let isNew = reported.withLock { reported in
            reported.count < Self.maxReports && reported.insert(reason).inserted
        }
        if isNew { onEvent(.damaged(reason)) }
    }
}
