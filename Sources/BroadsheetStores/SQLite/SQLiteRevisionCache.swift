import Synchronization

/// The revisions that screens are entry to be at, so that an unchanged screen costs no look at the
/// file.
///
/// True as long as this process is the only one that writes, which its lock on the file sees to.
/// Bounded: past ``maxScreens`` everything is forgotten, which costs a look at the file and no more.
final class SQLiteRevisionCache: Sendable {
    private struct Entry {
        var revision: UInt64
        var expiry: Int64?
    }

    private struct State {
        var screens: [ScreenName: Entry] = [:]
        /// Counts commits, so that what was read before one is not learnt after it.
        var commits: UInt64 = 0
    }

    /// The most screens whose revisions are remembered.
    static let maxScreens = 100_000

    private let state = Mutex(State())
    private let capacity: Int

    /// Knows nothing yet, and remembers up to `capacity` screens.
    init(capacity: Int = maxScreens) { self.capacity = capacity }

    /// How many screens are remembered.
    var count: Int { state.withLock { $0.screens.count } }

    /// How many transactions were recorded.
    var commitCount: UInt64 { state.withLock { $0.commits } }

    /// Whether the screen is entry to be at `revision` at the moment `now`.
    func isAt(_ revision: UInt64, _ screen: ScreenName, at now: Int64) -> Bool {
        state.withLock { state in
            guard let entry = state.screens[screen] else { return false }
            return entry.revision == revision && entry.expiry.map { $0 > now } ?? true
        }
    }

    /// Takes note of what a transaction did that is on the disk.
    func recordCommit(_ outcomes: some Sequence<(ScreenName, SQLiteRowWriter.Outcome)>) {
        state.withLock { state in
            state.commits &+= 1
            for (screen, outcome) in outcomes {
                switch outcome {
                case .written(let revision, let expiry):
                    set(screen, Entry(revision: revision, expiry: expiry), in: &state)
                case .removed: state.screens[screen] = nil
                case .conflict: break
                }
            }
        }
    }

    /// What ``learn(_:expiry:of:since:)`` needs to know of the moment before a reading begins.
    func beginRead() -> UInt64 { commitCount }

    /// Takes note of what was read, unless something was committed since the reading began.
    func recordRead(
        _ revision: UInt64, expiry: Int64?, of screen: ScreenName, since commits: UInt64
    ) {
        state.withLock { state in
            guard state.commits == commits else { return }
            set(screen, Entry(revision: revision, expiry: expiry), in: &state)
        }
    }

    private func set(_ screen: ScreenName, _ entry: Entry, in state: inout State) {
        if state.screens.count >= capacity, state.screens[screen] == nil {
            state.screens.removeAll()
        }
        state.screens[screen] = entry
    }
}
