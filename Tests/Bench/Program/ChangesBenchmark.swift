import Broadsheet

/// Comparing two laid-out screens, compared with one pass over the bytes of the newer one.
enum ChangesBenchmark {
    /// A change of some of the items of a screen.
    private struct Example {
        /// The number of items.
        let items: Int
        /// The number of items of which one is changed.
        let interval: Int
        /// A Boolean value that indicates whether items are also inserted and removed, so that the
        /// frames of all items behind them differ.
        let displaces: Bool
        /// The maximum duration, in milliseconds; `nil` for none.
        let limit: Double?

        var name: String {
            let count = items / interval
            return "changes, \(items) items, \(count) changed"
        }
    }

    private static let examples = [
        Example(items: 10_000, interval: 100, displaces: false, limit: 1),
        Example(items: 1_000_000, interval: 100, displaces: false, limit: nil),
        Example(items: 100_000, interval: 5, displaces: true, limit: 15),
    ]
    /// The maximum ratio of the time per item between a million items and ten thousand.
    private static let spread = 2.0

    static func rows(_ context: BenchmarkContext) throws -> [ResultRow] {
        var rows: [ResultRow] = []
        var perItem: [Double] = []
        for example in examples {
            let (row, seconds) = try measure(example)
            rows.append(row)
            perItem.append(seconds / Double(example.items) * 1e9)
        }
        let ratio = perItem[1] / perItem[0]
        rows.append(
            ResultRow(
                name: "  per item, 1e4 and 1e6 items",
                figure: perItem.prefix(2).map { $0.formatted(1) }.joined(separator: ", ") + " ns",
                baseline: "1e4 items", ratio: ratio.formatted(),
                target: Target(ratio: ratio, .atMost(spread))))
        return rows + (try deltas()) + (try deltas(of: .masonry()))
            + (try DeltaRequestBenchmark.rows(context))
    }

    private static func measure(_ example: Example) throws -> (row: ResultRow, seconds: Double) {
        let old = try tree(example.items) { index in "\(index)" }
        let new = try tree(example.items, removing: example.displaces ? example.interval * 2 : nil)
        {
            index in
            index.isMultiple(of: example.interval) ? "\(index) changed" : "\(index)"
        }
        let bytes = try page(example.items) { "\($0)" }
        let result = DurationComparison.measure(
            rounds: 9, baseline: { keep(fnv1a(bytes)) },
            subject: { keep(ScreenComparison(from: old, to: new)) })
        let milliseconds = result.subject * 1e3
        let row = ResultRow(
            name: example.name, figure: "\(milliseconds.formatted(2)) ms",
            baseline: "FNV-1a hash \((result.baseline * 1e3).formatted(2)) ms",
            ratio: result.ratio.formatted(),
            target: example.limit.map { Target(figure: milliseconds, .below($0), unit: "ms") })
        return (row, result.subject)
    }

    /// The maximum ratios of the delta of page 1,000 to that of page 10.
    static let deltaTime = 1.2
    static let deltaBytes = 1.3

    /// Measures the delta of the 1,000th page of a section, from the merging to the bytes, compared
    /// with that of the 10th.
    private static func deltas(of layout: SectionLayout? = nil) throws -> [ResultRow] {
        var registry = CellRegistry.products
        if let layout { registry.setLayout(layout, forSection: "S") }
        let small = try AppendedPage(number: 9, by: registry)
        let large = try AppendedPage(number: 999, by: registry)
        let result = DurationComparison.measure(
            rounds: 25, baseline: { keep(small.delta()) }, subject: { keep(large.delta()) })
        let (bytes, baseline) = (large.delta().count, small.delta().count)
        let ratio = Double(bytes) / Double(baseline)
        return [
            ResultRow(
                name: "delta of page 1,000 of 100 items"
                    + (layout?.kind.map { ", \($0.rawValue)" } ?? ""),
                figure: "\((result.subject * 1e6).formatted(1)) µs",
                baseline: "page 10 \((result.baseline * 1e6).formatted(1)) µs",
                ratio: result.ratio.formatted(),
                target: Target(ratio: result.ratio, .atMost(deltaTime))),
            ResultRow(
                name: "  bytes", figure: "\(bytes)", baseline: "page 10 \(baseline)",
                ratio: ratio.formatted(), target: Target(ratio: ratio, .atMost(deltaBytes))),
        ]
    }

    /// The page after those of a screen that a client has.
    private struct AppendedPage {
        private let model: PaginatedViewModel
        private let number: Int
        private let registry: CellRegistry
        private let known: ReusableLayout

        init(number: Int, by registry: CellRegistry) throws {
            var model = PaginatedViewModel()
            for page in 0...number {
                let bytes = try ChangesBenchmark.page(100, offset: page * 100) { "\($0)" }
                try model.load(ResolvedPage(bytes, page, registry))
            }
            self.model = model
            self.number = number
            self.registry = registry
            // The table of ids is made with the second page of a client.
            let first = Self.layout(of: model, upTo: number - 2, by: registry, reusing: nil)
            known = Self.layout(of: model, upTo: number - 1, by: registry, reusing: first)
        }

        /// Returns the changes that append the page.
        func delta() -> [UInt8] {
            let new = Self.layout(of: model, upTo: number, by: registry, reusing: known)
            var document = ChangesDocument(from: tree(known), to: tree(new))
            return document.written()
        }

        private func tree(_ layout: ReusableLayout) -> TreeWriter {
            TreeWriter(layout.screen, layout.frames, viewport: Viewport())
        }

        private static func layout(
            of model: PaginatedViewModel, upTo page: Int, by registry: CellRegistry,
            reusing known: ReusableLayout?
        ) -> ReusableLayout {
            let screen = model.merged(
                upTo: page, below: model.highestPage, for: LayoutParameters(), registry: registry,
                reusing: known?.screen)
            return ReusableLayout(screen, LayoutParameters(), reusing: known)
        }
    }

    private static func tree(
        _ count: Int, removing: Int? = nil, _ text: (Int) -> String
    ) throws -> TreeWriter {
        let screen = try MergedScreen(page(count, removing: removing, text), .products)
        return TreeWriter(
            screen, screen.laidOut(by: LayoutParameters()), viewport: Viewport())
    }

    /// Returns a page of one section; of products of about 180 bytes each.
    private static func page(
        _ count: Int, offset: Int = 0, removing: Int? = nil, _ text: (Int) -> String
    ) throws -> [UInt8] {
        var json = #"{"sections": [{"sectionId": "S", "units": [{"unitType": "U", "unitData": ["#
        var isFirst = true
        for index in offset..<offset + count {
            if let removing, index % removing == 1 { continue }
            json += isFirst ? "" : ","
            isFirst = false
            json += #"{"id":"P\#(1_000_000 + index)","h":\#(30 + index % 5 * 8),"title":""#
            json += #"A product of the storefront","image":"https://img.example.com/p/"#
            json += #"\#(index).webp","text":"\#(text(index))"}"#
        }
        return Array((json + "]}]}]}").utf8)
    }
}
