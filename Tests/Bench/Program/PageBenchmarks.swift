import Broadsheet

/// Indexing and checking JSON, compared with one pass over the same bytes.
enum JSONBenchmark {
    static func rows(_ context: BenchmarkContext) throws -> [ResultRow] {
        let page = try context.page()
        _ = try JSONDocument(page)
        let result = DurationComparison.measure(
            baseline: { keep(fnv1a(page)) },
            subject: { keep(try? JSONDocument(page)) })
        let speed = 1 / result.ratio
        return [
            ResultRow(
                name: "index and check JSON", figure: megabytes(page, result.subject),
                baseline: "FNV-1a hash " + megabytes(page, result.baseline),
                ratio: speed.formatted(), target: Target(ratio: speed, .atLeast(0.4)))
        ]
    }

    private static func megabytes(_ page: [UInt8], _ seconds: Double) -> String {
        "\((Double(page.count) / seconds / 1e6).formatted(0)) MB/s"
    }
}

/// Composing a tree from a page's bytes in one thread, compared with one pass over the page.
enum ComposeBenchmark {
    static func rows(_ context: BenchmarkContext) throws -> [ResultRow] {
        let page = try context.page()
        let composer = Composer()
        let tree = try composer.compose(page)
        let result = DurationComparison.measure(
            baseline: { keep(fnv1a(page)) },
            subject: { keep(try? composer.compose(page)) })
        let blocks = Allocations.count { keep(try? composer.compose(page)) }
        return [
            ResultRow(
                name: "page to tree, one thread", figure: microseconds(result.subject),
                baseline: "FNV-1a hash " + microseconds(result.baseline),
                ratio: result.ratio.formatted(), target: Target(ratio: result.ratio, .atMost(8))),
            ResultRow(name: "  size of the tree", figure: "\(tree.count) bytes"),
            ResultRow(name: "  heap blocks", figure: "\(blocks)"),
        ]
    }

    private static func microseconds(_ seconds: Double) -> String {
        "\((seconds * 1e6).formatted(0)) µs"
    }
}
