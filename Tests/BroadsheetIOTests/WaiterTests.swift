import Synchronization
import Testing
import TestSupport

@testable import BroadsheetIO

@Suite("Waiters", .timeLimit(.minutes(hangMinutes)))
struct WaiterTests {
    /// The only reference to a waiter that a test holds.
    private final class Slot<Value: Sendable>: Sendable {
        private let waiter = Mutex<Waiter<Value>?>(nil)

        /// Keeps a waiter.
        func keep(_ waiter: Waiter<Value>) { self.waiter.withLock { $0 = waiter } }

        /// Drops the waiter, and returns whether there was one.
        @discardableResult
        func drop() -> Bool { waiter.withLock { $0.take() } != nil }

        /// A Boolean value that indicates whether the waiter was dropped.
        var isEmpty: Bool { peek() == nil }

        /// Returns the waiter, if it was not dropped.
        func peek() -> Waiter<Value>? { waiter.withLock { $0 } }

        /// Returns a closure that resumes the waiter, once a task waits.
        func resumption(with value: Value) async -> () -> Void {
            let waiter = await kept
            return { waiter.resume(value) }
        }

        /// The waiter, once a task waits.
        var kept: Waiter<Value> {
            get async {
                while true {
                    if let waiter = peek() { return waiter }
                    await Task.yield()
                }
            }
        }
    }

    @Test("A task is resumed by a value, which it may have at once")
    func value() async {
        let one = await Waiter.wait(orElse: 0) { waiter in waiter.resume(1) }
        let two = await Waiter.wait(orElse: 0) { waiter in
            waiter.resume(2)
        } onCancel: {
        }
        #expect([one, two] == [1, 2])
        await Waiter.wait { waiter in waiter.resume(()) }
        let slot = Slot<Int>()
        let task = Task { await Waiter.wait(orElse: 0) { slot.keep($0) } }
        let isFirst = await slot.kept.resume(3)
        #expect(isFirst)
        #expect(await task.value == 3)
    }

    @Test("Only the first value resumes a task")
    func once() async {
        let slot = Slot<Int>()
        let task = Task { await Waiter.wait(orElse: 0) { slot.keep($0) } }
        let waiter = await slot.kept
        #expect(waiter.resume(1))
        #expect(!waiter.resume(2))
        #expect(await task.value == 1)
        #expect(!waiter.resume(3))
    }

    @Test("A waiter that is dropped resumes its task with the other value")
    func dropped() async {
        let dropped = await Waiter.wait(orElse: 7) { _ in }
        #expect(dropped == 7)
        let slot = Slot<Int>()
        let task = Task { await Waiter.wait(orElse: 7) { slot.keep($0) } }
        // A closure that is never called, as one of a loop that has stopped.
        var call: (() -> Void)? = await slot.resumption(with: 1)
        #expect(slot.drop())
        #expect(call != nil)
        call = nil
        #expect(await task.value == 7)
    }

    @Test("A cancelled task goes on with the other value, and what has its waiter drops it")
    func cancelled() async {
        let slot = Slot<Int>()
        let forgotten = Atomic(0)
        let task = Task {
            await Waiter.wait(orElse: 7) {
                slot.keep($0)
            } onCancel: {
                forgotten.add(1, ordering: .relaxed)
                slot.drop()
            }
        }
        let waiter = await slot.kept
        task.cancel()
        #expect(await task.value == 7)
        #expect(forgotten.load(ordering: .relaxed) > 0)
        #expect(slot.isEmpty)
        #expect(!waiter.resume(1))
    }

    @Test("A task that was cancelled before does not wait, and leaves no waiter behind")
    func cancelledBefore() async {
        let slot = Slot<Int>()
        let gate = Slot<Void>()
        let task = Task {
            await Waiter.wait { gate.keep($0) }
            return await Waiter.wait(orElse: 7) {
                slot.keep($0)
            } onCancel: {
                slot.drop()
            }
        }
        let first = await gate.kept
        task.cancel()
        first.resume(())
        #expect(await task.value == 7)
        #expect(slot.isEmpty)
    }

    @Test("A wait that cancellation does not end goes on in a cancelled task")
    func uncancellable() async {
        let slot = Slot<Int>()
        let task = Task { await Waiter.wait(orElse: 7) { slot.keep($0) } }
        let waiter = await slot.kept
        task.cancel()
        #expect(waiter.resume(1))
        #expect(await task.value == 1)
    }

    @Test("Of values, cancellation and the drop at the same time, exactly one resumes a task")
    func race() async {
        let seed = SeededGenerator.seed(of: "WaiterTests")
        var random = SeededGenerator(seed: seed)
        for round in 0..<200 {
            let slot = Slot<Int>()
            let task = Task {
                await Waiter.wait(orElse: 0) {
                    slot.keep($0)
                } onCancel: {
                    slot.drop()
                }
            }
            let held = Slot<Int>()
            held.keep(await slot.kept)
            let delays = (0..<4).map { _ in Int(random.next() % 4) }
            let won = await withTaskGroup(of: Int.self) { group in
                for (number, delay) in delays.enumerated() {
                    group.addTask {
                        for _ in 0..<delay { await Task.yield() }
                        switch number {
                        case 0, 1: return held.peek()?.resume(number + 1) == true ? number + 1 : 0
                        case 2: task.cancel()
                        default:
                            slot.drop()
                            held.drop()
                        }
                        return 0
                    }
                }
                return await group.reduce(0, +)
            }
            #expect(await task.value == won, "seed \(seed), round \(round)")
        }
    }
}
