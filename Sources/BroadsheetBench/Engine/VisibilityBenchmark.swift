internal import Broadsheet

/// Finding what a rectangle shows (rule V5): a screenful out of a million items beside one out of a
/// thousand.
enum VisibilityBenchmark: Benchmark {
    static let name = "visibility"

    /// Searches in one timed run: a single one is too short for the clock.
    private static let searches = 1000

    static func rows(_ surroundings: Surroundings) throws -> [Row] {
        let small = try index(items: 1_000)
        let large = try index(items: 1_000_000)
        let result = Comparison.measure(
            yardstick: { search(small) }, subject: { search(large) })
        let found = large.elements(in: screenful(of: large)).count
        return [
            Row(
                name: "a screenful out of 1e6 items",
                figure: "\((result.subject / Double(searches) * 1e6).shown()) µs",
                yardstick:
                    "out of 1e3: \((result.yardstick / Double(searches) * 1e6).shown()) µs",
                ratio: result.ratio.shown(), target: "at most 2 of them",
                isMet: result.ratio <= 2),
            Row(name: "  elements in it", figure: "\(found)"),
        ]
    }

    private static func index(items count: Int) throws -> VisibilityIndex {
        let screen = try LayoutCase.all[0].screen(items: count)
        return VisibilityIndex(
            ScreenFrames.layOut(
                sections: screen.sections, in: LayoutEnvironment(viewport: Viewport())))
    }

    /// What a phone shows in the middle of the content.
    private static func screenful(of index: VisibilityIndex) -> Frame {
        Frame(x: 0, y: index.screen.contentSize.height / 2, width: 390, height: 844)
    }

    private static func search(_ index: VisibilityIndex) {
        let rectangle = screenful(of: index)
        for _ in 0..<searches { keep(index.elements(in: rectangle)) }
    }
}
