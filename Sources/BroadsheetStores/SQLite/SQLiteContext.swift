import BroadsheetIO
import Synchronization

/// The state that the threads of one store share.
final class SQLiteContext: Sendable {
    let path: String
    let options: SQLiteStoreOptions
    let revisions = SQLiteRevisionCache()
    let health: SQLiteHealth
    let files: DatabaseFiles
    /// The sum of the weights of all records, as far as it is known.
    let weight = Atomic<Int>(0)
    /// The line and the floor after the last transaction.
    let server = Mutex(PlanContext.ServerState(line: 0, floor: RevisionFloor()))
    /// The identity; `nil` for the file of a copy that is not complete.
    let identity = Mutex<StoreIdentity?>(nil)

    init(path: String, options: SQLiteStoreOptions) {
        self.path = path
        self.options = options
        health = SQLiteHealth(onEvent: options.onEvent)
        files = DatabaseFiles(ofDatabase: path, onEvent: options.onEvent)
    }

    func report(_ event: StoreEvent) { options.onEvent(event) }
}

/// Revisions that the store knows without reading the file.
///
/// They are current as long as this process is the only writer, which its lock on the file ensures.
final class SQLiteRevisionCache: Sendable {
    private struct Entry {
        var revision: UInt64
        var expiry: Int64?
    }

    private struct State {
        var screens: [ScreenName: Entry] = [:]
        /// The number of commits, so that a read that began before a commit is not recorded after
        /// it.
        var commits: UInt64 = 0
    }

    /// The maximum number of screens; the cache is emptied when it would exceed it.
    static let maxScreens = 100_000

    private let state = Mutex(State())
    private let capacity: Int

    init(capacity: Int = maxScreens) { self.capacity = capacity }

    var count: Int { state.withLock { $0.screens.count } }

    var commitCount: UInt64 { state.withLock { $0.commits } }

    func isAt(_ revision: UInt64, _ screen: ScreenName, at now: Int64) -> Bool {
        state.withLock { state in
            guard let entry = state.screens[screen] else { return false }
            return entry.revision == revision && entry.expiry.map { $0 > now } ?? true
        }
    }

    /// A change of the revision of a screen.
    enum Change: Sendable {
        /// The screen is at a revision, until a time or `nil` for ever.
        case written(UInt64, expiry: Int64?)
        case removed
    }

    /// Records the changes of a transaction that is on the disk, in their order.
    func recordCommit(_ changes: [(ScreenName, Change)]) {
        state.withLock { state in
            state.commits &+= 1
            for (screen, change) in changes {
                switch change {
                case .written(let revision, let expiry):
                    set(screen, Entry(revision: revision, expiry: expiry), in: &state)
                case .removed: state.screens[screen] = nil
                }
            }
        }
    }

    /// Returns a token of the present for ``recordRead(_:expiry:of:since:)``.
    func beginRead() -> UInt64 { commitCount }

    /// Records the result of a read, unless a transaction was committed since the read began.
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
