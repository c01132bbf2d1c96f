internal import Broadsheet

/// The whole way in one thread, page bytes to tree bytes, beside a byte walk over the page.
enum ComposeBenchmark: Benchmark {
    static let name = "compose"

    static func rows(_ surroundings: Surroundings) throws -> [Row] {
        let page = try surroundings.page()
        let composer = Composer()
        let tree = try composer.compose(page)
        let result = Comparison.measure(
            yardstick: { keep(ByteWalk.run(page)) },
            subject: { keep(try? composer.compose(page)) })
        let blocks = Allocations.count { keep(try? composer.compose(page)) }
        return [
            Row(
                name: "page to tree, one thread",
                figure: "\((result.subject * 1e6).shown(0)) µs",
                yardstick: "byte walk \((result.yardstick * 1e6).shown(0)) µs",
                ratio: result.ratio.shown(), target: "at most 8 of them", isMet: result.ratio <= 8),
            Row(name: "  its tree", figure: "\(tree.count) bytes"),
            Row(name: "  heap blocks for it", figure: "\(blocks)"),
        ]
    }
}
