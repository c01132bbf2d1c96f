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

    @Test(
        "P1: There are the fewest copies with a viewport on each side of the middle one",
        arguments: [
            (2, 300, 768, 5), (3, 300, 375, 3), (2, 374, 768, 3), (2, 373, 768, 5),
            (2, 14, 768, 33), (2, 13, 768, nil), (4, -10, 768, nil), (2, 0, 0, 3),
        ] as [(Int, Double, Double, Int?)])
    func copyCount(count: Int, length: Double, viewport: Double, copies: Int?) throws {
        var section = StubSection(count: count, max(0, length), 200) {
            $0.flow.paging = PagingOptions(isInfinitePage: true)
        }
        if length < 0 { section.layout.flow.minimumLineSpacing = length }
        let screen = layOut([section], width: viewport, height: 200) { $0.direction = .horizontal }
        let carousel = try #require(screen.sections[0].paging)
        #expect(carousel.copies == copies ?? 1)
        #expect(screen.diagnostics.map(\.code) == (copies == nil ? [.pagingSwitchedOff] : []))
        #expect(
            screen.diagnostics.allSatisfy { $0.detail.contains("add items, or make them longer") })
        #expect(screen.contentSize.width == carousel.contentLength)
    }

    @Test("P1: The footer and a decoration are behind all copies, and the screen is that long")
    func behindCopies() throws {
        let section = StubSection(
            count: 2, 300, 200, header: StubSize(20, 9), footer: StubSize(30, 9)
        ) {
            $0.flow.paging = PagingOptions(isInfinitePage: true)
            $0.flow.inset = Insets(top: 0, left: 7, bottom: 0, right: 8)
            $0.decorations = [DecorationOptions(kind: "plate")]
        }
        let screen = layOut([section], width: 768, height: 200) { $0.direction = .horizontal }
        let frames = screen.sections[0]
        // Ten items of 300 with nine gaps of 10 between them.
        #expect(frames.items.map(\.x) == [27, 337])
        #expect(frames.footer == Frame(20 + 7 + 3090 + 8, 0, 30, 200))
        #expect(frames.decorations.map(\.frame) == [Frame(27, 0, 3090, 200)])
        #expect(screen.contentSize.width == 3155 && frames.paging?.copies == 5)
    }

    @Test(
        "P1: Lines of several items do not turn pages, whatever the lines are of",
        arguments: [
            (StubSection(count: 7, 100, 100), 2), (StubSection(count: 2, 30, 30), 2),
            (StubSection([StubSize(200, 90), StubSize(300, 90), StubSize(40, 90)]), 2),
            (StubSection([StubSize(40, 90), StubSize(30, 90), StubSize(370, 90)]), 2),
            (StubSection(count: 4, 10, 90) { $0.flow.gridColumnCount = 2 }, 2),
            (
                StubSection([
                    StubSize(nil, 90, span: .all), StubSize(nil, 90), StubSize(nil, 90),
                ]) { $0.flow.gridColumnCount = 2 }, 2
            ),
            (StubSection(count: 3, 10, 90) { $0.flow.gridColumnCount = 1 }, 0),
            (StubSection(count: 3, 10, 90) { $0.flow.gridColumnCount = 0 }, 0),
            (StubSection(count: 1, 10, 90), 0), (StubSection(), 0),
            (StubSection([StubSize(200, 300), StubSize(300, 300), StubSize(100, 300)]), 1),
            (
                StubSection([StubSize(nil, 300, span: .all), StubSize(nil, 300)]) {
                    $0.flow.gridColumnCount = 2
                }, 0
            ),
            (
                StubSection([
                    StubSize(nil, 300), StubSize(nil, 300, span: .all), StubSize(nil, 300),
                ]) { $0.flow.gridColumnCount = 2 }, 1
            ),
        ] as [(StubSection, Int)])
    func sharedLines(section: StubSection, expected: Int) {
        var section = section
        section.layout.flow.paging = PagingOptions(isInfinitePage: true)
        let screen = layOut([section])
        let paging = screen.sections[0].paging
        // 0: repeated; 1: the last item and the first one share a line, and it ends; 2: off.
        #expect((paging == nil) == (expected == 2))
        #expect(paging.map { $0.copies > 1 } ?? false == (expected == 0 && section.itemCount > 1))
        #expect(screen.diagnostics.map(\.code) == (expected == 0 ? [] : [.pagingSwitchedOff]))
        let words = ["", "have space in one line", "cannot turn pages"]
        #expect(screen.diagnostics.allSatisfy { $0.detail.contains(words[expected]) })
        section.layout.flow.paging = nil
        let plain = layOut([section])
        #expect(screen.sections[0].items.map(\.numbers) == plain.sections[0].items.map(\.numbers))
        if expected > 0 { #expect(screen.contentSize == plain.contentSize) }
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
