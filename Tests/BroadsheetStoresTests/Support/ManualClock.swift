import BroadsheetIO
import BroadsheetStores
import Synchronization

/// A clock that stands still until it is told to move.
final class ManualClock: Sendable {
    private let milliseconds = Mutex<Int64>(1_700_000_000_000)

    /// Lets time pass; a negative number turns the clock back.
    func advance(milliseconds: Int64) { self.milliseconds.withLock { $0 += milliseconds } }

    /// Lets time pass.
    func advance(seconds: Int) { advance(milliseconds: Int64(seconds) * 1000) }

    /// The clock as stores take it; its instants and its dates move together.
    var time: TimeSource {
        TimeSource(
            now: { MonotonicInstant(nanoseconds: self.milliseconds.withLock { $0 } * 1_000_000) },
            unixMilliseconds: { self.milliseconds.withLock { $0 } })
    }
}
