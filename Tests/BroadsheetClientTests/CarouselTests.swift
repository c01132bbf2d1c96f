import BroadsheetClient
import Testing

/// Returns a carousel of pages of 300 points, 10 apart, in a viewport of 375 with insets of 37.5.
///
/// For five pages: C = 75 + 5 * 300 + 4 * 10 = 1615, P = 310, offsets from 0 to 1240.
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

@Suite("P1, P3-P7: Lengths, pages and offsets of a carousel")
struct CarouselTests {
    @Test("P1: A frame shows its item modulo n; only the middle one reports its items as displayed")
    func frames() {
        let infinite = pager(pages: 3, copies: 3)
        #expect((0..<9).map { infinite.itemIndex(ofFrame: $0) } == [0, 1, 2, 0, 1, 2, 0, 1, 2])
        #expect((0..<9).filter { infinite.reportsDisplay(ofFrame: $0) } == [3, 4, 5])
        let five = pager(pages: 2, copies: 5)
        #expect((0..<10).filter { five.reportsDisplay(ofFrame: $0) } == [4, 5])
        #expect((-1..<4).filter { pager(pages: 3).reportsDisplay(ofFrame: $0) } == [0, 1, 2])
        #expect(infinite.itemIndex(ofFrame: -1) == 2)
        #expect(pager(pages: 0).itemIndex(ofFrame: 5) == 0)
        #expect(!pager(pages: 0).reportsDisplay(ofFrame: 0))
    }

    @Test("P3: The page length, the section length and the slack follow from the options")
    func lengths() {
        let carousel = pager()
        #expect(carousel.pageLength == 310)
        #expect(carousel.sectionLength == 1540)
        #expect(carousel.slack == 37.5)
    }

    @Test(
        "P4: The current page counts from the section inset, or from the centre",
        arguments: [
            (true, 0, 0), (true, 310, 1), (true, 155, 0.5), (false, 37.5, 0), (false, 347.5, 1),
        ]
            as [(Bool, Double, Double)])
    func currentPage(_ row: (isCentered: Bool, offset: Double, page: Double)) {
        #expect(isClose(pager(isCentered: row.isCentered).currentPage(at: row.offset), row.page))
    }

    @Test("P4: The last page is fractional if other content remains, and 0 without a page length")
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
        "P5: The page index rounds half away from zero, modulo n, and is never negative",
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

    @Test("P6: The least and greatest offset depend on content insets and the content's length")
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

    @Test("P6: The start and the end are centred pages, or the least and greatest offset")
    func startAndEnd() {
        let centered = pager(contentInset: AxisEnds(leading: 8, trailing: 12))
        #expect(centered.isAtStart(0) && centered.isAtStart(-8) && !centered.isAtStart(0.5))
        #expect(centered.isAtEnd(1240) && !centered.isAtEnd(1239))
        let plain = pager(isCentered: false, contentInset: AxisEnds(leading: 8, trailing: 12))
        #expect(plain.isAtStart(-8) && !plain.isAtStart(0))
        #expect(plain.isAtEnd(1252) && !plain.isAtEnd(1240))
    }

    @Test("P7: The initial and the final offset are centred, within the least and greatest offset")
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

    @Test("P: On a right-to-left screen the physical offset is C - L - offset")
    func physicalOffset() {
        let carousel = pager()
        #expect(carousel.physicalOffset(0) == 1240)
        #expect(carousel.physicalOffset(1240) == 0)
        #expect(carousel.physicalOffset(carousel.physicalOffset(77)) == 77)
    }

    @Test("P: A carousel with other content insets keeps all other lengths")
    func contentInsets() {
        let inset = AxisEnds(leading: 8, trailing: 12)
        #expect(pager().with(contentInset: inset) == pager(contentInset: inset))
    }
}

/// Returns whether two numbers agree within the tolerance of unrounded results (rule G5).
func isClose(_ lhs: Double, _ rhs: Double) -> Bool { (lhs - rhs).magnitude <= 1e-6 }
