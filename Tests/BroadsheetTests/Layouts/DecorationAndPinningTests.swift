import BroadsheetClient
import Testing

@testable import Broadsheet

@Suite("D1-D4: Decorations")
struct DecorationTests {
    private func section(
        _ mode: DecorationOptions.Mode?, inset: Insets = .zero, kind: SectionLayout.Kind = .flow,
        count: Int = 2
    ) -> StubSection {
        StubSection(count: count, 100, 50, header: StubSize(nil, 30), footer: StubSize(nil, 20)) {
            $0.kind = kind
            $0.flow.inset = Insets(top: 5, left: 10, bottom: 7, right: 10)
            $0.compositional.itemSize = .uniform(columns: 1, width: nil, height: 50)
            $0.decoration = DecorationOptions(kind: "card", mode: mode, inset: inset, data: [0x31])
        }
    }

    @Test("D1: Mode section is the whole section, across the viewport")
    func wholeSection() {
        let frames = layOutOne(section(.section))
        #expect(frames.decorations.map(\.frame) == [Frame(0, 0, 375, 112)])
        #expect(frames.decorations[0].kind == "card" && frames.decorations[0].data == [0x31])
    }

    @Test("D1: Mode items is from the first to the last item, across the viewport")
    func items() {
        #expect(layOutOne(section(.items)).decorations.map(\.frame) == [Frame(0, 35, 375, 50)])
        let sideways = layOutOne(section(.items), height: 200) { $0.direction = .horizontal }
        #expect(sideways.decorations.isEmpty == false)
        #expect(sideways.decorations[0].frame.y == 0 && sideways.decorations[0].frame.height == 200)
    }

    @Test("D1: The least and the greatest edge of any item count")
    func extremes() {
        var section = section(.items)
        section.items = [StubSize(300, 10), StubSize(300, 40), StubSize(20, 60)]
        section.header = nil
        section.layout.flow.minimumLineSpacing = -30
        // Lines at 5 (10 thick) and -15 (60 thick: 40 centred is at -5).
        #expect(layOutOne(section).decorations[0].frame == Frame(0, -15, 375, 60))
    }

    @Test(
        "D1: By default the mode is section in a compositional section, items in others")
    func defaultModes() {
        #expect(layOutOne(section(nil)).decorations[0].frame == Frame(0, 35, 375, 50))
        let group = layOutOne(section(nil, kind: .compositional))
        #expect(group.decorations[0].frame == Frame(0, 0, 375, 162))
        #expect(layOutOne(section(nil, kind: .list)).decorations[0].frame == Frame(0, 0, 375, 100))
    }

    @Test("D2: Insets shrink the rectangle, and negative ones enlarge it")
    func insets() {
        let shrunk = layOutOne(section(.items, inset: Insets(top: 1, left: 2, bottom: 3, right: 4)))
        #expect(shrunk.decorations[0].frame == Frame(2, 36, 369, 46))
        let grown = layOutOne(
            section(.items, inset: Insets(top: -8, left: 8, bottom: -8, right: 8)))
        #expect(grown.decorations[0].frame == Frame(8, 27, 359, 66))
    }

    @Test("D3: An empty rectangle is not an element, and neither is one behind no items")
    func noElement() {
        let gone = layOutOne(section(.items, inset: Insets(top: 25, left: 0, bottom: 25, right: 0)))
        #expect(gone.decorations.isEmpty && gone.itemZIndex == 0)
        #expect(layOutOne(section(.items, inset: Insets(200))).decorations.isEmpty)
        #expect(layOutOne(section(.items, count: 0)).decorations.isEmpty)
        #expect(layOutOne(section(.section, count: 0)).decorations.count == 1)
        let strange = Insets(top: .nan, left: .infinity, bottom: -.infinity, right: .nan)
        #expect(
            layOutOne(section(.items, inset: strange)).decorations[0].frame == Frame(0, 35, 375, 50)
        )
    }

    @Test("D3: The decoration of a section with a scroller does not scroll")
    func orthogonal() {
        var pager = section(.section, kind: .compositional, count: 4)
        pager.layout.compositional.scrolling = .paging
        #expect(layOutOne(pager).decorations[0].frame == Frame(0, 0, 375, 112))
    }

    /// Returns a section of two lines of items with these decorations.
    private func section(_ decorations: [DecorationOptions]) -> StubSection {
        var section = section(.items, count: 4)
        section.layout.decorations = decorations
        return section
    }

    @Test("D7: Each decoration has its own frame, z-index and data, in the order of the array")
    func several() {
        let frames = layOutOne(
            section([
                DecorationOptions(kind: "band", mode: .section, zIndex: -3),
                DecorationOptions(kind: "card", inset: Insets(2), data: [0x32]),
                DecorationOptions(kind: "mark", mode: .section, zIndex: 5),
            ]))
        #expect(
            frames.decorations == [
                DecorationFrame(
                    kind: "band", frame: Frame(0, 0, 375, 172), zIndex: -3, data: nil),
                DecorationFrame(
                    kind: "card", frame: Frame(2, 37, 371, 106), zIndex: -1, data: [0x32]),
                DecorationFrame(kind: "mark", frame: Frame(0, 0, 375, 172), zIndex: 5, data: nil),
            ])
        #expect(frames.itemZIndex == 1)
    }

    @Test("D7: Decorations that are no elements are left out, and without any items stay at 0")
    func severalNone() {
        let gone = DecorationOptions(kind: "gone", inset: Insets(500))
        let rest = layOutOne(section([gone, DecorationOptions(kind: "card"), gone]))
        #expect(rest.decorations.map(\.kind) == ["card"] && rest.itemZIndex == 1)
        let none = layOutOne(section([gone, gone]))
        #expect(none.decorations.isEmpty && none.itemZIndex == 0)
        #expect(layOutOne(section([])).decorations.isEmpty)
    }

    @Test("D4: A decoration does not change the content size")
    func contentSize() {
        let screen = layOut([section(.section, inset: Insets(-500))])
        #expect(screen.contentSize == Size(width: 375, height: 112))
    }
}

@Suite("D5, D6: Pinned headers and footers")
struct PinningTests {
    private func position(_ offset: Double, inset: AxisEnds = AxisEnds()) -> ScrollPosition {
        ScrollPosition(offset: offset, viewportLength: 600, contentInset: inset)
    }

    @Test(
        "D5: A header stays in view and in its section, and rests before the start",
        arguments: [
            (-50, 100), (0, 100), (100, 100), (250, 250), (460, 460), (480, 460), (900, 460),
        ]
            as [(Double, Double)])
    func header(_ row: (offset: Double, start: Double)) {
        // A section from 100 to 500, its header 40 long.
        let start = Pinning.headerStart(
            rest: 100, length: 40, sectionEnd: 500, at: position(row.offset))
        #expect(start == row.start)
    }

    @Test("D5: A content inset moves a header down, and one longer than its section rests")
    func headerEdges() {
        let inset = AxisEnds(leading: 44, trailing: 0)
        #expect(
            Pinning.headerStart(
                rest: 100, length: 40, sectionEnd: 500, at: position(200, inset: inset))
                == 244)
        #expect(
            Pinning.headerStart(rest: 100, length: 40, sectionEnd: 120, at: position(200)) == 100)
    }

    @Test(
        "D6: A footer stays at the viewport's end, and stops at the section's start",
        arguments: [(0, 570), (-300, 270), (-470, 100), (-900, 100), (230, 800), (500, 800)]
            as [(Double, Double)])
    func footer(_ row: (offset: Double, start: Double)) {
        // A section from 100 on, its footer at 800, 30 long.
        let start = Pinning.footerStart(
            rest: 800, length: 30, sectionStart: 100, at: position(row.offset))
        #expect(start == row.start)
    }

    @Test("D6: A footer stops below a pinned header, and above a content inset")
    func footerEdges() {
        #expect(
            Pinning.footerStart(
                rest: 800, length: 30, sectionStart: 100, pinnedHeaderLength: 44, at: position(-900)
            )
                == 144)
        let inset = AxisEnds(leading: 0, trailing: 50)
        #expect(
            Pinning.footerStart(
                rest: 800, length: 30, sectionStart: 100, at: position(0, inset: inset))
                == 520)
    }

    /// Two sections of header 40, a row of 1000 and footer 30, all pinned.
    private func screen(
        _ direction: LayoutDirection = .ltr, _ axis: ScreenAxis = .vertical
    ) -> ScreenFrames {
        let size = StubSize(axis == .vertical ? 375 : 1000, axis == .vertical ? 1000 : 600)
        let header = axis == .vertical ? StubSize(nil, 40) : StubSize(40, nil)
        let footer = axis == .vertical ? StubSize(nil, 30) : StubSize(30, nil)
        let section = StubSection([size], header: header, footer: footer)
        return layOut([section, section], height: 600, direction: direction) {
            $0.direction = axis
            $0.pinHeaders = true
            $0.pinFooters = true
        }
    }

    @Test(
        "D5: A laid-out screen returns the frames of its headers, which the next section pushes out"
    )
    func headersOfAScreen() {
        let screen = screen()
        #expect(screen.sections.allSatisfy { $0.isHeaderPinned && $0.isFooterPinned })
        #expect(screen.headerFrame(ofSection: 0, at: nil) == Frame(0, 0, 375, 40))
        #expect(screen.headerFrame(ofSection: 0, at: position(500)) == Frame(0, 500, 375, 40))
        #expect(screen.headerFrame(ofSection: 0, at: position(1050)) == Frame(0, 1030, 375, 40))
        #expect(screen.headerFrame(ofSection: 1, at: position(500)) == Frame(0, 1070, 375, 40))
    }

    @Test(
        "D6: A laid-out screen returns the frames of its footers, which stop below a pinned header")
    func footersOfAScreen() {
        let screen = screen()
        #expect(screen.footerFrame(ofSection: 0, at: position(0)) == Frame(0, 570, 375, 30))
        #expect(screen.footerFrame(ofSection: 1, at: position(0)) == Frame(0, 1110, 375, 30))
        #expect(screen.footerFrame(ofSection: 0, at: position(900)) == Frame(0, 1040, 375, 30))
    }

    @Test("D5: On a horizontal right-to-left screen headers are pinned at the right edge")
    func mirroredMain() {
        let screen = screen(.rtl, .horizontal)
        // 2140 long; 500 from the right is x = 2140 - 500 - 40.
        #expect(screen.headerFrame(ofSection: 0, at: nil) == Frame(2100, 0, 40, 600))
        #expect(
            screen.headerFrame(
                ofSection: 0, at: ScrollPosition(offset: 500, viewportLength: 375))
                == Frame(1600, 0, 40, 600))
    }

    @Test("D5, D6: An element that is not pinned rests, and an absent one has no frame")
    func restAndAbsence() {
        let section = StubSection(count: 1, 375, 1000, header: StubSize(nil, 40))
        let screen = layOut([section])
        #expect(screen.headerFrame(ofSection: 0, at: position(500)) == Frame(0, 0, 375, 40))
        #expect(screen.footerFrame(ofSection: 0, at: position(500)) == nil)
        #expect(screen.headerFrame(ofSection: 1, at: nil) == nil)
        #expect(screen.footerFrame(ofSection: -1, at: nil) == nil)
    }

    @Test("D5: A section's own value takes precedence over the screen's, in every kind")
    func whoSays() {
        for kind in [SectionLayout.Kind.flow, .compositional] {
            var section = StubSection(count: 1, 375, 50, header: StubSize(nil, 40)) {
                $0.kind = kind
            }
            #expect(!layOutOne(section).isHeaderPinned)
            #expect(layOutOne(section) { $0.pinHeaders = true }.isHeaderPinned)
            section.layout.pinHeader = false
            #expect(!layOutOne(section) { $0.pinHeaders = true }.isHeaderPinned)
        }
    }
}
