import Testing

@testable import Broadsheet

@Suite("R4: screens that are read from the right")
struct RightToLeftTests {
    @Test("R4: the first column is on the right, y and sizes stay")
    func mirroredGrid() {
        let frames = layOutOne(StubSection(count: 5, 100, 100), direction: .rtl)
        #expect(isClose(frames.items.map(\.x), [275, 137.5, 0, 275, 137.5]))
        #expect(frames.items.map(\.y) == [0, 0, 0, 110, 110])
        #expect(frames.frame == Frame(0, 0, 375, 210))
    }

    @Test("R4: left and right insets swap sides, and lone items stay centred")
    func insetsSwap() {
        let section = StubSection(count: 1, nil, 30) {
            $0.flow.gridColumnCount = 1
            $0.flow.inset = Insets(top: 0, left: 10, bottom: 0, right: 40)
        }
        #expect(layOutOne(section, direction: .rtl).items == [Frame(40, 0, 325, 30)])
        let lone = layOutOne(StubSection(count: 1, 200, 30), direction: .rtl)
        #expect(lone.items == [Frame(87.5, 0, 200, 30)])
    }

    @Test("R4: a horizontal screen starts at its right end, sections included")
    func horizontalScreen() {
        let section = StubSection(count: 2, 60, 80, header: StubSize(20, nil))
        let screen = layOut([section, section], height: 80, direction: .rtl) {
            $0.direction = .horizontal
        }
        // Each section: header 20, columns at 20 and 90, 150 long; 300 in all.
        #expect(screen.contentSize == Size(width: 300, height: 80))
        #expect(screen.sections.map(\.frame) == [Frame(150, 0, 150, 80), Frame(0, 0, 150, 80)])
        #expect(screen.sections[0].header == Frame(280, 0, 20, 80))
        #expect(screen.sections[0].items == [Frame(220, 0, 60, 80), Frame(150, 0, 60, 80)])
    }

    @Test("R4: separators, scrollers and decorations are mirrored too")
    func everythingElse() {
        let list = StubSection(count: 2, nil, 44) {
            $0.kind = .list
            $0.decoration = DecorationOptions(
                kind: "card", inset: Insets(top: 0, left: 5, bottom: 0, right: 25))
        }
        let frames = layOutOne(list, direction: .rtl)
        #expect(frames.separators[0] == Frame(0, 43.5, 359, 0.5))
        #expect(frames.decorations[0].frame == Frame(25, 0, 345, 88))
        let pager = StubSection(count: 2) {
            $0.kind = .compositional
            $0.compositional.scrolling = .paging
        }
        let paged = layOutOne(pager, direction: .rtl)
        #expect(paged.items.map(\.x) == [0, -375])
        #expect(paged.scroll?.frame == Frame(0, 0, 375, 50))
        #expect(paged.scroll?.snapOffsets == [0, 375])
    }
}
