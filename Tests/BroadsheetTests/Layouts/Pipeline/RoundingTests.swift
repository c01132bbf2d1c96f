import Testing

@testable import Broadsheet

@Suite("R: rounding to device pixels")
struct RoundingTests {
    @Test(
        "R1: the nearest pixel, ties towards +infinity, whatever noise a sum left",
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
        "R1: a scale that is not above 0 and finite rounds nothing, and neither does mode none",
        arguments: [0, -2, .nan, .infinity, -.infinity] as [Double])
    func unusableScale(_ scale: Double) {
        #expect(
            PixelGrid(scale: scale, rounding: .pixel).nearest(Frame(10.3, 0, 0, 0), .origins).x
                == 10.3)
        #expect(
            PixelGrid(scale: 2, rounding: .none).nearest(Frame(10.3, 0, 0, 0), .origins).x == 10.3)
    }

    @Test("R2: flow rounds the origins of everything, and the lengths of nothing")
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
        "R2: rows of 100.8 leave UIKit's hairline gaps",
        arguments: [(2.0, 101.0), (3.0, 302.0 / 3)])
    func hairlines(_ row: (scale: Double, second: Double)) {
        let section = StubSection(count: 2, 375, 100.8) { $0.flow.minimumLineSpacing = 0 }
        let items = layOutOne(section, scale: row.scale, rounding: .pixel).items
        #expect(isClose(items[1].y, row.second, within: 1e-9))
        #expect(items[0].height == 100.8)
    }

    @Test("R3: compositional and list round each of the four numbers on its own")
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
        "R3: section sizes and the content size stay as they are in every layout",
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
