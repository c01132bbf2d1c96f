import Synchronization

/// The numbers of a store for metrics.
package final class PostgresStatistics: Sendable {
    /// An event that is counted.
    enum Event: Int, CaseIterable {
        case sent
        case received
        /// A notification could not be sent, or the subscription was lost.
        case lost
    }

    private let counts = Mutex([UInt64](repeating: 0, count: Event.allCases.count))

    init() {}

    func count(_ event: Event) { counts.withLock { $0[event.rawValue] &+= 1 } }

    private func number(of event: Event) -> UInt64 { counts.withLock { $0[event.rawValue] } }

    package var sentNotifications: UInt64 { number(of: .sent) }
    package var receivedNotifications: UInt64 { number(of: .received) }
    package var lostNotifications: UInt64 { number(of: .lost) }
}
