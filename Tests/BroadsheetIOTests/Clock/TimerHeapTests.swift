import TestSupport
import Testing

@testable import BroadsheetIO

@Suite("The timer heap")
struct TimerHeapTests {
    private func instant(_ nanoseconds: Int64) -> MonotonicInstant {
        MonotonicInstant(nanoseconds: nanoseconds)
    }

    @Test("Timers fire when they are due, the earliest first")
    func order() {
        var heap = TimerHeap()
        let timers = (0..<5).map { _ in DeadlineTimer {} }
        for (timer, due) in zip(timers, [30, 10, 50, 20, 40] as [Int64]) {
            heap.setDeadline(instant(due), of: timer)
        }
        #expect(heap.popDue(at: instant(9)) == nil)
        #expect(heap.popDue(at: instant(35)) === timers[1])
        #expect(heap.popDue(at: instant(35)) === timers[3])
        #expect(heap.popDue(at: instant(35)) === timers[0])
        #expect(heap.popDue(at: instant(35)) == nil)
        #expect(heap.count == 2)
    }

    @Test("A deadline that moves later fires later, after one early examination")
    func movedLater() {
        var heap = TimerHeap()
        let timer = DeadlineTimer {}
        heap.setDeadline(instant(10), of: timer)
        heap.setDeadline(instant(100), of: timer)
        #expect(heap.nextWakeUp == instant(10), "the heap was not touched")
        #expect(heap.popDue(at: instant(10)) == nil)
        #expect(heap.nextWakeUp == instant(100), "the timer was put to where it belongs")
        #expect(heap.popDue(at: instant(100)) === timer)
        #expect(timer.deadline == nil)
    }

    @Test("A deadline that moves earlier fires earlier")
    func movedEarlier() {
        var heap = TimerHeap()
        let timer = DeadlineTimer {}
        let other = DeadlineTimer {}
        heap.setDeadline(instant(50), of: other)
        heap.setDeadline(instant(100), of: timer)
        heap.setDeadline(instant(10), of: timer)
        #expect(heap.nextWakeUp == instant(10))
        #expect(heap.popDue(at: instant(10)) === timer)
    }

    @Test("A cleared timer never fires, and leaves the heap when it is next examined")
    func cleared() {
        var heap = TimerHeap()
        let timer = DeadlineTimer {}
        heap.setDeadline(instant(10), of: timer)
        heap.setDeadline(nil, of: timer)
        #expect(heap.count == 1)
        #expect(heap.popDue(at: instant(10)) == nil)
        #expect(heap.count == 0)
    }

    @Test("A removed timer never fires; removing it again does nothing")
    func removed() {
        var heap = TimerHeap()
        let timer = DeadlineTimer {}
        heap.setDeadline(instant(10), of: timer)
        heap.remove(timer)
        heap.remove(timer)
        #expect(heap.count == 0)
        #expect(heap.popDue(at: instant(10)) == nil)
    }

    @Test(
        "Any sequence of sets, clears, removals and pops agrees with a plain list",
        arguments: [
            1, 2, 3, 4, 5, 6, 7, 8,
        ] as [UInt64])
    func agreesWithModel(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        var heap = TimerHeap()
        let timers = (0..<40).map { _ in DeadlineTimer {} }
        var due = [Int64?](repeating: nil, count: timers.count)
        var now: Int64 = 0
        for step in 0..<4000 {
            let index = Int.random(in: timers.indices, using: &random)
            switch Int.random(in: 0..<10, using: &random) {
            case 0: heap.remove(timers[index]); due[index] = nil
            case 1: heap.setDeadline(nil, of: timers[index]); due[index] = nil
            case 2...7:
                let deadline = now + Int64.random(in: 1...500, using: &random)
                heap.setDeadline(instant(deadline), of: timers[index])
                due[index] = deadline
            default:
                now += Int64.random(in: 0...100, using: &random)
                var popped: Set<Int> = []
                while let timer = heap.popDue(at: instant(now)) {
                    popped.insert(timers.firstIndex { $0 === timer } ?? -1)
                }
                let expected = Set(due.indices.filter { (due[$0] ?? .max) <= now })
                #expect(popped == expected, "seed \(seed), step \(step)")
                for index in expected { due[index] = nil }
            }
        }
    }
}
