import TestSupport
import Testing

@testable import BroadsheetService

@Suite("Fair shares")
struct FairShareTests {
    @Test(
        "Who has little keeps all, and the others have equal parts of the rest",
        arguments: [
            ([], 10, Int.max), ([3, 4], 7, .max), ([3, 4], 6, 3), ([10, 10], 10, 5),
            ([1, 100, 100], 21, 10), ([1, 2, 3], 0, 0), ([5], -1, 0), ([0, 0], 0, .max),
            ([.max, .max], 10, 5),
        ] as [([Int], Int, Int)])
    func level(amounts: [Int], capacity: Int, expected: Int) {
        #expect(FairShare.level(of: amounts, within: capacity) == expected)
    }

    @Test("The amounts up to the level are within the capacity, and one more for each is not")
    func property() {
        var generator = SeededGenerator(seed: SeededGenerator.seed(of: "fair shares"))
        for _ in 0..<2_000 {
            let count = Int.random(in: 0...12, using: &generator)
            let amounts = (0..<count).map { _ in Int.random(in: 0...50, using: &generator) }
            let capacity = Int.random(in: 0...200, using: &generator)
            let level = FairShare.level(of: amounts, within: capacity)
            let kept = amounts.reduce(0) { $0 + min($1, level) }
            #expect(kept <= capacity)
            guard level < .max else { continue }
            #expect(amounts.reduce(0) { $0 + min($1, level + 1) } > capacity)
        }
    }
}
