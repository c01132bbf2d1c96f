import Synchronization

/// The numbers of a store for metrics.
package final class PostgresStatistics: Sendable {
    /// An event that is counted.
    enum Event: Int, CaseIterable {
        /// A notification was sent.
        case sent
        /// A notification was received.
        case received
        /// A notification could not be sent, or the subscription was lost.
        case lost
    }

    private let counts = Mutex([UInt64](repeating: 0, count: Event.allCases.count))

    /// Creates numbers that are 0.
    init() {}

    /// Counts an event.
    func count(_ event: Event) { counts.withLock { $0[event.rawValue] &+= 1 } }

    private func number(of event: Event) -> UInt64 { counts.withLock { $0[event.rawValue] } }

    /// The notifications that were sent.
    package var sentNotifications: UInt64 { number(of: .sent) }
    /// The notifications that were received.
    package var receivedNotifications: UInt64 { number(of: .received) }
    /// The notifications that could not be sent, and the subscriptions that were lost.
    package var lostNotifications: UInt64 { number(of: .lost) }
}
