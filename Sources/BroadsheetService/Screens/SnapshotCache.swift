import BroadsheetStores
import Synchronization

/// The latest snapshot that is known of each screen.
///
/// Only what the store has confirmed may be answered from it (``Screens/current(_:by:)``): this is
/// what saves resolving a screen again, not what decides whether there is one.
final class SnapshotCache: Sendable {
    fileprivate struct State: Sendable {
        var snapshots: [ScreenName: ScreenSnapshot] = [:]
        /// How often a screen was dropped.
        var drops: UInt64 = 0
    }

    /// What a reader holds while it resolves a screen: proof of when it began.
    struct Ticket: Sendable {
        fileprivate let drops: UInt64
    }

    private let state = Mutex(State())

    /// How many screens are known.
    var count: Int { state.withLock { $0.snapshots.count } }

    /// What is known of a screen, and a ticket to publish something newer.
    func lookUp(_ screen: ScreenName) -> (known: ScreenSnapshot?, ticket: Ticket) {
        state.withLock { ($0.snapshots[screen], Ticket(drops: $0.drops)) }
    }

    /// Publishes what a reader has resolved, unless something newer is known, or any screen was
    /// dropped meanwhile: it might be this one, and would stay for nothing.
    func publish(_ snapshot: ScreenSnapshot, ticket: Ticket) {
        state.withLock { state in
            if state.drops == ticket.drops { state.keep(snapshot) }
        }
    }

    /// Publishes what a writer has written, unless something newer is known.
    func publish(_ snapshot: ScreenSnapshot) { state.withLock { $0.keep(snapshot) } }

    /// Forgets a screen that is gone, unless it is known at a later revision than `revision`.
    func drop(_ screen: ScreenName, upTo revision: UInt64) {
        state.withLock { state in
            state.drops &+= 1
            guard let known = state.snapshots[screen], known.revision <= revision else { return }
            state.snapshots[screen] = nil
        }
    }
}

extension SnapshotCache.State {
    fileprivate mutating func keep(_ snapshot: ScreenSnapshot) {
        if let known = snapshots[snapshot.name], !snapshot.supersedes(known) { return }
        snapshots[snapshot.name] = snapshot
    }
}
