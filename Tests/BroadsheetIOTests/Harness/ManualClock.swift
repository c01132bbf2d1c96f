import BroadsheetIO
import Synchronization

/// A clock that moves when a test says so.
final class ManualClock: Sendable {
    private let nanoseconds = Atomic<Int64>(0)

    /// The same clock as a loop takes it.
    var clock: TimeSource {
        TimeSource(now: {
            MonotonicInstant(nanoseconds: self.nanoseconds.load(ordering: .relaxed))
        })
    }

    /// Moves the time on, and has `loop` notice it.
    func advance(by duration: Duration, waking loop: EventLoop) {
        nanoseconds.wrappingAdd(duration.wholeNanoseconds, ordering: .relaxed)
        loop.wake()
    }
}
