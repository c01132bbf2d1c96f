import Synchronization

/// Counts connections over all loops, and says which may come in.
///
/// Touched when a connection begins and ends, never for a request.
final class ConnectionGate: Sendable {
    /// What is done with a new connection.
    enum Verdict: Hashable {
        /// It is served.
        case serve
        /// It is told that the server is full.
        case refuse
        /// It is closed at once: too many are being told already.
        case drop
    }

    private let maxConnections: Int
    private let maxRefusals: Int
    private let open = Atomic(0)
    private let refusals = Atomic(0)
    private let accepted = Atomic(0)
    private let turnedAway = Atomic(0)

    init(maxConnections: Int, maxRefusals: Int) {
        self.maxConnections = maxConnections
        self.maxRefusals = maxRefusals
    }

    /// Counts a new connection in, where the verdict lets it in at all.
    func admit() -> Verdict {
        accepted.wrappingAdd(1, ordering: .relaxed)
        if Self.enter(open, below: maxConnections) { return .serve }
        turnedAway.wrappingAdd(1, ordering: .relaxed)
        return Self.enter(refusals, below: maxRefusals) ? .refuse : .drop
    }

    /// Counts a connection out again.
    func leave(_ verdict: Verdict) {
        switch verdict {
        case .serve: open.wrappingSubtract(1, ordering: .relaxed)
        case .refuse: refusals.wrappingSubtract(1, ordering: .relaxed)
        case .drop: break
        }
    }

    /// The present counts.
    var statistics: ServerStatistics {
        ServerStatistics(
            openConnections: open.load(ordering: .relaxed),
            acceptedConnections: accepted.load(ordering: .relaxed),
            refusedConnections: turnedAway.load(ordering: .relaxed))
    }

    private static func enter(_ counter: borrowing Atomic<Int>, below limit: Int) -> Bool {
        guard counter.wrappingAdd(1, ordering: .relaxed).oldValue >= limit else { return true }
        counter.wrappingSubtract(1, ordering: .relaxed)
        return false
    }
}
