import BroadsheetIO
import Synchronization

/// Versions of records that a daemon knows without asking the server.
///
/// Own writes and reads add entries, and messages of other daemons remove them. Once all pending
/// messages have been received (``RedisSubscriber/catchUp()``), the entries are current. Changes
/// without a message are bounded in time: an entry is not used after its screen expires, and never
/// longer than ``lifetime``, in case another program changes the keys on the server.
///
/// Replies may be recorded in any order. The cache keeps the lowest possible version of each
/// screen and ignores replies with a lower one.
final class RedisRevisionCache: Sendable {
    /// A time before a request, from which the lifetime of its reply is counted.
    struct Moment: Sendable {
        fileprivate let instant: MonotonicInstant
        /// The number of times the cache had been emptied.
        fileprivate let era: Int
    }

    private struct Entry {
        /// The record has this version or a later one.
        var lowest: RecordVersion
        /// The time until which the record is assumed to have exactly that version; `nil` if it is
        /// unknown.
        var end: MonotonicInstant?
        /// The time at which the screen expires; `nil` for never.
        var expiry: MonotonicInstant?
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

    init(clock: TimeSource, capacity: Int = maxScreens) {
        self.clock = clock
        self.capacity = capacity
    }

    var count: Int { state.withLock { $0.screens.count } }

    /// Returns the present; call it before the request whose reply will be recorded.
    func now() -> Moment {
        let instant = clock.now
        return state.withLock { Moment(instant: instant, era: $0.era) }
    }

    /// Returns the state of a record if it is known to have a version, according to all messages
    /// received so far; otherwise `nil`.
    func state(of screen: ScreenName, at version: RecordVersion) -> RecordState? {
        let now = clock.now
        return state.withLock { state in
            guard let entry = state.screens[screen], entry.lowest == version, let end = entry.end,
                now < end
            else { return nil }
            return .unchanged(timeLeft: entry.expiry.map { Self.milliseconds(from: now, to: $0) })
        }
    }

    private static func milliseconds(
        from now: MonotonicInstant, to end: MonotonicInstant
    ) -> Int64 {
        let left = now.duration(to: end).components
        return left.seconds * 1000 + left.attoseconds / 1_000_000_000_000_000
    }

    /// Records that a record had a version at `moment` or later, unless it is known to have a later
    /// one.
    ///
    /// - Parameters:
    ///   - version: The version in the reply.
    ///   - screen: The name of the screen.
    ///   - moment: The time before the request.
    ///   - timeToLive: The time after which the screen expires; `nil` for never.
    func record(
        _ version: RecordVersion, of screen: ScreenName, at moment: Moment, timeToLive: Duration?
    ) {
        let end = moment.instant.advanced(by: min(timeToLive ?? Self.lifetime, Self.lifetime))
        let expiry = timeToLive.map { moment.instant.advanced(by: $0) }
        state.withLock { state in
            guard state.era == moment.era else { return }
            if let entry = state.screens[screen] {
                guard version >= entry.lowest else { return }
                if entry.lowest == version, let later = entry.end, later > end { return }
            }
            set(screen, Entry(lowest: version, end: end, expiry: expiry), in: &state)
        }
    }

    /// Records that a record has an unknown version that is `version` or a later one.
    func raise(_ screen: ScreenName, to version: RecordVersion) {
        state.withLock { state in
            if let entry = state.screens[screen], entry.lowest >= version { return }
            set(screen, Entry(lowest: version), in: &state)
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
