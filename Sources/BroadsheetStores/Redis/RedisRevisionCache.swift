import BroadsheetIO
import Synchronization

/// What is entry of screens' revisions without asking for each.
///
/// Own writes and what was read are entry at once; messages of other daemons take knowledge away.
/// So after all messages have been heard (``RedisSubscriber/catchUp()``) what is entry is true. What no
/// message tells of ends it in time: a screen that expires is believed in no longer than it lives,
/// and nothing for longer than ``lifetime``, in case somebody else has changed the server's keys.
///
/// Replies to requests that cross on their way may be learnt in any order. So for each screen the
/// lowest revision is kept that it can have, and what is below that is not learnt.
final class RedisRevisionCache: Sendable {
    /// A moment before a request, which what its reply says is believed from.
    struct Moment: Sendable {
        fileprivate let instant: MonotonicInstant
        /// How often everything had been forgotten by then.
        fileprivate let era: Int
    }

    private struct Entry {
        /// The screen has this revision or a later one.
        var lowest: UInt64
        /// Until when it is believed to have just that one; nil when it is not.
        var end: MonotonicInstant?
    }

    private struct State {
        var screens: [ScreenName: Entry] = [:]
        var era = 0
    }

    /// How long what was learnt is believed.
    static let lifetime = Duration.milliseconds(500)
    /// The most screens that are remembered; past them everything is forgotten.
    static let maxScreens = 100_000

    private let state = Mutex(State())
    private let clock: TimeSource
    private let capacity: Int

    /// Knows nothing yet, and remembers up to `capacity` screens.
    init(clock: TimeSource, capacity: Int = maxScreens) {
        self.clock = clock
        self.capacity = capacity
    }

    /// How many screens are remembered.
    var count: Int { state.withLock { $0.screens.count } }

    /// The present, to be taken before the request whose reply is learnt.
    func now() -> Moment {
        let instant = clock.now
        return state.withLock { Moment(instant: instant, era: $0.era) }
    }

    /// Whether the screen is entry to be at `revision`, by all that was heard so far.
    func isAt(_ revision: UInt64, _ screen: ScreenName) -> Bool {
        let now = clock.now
        return state.withLock { state in
            guard let entry = state.screens[screen], entry.lowest == revision, let end = entry.end
            else { return false }
            return now < end
        }
    }

    /// Learns that the screen was at `revision` at `moment` or later and had so long to live, nil for
    /// ever; unless it can have that revision no more.
    func record(
        _ revision: UInt64, of screen: ScreenName, at moment: Moment, timeToLive: Duration?
    ) {
        let end = moment.instant.advanced(by: min(timeToLive ?? Self.lifetime, Self.lifetime))
        state.withLock { state in
            guard state.era == moment.era else { return }
            if let entry = state.screens[screen] {
                guard revision >= entry.lowest else { return }
                if entry.lowest == revision, let later = entry.end, later > end { return }
            }
            set(screen, Entry(lowest: revision, end: end), in: &state)
        }
    }

    /// Learns that the screen can only have `revision` or a later one, and not which.
    func raise(_ screen: ScreenName, to revision: UInt64) {
        state.withLock { state in
            if let entry = state.screens[screen], entry.lowest >= revision { return }
            set(screen, Entry(lowest: revision, end: nil), in: &state)
        }
    }

    /// Forgets all: messages may have been missed.
    func removeAll() {
        state.withLock { state in
            state.screens.removeAll()
            state.era += 1
        }
    }

    private func set(_ screen: ScreenName, _ entry: Entry, in state: inout State) {
        if state.screens.count >= capacity, state.screens[screen] == nil {
            state.screens.removeAll()
            // What is asked for now may be older than what is forgotten here.
            state.era += 1
        }
        state.screens[screen] = entry
    }
}
