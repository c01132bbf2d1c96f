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

    @Test("V1-V3: engine and oracle see the same elements through random windows", arguments: seeds)
    func windows(seed: Int) throws {
        for (index, random) in try RandomCase.generate(seed: seed, count: 150).enumerated() {
            let visibility = try Engine.visibilityIndex(
                catalog: Array(random.catalog.utf8), pages: random.pages.map { Array($0.utf8) },
                query: random.query)
            for window in random.windows {
                #expect(
                    Engine.elements(of: visibility, in: window.rect) == window.shows,
                    "BROADSHEET_SEED=\(seed), case \(index), \(window.rect), \(random.query)")
            }
        }
    }

    @Test("P3-P10: engine and oracle agree where pagers rest and go", arguments: seeds)
    func carousels(seed: Int) throws {
        let cases = try RandomCarousel.generate(seed: seed, count: 200)
        #expect(cases.count == 200)
        for (index, random) in cases.enumerated() {
            for difference in random.differences() {
                Issue.record("BROADSHEET_SEED=\(seed), pager \(index): \(difference)")
            }
        }
    }
}
