internal import BroadsheetIO
internal import Synchronization

/// What is known of screens' revisions without asking, and for how long that may be believed.
///
/// Own writes and what was read are known at once; messages of other daemons take knowledge away.
/// A message may be lost, so no knowledge is believed for longer than ``lifetime``: a screen that
/// is answered is never older than that, nor than what this daemon has acknowledged itself.
final class RedisFreshness: Sendable {
    private struct Known {
        var revision: UInt64
        var since: MonotonicInstant
    }

    /// How long what was learnt is believed: half of the second that is promised, so that the
    /// promise holds for an answer that takes a while, too.
    static let lifetime = Duration.milliseconds(500)
    /// The most screens that are remembered; past them everything is forgotten.
    static let maxScreens = 100_000

    private let known = Mutex<[ScreenName: Known]>([:])
    private let clock: MonotonicClock

    init(clock: MonotonicClock) { self.clock = clock }

    /// The present, to be taken before the question whose answer is learnt.
    var now: MonotonicInstant { clock.now }

    /// Whether the screen is known to be at `revision`, and that is fresh enough.
    func isAt(_ revision: UInt64, _ screen: ScreenName) -> Bool {
        let now = clock.now
        return known.withLock { known in
            guard let entry = known[screen], entry.revision == revision else { return false }
            return entry.since.duration(to: now) < Self.lifetime
        }
    }

    /// Learns that the screen was at `revision` at the instant `since`, unless something newer is
    /// known.
    func learn(_ revision: UInt64, of screen: ScreenName, since: MonotonicInstant) {
        known.withLock { known in
            if let entry = known[screen], entry.revision > revision { return }
            if known.count >= Self.maxScreens { known.removeAll() }
            known[screen] = Known(revision: revision, since: since)
        }
    }

    /// Forgets a screen that is gone, or of which another daemon has said that it is at `revision`.
    func forget(_ screen: ScreenName, olderThan revision: UInt64 = .max) {
        known.withLock { known in
            if let entry = known[screen], entry.revision < revision { known[screen] = nil }
        }
    }

    /// Forgets all: messages may have been missed.
    func forgetAll() { known.withLock { $0.removeAll() } }
}
