import BroadsheetIO
import Synchronization

/// Revisions that a daemon knows without asking the server.
///
/// Own writes and reads add entries, and messages of other daemons remove them. Once all pending
/// messages have been received (``RedisSubscriber/catchUp()``), the entries are current. Changes
/// without a message are bounded in time: an entry is not used after its screen expires, and never
/// longer than ``lifetime``, in case another program changes the keys on the server.
///
/// Replies may be recorded in any order. The cache keeps the lowest possible revision of each
/// screen and ignores replies with a lower one.
final class RedisRevisionCache: Sendable {
    /// A time before a request, from which the lifetime of its reply is counted.
    struct Moment: Sendable {
        fileprivate let instant: MonotonicInstant
        /// The number of times the cache had been emptied.
        fileprivate let era: Int
    }

    private struct Entry {
        /// The screen has this revision or a later one.
        var lowest: UInt64
        /// The time until which the screen is assumed to have exactly that revision; `nil` if it is
        /// unknown.
        var end: MonotonicInstant?
    }

    private struct State {
        var screens: [ScreenName: Entry] = [:]
        var era = 0
    }

    /// The maximum time for which an entry is used.
    static let lifetime = Duration.milliseconds(500)
    /// The maximum number of screens; the cache is emptied when it would exceed it.
    static let maxScreens = 100_000

    private let state = Mutex(State())
    private let clock: TimeSource
    private let capacity: Int

    /// Creates an empty cache of up to `capacity` screens.
    init(clock: TimeSource, capacity: Int = maxScreens) {
        self.clock = clock
        self.capacity = capacity
    }

    /// The number of screens in the cache.
    var count: Int { state.withLock { $0.screens.count } }

    /// Returns the present; call it before the request whose reply will be recorded.
    func now() -> Moment {
        let instant = clock.now
        return state.withLock { Moment(instant: instant, era: $0.era) }
    }

    /// Returns a Boolean value that indicates whether the screen is known to be at `revision`,
    /// according to all messages received so far.
    func isAt(_ revision: UInt64, _ screen: ScreenName) -> Bool {
        let now = clock.now
        return state.withLock { state in
            guard let entry = state.screens[screen], entry.lowest == revision, let end = entry.end
            else { return false }
            return now < end
        }
    }

    /// Records that the screen was at `revision` at `moment` or later, unless it is known to be at
    /// a later one.
    ///
    /// - Parameters:
    ///   - revision: The revision in the reply.
    ///   - screen: The name of the screen.
    ///   - moment: The time before the request.
    ///   - timeToLive: The time after which the screen expires; `nil` for never.
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

    /// Records that the screen is at an unknown revision that is `revision` or a later one.
    func raise(_ screen: ScreenName, to revision: UInt64) {
        state.withLock { state in
            if let entry = state.screens[screen], entry.lowest >= revision { return }
            set(screen, Entry(lowest: revision, end: nil), in: &state)
        }
    }

    /// Removes all entries, because messages may have been missed.
    func removeAll() {
        state.withLock { state in
            state.screens.removeAll()
            state.era += 1
        }
    }

    private func set(_ screen: ScreenName, _ entry: Entry, in state: inout State) {
        if state.screens.count >= capacity, state.screens[screen] == nil {
            state.screens.removeAll()
            // A reply that has not arrived may be older than the entries removed here.
            state.era += 1
        }
        state.screens[screen] = entry
    }
}
