import TestSupport
import Testing

@testable import BroadsheetService

@Suite("The LRU cache")
struct LRUCacheTests {
    @Test("The least recently used entry is evicted first")
    func order() {
        var cache = LRUCache<String, Int>(limit: 10)
        #expect(cache.insert(1, for: "a", cost: 4).isEmpty)
        #expect(cache.insert(2, for: "b", cost: 4).isEmpty)
        #expect(cache.value(for: "a") == 1)
        #expect(cache.insert(3, for: "c", cost: 4).map(\.key) == ["b"])
        #expect(cache.value(for: "b") == nil)
        #expect(cache.insert(4, for: "d", cost: 5).map(\.key) == ["a"])
        #expect(cache.cost == 9)
        #expect(cache.count == 2)
    }

    @Test("An entry that is replaced counts once")
    func replacing() {
        var cache = LRUCache<String, Int>(limit: 10)
        _ = cache.insert(1, for: "a", cost: 5)
        #expect(cache.insert(2, for: "a", cost: 3).isEmpty)
        #expect(cache.value(for: "a") == 2)
        #expect(cache.cost == 3)
        #expect(cache.remove("a") == 2)
        #expect(cache.remove("a") == nil)
        #expect(cache.cost == 0)
    }

    @Test(
        "A value that costs more than half of the limit is not inserted, nor any value without a limit"
    )
    func tooMuch() {
        var cache = LRUCache<String, Int>(limit: 10)
        _ = cache.insert(1, for: "a", cost: 5)
        #expect(cache.insert(2, for: "b", cost: 6).isEmpty)
        #expect(cache.value(for: "b") == nil)
        #expect(cache.value(for: "a") == 1)
        // The earlier value of the key is outdated, so it is removed.
        _ = cache.insert(3, for: "a", cost: 6)
        #expect(cache.value(for: "a") == nil)
        var disabled = LRUCache<String, Int>(limit: 0)
        _ = disabled.insert(1, for: "a", cost: 1)
        #expect(disabled.count == 0)
    }

    @Test("Random operations have the same results as on a plain list", arguments: 1...30)
    func model(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        var cache = LRUCache<Int, Int>(limit: 50)
        /// The entries, most recently used first.
        var list: [(key: Int, value: Int, cost: Int)] = []
        for step in 0..<400 {
            let key = Int.random(in: 0..<12, using: &random)
            switch Int.random(in: 0..<4, using: &random) {
            case 0:
                let expected = list.first { $0.key == key }?.value
                list.removeAll { $0.key == key }
                #expect(cache.remove(key) == expected, "seed \(seed), step \(step)")
            case 1:
                let found = list.firstIndex { $0.key == key }.map { list.remove(at: $0) }
                if let found { list.insert(found, at: 0) }
                #expect(cache.value(for: key) == found?.value, "seed \(seed), step \(step)")
            default:
                let cost = Int.random(in: 0...30, using: &random)
                list.removeAll { $0.key == key }
                if cost <= 25 {
                    list.insert((key, step, cost), at: 0)
                    while list.reduce(0, { $0 + $1.cost }) > 50 { list.removeLast() }
                }
                _ = cache.insert(step, for: key, cost: cost)
            }
            #expect(cache.cost == list.reduce(0) { $0 + $1.cost }, "seed \(seed), step \(step)")
            #expect(cache.cost <= cache.limit && cache.count == list.count)
        }
    }
}
