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
        #expect(screen.sections[0].header == Frame(280, 0, 20, 80))
        #expect(screen.sections[0].items == [Frame(220, 0, 60, 80), Frame(150, 0, 60, 80)])
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
