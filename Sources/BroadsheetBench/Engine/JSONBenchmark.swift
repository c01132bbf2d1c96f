internal import Broadsheet

/// Indexing and checking JSON beside a byte walk over the same bytes.
enum JSONBenchmark: Benchmark {
    static let name = "json"

    static func rows(_ surroundings: Surroundings) throws -> [Row] {
        let page = try surroundings.page()
        _ = try JSONDocument(page)
        let result = Comparison.measure(
            yardstick: { keep(ByteWalk.run(page)) },
            subject: { keep(try? JSONDocument(page)) })
        let speed = 1 / result.ratio
        return [
            Row(
                name: "index and check JSON", figure: megabytes(page, result.subject),
                yardstick: "byte walk " + megabytes(page, result.yardstick),
                ratio: speed.shown(), target: "at least 0.4 of its speed", isMet: speed >= 0.4)
        ]
    }

    private static func megabytes(_ page: [UInt8], _ seconds: Double) -> String {
        "\((Double(page.count) / seconds / 1e6).shown(0)) MB/s"
    }
}
