import BroadsheetStores
import Synchronization

/// The latest snapshot that is known of each screen that was used lately.
///
/// What they take is bounded in bytes; the one that was used least recently goes first, and comes
/// back from the store when it is asked for.
///
/// Only what the store has confirmed may be answered from it (``Screens/current(_:by:)``): this is
/// what saves resolving a screen again, not what decides whether there is one.
final class SnapshotCache: Sendable {
    fileprivate struct State: Sendable {
        var snapshots: LRUCache<ScreenName, ScreenSnapshot>
        /// How often a screen was dropped.
        var drops: UInt64 = 0
    }

    /// What a reader holds while it resolves a screen: proof of when it began.
    struct Ticket: Sendable {
        fileprivate let drops: UInt64
        /// How often the store had restarted by then.
        let restarts: UInt64
    }

    private let state: Mutex<State>
    /// Changed under the lock, so that whoever holds that knows what it is.
    private let restartCount = Atomic<UInt64>(0)

    /// An empty cache of snapshots that take at most `limit` bytes together.
    init(limit: Int) {
        state = Mutex(State(snapshots: LRUCache(limit: limit)))
    }

    /// How many screens are known.
    var count: Int { state.withLock { $0.snapshots.count } }

    /// What they take, in bytes, by the estimates of ``ScreenSnapshot/byteCount``.
    var byteCount: Int { state.withLock { $0.snapshots.cost } }

    /// How often the store has told of a restart, which begins the count of revisions anew: what was
    /// asked of it before says nothing of what it holds after.
    var restarts: UInt64 { restartCount.load(ordering: .acquiring) }

    /// What is known of a screen, and a ticket to publish something newer.
    func lookUp(_ screen: ScreenName) -> (known: ScreenSnapshot?, ticket: Ticket) {
        state.withLock { state in
            let ticket = Ticket(drops: state.drops, restarts: restarts)
            return (state.snapshots.value(for: screen), ticket)
        }
    }

    /// Publishes what a reader has resolved, unless something newer is known, or any screen was
    /// dropped meanwhile: it might be this one, and would stay for nothing.
    func publish(_ snapshot: ScreenSnapshot, ticket: Ticket) {
        // What had to go for it is freed outside of the lock.
        _ = state.withLock { state in
            state.drops == ticket.drops ? state.keep(snapshot) : []
        }
    }

    /// Publishes what a writer has written, unless something newer is known, or the store has
    /// restarted since.
    func publish(_ snapshot: ScreenSnapshot) {
        _ = state.withLock { snapshot.restarts == restarts ? $0.keep(snapshot) : [] }
    }

    /// Forgets all, and counts a restart of the store: what is known of a revision may not be true
    /// of it any more.
    func restart() {
        // They are freed outside of the lock.
        _ = state.withLock { state in
            restartCount.add(1, ordering: .acquiringAndReleasing)
            state.drops &+= 1
            var removed = LRUCache<ScreenName, ScreenSnapshot>(limit: state.snapshots.limit)
            swap(&removed, &state.snapshots)
            return removed
        }
    }

    /// Forgets a screen that is gone, unless it is known at a later revision than `revision`.
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
    /// Keeps a snapshot unless something newer is known; answers what had to go.
    fileprivate mutating func keep(_ snapshot: ScreenSnapshot) -> [ScreenSnapshot] {
        let known = snapshots.value(for: snapshot.name)
        if let known, !snapshot.supersedes(known) { return [] }
        let evicted = snapshots.insert(snapshot, for: snapshot.name, cost: snapshot.byteCount)
        return evicted.map(\.value) + (known.map { [$0] } ?? [])
    }
}
