import BroadsheetClient
import TestSupport
import Testing

@testable import Broadsheet

@Suite("Lint: Legal layouts that are probably unintended")
struct LayoutLintTests {
    private func diagnostics(
        _ sections: [StubSection], width: Double = 375,
        _ configure: (inout ScreenLayout) -> Void = { _ in }
    ) -> [LayoutDiagnostic] {
        var screen = ScreenLayout()
        configure(&screen)
        let environment = LayoutEnvironment(
            viewport: Viewport(width: width, height: 667, direction: .rtl), screen: screen)
        return LayoutLint.diagnose(sections: sections, in: environment)
    }

    @Test("A correct layout has no diagnostics", arguments: SectionLayout.Kind.allCases)
    func clean(_ kind: SectionLayout.Kind) {
        let section = StubSection(count: 4, nil, 50, header: StubSize(nil, 30)) {
            $0.kind = kind
            $0.flow.gridColumnCount = 2
            $0.compositional.itemSize = .uniform(columns: 2, width: nil, height: 50)
            $0.list.headerMode = .supplementary
        }
        #expect(diagnostics([section, section]).isEmpty)
    }

    @Test("ITEM_WIDER_THAN_LINE: Items are counted, at the first of them")
    func widerThanLine() {
        let section = StubSection([StubSize(100, 10), StubSize(360, 10), StubSize(356, 10)]) {
            $0.flow.inset = Insets(top: 0, left: 10, bottom: 0, right: 10)
        }
        let found = diagnostics([StubSection(count: 1, 10, 10), section])
        #expect(found == [LayoutDiagnostic(.itemWiderThanLine, section: 1, item: 1, count: 2)])
        #expect(found[0].detail.contains("2 items"))
        let group = compositional(count: 1, .uniform(columns: 1, width: 400, height: 10)) {
            $0.compositional.direction = .vertical
        }
        #expect(diagnostics([group]).map(\.code) == [.itemWiderThanLine, .overflowsSideways])
    }

    @Test("ITEM_HAS_NO_SIZE: An item has no width or no height")
    func noSize() {
        let section = StubSection([StubSize(0, 10), StubSize(10, 10), StubSize(10, 0)])
        #expect(
            diagnostics([section]) == [
                LayoutDiagnostic(.itemHasNoSize, section: 0, item: 0, count: 2)
            ]
        )
    }

    @Test(
        "ITEM_HAS_HUGE_SIZE: An item, a header or a footer is longer than 100,000 points",
        arguments: [SectionLayout.Kind.flow, .masonry, .list])
    func hugeSize(kind: SectionLayout.Kind) {
        let section = StubSection([
            StubSize(10, 100_000), StubSize(10, 1e9), StubSize(10, 100_000.5),
        ]) { $0.kind = kind }
        let found = diagnostics([section])
        #expect(
            found == [LayoutDiagnostic(.itemHasHugeSize, section: 0, item: 1, count: 2)])
        #expect(found[0].detail.contains("longer than 100000 points"))
        let header = StubSection(count: 1, 10, 10, header: StubSize(10, 1e9)) {
            $0.kind = kind
            $0.list.headerMode = .supplementary
        }
        #expect(diagnostics([header]) == [LayoutDiagnostic(.itemHasHugeSize, section: 0)])
    }

    @Test(
        "ITEMS_WITHOUT_IDS: Two or more items of a section are identified by their places",
        arguments: [
            (["{},{}"], (0, 2)), (["{}"], nil), ([#"{"id":1},{"id":2}"#], nil),
            ([#"{"id":1},{"id":null}"#, #"{},{"id":3},{}"#], (1, 3)),
            ([#"{"id":1}"#, #"{}"#], nil),
            ([#"{"id":1}"#, "{}", #"{"id":"p0.u0.e0"}"#, "{}"], (1, 2)),
        ] as [([String], (Int, Int)?)])
    func itemsWithoutIDs(units: [String], expected: (first: Int, count: Int)?) throws {
        let registry = try sampleCatalog().registry
        let posted = units.map { #"{"unitType":"U","unitData":[\#($0)]}"# }
        for isCollapsed in [false, true] {
            let page = """
                {"sections":[{"units":[{"unitType":"U","unitData":[{"id":9}]}]},
                {"collapsed":\(isCollapsed),"units":[\(posted.joined(separator: ","))]}]}
                """
            var model = PaginatedViewModel()
            try model.load(resolved(page, by: registry))
            let composer = Composer(registry: registry)
            let found = composer.lint(composer.screen(of: model)).filter {
                $0.code.rawValue == "ITEMS_WITHOUT_IDS"
            }
            let shown = isCollapsed ? nil : expected
            #expect(found.map(\.pointer) == (shown == nil ? [] : ["/sections/1"]))
            if let shown { #expect(found[0].detail.contains("\(shown.count) items")) }
            let merged = composer.screen(of: model).sections[1]
            if let shown { #expect(merged.itemsWithoutIDs == shown) }
        }
    }

    @Test(
        "RAGGED_LAST_ROW: The last row of a grid is not full",
        arguments: [(4, 2, false), (5, 2, true), (1, 3, true), (3, 1, false), (0, 2, false)]
            as [(Int, Int, Bool)])
    func raggedRow(_ row: (count: Int, columns: Int, isRagged: Bool)) {
        let flow = StubSection(count: row.count, nil, 10) {
            $0.flow.gridColumnCount = .fixed(row.columns)
        }
        let group = compositional(
            count: row.count, .uniform(columns: .fixed(row.columns), width: nil, height: 10))
        for section in [flow, group] {
            #expect(diagnostics([section]).contains { $0.code == .raggedLastRow } == row.isRagged)
        }
        var scroller = group
        scroller.layout.compositional.scrolling = .continuous
        #expect(!diagnostics([scroller]).contains { $0.code == .raggedLastRow })
    }

    /// Returns a grid of three columns with items that span some.
    private func grid(_ spans: [CellSpan]) -> StubSection {
        StubSection(spans.map { StubSize(nil, 10, span: $0) }) { $0.flow.gridColumnCount = 3 }
    }

    @Test(
        "RAGGED_LAST_ROW counts the columns that items span",
        arguments: [
            ([.columns(2), .columns(1)], false), ([.columns(2)], true), ([.all], false),
            ([.columns(1), .all], false), ([.all, .columns(1)], true),
        ] as [([CellSpan], Bool)])
    func raggedSpans(spans: [CellSpan], isRagged: Bool) {
        #expect(
            diagnostics([grid(spans)]).contains { $0.code == .raggedLastRow } == isRagged)
        var masonry = grid(spans)
        masonry.layout.kind = .masonry
        #expect(diagnostics([masonry]).isEmpty)
    }

    @Test("ROW_NOT_FULL: A row before the last one has empty columns")
    func rowNotFull() {
        let spans: [CellSpan] = [
            .columns(1), .columns(1), .all, .columns(2), .columns(2), .columns(1), .columns(1),
        ]
        let found = diagnostics([grid(spans)]).filter { $0.code == .rowNotFull }
        #expect(found == [LayoutDiagnostic(.rowNotFull, section: 0, item: 2, count: 2)])
        #expect(found.first?.detail.contains("2 rows") == true)
        #expect(!diagnostics([grid([.all, .columns(2)])]).contains { $0.code == .rowNotFull })
        #expect(!diagnostics([grid([.columns(1)])]).contains { $0.code == .rowNotFull })
    }

    @Test(
        "ROW_TALLER_THAN_ITEMS: A horizontal dynamic group is more than twice as tall as its items",
        arguments: [
            (36, nil, true), (333.5, nil, false), (333, nil, true), (0, nil, false),
            (36, .center, false), (36, .start, false),
        ] as [(Double, ItemAlignment?, Bool)])
    func tallRow(height: Double, alignment: ItemAlignment?, isTall: Bool) {
        let section = compositional(count: 3, .dynamic) {
            $0.compositional.scrolling = .continuous
            $0.compositional.itemAlignment = alignment
        }
        var sized = section
        sized.items = [StubSize(60, height), StubSize(30, 0), StubSize(60, height)]
        let found = diagnostics([sized]).filter { $0.code == .rowTallerThanItems }
        let expected = LayoutDiagnostic(.rowTallerThanItems, section: 0, item: 0, count: 3)
        #expect(found == (isTall ? [expected] : []))
        #expect(found.allSatisfy { $0.detail.contains("itemAlignment") })
    }

    @Test("RAGGED_LAST_ROW is not reported for a section that the next page can continue")
    func openSections() throws {
        let registry = try catalog(
            #"""
            {"sections": {"*": {"gridColumnCount": 2}}, "units": {"U": {"cells": {"type": "A"}}},
            "cellTypes": {"A": {"id": "/id", "size": {"height": 10}}}}
            """#
        ).registry
        func page(_ number: Int, _ id: String?, hasNext: Bool) throws -> ResolvedPage {
            let identifier = id.map { #""sectionId": "\#($0)", "# } ?? ""
            return try resolved(
                #"{"hasNext": \#(hasNext), "sections": [{\#(identifier)"units": [{"unitType": "U", "unitData": [{"id": \#(number)}]}]}]}"#,
                number: number, by: registry)
        }
        for (ids, hasNext, ragged) in [
            (["A"], true, []), (["A"], false, ["/sections/0"]), ([nil], true, ["/sections/0"]),
            (["A", "B"], true, ["/sections/0"]), (["A", "B", "A", "B", "A"], true, []),
        ] as [([String?], Bool, [String])] {
            var model = PaginatedViewModel()
            for (number, id) in ids.enumerated() {
                try model.load(page(number, id, hasNext: hasNext))
            }
            let composer = Composer(registry: registry)
            let found = composer.lint(composer.screen(of: model))
                .filter { $0.code.rawValue == "RAGGED_LAST_ROW" }
            #expect(found.map(\.pointer) == ragged, "\(ids)")
        }
    }

    @Test(
        "G9: Lint has the areas at the sides of the safe area, in both directions",
        arguments: [(LayoutDirection.ltr, 1), (.rtl, 0)])
    func areas(direction: LayoutDirection, count: Int) {
        // The second line begins with the area (F13): 100 or 20 points from where reading starts.
        let section = StubSection([StubSize(100, 10), StubSize(100, 10), StubSize(300, 10)])
        let viewport = Viewport(
            width: 390, height: 667, direction: direction,
            safeArea: Insets(top: 0, left: 100, bottom: 0, right: 20))
        let found = LayoutLint.diagnose(
            sections: [section], in: LayoutEnvironment(viewport: viewport))
        #expect(found.filter { $0.code == .overflowsSideways }.count == count)
    }

    @Test("EMPTY_SECTION: A section has no items and is not collapsed")
    func emptySection() {
        #expect(diagnostics([StubSection()]) == [LayoutDiagnostic(.emptySection, section: 0)])
        var collapsed = StubSection()
        collapsed.isCollapsed = true
        #expect(diagnostics([collapsed]).isEmpty)
    }

    @Test("OVERLAPPING_ITEMS: Items overlap in a line, or from line to line")
    func overlap() {
        let inLine = StubSection(count: 4, 50, 50) { $0.flow.minimumInteritemSpacing = -20 }
        // Twelve fit with a spacing of -20, spread to gaps of -20.4.
        #expect(
            diagnostics([inLine]).contains(LayoutDiagnostic(.overlappingItems, section: 0, item: 1))
        )
        let lines = StubSection(count: 6, nil, 50) {
            $0.flow.gridColumnCount = 3
            $0.flow.minimumLineSpacing = -1
        }
        #expect(diagnostics([lines]) == [LayoutDiagnostic(.overlappingItems, section: 0, item: 3)])
        let rows = compositional(count: 3, .uniform(columns: 1, width: nil, height: 50)) {
            $0.compositional.lineSpacing = -5
        }
        #expect(diagnostics([rows]) == [LayoutDiagnostic(.overlappingItems, section: 0, item: 1)])
        let scroller = compositional(count: 3, .uniform(columns: 1, width: nil, height: 50)) {
            $0.compositional.lineSpacing = -5
            $0.compositional.scrolling = .continuous
        }
        #expect(
            diagnostics([scroller]) == [LayoutDiagnostic(.overlappingItems, section: 0, item: 1)])
    }

    @Test(
        "OVERLAPPING_ITEMS: Vertical groups of several items overlap earlier groups",
        arguments: [
            // Two items of 50 in groups of 100 at 0 and 0: items 0 and 2 are in one place.
            (2, 100, 0, -100, 2),
            // Three of 30 in groups at 0 and 15: item 3 lies over items 0 and 1, not over item 2.
            (3, 90, 0, -75, 3),
            // Two of 10, 40 apart, in groups at 0, 25 and 50: item 4 covers item 1 of two groups
            // before.
            (2, 60, 40, -35, 4),
            // Groups at 0 and -150 are apart, groups at 0 and -50 are not.
            (2, 100, 0, -250, nil), (2, 100, 0, -150, 3),
        ] as [(Int, Double, Double, Double, Int?)])
    func overlappingGroups(
        _ row: (
            columns: Int, height: Double, itemSpacing: Double, lineSpacing: Double, first: Int?
        )
    ) {
        let section = compositional(
            count: 6, .uniform(columns: .fixed(row.columns), width: nil, height: row.height)
        ) {
            $0.compositional.direction = .vertical
            $0.compositional.itemSpacing = row.itemSpacing
            $0.compositional.lineSpacing = row.lineSpacing
        }
        let expected = row.first.map {
            LayoutDiagnostic(.overlappingItems, section: 0, item: $0)
        }
        #expect(diagnostics([section]) == [expected].compactMap(\.self))
    }

    @Test(
        "OVERLAPPING_ITEMS: The first item is found that a comparison of all pairs finds",
        arguments: 0..<300)
    func overlapEqualsAllPairs(_ seed: Int) {
        var random = SeededGenerator(seed: UInt64(seed))
        // Many small items with little space, so that the first overlap may be early or late.
        let extent = Double.random(in: 20...4000, using: &random)
        let items = (0..<Int.random(in: 0...200, using: &random)).map { _ in
            Frame(
                Double.random(in: 0...extent, using: &random).rounded(),
                Double.random(in: 0...extent, using: &random).rounded(),
                Double.random(in: 0...30, using: &random).rounded(),
                Double.random(in: 0...30, using: &random).rounded())
        }
        let expected = items.indices.first { item in
            items[..<item].contains { earlier in
                min(earlier.maxX, items[item].maxX) > max(earlier.x, items[item].x)
                    && min(earlier.maxY, items[item].maxY) > max(earlier.y, items[item].y)
            }
        }
        for axis in ScreenAxis.allCases {
            #expect(
                OverlapSearch(ChunkedList(items), axis: axis).first == expected,
                "seed \(seed), \(axis)")
        }
    }

    @Test("OVERLAPPING_ITEMS: Items centred in their line do not overlap the next line")
    func noFalseOverlap() {
        let section = StubSection([
            StubSize(200, 10), StubSize(100, 90), StubSize(200, 40), StubSize(90, 40),
        ]) {
            $0.flow.minimumLineSpacing = 0
        }
        #expect(diagnostics([section]).isEmpty)
    }

    @Test("OVERFLOWS_SIDEWAYS: Elements beyond the viewport's side count unless they scroll there")
    func overflow() {
        var row = compositional(count: 0, .dynamic) { $0.compositional.direction = .horizontal }
        row.items = [StubSize(300, 400), StubSize(300, 400), StubSize(300, 400)]
        #expect(
            diagnostics([row]) == [
                LayoutDiagnostic(.overflowsSideways, section: 0, item: 1, count: 2)
            ]
        )
        row.layout.compositional.scrolling = .continuous
        #expect(diagnostics([row]).isEmpty)
        let header = compositional(count: 1, header: StubSize(500, 30))
        #expect(diagnostics([header]) == [LayoutDiagnostic(.overflowsSideways, section: 0)])
    }

    @Test("The sides of a horizontal screen are its top and bottom")
    func horizontalScreen() {
        let section = StubSection(count: 1, 50, 700)
        let found = diagnostics([section]) { $0.direction = .horizontal }
        #expect(found.map(\.code) == [.itemWiderThanLine, .overflowsSideways])
    }

    @Test("Diagnostics include those of lint only if the environment requests them")
    func flag() {
        var environment = LayoutEnvironment()
        let section = StubSection(count: 1, 50, 0)
        #expect(ScreenFrames.layOut(sections: [section], in: environment).diagnostics.isEmpty)
        environment.lints = true
        let screen = ScreenFrames.layOut(sections: [section], in: environment)
        #expect(screen.diagnostics.map(\.code) == [.itemHasNoSize])
    }

    @Test("Every code has its own sentence", arguments: LayoutDiagnostic.Code.allCases)
    func sentences(_ code: LayoutDiagnostic.Code) {
        #expect(code.explanation.count > 20)
        #expect(code.rawValue == code.rawValue.uppercased())
        #expect(
            LayoutDiagnostic.Code.allCases.filter { $0.explanation == code.explanation }.count == 1)
    }
}
