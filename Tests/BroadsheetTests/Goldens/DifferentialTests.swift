import Foundation
import Testing

@Suite("Engine and oracle")
struct DifferentialTests {
    /// Repeatable seeds, and one that nobody has tried; `BROADSHEET_SEED` repeats that one.
    static let seeds: [Int] = {
        let given = ProcessInfo.processInfo.environment["BROADSHEET_SEED"].flatMap(Int.init)
        return given.map { [$0] } ?? [1, 2, 3, Int.random(in: 4...Int(Int32.max))]
    }()

    @Test("Engine and oracle agree on random catalogs, pages and viewports", arguments: seeds)
    func agree(seed: Int) throws {
        let cases = try RandomCase.generate(seed: seed, count: 150)
        #expect(cases.count == 150)
        for (index, random) in cases.enumerated() {
            let tree = try Engine.tree(
                catalog: Array(random.catalog.utf8), pages: random.pages.map { Array($0.utf8) },
                query: random.query)
            let difference = TreeComparison.differenceBeyondTies(
                engine: tree, oracle: Array(random.tree.utf8))
            let context = "BROADSHEET_SEED=\(seed), case \(index), \(random.query)\n"
            #expect(difference == nil, Comment(rawValue: context + (difference ?? "")))
        }
    }
}
