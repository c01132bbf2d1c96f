import Testing

@testable import Broadsheet

@Suite("R: Rounding to device pixels")
struct RoundingTests {
    @Test(
        "R1: Numbers round to the nearest pixel, ties towards +infinity despite rounding errors",
        arguments: [
            (100.8, 2, 101), (100.8, 3, 302.0 / 3), (10.25, 2, 10.5), (-10.25, 2, -10),
            (10.25 - 1e-9, 2, 10.5), (10.2499, 2, 10), (7.5, 1, 8), (-7.5, 1, -7), (-0.2, 1, 0),
            (103.5, 3, 311.0 / 3), (0, 3, 0), (1e15 + 0.25, 2, 1e15 + 0.5),
        ] as [(Double, Double, Double)])
    func nearestPixel(_ row: (value: Double, scale: Double, expected: Double)) {
        let grid = PixelGrid(scale: row.scale, rounding: .pixel)
        #expect(
            isClose(grid.nearest(Frame(row.value, 0, 0, 0), .origins).x, row.expected, within: 1e-9)
        )
    }

    @Test(
        "R1: A scale that is not finite and positive rounds nothing, nor does `none`",
        arguments: [0, -2, .nan, .infinity, -.infinity] as [Double])
    func unusableScale(_ scale: Double) {
        #expect(
            PixelGrid(scale: scale, rounding: .pixel).nearest(Frame(10.3, 0, 0, 0), .origins).x
                == 10.3)
        #expect(
            PixelGrid(scale: 2, rounding: .none).nearest(Frame(10.3, 0, 0, 0), .origins).x == 10.3)
    }

    @Test("R2: Flow rounds all origins, and no lengths")
    func flowRoundsOrigins() {
        let section = StubSection(
            count: 2, 100.3, 100.8, header: StubSize(nil, 20.3), footer: StubSize(nil, 10.1)
        ) {
            $0.flow.minimumLineSpacing = 0
            $0.flow.minimumInteritemSpacing = 1000
            $0.decoration = DecorationOptions(kind: "card", inset: Insets(0.3))
        }
        let frames = layOutOne(section, width: 300, scale: 2, rounding: .pixel)
        // Header 0; rows at 20.3 and 121.1, centred at 99.85; footer at 221.9; card from 20.6.
        #expect(frames.header == Frame(0, 0, 300, 20.3))
        #expect(isClose(frames.items[0], Frame(100, 20.5, 100.3, 100.8)))
        #expect(isClose(frames.items[1], Frame(100, 121, 100.3, 100.8)))
        #expect(isClose(frames.footer, Frame(0, 222, 300, 10.1)))
        #expect(isClose(frames.decorations[0].frame, Frame(0.5, 20.5, 299.4, 201)))
    }

    @Test(
        "R2: Rows of 100.8 leave UIKit's hairline gaps",
        arguments: [(2.0, 101.0), (3.0, 302.0 / 3)])
    func hairlines(_ row: (scale: Double, second: Double)) {
        let section = StubSection(count: 2, 375, 100.8) { $0.flow.minimumLineSpacing = 0 }
        let items = layOutOne(section, scale: row.scale, rounding: .pixel).items
        #expect(isClose(items[1].y, row.second, within: 1e-9))
        #expect(items[0].height == 100.8)
    }

    @Test("R3: Compositional and list round each of the four numbers by itself")
    func othersRoundEverything() {
        let grid = StubSection(count: 2) {
            $0.kind = .compositional
            $0.compositional.itemSize = .uniform(columns: 2, width: nil, height: 37.48)
            $0.compositional.sectionInset = Insets(top: 0.3, left: 84.18, bottom: 0, right: 0)
        }
        // (252.54 - 84.18) / 2 = 84.18 wide.
        let items = layOutOne(grid, width: 252.54, scale: 2, rounding: .pixel).items
        #expect(isClose(items[0], Frame(84, 0.5, 84, 37.5), within: 1e-9))
        #expect(isClose(items[1], Frame(168.5, 0.5, 84, 37.5), within: 1e-9))
        let row = StubSection(count: 1, nil, 60.3) { $0.kind = .list }
        let rows = layOutOne(row, width: 375.3, scale: 2, rounding: .pixel).items
        #expect(isClose(rows[0], Frame(0, 0, 375.5, 60.5), within: 1e-9))
    }

    @Test(
        "R3: Section sizes and the content size are not rounded in any layout",
        arguments: SectionLayout.Kind.allCases)
    func extentsAreNotRounded(_ kind: SectionLayout.Kind) {
        let section = StubSection(count: 1, nil, 33.37) {
            $0.kind = kind
            $0.compositional.itemSize = .dynamic
            $0.compositional.direction = .vertical
        }
        let screen = layOut([section, section], width: 375.3, scale: 2, rounding: .pixel)
        #expect(isClose(screen.contentSize, Size(width: 375.3, height: 66.74), within: 1e-9))
        #expect(screen.sections[1].frame == Frame(0, 33.5, 375.3, 33.37))
    }
}

@Suite("R5: Elements are rounded in their section")
struct SectionRoundingTests {
    @Test("R5: An absolute origin is the sum of two rounded ones, in every part of a section")
    func sums() {
        // At 1 pixel a point: the section at 10.3 starts at 10, its elements at 5.3 at 5, and so
        // on.
        let second = StubSection(
            count: 2, 300, 10.3, header: StubSize(nil, 5.3), footer: StubSize(nil, 4)
        ) {
            $0.flow.minimumLineSpacing = 0
            $0.decoration = DecorationOptions(kind: "card")
        }
        let first = StubSection(count: 1, 300, 10.3)
        let screen = layOut([first, second], width: 300, scale: 1, rounding: .pixel)
        let section = screen.sections[1]
        #expect(section.frame.y == 10)
        #expect(section.items.map(\.y) == [5, 16])
        #expect(section.footer?.y == 26)
        #expect(section.decorations.map(\.frame.y) == [5])
        // By itself 15.6 would round to 16.
        #expect(section.contentFrame(of: section.items[0]).y == 15)
        #expect(screen.footerFrame(ofSection: 1, at: nil)?.y == 36)
        let found = VisibilityIndex(screen).elements(in: Frame(0, 14, 300, 1.5))
        #expect(
            found.map(\.part) == [.decoration(0), .header, .item(0)]
                && found.map(\.frame.y) == [15, 10, 15])
    }

    @Test("R5: Separators of a list are rounded in their section")
    func separators() {
        let list = StubSection(count: 2, nil, 30.1) { $0.kind = .list }
        let first = StubSection(count: 1, 300, 10.2)
        let section = layOut([first, list], width: 300, rounding: .pixel).sections[1]
        // 30.1 - 0.5 = 29.6, which is 59.2 pixels; by itself 39.8 would round to 40.
        #expect(section.frame.y == 10)
        #expect(section.items.map(\.y) == [0, 30])
        #expect(section.separators.map { $0?.y } == [29.5, 59.5])
    }

    @Test("R5, R4: Mirrored elements are rounded in their section too")
    func mirrored() {
        let first = StubSection(count: 1, 20.3, 80, header: StubSize(5.4, nil))
        let second = StubSection(count: 1, 30.3, 80)
        let screen = layOut(
            [first, second], height: 80, scale: 1, direction: .rtl, rounding: .pixel
        ) { $0.direction = .horizontal }
        // The section is at 56 - 25.7 = 30.3; its header at 25.7 - 5.4 = 20.3, or 50.6 absolute.
        #expect(screen.sections[0].frame.x == 30)
        #expect(screen.sections[0].header?.x == 20)
        #expect(screen.headerFrame(ofSection: 0, at: nil)?.x == 50)
    }

    @Test("R5: Appending to one section changes no frame inside another", arguments: 0..<300)
    func appending(_ seed: Int) {
        let screens = RandomScreens(seed: UInt64(seed))
        var (sections, environment) = screens.next()
        sections += [screens.section(), screens.section()]
        environment.viewport.scale = [1, 1.5, 2, 2.625, 3, 3.2][seed % 6]
        let before = ScreenFrames.layOut(sections: sections, in: environment)
        let changed = seed % sections.count
        sections[changed].items += screens.section().items + [StubSize(33.37, 7.77)]
        sections[changed].knowsUniform = false
        let after = ScreenFrames.layOut(sections: sections, in: environment)
        for index in sections.indices where index != changed {
            var moved = before.sections[index]
            moved.frame.x = after.sections[index].frame.x
            moved.frame.y = after.sections[index].frame.y
            #expect(moved == after.sections[index], "seed \(seed), section \(index)")
        }
    }
}

@Suite("R4: Right-to-left screens")
struct RightToLeftTests {
    @Test("R4: The first column is on the right; y and sizes do not change")
    func mirroredGrid() {
        let frames = layOutOne(StubSection(count: 5, 100, 100), direction: .rtl)
        #expect(isClose(frames.items.map(\.x), [275, 137.5, 0, 275, 137.5]))
        #expect(frames.items.map(\.y) == [0, 0, 0, 110, 110])
        #expect(frames.frame == Frame(0, 0, 375, 210))
    }

    @Test("R4: Left and right insets swap sides, and single items remain centred")
    func insetsSwap() {
        let section = StubSection(count: 1, nil, 30) {
            $0.flow.gridColumnCount = 1
            $0.flow.inset = Insets(top: 0, left: 10, bottom: 0, right: 40)
        }
        #expect(layOutOne(section, direction: .rtl).items == [Frame(40, 0, 325, 30)])
        let lone = layOutOne(StubSection(count: 1, 200, 30), direction: .rtl)
        #expect(lone.items == [Frame(87.5, 0, 200, 30)])
    }

    @Test("R4: A horizontal screen starts at its right end, sections included")
    func horizontalScreen() {
        let section = StubSection(count: 2, 60, 80, header: StubSize(20, nil))
        let screen = layOut([section, section], height: 80, direction: .rtl) {
            $0.direction = .horizontal
        }
        // Each section: header 20, columns at 20 and 90, 150 long; 300 in all.
        #expect(screen.contentSize == Size(width: 300, height: 80))
        #expect(screen.sections.map(\.frame) == [Frame(150, 0, 150, 80), Frame(0, 0, 150, 80)])
        #expect(screen.sections[0].header == Frame(130, 0, 20, 80))
        #expect(screen.sections[0].items == [Frame(70, 0, 60, 80), Frame(0, 0, 60, 80)])
    }

    @Test("R4: Separators, scrollers and decorations are mirrored too")
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
