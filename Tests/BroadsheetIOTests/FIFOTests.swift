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
            #expect(queue.last == (next == expected ? nil : next - 1), "seed \(seed)")
        }
        let rest = queue.removeAll()
        #expect(rest == Array(expected..<next), "seed \(seed)")
        #expect(queue.isEmpty)
    }

    @Test("Elements are found by position and by bisection, also after others were removed")
    func positions() {
        var queue = FIFO<Int>()
        queue.append(contentsOf: Array(0..<3000).map { 2 * $0 })
        for _ in 0..<1700 { _ = queue.popFirst() }
        #expect(queue[0] == 3400)
        #expect(queue[1299] == 5998)
        queue[1] = 3403
        #expect(queue[1] == 3403)
        for sought in [0, 3400, 3401, 3403, 3404, 5998, 5999] {
            let position = queue.firstPosition { $0 >= sought }
            let expected = (0..<queue.count).first { queue[$0].map { $0 >= sought } == true }
            #expect(position == expected ?? queue.count, "\(sought)")
        }
    }

    @Test("An element is inserted at a position, also after others were removed")
    func insertion() {
        var queue = FIFO<Int>()
        queue.append(contentsOf: [0, 1, 2, 4])
        _ = queue.popFirst()
        queue.insert(3, at: 2)
        queue.insert(5, at: queue.count)
        queue.insert(0, at: 0)
        #expect((0..<queue.count).map { queue[$0] } == [0, 1, 2, 3, 4, 5])
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
