import BroadsheetClient
import Testing

@testable import Broadsheet

/// Returns a compositional section of cards of a width, 180 tall, in a horizontal scroller.
private func cards(
    count: Int, _ width: CompositionalOptions.ItemWidth = 140,
    _ scrolling: CompositionalOptions.Scrolling = .groupPaging, header: StubSize? = nil,
    _ configure: (inout SectionLayout) -> Void = { _ in }
) -> StubSection {
    compositional(count: count, .uniform(columns: nil, width: width, height: 180), header: header) {
        $0.compositional.scrolling = scrolling
        $0.compositional.lineSpacing = 12
        $0.compositional.sectionInset = Insets(top: 5, left: 16, bottom: 7, right: 16)
        configure(&$0)
    }
}

@Suite("C17: Cards that scroll sideways")
struct CardTests {
    @Test("C17: A card has a width of its own, and is a group")
    func frames() throws {
        let screen = layOut([cards(count: 4)], width: 390)
        let section = screen.sections[0]
        #expect(section.items.map(\.x) == [16, 168, 320, 472])
        #expect(section.items.allSatisfy { $0.y == 5 && $0.width == 140 && $0.height == 180 })
        #expect(section.frame == Frame(0, 0, 390, 192))
        // 16 + 4 * 140 + 3 * 12 + 16
        #expect(section.scroll?.contentSize == Size(width: 628, height: 180))
        #expect(screen.diagnostics.isEmpty)
    }

    @Test(
        "C10, C17: Each behaviour has its resting offsets, one for each card",
        arguments: [
            (.continuous, []),
            (.continuousGroupLeadingBoundary, [0, 152, 238, 238]),
            (.groupPaging, [0, 152, 238, 238]),
            (.paging, [0, 238]),
            (.groupPagingCentered, [-109, 43, 195, 347]),
        ] as [(CompositionalOptions.Scrolling, [Double])])
    func snapOffsets(_ row: (scrolling: CompositionalOptions.Scrolling, offsets: [Double])) throws {
        let scroll = try #require(layOutOne(cards(count: 4, 140, row.scrolling), width: 390).scroll)
        #expect(isClose(scroll.snapOffsets, row.offsets))
    }

    @Test("C17: A width may be a fraction of the content box, so that the next card is visible")
    func fraction() throws {
        let section = cards(count: 3, .fraction(0.8), .groupPagingCentered) {
            $0.compositional.sectionInset = Insets(top: 0, left: 20, bottom: 0, right: 20)
            $0.compositional.lineSpacing = 10
        }
        let frames = layOutOne(section)
        #expect(isClose(frames.items.map(\.width), [268, 268, 268]))
        #expect(isClose(frames.items.map(\.x), [20, 298, 576]))
        let scroll = try #require(frames.scroll)
        #expect(isClose(scroll.contentSize.width, 864))
        // 20 + 268 / 2 - 375 / 2
        #expect(isClose(scroll.snapOffsets, [-33.5, 244.5, 522.5]))
        #expect(isClose(scroll.initialOffset, -33.5))
    }

    @Test(
        "G2: A width below 0 counts as 0",
        arguments: [.points(-3), .fraction(-0.5)] as [CompositionalOptions.ItemWidth])
    func negative(_ width: CompositionalOptions.ItemWidth) {
        let frames = layOutOne(cards(count: 2, width))
        #expect(frames.items.map(\.width) == [0, 0])
        #expect(frames.items.map(\.x) == [16, 28])
    }

    @Test("C17: The number of columns does not count")
    func columns() {
        var section = cards(count: 3)
        let expected = layOutOne(section)
        section.layout.compositional.itemSize = .uniform(columns: 3, width: 140, height: 180)
        section.layout.compositional.itemSpacing = 99
        #expect(layOutOne(section) == expected)
    }

    @Test("C5, C6: Without a scroller, or in vertical groups, there are no cards")
    func others() {
        let stacked = layOutOne(cards(count: 2, 140, .none))
        #expect(stacked.items.map(\.width) == [343, 343])
        let vertical = layOutOne(
            cards(count: 2, .fraction(0.5)) { $0.compositional.direction = .vertical })
        // C6: groups stay as wide as the content box, 343.
        #expect(vertical.items == [Frame(16, 5, 171.5, 180), Frame(371, 5, 171.5, 180)])
    }

    @Test("C11: A card may be as tall as it is measured for its width")
    func ownHeights() {
        var section = cards(count: 0) { $0.compositional.isUniformAcrossSiblings = true }
        section.items = [StubSize(nil, 60), StubSize(9, 90), .none]
        let frames = layOutOne(section)
        #expect(
            frames.items
                == [Frame(16, 5, 140, 60), Frame(168, 5, 140, 90), Frame(320, 5, 140, 180)])
        #expect(frames.scroll?.contentSize.height == 180)
    }

    @Test("C13: A header spans the content box, or the viewport, whatever the cards")
    func header() {
        #expect(
            layOutOne(cards(count: 2, header: StubSize(nil, 30))).header == Frame(16, 0, 343, 30))
        let wide = cards(count: 2, header: StubSize(nil, 30)) {
            $0.contentInsetsReference =
                SectionLayout.ContentInsetsReference
                .none
        }
        #expect(layOutOne(wide).header == Frame(0, 0, 375, 30))
    }

    @Test("R4, R6: From right to left frames are mirrored, and offsets are the same")
    func rightToLeft() throws {
        let plain = layOutOne(cards(count: 4), width: 390)
        let mirrored = layOutOne(cards(count: 4), width: 390, direction: .rtl)
        #expect(mirrored.items.map(\.x) == [234, 82, -70, -222])
        #expect(mirrored.scroll?.snapOffsets == plain.scroll?.snapOffsets)
        #expect(mirrored.scroll?.initialOffset == 0)
    }

    @Test(
        "R5: Cards are rounded in their section, so that a section before it changes none of them")
    func rounding() {
        let section = cards(count: 3, .fraction(0.41)) {
            $0.compositional.sectionInset = Insets(top: 0, left: 20, bottom: 0, right: 20)
            $0.compositional.lineSpacing = 10
        }
        // 0.41 * 335 = 137.35: at 20, 167.35, 314.7.
        let alone = layOut([section], rounding: .pixel).sections[0]
        #expect(alone.items.map(\.x) == [20, 167.5, 314.5])
        #expect(alone.items.map(\.width) == [137.5, 137.5, 137.5])
        #expect(isClose(alone.scroll?.contentSize.width ?? 0, 472.05))
        let below = layOut([StubSection(count: 1, 100, 10.3), section], rounding: .pixel)
        #expect(below.sections[1].frame.y == 10.5)
        #expect(below.sections[1].items == alone.items)
        #expect(below.sections[1].scroll == alone.scroll)
    }

    @Test("C10: More cards than offsets are listed have a diagnostic")
    func offsetLimit() {
        let screen = layOut([cards(count: Scroller.offsetLimit + 1)])
        #expect(screen.sections[0].scroll?.snapOffsets.count == Scroller.offsetLimit)
        #expect(screen.diagnostics.map(\.code) == [.snapOffsetsTruncated])
    }

    @Test("Lint reports cards that overlap, and none that scroll beyond the edge")
    func lint() {
        func codes(_ section: StubSection) -> [LayoutDiagnostic.Code] {
            LayoutLint.diagnose(sections: [section], in: LayoutEnvironment()).map(\.code)
        }
        #expect(codes(cards(count: 9, 800)) == [])
        #expect(codes(cards(count: 9) { $0.compositional.lineSpacing = -1 }) == [.overlappingItems])
        #expect(codes(cards(count: 1, .fraction(0))) == [.itemHasNoSize])
    }
}

@Suite("P13: Cards that turn pages in a section among others")
struct CardPagingTests {
    /// Returns cards of 300 with a spacing of 10 between insets of 37.5, in a viewport of 375.
    private func pager(
        count: Int, _ scrolling: CompositionalOptions.Scrolling = .continuous,
        paging: (inout PagingOptions) -> Void = { _ in }
    ) -> StubSection {
        var options = PagingOptions()
        paging(&options)
        return cards(count: count, 300, scrolling, header: StubSize(nil, 30)) {
            $0.flow.paging = options
            $0.compositional.lineSpacing = 10
            $0.compositional.sectionInset = Insets(top: 8, left: 37.5, bottom: 8, right: 37.5)
        }
    }

    @Test("P13: A page is a card, in the section's own scroller")
    func inputs() throws {
        let section = pager(count: 5) { $0.isAlignCenter = true }
        let screen = layOut([StubSection(count: 3, 50, 50), section, StubSection(count: 1)])
        #expect(screen.diagnostics.isEmpty)
        #expect(screen.sections.map { $0.paging != nil } == [false, true, false])
        let carousel = try #require(screen.sections[1].paging)
        #expect(carousel.viewportLength == 375)
        #expect(carousel.contentLength == 1615)
        #expect(carousel.sectionInset == AxisEnds(leading: 37.5, trailing: 37.5))
        #expect(carousel.contentInset == AxisEnds())
        #expect(carousel.itemLength == 300 && carousel.lineSpacing == 10)
        #expect(carousel.pageCount == 5 && carousel.copies == 1)
        #expect(carousel.initialOffset == 0 && carousel.finalOffset == 1240)
        #expect(carousel.targetOffset(releasedAt: 500, velocity: 0) == 620)
    }

    @Test("P13: The scroller and the frames of an infinite carousel are those of one copy")
    func copies() throws {
        let section = pager(count: 3, .groupPaging) {
            $0.isInfinitePage = true
            $0.isAlignCenter = true
        }
        let screen = layOut([StubSection(count: 1, 50, 50), section])
        let frames = screen.sections[1]
        let carousel = try #require(frames.paging)
        #expect(carousel.copies == 3 && carousel.pageCount == 3)
        #expect(frames.items.map(\.x) == [37.5, 347.5, 657.5])
        #expect(frames.scroll?.contentSize == Size(width: 995, height: 180))
        #expect(frames.scroll?.snapOffsets == [0, 310, 620])
        #expect(frames.frame == Frame(0, 50, 375, 226))
        #expect(screen.contentSize == Size(width: 375, height: 276))
        // P10: nine cards in the scroller of a client, 930 to a copy.
        #expect(carousel.contentLength == 2855)
        #expect(carousel.copyLength == 930)
        #expect(carousel.finalOffset == 2480)
        #expect(carousel.remappedOffset(310) == 1240)
    }

    @Test(
        "P1, P13: Short cards have more copies, and too short ones none, with a diagnostic",
        arguments: [(90, 9), (20, nil)] as [(Double, Int?)])
    func shortCards(width: Double, copies: Int?) throws {
        var section = cards(count: 2, .points(width))
        section.layout.compositional.lineSpacing = 3
        section.layout.flow.paging = PagingOptions(isInfinitePage: true)
        let screen = layOut([StubSection(count: 1, 50, 50), section], width: 740)
        let frames = screen.sections[1]
        let carousel = try #require(frames.paging)
        #expect(carousel.copies == copies ?? 1)
        let added = Double(carousel.copies - 1) * 2 * (width + 3)
        #expect(carousel.contentLength == (frames.scroll?.contentSize.width ?? 0) + added)
        #expect(screen.diagnostics.map(\.code) == (copies == nil ? [.pagingSwitchedOff] : []))
    }

    @Test("P1: A single card is not repeated, and none has no length", arguments: [0, 1])
    func few(_ count: Int) throws {
        let frames = layOutOne(pager(count: count) { $0.isInfinitePage = true })
        let carousel = try #require(frames.paging)
        #expect(carousel.copies == 1 && carousel.pageCount == count)
        #expect(carousel.pageLength == (count == 0 ? 10 : 310))
        #expect(carousel.contentLength == (count == 0 ? 75 : 375))
        #expect(carousel.maxOffset == 0)
    }

    @Test("P13: Each section of cards turns its own pages, and as the only section, too")
    func several() {
        let screen = layOut([pager(count: 2), pager(count: 3)])
        #expect(screen.sections.map { $0.paging?.pageCount } == [2, 3])
        #expect(screen.diagnostics.isEmpty)
        #expect(layOutOne(pager(count: 4)).paging?.pageCount == 4)
        let off = layOut([pager(count: 2) { $0.isEnabled = false }])
        #expect(off.sections[0].paging == nil && off.diagnostics.isEmpty)
    }

    @Test("R4, R6: From right to left the offsets of pages are the same")
    func rightToLeft() throws {
        let section = pager(count: 3) { $0.isAlignCenter = true }
        let mirrored = layOutOne(section, direction: .rtl)
        let carousel = try #require(mirrored.paging)
        #expect(carousel == layOutOne(section).paging)
        #expect(mirrored.items.map(\.x) == [37.5, -272.5, -582.5])
        // The first page rests at the right end of the content, 995 wide in 375.
        #expect(carousel.physicalOffset(carousel.initialOffset) == 620)
    }

    @Test("P1, P13: Other sections among others do not turn pages, with a diagnostic")
    func switchedOff() {
        let sections = [
            cards(count: 3, 140, .none), cards(count: 3) { $0.compositional.direction = .vertical },
            cards(count: 3) {
                $0.compositional.itemSize = .uniform(columns: 1, width: nil, height: 9)
            },
            cards(count: 3) { $0.compositional.itemSize = .dynamic },
            StubSection(count: 3, 50, 50), StubSection(count: 3, 50, 50) { $0.kind = .list },
        ].map { section in
            var section = section
            section.layout.flow.paging = PagingOptions()
            return section
        }
        let screen = layOut(sections)
        #expect(screen.sections.allSatisfy { $0.paging == nil })
        #expect(
            screen.diagnostics.map(\.code)
                == Array(repeating: .pagingSwitchedOff, count: sections.count))
    }

    @Test("P13: In a screen that scrolls horizontally cards are flow, which turns pages alone")
    func horizontalScreen() {
        var section = pager(count: 2)
        section.header = nil
        let screen = layOut([section, section]) { $0.direction = .horizontal }
        #expect(screen.sections.allSatisfy { $0.paging == nil && $0.scroll == nil })
        #expect(
            screen.diagnostics.map(\.code) == [
                .needsVerticalScreen, .pagingSwitchedOff, .needsVerticalScreen, .pagingSwitchedOff,
            ])
    }
}
