import BroadsheetClient
import TestSupport
import Testing

@testable import Broadsheet

@Suite("M: Masonry")
struct MasonryTests {
    private func section(
        _ items: [StubSize], _ configure: (inout SectionLayout) -> Void = { _ in }
    ) -> StubSection {
        StubSection(items) {
            $0 = .masonry(MasonryOptions(columns: 3, lineSpacing: 10, interitemSpacing: 15))
            configure(&$0)
        }
    }

    @Test(
        "M2, M4: Items have the worked frames",
        arguments: [
            (
                .shortest, [50, 80, 30, 40, 20],
                [(270, 40, 120, 40), (0, 60, 120, 20)]
            ),
            (.inOrder, [50, 80, 30, 40, 20], [(0, 60, 120, 40), (135, 90, 120, 20)]),
        ] as [(MasonryPlacement, [Double], [(Double, Double, Double, Double)])])
    func worked(
        placement: MasonryPlacement, heights: [Double],
        last: [(Double, Double, Double, Double)]
    ) {
        let items = layOutOne(
            section(heights.map { StubSize(nil, $0) }) { $0.masonry.placement = placement },
            width: 390
        ).items
        #expect(items.suffix(2) == last.map { Frame($0.0, $0.1, $0.2, $0.3) })
    }

    @Test("M: Without spans, frames are those of the example in docs/custom-layouts.md")
    func likeTheExample() {
        for seed in SeededGenerator.seeds(of: "masonry and its example", count: 8) {
            var random = SeededGenerator(seed: seed)
            let heights = (0..<200).map { _ in Double(Int.random(in: 0...400, using: &random)) / 4 }
            let options = MasonryOptions(
                columns: .fixed(Int.random(in: 1...9, using: &random)),
                lineSpacing: Double(Int.random(in: 0...20, using: &random)),
                interitemSpacing: Double(Int.random(in: 0...20, using: &random)),
                inset: Insets(7))
            var own = StubSection(heights.map { StubSize(nil, $0) }, header: StubSize(nil, 31))
            own.layout = .masonry(options)
            var custom = own
            custom.layout = .custom(
                Masonry(), columns: options.columns, lineSpacing: options.lineSpacing,
                interitemSpacing: options.interitemSpacing, inset: options.inset)
            for direction in LayoutDirection.allCases {
                let (one, other) = (
                    layOutOne(own, direction: direction, rounding: .pixel),
                    layOutOne(custom, direction: direction, rounding: .pixel)
                )
                #expect(one == other, "seed \(seed)")
            }
        }
    }

    /// Returns the place of an item by M4, by a scan of all places.
    private func place(_ ends: [Double], _ span: Int, _ next: Int, inOrder: Bool) -> Int {
        let places = 0...ends.count - span
        if inOrder { return places.contains(next) ? next : 0 }
        let starts = places.map { ends[$0..<$0 + span].max() ?? 0 }
        let least = starts.min() ?? 0
        return starts.firstIndex { $0 <= least + 0.001 } ?? 0
    }

    @Test("M2 to M4: Columns agree with a scan of all places", arguments: MasonryPlacement.allCases)
    func model(placement: MasonryPlacement) {
        for seed in SeededGenerator.seeds(of: "columns of masonry", count: 20) {
            var random = SeededGenerator(seed: seed)
            let count = Int.random(in: 1...64, using: &random)
            var columns = MasonryColumns(count: count, placement)
            var (ends, next) = ([Double](repeating: 0, count: count), 0)
            let spacing = Double(Int.random(in: -20...20, using: &random))
            for step in 0..<200 {
                let span = Int.random(in: 1...count, using: &random)
                let length = Double(Int.random(in: 0...60, using: &random))
                let column = place(ends, span, next, inOrder: placement == .inOrder)
                let start = ends[column..<column + span].max() ?? 0
                for index in column..<column + span { ends[index] = start + length + spacing }
                next = column + span
                let placed = columns.add(spanning: span, length: length, spacing: spacing)
                #expect(
                    placed == (column, start, start + length), "seed \(seed), step \(step)")
            }
        }
    }

    @Test("M1: A masonry section has at most 64 columns, and at least one")
    func columnCounts() {
        for (columns, width) in [(1000, 390.0 / 64), (64, 390.0 / 64), (-3, 390), (1, 390)] {
            let items = layOutOne(
                section([StubSize(nil, 5)]) {
                    $0.masonry = MasonryOptions(columns: .fixed(columns), interitemSpacing: 0)
                }, width: 390
            ).items
            #expect(items.map(\.width) == [width], "\(columns)")
        }
    }

    @Test("J: In a horizontal screen masonry is laid out as flow, with a diagnostic")
    func horizontalScreen() {
        let own = section([StubSize(20, 30), StubSize(40, 50)])
        var flow = own
        flow.layout.kind = .flow
        let screen = layOut([own]) { $0.direction = .horizontal }
        #expect(screen.sections == layOut([flow]) { $0.direction = .horizontal }.sections)
        #expect(screen.diagnostics.map(\.code) == [.needsVerticalScreen])
    }

    @Test("P1: Masonry does not turn pages")
    func paging() {
        let screen = layOut([section([StubSize(20, 30)]) { $0.flow.paging = PagingOptions() }])
        #expect(screen.diagnostics.map(\.code) == [.pagingSwitchedOff])
        #expect(screen.sections[0].paging == nil)
    }

    @Test("G5: The millionth item of a column is as exact as the first")
    func exact() {
        let section = StubSection(count: 300_000, nil, 0.1) {
            $0 = .masonry(MasonryOptions(columns: 1, lineSpacing: 0.2))
        }
        let last = layOutOne(section).items.last
        #expect(isClose(last?.y ?? 0, 299_999 * 0.3))
    }

    @Test("V5: Rectangles find items although they are not in the order of y")
    func rectangles() {
        var random = SeededGenerator(seed: SeededGenerator.seed(of: "rectangles of masonry"))
        let items = (0..<600).map { _ in
            StubSize(nil, Double(Int.random(in: 5...300, using: &random)), span: .columns(1))
        }
        let screen = layOut([section(items) { $0.masonry.placement = .inOrder }])
        let index = VisibilityIndex(screen)
        for _ in 0..<50 {
            let rectangle = Frame(
                Double.random(in: 0...300, using: &random),
                Double.random(in: 0...20_000, using: &random), 90, 700)
            #expect(index.elements(in: rectangle) == screen.scanned(rectangle, ScrollState()))
        }
    }
}
