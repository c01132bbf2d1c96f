import Dispatch
import Synchronization

/// Sends what was committed to other daemons, one statement at a time.
///
/// It is a hint, which no response waits for. It is sent after the commit and not in its
/// transaction, because the server lets one transaction with notifications commit at a time.
final class PostgresNotifier: Sendable {
    private struct State {
        /// The screens that were written, with their lowest possible revisions.
        var screens: [ScreenName: UInt64] = [:]
        /// The screens whose earlier revisions were removed.
        var removals: Set<ScreenName> = []
        /// A Boolean value that indicates whether an empty notification is to be sent.
        var needsProbe = false
        var isBusy = false
    }

    static let channel = "broadsheet"
    /// The maximum number of bytes of a notification; the server permits 7,999.
    static let maxBytes = 7900
    /// The time between two notifications: under load each has what was committed meanwhile.
    private static let pause = DispatchTimeInterval.milliseconds(5)
    /// The maximum number of screens that wait; more are not sent.
    static let maxScreens = 10_000

    /// No notification waits for a replica, or for the disk: what it is about is committed.
    private static let statement = """
        SELECT set_config('synchronous_commit', 'off', true), pg_notify('\(channel)', $1)
        """

    private let pool: PostgresPool
    private let statistics: PostgresStatistics
    private let state = Mutex(State())

    init(_ pool: PostgresPool, _ statistics: PostgresStatistics) {
        self.pool = pool
        self.statistics = statistics
    }

    func send(_ message: StoreInvalidation) {
        switch message {
        case .written(let screen, let lowest): send(screen, lowest: lowest)
        case .revisionsRemoved(let screen): sendRemoval(of: screen)
        // These are no messages.
        case .missed, .restarted: break
        }
    }

    private func send(_ screen: ScreenName, lowest: UInt64) {
        let isKept = state.withLock { state in
            guard state.screens.count < Self.maxScreens || state.screens[screen] != nil else {
                return false
            }
            state.screens[screen] = max(lowest, state.screens[screen] ?? 0)
            return true
        }
        if !isKept { statistics.count(.lost) }
        begin()
    }

    /// Sends that the earlier revisions of a screen were removed.
    private func sendRemoval(of screen: ScreenName) {
        let isKept = state.withLock { state in
            guard state.removals.count < Self.maxScreens else { return false }
            state.removals.insert(screen)
            return true
        }
        if !isKept { statistics.count(.lost) }
        begin()
    }

    /// Sends an empty notification, by which a subscription finds out that it is complete.
    func sendProbe() {
        state.withLock { $0.needsProbe = true }
        begin()
    }

    private func begin() {
        let payload: String? = state.withLock { state in
            guard !state.isBusy else { return nil }
            guard let payload = Self.takePayload(&state) else { return nil }
            state.isBusy = true
            return payload
        }
        guard let payload else { return }
        let deadline = pool.deadline { self.end() }
        let isAccepted = pool.submit(.other, deadline) { [statistics] worker in
            var parameters = PostgresParameters()
            parameters.add(payload)
            let result = worker.result(until: nil) { connection throws(PostgresFailure) in
                try connection.run(Self.statement, parameters)
            }
            switch result {
            case .success: statistics.count(.sent)
            case .failure: statistics.count(.lost)
            }
            guard deadline.finish() else { return }
            DispatchQueue.global().asyncAfter(deadline: .now() + Self.pause) { self.end() }
        }
        guard !isAccepted else { return }
        deadline.finish()
        // Not sent, and the next one is not begun before there is another reason.
        statistics.count(.lost)
        state.withLock { $0.isBusy = false }
    }

    private func end() {
        state.withLock { $0.isBusy = false }
        begin()
    }

    /// Removes what one notification can have.
    private static func takePayload(_ state: inout State) -> String? {
        if state.needsProbe {
            state.needsProbe = false
            return ""
        }
        guard !state.screens.isEmpty || !state.removals.isEmpty else { return nil }
        var lines: [String] = []
        var bytes = 0
        func add(_ line: String) -> Bool {
            bytes += line.utf8.count + 1
            guard bytes <= maxBytes else { return false }
            lines.append(line)
            return true
        }
        for screen in state.removals {
            guard add(StoreInvalidation.removalMessage(screen)) else { break }
            state.removals.remove(screen)
        }
        for (screen, lowest) in state.screens {
            guard add("\(screen.text) \(lowest)") else { break }
            state.screens[screen] = nil
        }
        return lines.joined(separator: "\n")
    }
}
