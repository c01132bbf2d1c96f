import Testing

@testable import Broadsheet

@Suite("F15-F17: how a flow section is put together")
struct FlowAssemblyTests {
    private let inset = Insets(top: 5, left: 10, bottom: 7, right: 20)

    @Test("F15: header, leading inset, lines, trailing inset, footer")
    func order() {
        let section = StubSection(
            count: 1, 100, 50, header: StubSize(80, 44), footer: StubSize(80, 30)
        ) { $0.flow.inset = inset }
        let frames = layOutOne(section)
        #expect(frames.header == Frame(0, 0, 375, 44))
        #expect(frames.items[0].y == 49)
        #expect(frames.footer == Frame(0, 106, 375, 30))
        #expect(frames.frame == Frame(0, 0, 375, 136))
    }

    @Test("F15: in a horizontal screen the header stands left, as high as the viewport")
    func horizontalHeader() {
        let section = StubSection(
            count: 1, 100, 50, header: StubSize(44, 9), footer: StubSize(30, 9)
        ) { $0.flow.inset = inset }
        let frames = layOutOne(section, height: 200) { $0.direction = .horizontal }
        #expect(frames.header == Frame(0, 0, 44, 200))
        #expect(frames.items[0].x == 54)
        #expect(frames.footer == Frame(174, 0, 30, 200))
        #expect(frames.frame == Frame(0, 0, 204, 200))
    }

    @Test("F15: a header or footer of no main length is no element, and is missed")
    func noElement() {
        let section = StubSection(
            count: 1, 100, 50, header: StubSize(300, 0), footer: StubSize(300, nil))
        let screen = layOut([section])
        #expect(screen.sections[0].header == nil && screen.sections[0].footer == nil)
        #expect(screen.contentSize.height == 50)
        #expect(
            screen.diagnostics == [
                LayoutDiagnostic(.headerHasNoSize, section: 0),
                LayoutDiagnostic(.footerHasNoSize, section: 0),
            ])
    }

    @Test("F16: sections follow each other without a gap, the viewport across")
    func sectionFrames() {
        let section = StubSection(count: 1, 500, 50) { $0.flow.inset = inset }
        let screen = layOut([section, section]) { $0.interSectionSpacing = 100 }
        #expect(screen.sections.map(\.frame) == [Frame(0, 0, 375, 62), Frame(0, 62, 375, 62)])
        #expect(screen.contentSize == Size(width: 375, height: 124))
    }

    @Test("F17: a section without items keeps header, insets and footer, and no line spacing")
    func emptySection() {
        let section = StubSection(header: StubSize(nil, 44), footer: StubSize(nil, 30)) {
            $0.flow.inset = inset
        }
        let frames = layOutOne(section)
        #expect(frames.header == Frame(0, 0, 375, 44))
        #expect(frames.footer == Frame(0, 56, 375, 30))
        #expect(frames.items.isEmpty && frames.frame.height == 86)
        #expect(layOutOne(StubSection()).frame == Frame(0, 0, 375, 0))
    }
}
