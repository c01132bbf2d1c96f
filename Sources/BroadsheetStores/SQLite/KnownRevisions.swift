internal import Synchronization

/// The revisions that screens are known to be at, so that an unchanged screen costs no look at the
/// file.
///
/// True as long as this process is the only one that writes, which its lock on the file sees to.
/// Bounded: past ``maxScreens`` everything is forgotten, which costs a look at the file and no more.
final class KnownRevisions: Sendable {
    private struct State {
        var revisions: [ScreenName: UInt64] = [:]
        /// Counts commits, so that what was read before one is not learnt after it.
        var commits: UInt64 = 0

        mutating func set(_ screen: ScreenName, to revision: UInt64?) {
            if revisions.count >= KnownRevisions.maxScreens { revisions.removeAll() }
            revisions[screen] = revision
        }
    }

    /// The most screens whose revisions are remembered.
    static let maxScreens = 100_000

    private let state = Mutex(State())

    /// Whether the screen is known to be at `revision`.
    func isAt(_ revision: UInt64, _ screen: ScreenName) -> Bool {
        state.withLock { $0.revisions[screen] == revision }
    }

    /// Takes note of a transaction that is on the disk.
    func record(_ writes: some Sequence<(SQLiteWriter.Job, SQLiteRowWriter.Outcome)>) {
        state.withLock { state in
            state.commits &+= 1
            for (job, outcome) in writes {
                guard case .committed(let revision) = outcome else { continue }
                let isRemoval = job.change == .removeScreen
                state.set(job.screen, to: isRemoval ? nil : revision)
            }
        }
    }

    /// What ``learn(_:of:since:)`` needs to know of the moment before a reading begins.
    func beginReading() -> UInt64 { state.withLock { $0.commits } }

    /// Takes note of what was read, unless something was committed since the reading began.
    func learn(_ revision: UInt64, of screen: ScreenName, since commits: UInt64) {
        state.withLock { state in
            if state.commits == commits { state.set(screen, to: revision) }
        }
    }
}
