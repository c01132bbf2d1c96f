import Testing

@testable import Broadsheet

@Suite("Lint: what a designer would want to know")
struct LayoutLintTests {
    private func findings(
        _ sections: [StubSection], width: Double = 375,
        _ configure: (inout ScreenLayout) -> Void = { _ in }
    ) -> [LayoutDiagnostic] {
        var screen = ScreenLayout()
        configure(&screen)
        let environment = LayoutEnvironment(
            viewport: Viewport(width: width, height: 667, direction: .rtl), screen: screen)
        return LayoutLint.diagnose(sections: sections, in: environment)
    }

    @Test("a layout without fault has no findings", arguments: SectionLayout.Kind.allCases)
    func clean(_ kind: SectionLayout.Kind) {
        let section = StubSection(count: 4, nil, 50, header: StubSize(nil, 30)) {
            $0.kind = kind
            $0.flow.gridColumnCount = 2
            $0.compositional.itemSize = .uniform(columns: 2, width: nil, height: 50)
            $0.list.headerMode = .supplementary
        }
        #expect(findings([section, section]).isEmpty)
    }

    @Test("ITEM_WIDER_THAN_LINE: counted, at the first of them")
    func widerThanLine() {
        let section = StubSection([StubSize(100, 10), StubSize(360, 10), StubSize(356, 10)]) {
            $0.flow.inset = Insets(top: 0, left: 10, bottom: 0, right: 10)
        }
        let found = findings([StubSection(count: 1, 10, 10), section])
        #expect(found == [LayoutDiagnostic(.itemWiderThanLine, section: 1, item: 1, count: 2)])
        #expect(found[0].detail.contains("2 items"))
        let group = compositional(count: 1, .uniform(columns: 1, width: 400, height: 10)) {
            $0.compositional.direction = .vertical
        }
        #expect(findings([group]).map(\.code) == [.itemWiderThanLine, .overflowsSideways])
    }

    @Test("ITEM_HAS_NO_SIZE: no width or no height")
    func noSize() {
        let section = StubSection([StubSize(0, 10), StubSize(10, 10), StubSize(10, 0)])
        #expect(
            findings([section]) == [LayoutDiagnostic(.itemHasNoSize, section: 0, item: 0, count: 2)]
        )
    }

    @Test(
        "RAGGED_LAST_ROW: a grid's last row is not full",
        arguments: [(4, 2, false), (5, 2, true), (1, 3, true), (3, 1, false), (0, 2, false)]
            as [(Int, Int, Bool)])
    func raggedRow(_ row: (count: Int, columns: Int, isRagged: Bool)) {
        let flow = StubSection(count: row.count, nil, 10) { $0.flow.gridColumnCount = row.columns }
        let group = compositional(
            count: row.count, .uniform(columns: row.columns, width: nil, height: 10))
        for section in [flow, group] {
            #expect(findings([section]).contains { $0.code == .raggedLastRow } == row.isRagged)
        }
        var scroller = group
        scroller.layout.compositional.scrolling = .continuous
        #expect(!findings([scroller]).contains { $0.code == .raggedLastRow })
    }

    @Test("EMPTY_SECTION: no items, unless it is collapsed")
    func emptySection() {
        #expect(findings([StubSection()]) == [LayoutDiagnostic(.emptySection, section: 0)])
        var collapsed = StubSection()
        collapsed.isCollapsed = true
        #expect(findings([collapsed]).isEmpty)
    }

    @Test("OVERLAPPING_ITEMS: within a line, and from line to line")
    func overlap() {
        let inLine = StubSection(count: 4, 50, 50) { $0.flow.minimumInteritemSpacing = -20 }
        // Twelve fit with a spacing of -20, spread to gaps of -20.4.
        #expect(
            findings([inLine]).contains(LayoutDiagnostic(.overlappingItems, section: 0, item: 1)))
        let lines = StubSection(count: 6, nil, 50) {
            $0.flow.gridColumnCount = 3
            $0.flow.minimumLineSpacing = -1
        }
        #expect(findings([lines]) == [LayoutDiagnostic(.overlappingItems, section: 0, item: 3)])
        let rows = compositional(count: 3, .uniform(columns: 1, width: nil, height: 50)) {
            $0.compositional.lineSpacing = -5
        }
        #expect(findings([rows]) == [LayoutDiagnostic(.overlappingItems, section: 0, item: 1)])
        let scroller = compositional(count: 3, .uniform(columns: 1, width: nil, height: 50)) {
            $0.compositional.lineSpacing = -5
            $0.compositional.scrolling = .continuous
        }
        #expect(findings([scroller]) == [LayoutDiagnostic(.overlappingItems, section: 0, item: 1)])
    }

    @Test("OVERLAPPING_ITEMS: items of a line that are centred on it do not overlap the next line")
    func noFalseOverlap() {
        let section = StubSection([
            StubSize(200, 10), StubSize(100, 90), StubSize(200, 40), StubSize(90, 40),
        ]) {
            $0.flow.minimumLineSpacing = 0
        }
        #expect(findings([section]).isEmpty)
    }

    @Test("OVERFLOWS_SIDEWAYS: beyond the viewport's side, but for what scrolls there")
    func overflow() {
        var row = compositional(count: 0, .dynamic) { $0.compositional.direction = .horizontal }
        row.items = [StubSize(300, 50), StubSize(300, 50), StubSize(300, 50)]
        #expect(
            findings([row]) == [LayoutDiagnostic(.overflowsSideways, section: 0, item: 1, count: 2)]
        )
        row.layout.compositional.scrolling = .continuous
        #expect(findings([row]).isEmpty)
        let header = compositional(count: 1, header: StubSize(500, 30))
        #expect(findings([header]) == [LayoutDiagnostic(.overflowsSideways, section: 0)])
    }

    @Test("a horizontal screen's sides are its top and bottom")
    func horizontalScreen() {
        let section = StubSection(count: 1, 50, 700)
        let found = findings([section]) { $0.direction = .horizontal }
        #expect(found.map(\.code) == [.itemWiderThanLine, .overflowsSideways])
    }

    @Test("a tree's diagnostics have findings only when the environment asks for them")
    func flag() {
        var environment = LayoutEnvironment()
        let section = StubSection(count: 1, 50, 0)
        #expect(ScreenFrames.layOut(sections: [section], in: environment).diagnostics.isEmpty)
        environment.lints = true
        let screen = ScreenFrames.layOut(sections: [section], in: environment)
        #expect(screen.diagnostics.map(\.code) == [.itemHasNoSize])
    }

    @Test("every code has a sentence of its own", arguments: LayoutDiagnostic.Code.allCases)
    func sentences(_ code: LayoutDiagnostic.Code) {
        #expect(code.explanation.count > 20)
        #expect(code.rawValue == code.rawValue.uppercased())
        #expect(
            LayoutDiagnostic.Code.allCases.filter { $0.explanation == code.explanation }.count == 1)
    }
}
