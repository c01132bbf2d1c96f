import BroadsheetIO
import Synchronization

/// A clock that moves when a test says so.
final class ManualClock: Sendable {
    private let nanoseconds = Atomic<Int64>(0)

    /// The clock as a loop takes it; its date is always RFC 9110's `Sun, 06 Nov 1994 08:49:37 GMT`.
    var clock: TimeSource {
        TimeSource(
            now: { MonotonicInstant(nanoseconds: self.nanoseconds.load(ordering: .relaxed)) },
            unixMilliseconds: { 784_111_777_000 })
    }

    /// Moves the time on.
    func advance(by duration: Duration) {
        nanoseconds.wrappingAdd(duration.wholeNanoseconds, ordering: .relaxed)
    }
}
