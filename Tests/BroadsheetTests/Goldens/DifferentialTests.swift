import Foundation
import Testing

@Suite("Engine and oracle")
struct DifferentialTests {
    /// Three fixed seeds and a random one, which `BROADSHEET_SEED` replaces to reproduce a failure.
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

    @Test("Engine and oracle agree on the elements in random rectangles (V1-V3)", arguments: seeds)
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

    @Test(
        "Engine and oracle agree on the offsets and targets of carousels (P3-P10)", arguments: seeds
    )
    func carousels(seed: Int) throws {
        let cases = try RandomCarousel.generate(seed: seed, count: 200)
        #expect(cases.count == 200)
        for (index, random) in cases.enumerated() {
            for difference in random.differences() {
                Issue.record("BROADSHEET_SEED=\(seed), carousel \(index): \(difference)")
            }
        }
    }
}
