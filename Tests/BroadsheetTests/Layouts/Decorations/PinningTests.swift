import BroadsheetClient
import Testing

@testable import Broadsheet

@Suite("D5, D6: headers and footers that stay in view")
struct PinningTests {
    private func position(_ offset: Double, inset: AxisEnds = AxisEnds()) -> ScrollPosition {
        ScrollPosition(offset: offset, viewportLength: 600, contentInset: inset)
    }

    @Test(
        "D5: a header follows, never leaves its section, and rests while overscrolled",
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

    @Test("D5: a content inset holds it further down, and a header longer than its section rests")
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
        "D6: a footer waits at the viewport's end, and stops at the section's start",
        arguments: [(0, 570), (-300, 270), (-470, 100), (-900, 100), (230, 800), (500, 800)]
            as [(Double, Double)])
    func footer(_ row: (offset: Double, start: Double)) {
        // A section from 100 on, its footer at 800, 30 long.
        let start = Pinning.footerStart(
            rest: 800, length: 30, sectionStart: 100, at: position(row.offset))
        #expect(start == row.start)
    }

    @Test("D6: it stops below a header that is pinned too, and above a content inset")
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

    /// Two sections of header 40, a row of 1000 and footer 30, everything pinned.
    private func screen(
        _ direction: LayoutDirection = .ltr, _ axis: Axis = .vertical
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

    @Test("D5: a laid-out screen says where its headers stand, the next section pushing them out")
    func headersOfAScreen() {
        let screen = screen()
        #expect(screen.sections.allSatisfy { $0.isHeaderPinned && $0.isFooterPinned })
        #expect(screen.headerFrame(ofSection: 0, at: nil) == Frame(0, 0, 375, 40))
        #expect(screen.headerFrame(ofSection: 0, at: position(500)) == Frame(0, 500, 375, 40))
        #expect(screen.headerFrame(ofSection: 0, at: position(1050)) == Frame(0, 1030, 375, 40))
        #expect(screen.headerFrame(ofSection: 1, at: position(500)) == Frame(0, 1070, 375, 40))
    }

    @Test("D6: and its footers, which stop below a pinned header")
    func footersOfAScreen() {
        let screen = screen()
        #expect(screen.footerFrame(ofSection: 0, at: position(0)) == Frame(0, 570, 375, 30))
        #expect(screen.footerFrame(ofSection: 1, at: position(0)) == Frame(0, 1110, 375, 30))
        #expect(screen.footerFrame(ofSection: 0, at: position(900)) == Frame(0, 1040, 375, 30))
    }

    @Test("D5: on a horizontal screen read from the right they follow from the right")
    func mirroredMain() {
        let screen = screen(.rtl, .horizontal)
        // 2140 long; 500 from the right is x = 2140 - 500 - 40.
        #expect(screen.headerFrame(ofSection: 0, at: nil) == Frame(2100, 0, 40, 600))
        #expect(
            screen.headerFrame(
                ofSection: 0, at: ScrollPosition(offset: 500, viewportLength: 375))
                == Frame(1600, 0, 40, 600))
    }

    @Test("D5, D6: what does not pin rests, and what is not there has no frame")
    func restAndAbsence() {
        let section = StubSection(count: 1, 375, 1000, header: StubSize(nil, 40))
        let screen = layOut([section])
        #expect(screen.headerFrame(ofSection: 0, at: position(500)) == Frame(0, 0, 375, 40))
        #expect(screen.footerFrame(ofSection: 0, at: position(500)) == nil)
        #expect(screen.headerFrame(ofSection: 1, at: nil) == nil)
        #expect(screen.footerFrame(ofSection: -1, at: nil) == nil)
    }

    @Test("D5: a section's own word on pinning beats the screen's, in every kind")
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
