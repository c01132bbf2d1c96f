import BroadsheetStores
import Synchronization

/// The latest known snapshots of the recently used screens.
///
/// Their size is bounded in bytes; the least recently used snapshot is removed first and is read
/// from the store again when it is needed.
///
/// The store confirms each snapshot before it is used (``Screens/current(_:by:)``). The cache saves
/// resolving a screen again; it does not decide whether a screen exists.
final class SnapshotCache: Sendable {
    fileprivate struct State: Sendable {
        var snapshots: LRUCache<ScreenName, ScreenSnapshot>
        /// The number of screens that were dropped.
        var drops: UInt64 = 0
    }

    /// The state of the cache at the time when a reader began to resolve a screen.
    struct Ticket: Sendable {
        fileprivate let drops: UInt64
        /// The number of the store's restarts at that time.
        let restarts: UInt64
    }

    private let state: Mutex<State>
    /// The number of restarts; changed only while the lock is held.
    private let restartCount = Atomic<UInt64>(0)

    /// Creates an empty cache of at most `limit` bytes.
    init(limit: Int) {
        state = Mutex(State(snapshots: LRUCache(limit: limit)))
    }

    /// The number of snapshots.
    var count: Int { state.withLock { $0.snapshots.count } }

    /// All snapshots, in no particular order; this does not count as their use.
    ///
    /// - Complexity: O(snapshots).
    var all: [ScreenSnapshot] { state.withLock { $0.snapshots.values } }

    /// The estimated size of the snapshots, in bytes (``ScreenSnapshot/byteCount``).
    var byteCount: Int { state.withLock { $0.snapshots.cost } }

    /// The number of the store's restarts.
    ///
    /// A restart begins the count of revisions again, so that nothing read before it is valid after
    /// it.
    var restarts: UInt64 { restartCount.load(ordering: .acquiring) }

    /// Returns the snapshot of a screen, and a ticket to publish a newer one.
    func lookUp(_ screen: ScreenName) -> (known: ScreenSnapshot?, ticket: Ticket) {
        state.withLock { state in
            let ticket = Ticket(drops: state.drops, restarts: restarts)
            return (state.snapshots.value(for: screen), ticket)
        }
    }

    /// Stores a reader's snapshot, unless a newer one is known, or any screen was dropped since the
    /// ticket.
    ///
    /// If the dropped screen was this one, its snapshot would stay in memory unused.
    func publish(_ snapshot: ScreenSnapshot, ticket: Ticket) {
        // The evicted snapshots are deallocated outside of the lock.
        _ = state.withLock { state in
            state.drops == ticket.drops ? state.keep(snapshot) : []
        }
    }

    /// Stores a writer's snapshot, unless a newer one is known, or the store has restarted since.
    func publish(_ snapshot: ScreenSnapshot) {
        _ = state.withLock { snapshot.restarts == restarts ? $0.keep(snapshot) : [] }
    }

    /// Removes all snapshots and counts a restart of the store, after which revisions may have
    /// other contents.
    func restart() {
        // The removed snapshots are deallocated outside of the lock.
        _ = state.withLock { state in
            restartCount.add(1, ordering: .acquiringAndReleasing)
            state.drops &+= 1
            var removed = LRUCache<ScreenName, ScreenSnapshot>(limit: state.snapshots.limit)
            swap(&removed, &state.snapshots)
            return removed
        }
    }

    /// Removes the snapshot of a removed screen, unless its revision is later than `revision`.
    func drop(_ screen: ScreenName, upTo revision: UInt64) {
        _ = state.withLock { state -> ScreenSnapshot? in
            state.drops &+= 1
            guard let known = state.snapshots.value(for: screen), known.revision <= revision
            else { return nil }
            return state.snapshots.remove(screen)
        }
    }
}

extension SnapshotCache.State {
    /// Stores a snapshot unless a newer one is known, and returns the removed snapshots.
    fileprivate mutating func keep(_ snapshot: ScreenSnapshot) -> [ScreenSnapshot] {
        let known = snapshots.value(for: snapshot.name)
        if let known, !snapshot.supersedes(known) { return [] }
        let evicted = snapshots.insert(snapshot, for: snapshot.name, cost: snapshot.byteCount)
        return evicted.map(\.value) + (known.map { [$0] } ?? [])
    }
}
