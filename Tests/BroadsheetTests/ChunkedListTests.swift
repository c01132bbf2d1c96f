import TestSupport
import Testing

@testable import Broadsheet

@Suite("Lists whose copies share their chunks") struct ChunkedListTests {
    private static let capacity = ChunkedList<Int>.chunkCapacity

    @Test("Copies that grow, shrink and change are independent of each other", arguments: 1...6)
    func copies(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        var known: [(list: ChunkedList<Int>, expected: [Int])] = [([], [])]
        for _ in 0..<30 {
            var (list, expected) = known[Int.random(in: known.indices, using: &random)]
            switch Int.random(in: 0...4, using: &random) {
            case 0 where !expected.isEmpty:
                let index = Int.random(in: expected.indices, using: &random)
                let value = Int.random(in: 0...9, using: &random)
                list[index] = value
                expected[index] = value
            case 1:
                let count = Int.random(in: 0...expected.count, using: &random)
                list.truncate(to: count)
                expected.removeLast(expected.count - count)
            case 2:
                let first = Int.random(in: 0...expected.count, using: &random)
                list.modify(from: first) { for index in $0.indices { $0[index] += 1 } }
                for index in first..<expected.count { expected[index] += 1 }
            default:
                for value in 0..<Int.random(in: 0...Self.capacity * 3 / 2, using: &random) {
                    list.append(value)
                    expected.append(value)
                }
            }
            known.append((list, expected))
        }
        for (list, expected) in known {
            #expect(list == expected && list.count == expected.count, "seed \(seed)")
            #expect(list.isEmpty == expected.isEmpty)
            var runs: [Int] = []
            let start = Int.random(in: 0...expected.count, using: &random)
            list.forEachChunk(in: start..<expected.count) { chunk, first in
                #expect(first == start + runs.count)
                runs += chunk
            }
            #expect(runs == Array(expected[start...]), "seed \(seed)")
        }
        for (list, expected) in known {
            for (other, otherExpected) in known {
                let common = zip(expected, otherExpected).prefix { $0 == $1 }.count
                #expect(list.commonPrefixCount(with: other, by: ==) == common, "seed \(seed)")
                #expect((list == other) == (expected == otherExpected), "seed \(seed)")
                if list.isShared(with: other) { #expect(expected == otherExpected) }
                var pairs: [(Int, Int)] = []
                list.forEachPair(
                    from: 0, with: other, from: 0, count: min(expected.count, otherExpected.count),
                    skipsShared: false
                ) { one, two, _ in pairs += zip(one, two) }
                #expect(pairs.map(\.0) == Array(expected.prefix(pairs.count)), "seed \(seed)")
                #expect(pairs.count == min(expected.count, otherExpected.count), "seed \(seed)")
            }
        }
    }

    @Test("A list that continues another one shares its full chunks")
    func sharing() {
        let short = ChunkedList(0..<3 * Self.capacity + 5)
        var long = short
        for value in 0..<Self.capacity { long.append(value) }
        #expect(short.sharedCount(from: 0, with: long, from: 0) == Self.capacity)
        #expect(short.sharedCount(from: 1, with: long, from: 1) == Self.capacity - 1)
        #expect(short.sharedCount(from: 0, with: long, from: 1) == 0)
        let last = 3 * Self.capacity
        #expect(short.sharedCount(from: last - 1, with: long, from: last - 1) == 1)
        #expect(short.sharedCount(from: last, with: long, from: last) == 0)
        let copy = long
        #expect(copy.isShared(with: long) && !short.isShared(with: long))
    }
}
