import BroadsheetClient
import Testing

@testable import Broadsheet

@Suite("P1, P2: The carousel of a laid-out screen")
struct CarouselLayoutTests {
    /// Lays out a horizontal screen of paging sections, items of 300 by 200 in 375 by 200.
    private func screen(
        count: Int, sections: Int = 1, _ configure: (inout SectionLayout) -> Void = { _ in },
        paging: (inout PagingOptions) -> Void = { _ in }
    ) -> ScreenFrames {
        var options = PagingOptions()
        paging(&options)
        let section = StubSection(count: count, 300, 200) {
            $0.flow.paging = options
            configure(&$0)
        }
        return layOut(Array(repeating: section, count: sections), height: 200) {
            $0.direction = .horizontal
        }
    }

    @Test("P1: An infinite carousel shows its items three times, and lists them once")
    func copies() throws {
        let screen = screen(count: 3) { _ in
        } paging: {
            $0.isInfinitePage = true
        }
        let carousel = try #require(screen.sections[0].paging)
        #expect(carousel.copies == 3 && carousel.pageCount == 3)
        // Nine frames of 300 with eight gaps of 10 between them.
        #expect(screen.contentSize.width == 2780)
        #expect(screen.sections[0].frame.width == 2780)
        #expect(screen.sections[0].items.map(\.x) == [0, 310, 620])
    }

    @Test("P1: A single item is not repeated", arguments: [0, 1])
    func tooFewToRepeat(_ count: Int) {
        let screen = screen(count: count) { _ in
        } paging: {
            $0.isInfinitePage = true
        }
        #expect(screen.sections[0].paging?.copies == 1)
        #expect(screen.sections[0].items.count == count)
    }

    @Test("P1: Only an enabled carousel in a screen of exactly one flow section turns pages")
    func switchedOff() {
        #expect(screen(count: 3).sections[0].paging != nil)
        let two = screen(count: 3, sections: 2)
        #expect(two.sections.allSatisfy { $0.paging == nil })
        #expect(two.diagnostics.map(\.code) == [.pagingSwitchedOff, .pagingSwitchedOff])
        let off = screen(count: 3) { _ in
        } paging: {
            $0.isEnabled = false
        }
        #expect(off.sections[0].paging == nil && off.diagnostics.isEmpty)
        let grid = compositional(count: 3) { $0.flow.paging = PagingOptions() }
        let screen = layOut([grid])
        #expect(screen.sections[0].paging == nil)
        #expect(screen.diagnostics.map(\.code) == [.pagingSwitchedOff])
    }

    @Test("P2: The lengths are those of the laid-out section")
    func inputs() throws {
        let inset = Insets(top: 1, left: 20, bottom: 2, right: 30)
        let screen = screen(count: 4) {
            $0.flow.inset = inset
            $0.flow.minimumLineSpacing = 15
            $0.flow.gridColumnCount = 1
        }
        let carousel = try #require(screen.sections[0].paging)
        #expect(carousel.viewportLength == 375)
        // 20 + 4 * 300 + 3 * 15 + 30
        #expect(carousel.contentLength == 1295)
        #expect(carousel.sectionInset == AxisEnds(leading: 20, trailing: 30))
        #expect(carousel.itemLength == 300 && carousel.lineSpacing == 15)
        #expect(carousel.contentInset == AxisEnds())
    }

    @Test("P2: A carousel without items has no item length")
    func noItems() throws {
        let carousel = try #require(screen(count: 0).sections[0].paging)
        #expect(carousel.itemLength == 0 && carousel.pageCount == 0)
        #expect(carousel.pageLength == carousel.lineSpacing)
    }

    @Test("P2: A page is as long as the first item, also if the items differ")
    func unequalItems() throws {
        let section = StubSection([StubSize(300, 200), StubSize(100, 200)]) {
            $0.flow.paging = PagingOptions()
        }
        let screen = layOut([section], height: 200) { $0.direction = .horizontal }
        #expect(screen.sections[0].items.map(\.x) == [0, 310])
        let carousel = try #require(screen.sections[0].paging)
        #expect(carousel.itemLength == 300 && carousel.pageLength == 310)
    }
}
