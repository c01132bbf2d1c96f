import Broadsheet
import Synchronization
import TestSupport
import Testing

@Suite("Lists by position, for many edits of one array (docs/edits.md, Cost)")
struct WeightedListTests {
    /// An element whose weight counts how often a search of the same test reads it.
    private struct Run: Weighted {
        let length: Int
        let name: Int
        var reads: Reads?

        var weight: Int {
            reads?.count.withLock { $0 += 1 }
            return length
        }
    }

    private final class Reads: Sendable {
        let count = Mutex(0)
    }

    private struct Number: SingleElement {
        let value: Int
    }

    @Test("A search reads no more elements after a hundred times as many changes")
    func steps() {
        var list = WeightedList<Run>()
        let counter = Reads()
        var most: [Int] = []
        for count in [1_000, 100_000] {
            while list.elementCount < count {
                let middle = list.total == 0 ? list.end : list.location(at: list.total / 2).location
                let run = Run(
                    length: 1 + list.elementCount % 3, name: list.elementCount, reads: counter)
                list.replace(0, at: middle, with: CollectionOfOne(run))
            }
            let distance = max(1, list.total / 500)
            var reads = 0
            for position in stride(from: 0, to: list.total, by: distance) {
                let before = counter.count.withLock { $0 }
                _ = list.location(at: position)
                reads = max(reads, counter.count.withLock { $0 } - before)
            }
            most.append(reads)
        }
        #expect(most.allSatisfy { $0 <= WeightedList<Run>.chunkCapacity }, "\(most)")
    }

    @Test("Random changes leave what they leave of an array", arguments: [0, 100, 129, 3_000])
    func history(count: Int) {
        let seed = SeededGenerator.seed(of: "WeightedListTests")
        var random = SeededGenerator(seed: seed)
        var model = (0..<count).map { Number(value: $0) }
        var list = WeightedList(model)
        for step in 0..<3_000 {
            let grows = (step / 500).isMultiple(of: 2)
            switch Int.random(in: 0..<4, using: &random) {
            case 0 where !model.isEmpty:
                let index = Int.random(in: 0..<model.count, using: &random)
                model[index] = Number(value: -step)
                list[index] = Number(value: -step)
            case 1 where !model.isEmpty, 2 where !grows && !model.isEmpty:
                let index = Int.random(in: 0..<model.count, using: &random)
                #expect(list.remove(at: index).value == model.remove(at: index).value)
            default:
                let index = Int.random(in: 0...model.count, using: &random)
                model.insert(Number(value: step), at: index)
                if index == list.count, step.isMultiple(of: 2) {
                    list.appendWithoutDividing(Number(value: step))
                } else {
                    list.insert(Number(value: step), at: index)
                }
            }
            #expect(list.count == model.count, "seed \(seed), step \(step)")
            if step % 100 == 0 {
                #expect(list.map(\.value) == model.map(\.value), "seed \(seed), step \(step)")
            }
        }
        while let last = model.popLast() {
            #expect(list.remove(at: list.count - 1).value == last.value, "seed \(seed)")
        }
        #expect(list.isEmpty)
        list.append(Number(value: 1))
        #expect(list.map(\.value) == [1])
    }

    @Test("A list that was filled without a division can be changed", arguments: [1, 500])
    func filled(count: Int) {
        var list = WeightedList<Number>()
        for value in 0..<count { list.appendWithoutDividing(Number(value: value)) }
        #expect(list.map(\.value) == Array(0..<count))
        list.insert(Number(value: -1), at: count / 2)
        list.appendWithoutDividing(Number(value: count))
        list.remove(at: 0)
        var model = Array(0..<count)
        model.insert(-1, at: count / 2)
        model.append(count)
        model.removeFirst()
        #expect(list.map(\.value) == model)
        #expect(list.total == model.count)
    }

    @Test("A position of a weighted list is found in the element that covers it")
    func weights() {
        let seed = SeededGenerator.seed(of: "WeightedListTests")
        var random = SeededGenerator(seed: seed)
        var model: [Int] = []
        var list = WeightedList<Run>()
        for step in 0..<1_000 {
            let run = Run(length: Int.random(in: 1...4, using: &random), name: step)
            let position = Int.random(in: 0...model.count, using: &random)
            let covered = position == model.count ? nil : list.location(at: position)
            list.replace(0, at: covered?.location ?? list.end, with: CollectionOfOne(run))
            let start = position - (covered?.offset ?? 0)
            model.insert(contentsOf: Array(repeating: step, count: run.length), at: start)
        }
        #expect(list.total == model.count)
        for position in model.indices {
            let found = list.location(at: position)
            #expect(list[found.location].name == model[position], "seed \(seed)")
            let first = model.firstIndex(of: model[position])
            #expect(found.offset == position - (first ?? 0), "seed \(seed)")
        }
    }
}
