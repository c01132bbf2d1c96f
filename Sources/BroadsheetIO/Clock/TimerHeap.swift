/// A loop's timers in a binary heap, ordered by the instant at which each wants to be looked at.
///
/// Setting a deadline is O(1) unless it comes *before* the planned look, then O(log n).
struct TimerHeap {
    private var timers: [DeadlineTimer] = []

    /// When the heap next wants to look at a timer; `nil` when it holds none.
    var nextWakeUp: MonotonicInstant? { timers.first?.wakeUp }

    /// How many timers the heap holds, cleared ones that it has not met yet included.
    var count: Int { timers.count }

    /// Sets or clears the deadline of `timer`.
    mutating func setDeadline(_ deadline: MonotonicInstant?, of timer: DeadlineTimer) {
        timer.deadline = deadline
        guard let deadline else { return }
        guard let place = timer.place else { return insert(timer, at: deadline) }
        guard deadline < timer.wakeUp else { return }
        timer.wakeUp = deadline
        siftUp(from: place)
    }

    /// Takes `timer` out, as its owner must before it goes away.
    ///
    /// O(log n).
    mutating func remove(_ timer: DeadlineTimer) {
        timer.deadline = nil
        guard let place = timer.place else { return }
        timer.place = nil
        let last = timers.removeLast()
        guard last !== timer else { return }
        put(last, at: place)
        siftUp(from: place)
        siftDown(from: last.place ?? place)
    }

    /// Takes out and returns a timer that is due at `now`, its deadline cleared; `nil` when none is.
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
        timer.place = timers.count
        timers.append(timer)
        siftUp(from: timers.count - 1)
    }

    private mutating func siftUp(from start: Int) {
        var place = start
        while place > 0 {
            let parent = (place - 1) / 2
            guard timers[place].wakeUp < timers[parent].wakeUp else { return }
            swap(place, parent)
            place = parent
        }
    }

    private mutating func siftDown(from start: Int) {
        var place = start
        while true {
            var least = place
            for child in (2 * place + 1)...(2 * place + 2) where child < timers.count {
                if timers[child].wakeUp < timers[least].wakeUp { least = child }
            }
            guard least != place else { return }
            swap(place, least)
            place = least
        }
    }

    private mutating func swap(_ left: Int, _ right: Int) {
        let timer = timers[left]
        put(timers[right], at: left)
        put(timer, at: right)
    }

    private mutating func put(_ timer: DeadlineTimer, at place: Int) {
        timers[place] = timer
        timer.place = place
    }
}
