/// A deadline that may be moved as often as there is traffic, at the price of one store.
///
/// The heap keeps the instant at which it will *look* at a timer (`wakeUp`), the timer keeps the
/// instant at which it is really due. Moving a deadline later, or clearing it, touches the timer
/// only: when the heap looks too early it puts the timer back to where it now belongs. A busy
/// connection with a 60-second timeout thus costs the heap one visit a minute, not one a request.
///
/// A timer belongs to one loop and is touched on that loop's thread only.
package final class DeadlineTimer {
    /// When the timer is due; `nil` when it is not running.
    package internal(set) var deadline: MonotonicInstant?
    /// What happens when the deadline has passed.
    ///
    /// The deadline is `nil` again by then.
    let fire: () -> Void
    /// When the heap will look at this timer.
    var wakeUp = MonotonicInstant.distantFuture
    /// The timer's place in the heap; `nil` when it is in none.
    var place: Int?

    /// Makes a timer that is not running; ``EventLoop/setDeadline(_:of:)`` starts it.
    package init(fire: @escaping () -> Void) {
        self.fire = fire
    }
}
