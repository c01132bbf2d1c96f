import TestSupport
import Testing

@testable import BroadsheetIO

@Suite("The first-in, first-out queue")
struct FIFOTests {
    @Test("Elements leave in the order in which they came, in any mix of calls", arguments: 0..<20)
    func order(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        var queue = FIFO<Int>()
        var (next, expected) = (0, 0)
        for _ in 0..<2000 {
            if Bool.random(using: &generator) {
                queue.append(next)
                next += 1
            } else if let removed = queue.popFirst() {
                #expect(removed == expected, "seed \(seed)")
                expected += 1
            }
            #expect(queue.count == next - expected, "seed \(seed)")
            #expect(queue.first == (next == expected ? nil : expected), "seed \(seed)")
        }
        let rest = queue.removeAll()
        #expect(rest == Array(expected..<next), "seed \(seed)")
        #expect(queue.isEmpty)
    }

    @Test("A queue that never runs empty does not grow without limit")
    func compaction() {
        var queue = FIFO<Int>()
        queue.append(contentsOf: Array(0..<10))
        for expected in 0..<20_000 {
            queue.append(expected + 10)
            #expect(queue.popFirst() == expected)
            #expect(queue.items.count <= 1100)
        }
        #expect(queue.count == 10)
    }

    @Test("A removed element is released at once")
    func release() {
        var queue = FIFO<Counter>()
        var element = Counter()
        queue.append(element)
        queue.append(Counter())
        _ = queue.popFirst()
        let isReleased = isKnownUniquelyReferenced(&element)
        #expect(isReleased)
    }

    @Test("An empty queue returns nothing")
    func empty() {
        var queue = FIFO<Int>()
        #expect(queue.isEmpty)
        #expect(queue.first == nil)
        #expect(queue.popFirst() == nil)
        #expect(queue.removeAll().isEmpty)
    }
}
