import Testing

@testable import Broadsheet

@Suite("J: kinds that share a screen")
struct MixedScreenTests {
    @Test("J: sections of different kinds stack along main")
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
        "J: in a horizontal screen every section is flow, and those that wanted otherwise say so",
        arguments: [SectionLayout.Kind.compositional, .list])
    func horizontalScreen(_ kind: SectionLayout.Kind) {
        let section = StubSection(count: 2, 60, 80) { $0.kind = kind }
        let screen = layOut([section], height: 80) { $0.direction = .horizontal }
        #expect(screen.sections[0].items == [Frame(0, 0, 60, 80), Frame(70, 0, 60, 80)])
        #expect(screen.diagnostics == [LayoutDiagnostic(.needsVerticalScreen, section: 0)])
    }

    @Test("J: a flow section needs no line in the diagnostics to be flow")
    func silentFlow() {
        let section = StubSection(count: 1, 60, 80) { $0.kind = .flow }
        #expect(layOut([section]) { $0.direction = .horizontal }.diagnostics.isEmpty)
    }

    @Test("J: in section coordinates, too, a child stands on the pixel it stands on in the content")
    func sectionCoordinates() {
        // At 3 pixels a point a section at 33.4 rounds to 33.333, its row at 53.6 to 53.667.
        let second = StubSection(count: 1, 375, 10) {
            $0.flow.inset = Insets(top: 20.2, left: 0, bottom: 0, right: 0)
        }
        let screen = layOut([StubSection(count: 1, 375, 33.4), second], scale: 3, rounding: .pixel)
        let section = screen.sections[1]
        #expect(isClose(section.frame.y, 100.0 / 3, within: 1e-9))
        #expect(isClose(section.items[0].y, 161.0 / 3, within: 1e-9))
        #expect(section.frame.height == 30.2)
    }

    @Test("an empty screen is as wide as the viewport and has no length")
    func noSections() {
        let screen = layOut([])
        #expect(screen.contentSize == Size(width: 375, height: 0))
        #expect(screen.sections.isEmpty && screen.diagnostics.isEmpty)
    }
}
