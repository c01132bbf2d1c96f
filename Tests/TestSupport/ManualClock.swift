package import BroadsheetIO
import Synchronization

/// A clock that only a test advances; its instants and its dates advance together.
package final class ManualClock: Sendable {
    private let startMilliseconds: Int64
    private let elapsedNanoseconds = Atomic<Int64>(0)

    /// Creates a clock that starts at a date.
    package init(unixMilliseconds: Int64 = 1_700_000_000_000) {
        startMilliseconds = unixMilliseconds
    }

    /// The clock as event loops, stores and the service take it.
    package var time: TimeSource {
        TimeSource(
            now: { MonotonicInstant(nanoseconds: self.nanoseconds) },
            unixMilliseconds: { self.startMilliseconds + self.nanoseconds / 1_000_000 })
    }

    /// Advances the clock; a negative duration turns it back.
    package func advance(by duration: Duration) {
        elapsedNanoseconds.wrappingAdd(duration.wholeNanoseconds, ordering: .relaxed)
    }

    /// Advances the clock, and makes `loop` read it.
    package func advance(by duration: Duration, waking loop: EventLoop) {
        advance(by: duration)
        loop.wake()
    }

    /// Advances the clock by milliseconds; a negative number turns it back.
    package func advance(milliseconds: Int64) { advance(by: .milliseconds(milliseconds)) }

    /// Advances the clock by seconds.
    package func advance(seconds: Int) { advance(by: .seconds(seconds)) }

    private var nanoseconds: Int64 { elapsedNanoseconds.load(ordering: .relaxed) }
}
