import Testing

@testable import Broadsheet

/// Five pages of 300, 10 apart, in a viewport of 375 with 37.5 before the first and after the last.
///
/// C = 75 + 5 * 300 + 4 * 10 = 1615, P = 310, offsets from 0 to 1240.
func pager(
    pages: Int = 5, copies: Int = 1, isCentered: Bool = true, isLooping: Bool = false,
    contentInset: AxisEnds = AxisEnds()
) -> Carousel {
    var options = PagingOptions()
    options.isAlignCenter = isCentered
    options.isLooping = isLooping
    options.isInfinitePage = copies > 1
    let frames = Double(pages * copies)
    return Carousel(
        options: options, pageCount: pages, copies: copies, viewportLength: 375,
        contentLength: 75 + frames * 300 + (frames - 1) * 10, contentInset: contentInset,
        sectionInset: AxisEnds(leading: 37.5, trailing: 37.5), itemLength: 300, lineSpacing: 10)
}

@Suite("P1-P7: a carousel's lengths and offsets")
struct CarouselOffsetsTests {
    /// A horizontal screen of one paging section; items 300 by 200 in 375 by 200.
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

    @Test("P1: an infinite carousel shows its items three times, and lists them once")
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

    @Test("P1: one item alone is not repeated, and neither are none", arguments: [0, 1])
    func tooFewToRepeat(_ count: Int) {
        let screen = screen(count: count) { _ in
        } paging: {
            $0.isInfinitePage = true
        }
        #expect(screen.sections[0].paging?.copies == 1)
        #expect(screen.sections[0].items.count == count)
    }

    @Test("P1: only in a screen of exactly one flow section, and when it is enabled")
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

    @Test("P1: a frame shows its item modulo n; of three copies only the middle one reports")
    func frames() {
        let infinite = pager(pages: 3, copies: 3)
        #expect((0..<9).map { infinite.itemIndex(ofFrame: $0) } == [0, 1, 2, 0, 1, 2, 0, 1, 2])
        #expect((0..<9).filter { infinite.reportsDisplay(ofFrame: $0) } == [3, 4, 5])
        #expect((-1..<4).filter { pager(pages: 3).reportsDisplay(ofFrame: $0) } == [0, 1, 2])
        #expect(infinite.itemIndex(ofFrame: -1) == 2)
        #expect(pager(pages: 0).itemIndex(ofFrame: 5) == 0)
        #expect(!pager(pages: 0).reportsDisplay(ofFrame: 0))
    }

    @Test("P2: the lengths are read off the laid-out section")
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

    @Test("P2: a carousel without items has no item length")
    func noItems() throws {
        let carousel = try #require(screen(count: 0).sections[0].paging)
        #expect(carousel.itemLength == 0 && carousel.pageCount == 0)
    }

    @Test("P3: page length, section length and slack")
    func lengths() {
        let carousel = pager()
        #expect(carousel.pageLength == 310)
        #expect(carousel.sectionLength == 1540)
        #expect(carousel.slack == 37.5)
    }

    @Test(
        "P4: the current page counts from the section's inset, or from the centre",
        arguments: [
            (true, 0, 0), (true, 310, 1), (true, 155, 0.5), (false, 37.5, 0), (false, 347.5, 1),
        ]
            as [(Bool, Double, Double)])
    func currentPage(_ row: (isCentered: Bool, offset: Double, page: Double)) {
        #expect(isClose(pager(isCentered: row.isCentered).currentPage(at: row.offset), row.page))
    }

    @Test("P4: the last page is fractional when other content remains, and 0 without a page length")
    func lastPage() {
        #expect(pager().lastPage == 4)
        let withFooter = Carousel(
            options: PagingOptions(), pageCount: 2, viewportLength: 100, contentLength: 250,
            itemLength: 90, lineSpacing: 10)
        #expect(isClose(withFooter.lastPage, 1.6))
        let none = Carousel(
            options: PagingOptions(), pageCount: 2, viewportLength: 100, contentLength: 250,
            itemLength: 5, lineSpacing: -5)
        #expect(none.lastPage == 0 && none.currentPage(at: 70) == 0)
    }

    @Test(
        "P5: the page index rounds half away from zero, modulo n, and never goes negative",
        arguments: [
            (0, 0), (154, 0), (155, 1), (1240, 4), (-155, 4), (-310, 4), (1550, 0), (1700, 0),
            (.nan, 0), (-1e300, 0),
        ] as [(Double, Int)])
    func pageIndex(_ row: (offset: Double, index: Int)) {
        let index = pager().pageIndex(at: row.offset)
        #expect((0..<5).contains(index))
        if row.offset.magnitude < 1e9 { #expect(index == row.index) }
        #expect(pager(pages: 0).pageIndex(at: row.offset) == 0)
    }

    @Test("P6: the ends of scrolling, with content insets and with content that is too short")
    func ends() {
        let inset = pager(contentInset: AxisEnds(leading: 8, trailing: 12))
        #expect(inset.minOffset == -8)
        #expect(inset.maxOffset == 1252)
        #expect(inset.centerInitialOffset == 0)
        #expect(inset.centerFinalOffset == 1240)
        let short = Carousel(
            options: PagingOptions(), pageCount: 1, viewportLength: 375, contentLength: 100,
            contentInset: AxisEnds(leading: 8), itemLength: 100, lineSpacing: 10)
        #expect(short.maxOffset == -8)
    }

    @Test("P6: at the start and at the end, by the centred page or by the ends of scrolling")
    func startAndEnd() {
        let centered = pager(contentInset: AxisEnds(leading: 8, trailing: 12))
        #expect(centered.isAtStart(0) && centered.isAtStart(-8) && !centered.isAtStart(0.5))
        #expect(centered.isAtEnd(1240) && !centered.isAtEnd(1239))
        let plain = pager(isCentered: false, contentInset: AxisEnds(leading: 8, trailing: 12))
        #expect(plain.isAtStart(-8) && !plain.isAtStart(0))
        #expect(plain.isAtEnd(1252) && !plain.isAtEnd(1240))
    }

    @Test("P7: where it starts and where its last page rests")
    func initialAndFinal() {
        #expect(pager().initialOffset == 0 && pager().finalOffset == 1240)
        let plain = pager(isCentered: false, contentInset: AxisEnds(leading: 8, trailing: 12))
        #expect(plain.initialOffset == -8 && plain.finalOffset == 1252)
        // A page of 300 without section insets would be centred at -37.5, which scrolling forbids.
        var options = PagingOptions()
        options.isAlignCenter = true
        let edge = Carousel(
            options: options, pageCount: 5, viewportLength: 375, contentLength: 1540,
            itemLength: 300, lineSpacing: 10)
        #expect(edge.initialOffset == 0 && edge.centerInitialOffset == -37.5)
        #expect(edge.finalOffset == 1165 && edge.centerFinalOffset == 1202.5)
    }

    @Test("P: on a screen read from the right the physical offset is C - L - offset")
    func physicalOffset() {
        let carousel = pager()
        #expect(carousel.physicalOffset(0) == 1240)
        #expect(carousel.physicalOffset(1240) == 0)
        #expect(carousel.physicalOffset(carousel.physicalOffset(77)) == 77)
    }

    @Test("P: another scroller's content insets make another carousel, the rest stays")
    func contentInsets() {
        let inset = AxisEnds(leading: 8, trailing: 12)
        #expect(pager().with(contentInset: inset) == pager(contentInset: inset))
    }
}
