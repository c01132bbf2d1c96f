/// A timer of an event loop whose deadline can be moved as often as bytes arrive, at the cost of
/// one assignment.
///
/// The heap stores the instant at which it next examines a timer (`wakeUp`); the timer stores the
/// instant at which it is due (`deadline`). Moving the deadline later, or clearing it, changes the
/// timer only: a heap that examines the timer too early moves it to its new position. A busy
/// connection with a timeout of 60 seconds therefore costs the heap one operation a minute, not one
/// a request.
///
/// A timer belongs to one loop and is used on that loop's thread only.
package final class DeadlineTimer {
    package fileprivate(set) var deadline: MonotonicInstant?
    /// The action that runs once the deadline has passed; the deadline is `nil` again then.
    let fire: () -> Void
    /// The instant at which the heap next examines this timer.
    fileprivate(set) var wakeUp = MonotonicInstant.distantFuture
    fileprivate(set) var index: Int?

    package init(fire: @escaping () -> Void) {
        self.fire = fire
    }
}

/// The timers of a loop in a binary heap, ordered by the instant at which each is next examined.
///
/// Setting a deadline is O(1) unless it is earlier than the planned examination; then O(log n).
struct TimerHeap {
    private var timers: [DeadlineTimer] = []

    var nextWakeUp: MonotonicInstant? { timers.first?.wakeUp }

    /// The number of timers in the heap, including cleared ones that it has not examined since.
    var count: Int { timers.count }

    mutating func setDeadline(_ deadline: MonotonicInstant?, of timer: DeadlineTimer) {
        timer.deadline = deadline
        guard let deadline else { return }
        guard let index = timer.index else { return insert(timer, at: deadline) }
        guard deadline < timer.wakeUp else { return }
        timer.wakeUp = deadline
        siftUp(from: index)
    }

    /// Removes `timer`; its owner calls this before it is released.
    ///
    /// - Complexity: O(log n).
    mutating func remove(_ timer: DeadlineTimer) {
        timer.deadline = nil
        guard let index = timer.index else { return }
        timer.index = nil
        let last = timers.removeLast()
        guard last !== timer else { return }
        put(last, at: index)
        siftUp(from: index)
        siftDown(from: last.index ?? index)
    }

    /// Removes and returns a timer that is due at `now`, its deadline cleared; `nil` when none is
    /// due.
    mutating func popDue(at now: MonotonicInstant) -> DeadlineTimer? {
        while let timer = timers.first, timer.wakeUp <= now {
            guard let deadline = timer.deadline else {
                remove(timer)
                continue
            }
            if deadline <= now {
                remove(timer)
                return timer
            }
            timer.wakeUp = deadline
            siftDown(from: 0)
        }
        return nil
    }

    private mutating func insert(_ timer: DeadlineTimer, at wakeUp: MonotonicInstant) {
        timer.wakeUp = wakeUp
        timer.index = timers.count
        timers.append(timer)
        siftUp(from: timers.count - 1)
    }

    private mutating func siftUp(from start: Int) {
        var index = start
        while index > 0 {
            let parent = (index - 1) / 2
            guard timers[index].wakeUp < timers[parent].wakeUp else { return }
            swap(index, parent)
            index = parent
        }
    }

    private mutating func siftDown(from start: Int) {
        var index = start
        while true {
            var least = index
            for child in (2 * index + 1)...(2 * index + 2) where child < timers.count {
                if timers[child].wakeUp < timers[least].wakeUp { least = child }
            }
            guard least != index else { return }
            swap(index, least)
            index = least
        }
    }

    private mutating func swap(_ left: Int, _ right: Int) {
        let timer = timers[left]
        put(timers[right], at: left)
        put(timer, at: right)
    }

    private mutating func put(_ timer: DeadlineTimer, at index: Int) {
        timers[index] = timer
        timer.index = index
    }
}
