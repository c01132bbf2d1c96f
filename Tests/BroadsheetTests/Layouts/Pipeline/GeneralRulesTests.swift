import Testing

@testable import Broadsheet

@Suite("G: what holds for every layout")
struct GeneralRulesTests {
    @Test("G1: frames are absolute, from the content's top left corner")
    func contentCoordinates() {
        let screen = layOut([StubSection(count: 1, 100, 60), StubSection(count: 2, 375, 30)])
        #expect(screen.sections[1].frame == Frame(0, 60, 375, 70))
        #expect(screen.sections[1].items == [Frame(0, 60, 375, 30), Frame(0, 100, 375, 30)])
    }

    @Test(
        "G2: a size that is no usable number is clamped, or nothing",
        arguments: [
            (.nan, 0), (.infinity, 0), (-.infinity, 0), (-5, 0), (1e308, 1e9), (2e9, 1e9), (40, 40),
        ] as [(Double, Double)])
    func sanitisedSizes(_ row: (given: Double, height: Double)) {
        let section = layOutOne(StubSection([StubSize(375, row.given)]))
        #expect(section.items == [Frame(0, 0, 375, row.height)])
        #expect(section.frame.height == row.height)
    }

    @Test("G2: spacings, insets and the screen's values are clamped, and may be negative")
    func sanitisedSpacings() {
        let section = StubSection(count: 2, 375, 30) {
            $0.flow.minimumLineSpacing = -.infinity
            $0.flow.inset = Insets(top: .nan, left: 0, bottom: -5, right: .infinity)
        }
        let frames = layOutOne(section)
        #expect(frames.items.map(\.y) == [0, 30])
        #expect(frames.frame.height == 55)
    }

    @Test("G2: a missing value has its default, a posted one that is no number is 0")
    func missingIsNotInvalid() {
        let missing = layOutOne(StubSection(count: 1))
        #expect(missing.items[0].height == 50)
        let invalid = layOutOne(StubSection(count: 1)) {
            $0.itemSize = Size(width: .nan, height: .nan)
        }
        #expect(invalid.items[0].height == 0)
    }

    @Test("G3: negative spacings and insets are used, but no section ends before it starts")
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

    @Test("G4: flow without a width shows nothing at all; a height of 0 does not matter to it")
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

    @Test("G4: a horizontal screen needs a height, not a width")
    func emptyViewportOfHorizontalFlow() {
        let section = StubSection(count: 2, 50, 50)
        let flat = layOut([section], height: 0) { $0.direction = .horizontal }
        #expect(flat.contentSize == .zero && flat.sections[0].items.isEmpty)
        let thin = layOut([section], width: 0) { $0.direction = .horizontal }
        #expect(thin.sections[0].items.count == 2)
    }

    @Test(
        "G4: compositional and list sections need both lengths",
        arguments: [SectionLayout.Kind.compositional, .list])
    func emptyViewportOfOthers(_ kind: SectionLayout.Kind) {
        let section = StubSection(count: 2, 50, 50, header: StubSize(nil, 20)) { $0.kind = kind }
        for (width, height) in [(0.0, 667.0), (375.0, 0.0), (-1.0, 667.0), (.nan, 667.0)] {
            let screen = layOut([section], width: width, height: height)
            #expect(screen.contentSize == .zero)
            #expect(screen.sections == [SectionFrames()])
        }
    }

    @Test("G4: where others find no room, a flow section beside them is laid out all the same")
    func mixedEmptyViewport() {
        let list = StubSection(count: 1, 50, 50) { $0.kind = .list }
        let screen = layOut([list, StubSection(count: 1, 50, 50), list], height: 0)
        #expect(screen.contentSize == Size(width: 375, height: 50))
        #expect(screen.sections.map(\.items.count) == [0, 1, 0])
    }

    @Test("G5: no number of columns overflows", arguments: [1 << 31, Int.max, Int.min, -1, 0])
    func columnCounts(_ columns: Int) {
        let flow = StubSection(count: 3, 50, 50) { $0.flow.gridColumnCount = columns }
        #expect(layOutOne(flow).items.count == 3)
        let group = StubSection(count: 3, 50, 50) {
            $0.kind = .compositional
            $0.compositional.itemSize = .uniform(columns: columns, width: nil, height: 50)
        }
        for direction in Axis.allCases {
            var group = group
            group.layout.compositional.direction = direction
            #expect(layOutOne(group).items.count == 3)
        }
    }

    @Test("G6: lines fill the viewport's own length across, which the caller nets of insets")
    func netViewport() {
        let section = StubSection(count: 2, nil, 30) {
            $0.flow.gridColumnCount = 2
            $0.flow.minimumInteritemSpacing = 0
        }
        #expect(layOutOne(section, width: 340).items.map(\.width) == [170, 170])
    }

    @Test("G7: decorations see unrounded frames, a mirror comes before rounding")
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

    @Test("G8: items 0, or 1 over a background; headers and footers 1, or 10 when they pin")
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
