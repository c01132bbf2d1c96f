import TestSupport
import Testing

@testable import BroadsheetService

@Suite("A table that forgets what was asked for least recently")
struct RecencyTableTests {
    @Test("keeps what fits, and lets the least recent go first")
    func order() {
        var table = RecencyTable<String, Int>(limit: 10)
        #expect(table.keep(1, for: "a", cost: 4).isEmpty)
        #expect(table.keep(2, for: "b", cost: 4).isEmpty)
        #expect(table.value(for: "a") == 1)
        #expect(table.keep(3, for: "c", cost: 4).map(\.key) == ["b"])
        #expect(table.value(for: "b") == nil)
        #expect(table.keep(4, for: "d", cost: 5).map(\.key) == ["a"])
        #expect(table.cost == 9)
        #expect(table.count == 2)
    }

    @Test("replaces an entry, and does not count it twice")
    func replacing() {
        var table = RecencyTable<String, Int>(limit: 10)
        _ = table.keep(1, for: "a", cost: 5)
        #expect(table.keep(2, for: "a", cost: 3).isEmpty)
        #expect(table.value(for: "a") == 2)
        #expect(table.cost == 3)
        #expect(table.remove("a") == 2)
        #expect(table.remove("a") == nil)
        #expect(table.cost == 0)
    }

    @Test("does not keep what costs more than half of the limit, nor anything without one")
    func tooMuch() {
        var table = RecencyTable<String, Int>(limit: 10)
        _ = table.keep(1, for: "a", cost: 5)
        #expect(table.keep(2, for: "b", cost: 6).isEmpty)
        #expect(table.value(for: "b") == nil)
        #expect(table.value(for: "a") == 1)
        // What was kept under that key before is not what it stands for any more.
        _ = table.keep(3, for: "a", cost: 6)
        #expect(table.value(for: "a") == nil)
        var nothing = RecencyTable<String, Int>(limit: 0)
        _ = nothing.keep(1, for: "a", cost: 1)
        #expect(nothing.count == 0)
    }

    @Test("does what a plain list does, step by step", arguments: 1...30)
    func model(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        var table = RecencyTable<Int, Int>(limit: 50)
        /// The most recent first.
        var list: [(key: Int, value: Int, cost: Int)] = []
        for step in 0..<400 {
            let key = Int.random(in: 0..<12, using: &random)
            switch Int.random(in: 0..<4, using: &random) {
            case 0:
                let expected = list.first { $0.key == key }?.value
                list.removeAll { $0.key == key }
                #expect(table.remove(key) == expected, "seed \(seed), step \(step)")
            case 1:
                let found = list.firstIndex { $0.key == key }.map { list.remove(at: $0) }
                if let found { list.insert(found, at: 0) }
                #expect(table.value(for: key) == found?.value, "seed \(seed), step \(step)")
            default:
                let cost = Int.random(in: 0...30, using: &random)
                list.removeAll { $0.key == key }
                if cost <= 25 {
                    list.insert((key, step, cost), at: 0)
                    while list.reduce(0, { $0 + $1.cost }) > 50 { list.removeLast() }
                }
                _ = table.keep(step, for: key, cost: cost)
            }
            #expect(table.cost == list.reduce(0) { $0 + $1.cost }, "seed \(seed), step \(step)")
            #expect(table.cost <= table.limit && table.count == list.count)
        }
    }
}
