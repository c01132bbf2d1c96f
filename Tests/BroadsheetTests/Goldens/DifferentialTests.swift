import Broadsheet
import BroadsheetClient
import Foundation
import TestSupport
import Testing

@Suite("Engine and oracle")
struct DifferentialTests {
    /// A fixed seed and a random one, which `BROADSHEET_SEED` replaces to reproduce a failure.
    static let seeds: [Int] = {
        let given = ProcessInfo.processInfo.environment["BROADSHEET_SEED"].flatMap(Int.init)
        return given.map { [$0] } ?? [1, Int.random(in: 2...Int(Int32.max))]
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

    @Test("Engine and oracle agree on windows around random items", arguments: seeds)
    func anchored(seed: Int) throws {
        for (index, random) in try RandomCase.generate(seed: seed, count: 60).enumerated() {
            for expected in random.anchored {
                let bytes = try Engine.window(
                    catalog: Array(random.catalog.utf8), pages: random.pages.map { Array($0.utf8) },
                    query: random.query, around: expected.place, before: expected.before,
                    after: expected.after)
                let tree = try JSONDocument(bytes).root
                let context = Comment(
                    rawValue: "BROADSHEET_SEED=\(seed), case \(index), \(expected), \(random.query)"
                )
                let origin = try #require(tree["window"]?["origin"]?.double)
                #expect(abs(origin - expected.origin) <= 0.001, context)
                let first = try #require(tree["window"]?["firstSection"]?.int)
                let sections = tree["sections"]?.elements.map { section in
                    [
                        (section["index"]?.int ?? 0) + first, section["firstItem"]?.int ?? -1,
                        section["itemCount"]?.int ?? -1, section["items"]?.count ?? -1,
                    ]
                }
                #expect(sections == expected.sections, context)
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

/// A random catalog with pages and a query, and the oracle's tree for them
/// (`Tests/Oracle/random_cases.py`).
struct RandomCase: Decodable {
    let catalog: String
    let pages: [String]
    let query: [String: String]
    let tree: String
    let windows: [Window]
    let anchored: [Anchored]

    /// A window around an item (a section and an item, or null), and what it shows: of each section
    /// its index, the first item, and the numbers of items in the whole tree and in the window.
    struct Anchored: Decodable {
        let anchor: [Int]?
        let before, after, origin: Double
        let sections: [[Int]]

        var place: PlacedItem? { anchor.map { PlacedItem(section: $0[0], item: $0[1]) } }
    }

    /// A rectangle of the content (x, y, width, height) with the elements in it (V1-V3).
    struct Window: Decodable {
        let rect: [Double]
        let shows: [String]
    }

    /// Returns the random cases of a seed; the same seed gives the same cases.
    static func generate(seed: Int, count: Int) throws -> [RandomCase] {
        try OracleProcess.cases(of: "random_cases.py", seed: seed, count: count)
    }
}

/// A random carousel with the results of the oracle (`Tests/Oracle/random_carousels.py`).
struct RandomCarousel: Decodable {
    let viewport, content, ci0, ci1, si0, si1, item, spacing: Double
    let n, copies: Int
    let centred, looping: Bool
    let pageLength, lastPage, minOffset, maxOffset, initialOffset, finalOffset: Double
    let moves: [Move]

    /// An offset, and the results for it.
    struct Move: Decodable {
        struct Release: Decodable { let velocity, target: Double }
        struct Step: Decodable {
            let pages: Int
            let target: Double?
        }
        let offset: Double
        let page: Int
        let releases: [Release]
        let steps: [Step]
        let remapped: Double?
    }

    /// Returns the random carousels of a seed; the same seed gives the same ones.
    static func generate(seed: Int, count: Int) throws -> [RandomCarousel] {
        try OracleProcess.cases(of: "random_carousels.py", seed: seed, count: count)
    }

    /// Returns the differences between the results of the engine and the oracle.
    func differences() -> [String] {
        var found: [String] = []
        func compare(_ what: String, _ engine: Double?, _ oracle: Double?) {
            let isSame =
                switch (engine, oracle) {
                case (nil, nil): true
                case (let engine?, let oracle?): abs(engine - oracle) <= 1e-6
                default: false
                }
            if !isSame {
                found.append("\(what): engine \(text(engine)), oracle \(text(oracle)) in \(self)")
            }
        }
        let engine = carousel
        compare("pageLength", engine.pageLength, pageLength)
        compare("lastPage", engine.lastPage, lastPage)
        compare("minOffset", engine.minOffset, minOffset)
        compare("maxOffset", engine.maxOffset, maxOffset)
        compare("initialOffset", engine.initialOffset, initialOffset)
        compare("finalOffset", engine.finalOffset, finalOffset)
        for move in moves {
            let offset = "at \(move.offset)"
            compare("page \(offset)", Double(engine.pageIndex(at: move.offset)), Double(move.page))
            for release in move.releases {
                compare(
                    "release \(offset) with \(release.velocity)",
                    engine.targetOffset(releasedAt: move.offset, velocity: release.velocity),
                    release.target)
            }
            for step in move.steps {
                compare(
                    "step \(offset) by \(step.pages)",
                    engine.targetOffset(steppingBy: step.pages, from: move.offset), step.target)
            }
            compare("remap \(offset)", engine.remappedOffset(move.offset), move.remapped)
        }
        return found
    }

    private var carousel: Carousel {
        var options = PagingOptions()
        options.isAlignCenter = centred
        options.isLooping = looping
        options.isInfinitePage = copies > 1
        return Carousel(
            options: options, pageCount: n, copies: copies, viewportLength: viewport,
            contentLength: content, contentInset: AxisEnds(leading: ci0, trailing: ci1),
            sectionInset: AxisEnds(leading: si0, trailing: si1), itemLength: item,
            lineSpacing: spacing)
    }

    private func text(_ value: Double?) -> String { value.map { "\($0)" } ?? "none" }
}
