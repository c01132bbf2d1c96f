import BroadsheetClient
import Testing

@testable import Broadsheet

/// The table W of the layout rules: numbers derived by hand.
@Suite("W: Worked numbers")
struct WorkedNumbersTests {
    @Test("W: 375 wide, 5 items of 100 by 100 with UIKit's defaults have the documented frames")
    func fiveSquares() {
        let screen = layOut([StubSection(count: 5, 100, 100)])
        #expect(isClose(screen.sections[0].items.map(\.x), [0, 137.5, 275, 0, 137.5]))
        #expect(isClose(screen.sections[0].items.map(\.y), [0, 0, 0, 110, 110]))
        #expect(isClose(screen.contentSize, Size(width: 375, height: 210)))
    }

    @Test("W: 320 wide, 7 items of 50 by 50 are 5 to a line, 17.5 apart")
    func sevenSmallSquares() {
        let screen = layOut([StubSection(count: 7, 50, 50)], width: 320)
        #expect(
            isClose(screen.sections[0].items.map(\.x), [0, 67.5, 135, 202.5, 270, 0, 67.5]))
        #expect(isClose(screen.contentSize, Size(width: 320, height: 110)))
    }

    @Test(
        "W: 375 wide, items that differ have the documented frames",
        arguments: [
            ([100, 150, 100, 80, 60], 40, [0, 112.5, 275, 0, 90], [0, 0, 0, 50, 50]),
            ([200, 300, 100, 100], 50, [87.5, 37.5, 0, 110], [0, 60, 120, 120]),
            ([100, 100, 300], 10, [0, 275, 0], [0, 0, 20]),
        ] as [([Double], Double, [Double], [Double])])
    func differingWidths(_ row: (widths: [Double], height: Double, x: [Double], y: [Double])) {
        let section = layOutOne(StubSection(row.widths.map { StubSize($0, row.height) }))
        #expect(isClose(section.items.map(\.x), row.x))
        #expect(isClose(section.items.map(\.y), row.y))
    }

    @Test("W: Heights 40, 80, 60 in one line have y 20, 0, 10")
    func differingHeights() {
        let section = layOutOne(StubSection([40, 80, 60].map { StubSize(50, $0) }))
        #expect(isClose(section.items.map(\.y), [20, 0, 10]))
    }

    @Test("W: A page with a banner, a header and two columns is 1054 tall")
    func storefrontPage() {
        let banner = StubSection(count: 1, 375, 180)
        let grid = StubSection(count: 8, nil, 190.5, header: StubSize(nil, 44)) {
            $0.flow.gridColumnCount = 2
            $0.flow.inset = Insets(top: 20, left: 16, bottom: 0, right: 16)
            $0.flow.minimumLineSpacing = 16
            $0.flow.minimumInteritemSpacing = 16
        }
        let screen = layOut([banner, grid])
        let items = screen.sections[1].items.map { screen.sections[1].contentFrame(of: $0) }
        #expect(screen.contentSize.height == 1054)
        #expect(isClose(items[0], Frame(16, 244, 163.5, 190.5)))
        #expect(isClose(items[1], Frame(195.5, 244, 163.5, 190.5)))
    }

    @Test("W: A horizontal screen fills columns from the top, from left to right")
    func horizontalScreen() {
        let section = StubSection(count: 6, 100, 80) {
            $0.flow.inset = Insets(top: 10, left: 15, bottom: 10, right: 25)
            $0.flow.minimumLineSpacing = 20
        }
        let screen = layOut([section], height: 200) { $0.direction = .horizontal }
        #expect(isClose(screen.sections[0].items.map(\.y), [10, 110, 10, 110, 10, 110]))
        #expect(isClose(screen.sections[0].items.map(\.x), [15, 15, 135, 135, 255, 255]))
        #expect(isClose(screen.contentSize, Size(width: 380, height: 200)))
    }

    @Test("W: 414 wide at 3 pixels a point, 4 columns of 103.5 keep their width and round their x")
    func hairlineGaps() {
        let section = StubSection(count: 4, nil, 50) {
            $0.flow.gridColumnCount = 4
            $0.flow.minimumInteritemSpacing = 0
        }
        let items = layOutOne(section, width: 414, scale: 3, rounding: .pixel).items
        let thirds = [0.0, 311, 621, 932]
        #expect(isClose(items.map(\.x), thirds.map { $0 / 3 }, within: 1e-9))
        #expect(items.allSatisfy { $0.width == 103.5 })
    }

    @Test("W: A compositional section of 2 columns is below a header of 44")
    func compositionalColumns() {
        let section = StubSection(count: 6, header: StubSize(nil, 44)) {
            $0.kind = .compositional
            $0.compositional.itemSize = .uniform(columns: 2, width: nil, height: 50)
            $0.compositional.sectionInset = Insets(top: 10, left: 20, bottom: 30, right: 40)
            $0.compositional.itemSpacing = 5
            $0.compositional.lineSpacing = 7
        }
        let items = layOutOne(section).items
        #expect(isClose(items.map(\.x), [20, 180, 20, 180, 20, 180]))
        #expect(isClose(items.map(\.y), [54, 54, 111, 111, 168, 168]))
        #expect(items.allSatisfy { $0.width == 155 && $0.height == 50 })
    }

    @Test("W: A carousel of five pages of 300 rests at offsets from 0 to 1240")
    func carousel() throws {
        let carousel = try #require(pager(pages: 5))
        #expect(carousel.pageLength == 310)
        #expect(carousel.lastPage == 4)
        #expect(carousel.initialOffset == 0)
        #expect(carousel.finalOffset == 1240)
        #expect(carousel.targetOffset(releasedAt: 500, velocity: 0) == 620)
    }

    @Test("W: In its nine frames one copy is 930 long, and 310 moves to 1240")
    func infiniteCarousel() throws {
        let carousel = try #require(pager(pages: 3, isInfinite: true))
        #expect(carousel.copies == 3)
        #expect(carousel.copyLength == 930)
        #expect(carousel.remappedOffset(310) == 1240)
    }

    /// Returns the carousel of pages of 300, 10 apart, centred in a viewport of 375.
    private func pager(pages: Int, isInfinite: Bool = false) -> Carousel? {
        let section = StubSection(count: pages, 300, 200) {
            $0.flow.inset = Insets(top: 0, left: 37.5, bottom: 0, right: 37.5)
            $0.flow.minimumLineSpacing = 10
            var paging = PagingOptions()
            paging.isAlignCenter = true
            paging.isInfinitePage = isInfinite
            $0.flow.paging = paging
        }
        return layOutOne(section, height: 200) { $0.direction = .horizontal }.paging
    }
}
