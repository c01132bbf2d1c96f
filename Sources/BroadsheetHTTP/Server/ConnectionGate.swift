import Synchronization

/// A count of connections over all loops, which decides on the admission of new ones.
///
/// It is used when a connection begins and ends, never for a request.
final class ConnectionGate: Sendable {
    /// The decision on a new connection.
    enum Verdict: Hashable {
        /// Serves the connection.
        case serve
        /// Sends 503.
        case refuse
        /// Closes the connection at once, because too many connections are receiving 503 already.
        case drop
    }

    private let maxConnections: Int
    private let maxRefusals: Int
    private let open = Atomic(0)
    private let refusals = Atomic(0)
    private let accepted = Atomic(0)
    private let refused = Atomic(0)

    init(maxConnections: Int, maxRefusals: Int) {
        self.maxConnections = maxConnections
        self.maxRefusals = maxRefusals
    }

    /// Decides on a new connection, and counts it unless it is dropped.
    func admit() -> Verdict {
        accepted.wrappingAdd(1, ordering: .relaxed)
        if Self.enter(open, below: maxConnections) { return .serve }
        refused.wrappingAdd(1, ordering: .relaxed)
        return Self.enter(refusals, below: maxRefusals) ? .refuse : .drop
    }

    /// Removes a connection from the counts.
    func leave(_ verdict: Verdict) {
        switch verdict {
        case .serve: open.wrappingSubtract(1, ordering: .relaxed)
        case .refuse: refusals.wrappingSubtract(1, ordering: .relaxed)
        case .drop: break
        }
    }

    /// The current counts.
    var statistics: ServerStatistics {
        ServerStatistics(
            openConnections: open.load(ordering: .relaxed),
            acceptedConnections: accepted.load(ordering: .relaxed),
            refusedConnections: refused.load(ordering: .relaxed))
    }

    private static func enter(_ counter: borrowing Atomic<Int>, below limit: Int) -> Bool {
        guard counter.wrappingAdd(1, ordering: .relaxed).oldValue >= limit else { return true }
        counter.wrappingSubtract(1, ordering: .relaxed)
        return false
    }
}

/// The numbers of a server's connections, for metrics.
package struct ServerStatistics: Sendable, Hashable {
    /// The number of connections that are open.
    package var openConnections: Int
    /// The number of connections since the start, including refused ones.
    package var acceptedConnections: Int
    /// The number of connections refused since the start because the server was full.
    package var refusedConnections: Int
}
