import Testing

@testable import Broadsheet

@Suite("G: General rules")
struct GeneralRulesTests {
    @Test("G1, R5: Sections are measured from the content's top left corner, items from theirs")
    func contentCoordinates() {
        let screen = layOut([StubSection(count: 1, 100, 60), StubSection(count: 2, 375, 30)])
        #expect(screen.sections[1].frame == Frame(0, 60, 375, 70))
        #expect(screen.sections[1].items == [Frame(0, 0, 375, 30), Frame(0, 40, 375, 30)])
    }

    @Test(
        "G2: An unusable size is clamped, or 0",
        arguments: [
            (.nan, 0), (.infinity, 0), (-.infinity, 0), (-5, 0), (1e308, 1e9), (2e9, 1e9), (40, 40),
        ] as [(Double, Double)])
    func sanitisedSizes(_ row: (given: Double, height: Double)) {
        let section = layOutOne(StubSection([StubSize(375, row.given)]))
        #expect(section.items == [Frame(0, 0, 375, row.height)])
        #expect(section.frame.height == row.height)
    }

    @Test("G2: Spacings, insets and the screen's values are clamped, and may be negative")
    func sanitisedSpacings() {
        let section = StubSection(count: 2, 375, 30) {
            $0.flow.minimumLineSpacing = -.infinity
            $0.flow.inset = Insets(top: .nan, left: 0, bottom: -5, right: .infinity)
        }
        let frames = layOutOne(section)
        #expect(frames.items.map(\.y) == [0, 30])
        #expect(frames.frame.height == 55)
    }

    @Test("G2: A missing value has its default, and a posted NaN is 0")
    func missingIsNotInvalid() {
        let missing = layOutOne(StubSection(count: 1))
        #expect(missing.items[0].height == 50)
        let invalid = layOutOne(StubSection(count: 1)) {
            $0.itemSize = Size(width: .nan, height: .nan)
        }
        #expect(invalid.items[0].height == 0)
    }

    @Test("G3: Negative spacings and insets are used, but no section ends before it starts")
    func negativeLengths() {
        let overlapping = StubSection(count: 2, 375, 30) { $0.flow.minimumLineSpacing = -10 }
        #expect(layOutOne(overlapping).items.map(\.y) == [0, 20])
        let inverted = StubSection(count: 1, 375, 30, footer: StubSize(nil, 10)) {
            $0.flow.inset = Insets(top: -100, left: 0, bottom: 0, right: 0)
        }
        let screen = layOut([inverted, StubSection(count: 1, 375, 20)])
        #expect(screen.sections[0].items == [Frame(0, -100, 375, 30)])
        #expect(screen.sections[0].footer == Frame(0, -70, 375, 10))
        #expect(screen.sections[0].frame == Frame(0, 0, 375, 0))
        #expect(screen.sections[1].frame == Frame(0, 0, 375, 20))
    }

    @Test("G4: Flow lays nothing out without a width, and does not need a height")
    func emptyViewportOfFlow() {
        let section = StubSection(count: 2, 50, 50, header: StubSize(nil, 20)) {
            $0.decoration = DecorationOptions(kind: "card", mode: .section)
        }
        let empty = layOut([section, section], width: 0)
        #expect(empty.contentSize == .zero)
        #expect(empty.sections == [SectionFrames(), SectionFrames()])
        #expect(empty.diagnostics.map(\.code) == [.emptyViewport, .emptyViewport])
        #expect(layOut([section], height: 0).sections[0].items.count == 2)
    }

    @Test("G4: A horizontal screen needs a height, not a width")
    func emptyViewportOfHorizontalFlow() {
        let section = StubSection(count: 2, 50, 50)
        let flat = layOut([section], height: 0) { $0.direction = .horizontal }
        #expect(flat.contentSize == .zero && flat.sections[0].items.isEmpty)
        let thin = layOut([section], width: 0) { $0.direction = .horizontal }
        #expect(thin.sections[0].items.count == 2)
    }

    @Test(
        "G4: Compositional and list sections need both lengths",
        arguments: [SectionLayout.Kind.compositional, .list])
    func emptyViewportOfOthers(_ kind: SectionLayout.Kind) {
        let section = StubSection(count: 2, 50, 50, header: StubSize(nil, 20)) { $0.kind = kind }
        for (width, height) in [(0.0, 667.0), (375.0, 0.0), (-1.0, 667.0), (.nan, 667.0)] {
            let screen = layOut([section], width: width, height: height)
            #expect(screen.contentSize == .zero)
            #expect(screen.sections == [SectionFrames()])
        }
    }

    @Test(
        "G4: A flow section is laid out even if the viewport has no area for the sections around it"
    )
    func mixedEmptyViewport() {
        let list = StubSection(count: 1, 50, 50) { $0.kind = .list }
        let screen = layOut([list, StubSection(count: 1, 50, 50), list], height: 0)
        #expect(screen.contentSize == Size(width: 375, height: 50))
        #expect(screen.sections.map(\.items.count) == [0, 1, 0])
    }

    @Test("G5: No number of columns overflows", arguments: [1 << 31, Int.max, Int.min, -1, 0])
    func columnCounts(_ columns: Int) {
        let flow = StubSection(count: 3, 50, 50) { $0.flow.gridColumnCount = .fixed(columns) }
        #expect(layOutOne(flow).items.count == 3)
        let group = StubSection(count: 3, 50, 50) {
            $0.kind = .compositional
            $0.compositional.itemSize = .uniform(columns: .fixed(columns), width: nil, height: 50)
        }
        for direction in ScreenAxis.allCases {
            var group = group
            group.layout.compositional.direction = direction
            #expect(layOutOne(group).items.count == 3)
        }
    }

    @Test("G6: Lines fill the viewport's cross length, which excludes content insets")
    func netViewport() {
        let section = StubSection(count: 2, nil, 30) {
            $0.flow.gridColumnCount = 2
            $0.flow.minimumInteritemSpacing = 0
        }
        #expect(layOutOne(section, width: 340).items.map(\.width) == [170, 170])
    }

    @Test("G7: Decorations use frames before rounding, and mirroring precedes rounding")
    func pipelineOrder() {
        // Two rows of 33.25 span 66.5; a third of a pixel from the right edge rounds on its own.
        let section = StubSection(count: 2, 100.25, 33.25) {
            $0.flow.minimumInteritemSpacing = 200
            $0.flow.minimumLineSpacing = 0
            $0.decoration = DecorationOptions(kind: "card")
        }
        let frames = layOutOne(
            section, width: 300, scale: 2, direction: .rtl, rounding: .pixel)
        #expect(frames.decorations[0].frame == Frame(0, 0, 300, 66.5))
        // Centred at 99.875; mirrored 300 - 99.875 - 100.25 = 99.875, then rounded to 100.
        #expect(frames.items.map(\.x) == [100, 100])
        #expect(frames.items.map(\.y) == [0, 33.5])
    }

    @Test(
        "G8: Items have z-index 0, or 1 over a decoration; headers and footers 1, or 10 if pinned")
    func depths() {
        let section = StubSection(
            count: 1, 50, 50, header: StubSize(nil, 20), footer: StubSize(nil, 20))
        let plain = layOutOne(section)
        #expect((plain.itemZIndex, plain.headerZIndex, plain.footerZIndex) == (0, 1, 1))
        var decorated = section
        decorated.layout.decoration = DecorationOptions(kind: "card")
        decorated.layout.pinHeader = true
        decorated.layout.pinFooter = true
        let frames = layOutOne(decorated)
        #expect((frames.itemZIndex, frames.headerZIndex, frames.footerZIndex) == (1, 10, 10))
        #expect(frames.decorations[0].zIndex == -1)
        decorated.layout.kind = .compositional
        #expect(layOutOne(decorated).decorations[0].zIndex == 0)
        decorated.layout.decoration?.zIndex = -7
        #expect(layOutOne(decorated).decorations[0].zIndex == -7)
    }
}

@Suite("J: Several kinds in one screen")
struct MixedScreenTests {
    @Test("J: Sections of different kinds stack along the main axis")
    func stack() {
        let grid = StubSection(count: 4) {
            $0.kind = .compositional
            $0.compositional.itemSize = .uniform(columns: 2, width: nil, height: 40)
        }
        let list = StubSection(count: 2, nil, 30) { $0.kind = .list }
        let screen = layOut([StubSection(count: 1, 375, 100), grid, list])
        #expect(screen.sections.map(\.frame.y) == [0, 100, 180])
        #expect(screen.contentSize == Size(width: 375, height: 240))
    }

    @Test(
        "J: In a horizontal screen every section is flow, with a diagnostic for other kinds",
        arguments: [SectionLayout.Kind.compositional, .list])
    func horizontalScreen(_ kind: SectionLayout.Kind) {
        let section = StubSection(count: 2, 60, 80) { $0.kind = kind }
        let screen = layOut([section], height: 80) { $0.direction = .horizontal }
        #expect(screen.sections[0].items == [Frame(0, 0, 60, 80), Frame(70, 0, 60, 80)])
        #expect(screen.diagnostics == [LayoutDiagnostic(.needsVerticalScreen, section: 0)])
    }

    @Test("J: A flow section in a horizontal screen has no diagnostic")
    func silentFlow() {
        let section = StubSection(count: 1, 60, 80) { $0.kind = .flow }
        #expect(layOut([section]) { $0.direction = .horizontal }.diagnostics.isEmpty)
    }

    @Test("J: Section coordinates and content coordinates describe the same pixels")
    func sectionCoordinates() {
        // At 3 pixels a point a section at 33.4 rounds to 33.333, and its row at 20.1 to 20: 53.333
        // in the content, where 53.5 by itself would round to 53.667.
        let second = StubSection(count: 1, 375, 10) {
            $0.flow.inset = Insets(top: 20.1, left: 0, bottom: 0, right: 0)
        }
        let screen = layOut([StubSection(count: 1, 375, 33.4), second], scale: 3, rounding: .pixel)
        let section = screen.sections[1]
        #expect(isClose(section.frame.y, 100.0 / 3, within: 1e-9))
        #expect(section.items[0].y == 20)
        #expect(isClose(section.contentFrame(of: section.items[0]).y, 160.0 / 3, within: 1e-9))
        #expect(section.frame.height == 30.1)
    }

    @Test("An empty screen is as wide as the viewport and has no length")
    func noSections() {
        let screen = layOut([])
        #expect(screen.contentSize == Size(width: 375, height: 0))
        #expect(screen.sections.isEmpty && screen.diagnostics.isEmpty)
    }
}
