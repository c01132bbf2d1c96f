import Testing

@testable import Broadsheet

@Suite("C9, C10: Sections that scroll horizontally")
struct ScrollerTests {
    /// Returns three groups of 335 by 60, 10 apart, 20 from the sides of 375.
    private func section(
        _ scrolling: CompositionalOptions.Scrolling, count: Int = 3
    ) -> StubSection {
        compositional(count: count, .uniform(columns: 1, width: nil, height: 60)) {
            $0.compositional.scrolling = scrolling
            $0.compositional.lineSpacing = 10
            $0.compositional.sectionInset = Insets(top: 5, left: 20, bottom: 7, right: 20)
        }
    }

    @Test("C9: Groups are side by side; the section is as tall as the tallest")
    func groupsRun() {
        let screen = layOut([section(.continuous)])
        let frames = screen.sections[0]
        #expect(
            frames.items == [Frame(20, 5, 335, 60), Frame(365, 5, 335, 60), Frame(710, 5, 335, 60)])
        #expect(frames.frame == Frame(0, 0, 375, 72))
        #expect(screen.contentSize == Size(width: 375, height: 72))
    }

    @Test("C9: Item 5 of a scroller of three columns is at five thirds of the viewport")
    func threeColumnPager() {
        let pager = compositional(count: 6, .uniform(columns: 3, width: nil, height: 180)) {
            $0.compositional.scrolling = .paging
        }
        #expect(isClose(layOutOne(pager).items[5], Frame(625, 0, 125, 180)))
    }

    @Test(
        "C10: Each behaviour has its resting offsets",
        arguments: [
            (.continuous, [], 0),
            (.continuousGroupLeadingBoundary, [0, 345, 690], 0),
            (.groupPaging, [0, 345, 690], 0),
            // Content 1065: pages at 0, 375, and the last at 690.
            (.paging, [0, 375, 690], 0),
            (.groupPagingCentered, [0, 345, 690], 0),
        ] as [(CompositionalOptions.Scrolling, [Double], Double)])
    func snapOffsets(
        _ row: (scrolling: CompositionalOptions.Scrolling, offsets: [Double], initial: Double)
    ) throws {
        let scroll = try #require(layOutOne(section(row.scrolling)).scroll)
        #expect(isClose(scroll.snapOffsets, row.offsets))
        #expect(scroll.initialOffset == row.initial)
        #expect(scroll.behavior == row.scrolling && scroll.axis == .horizontal)
        #expect(scroll.contentSize == Size(width: 1065, height: 60))
        #expect(scroll.frame == Frame(0, 5, 375, 60))
    }

    @Test("C10: The offsets of groups stop at the content's end")
    func clampedOffsets() throws {
        // Groups of 100 in 300: content 20 + 3 * 100 + 2 * 10 + 180 = 520, at most 220.
        let wide = compositional(count: 3, .uniform(columns: 1, width: nil, height: 60)) {
            $0.compositional.scrolling = .groupPaging
            $0.compositional.lineSpacing = 10
            $0.compositional.sectionInset = Insets(top: 0, left: 20, bottom: 0, right: 180)
        }
        let scroll = try #require(layOutOne(wide, width: 300).scroll)
        #expect(scroll.snapOffsets == [0, 110, 220])
        let narrow = compositional(count: 3, .uniform(columns: 1, width: nil, height: 60)) {
            $0.compositional.scrolling = .groupPaging
            $0.compositional.sectionInset = Insets(top: 0, left: 200, bottom: 0, right: 0)
        }
        // Content 200 + 300 = 500, at most 200; groups at 0, 100, 200.
        #expect(layOutOne(narrow, width: 300).scroll?.snapOffsets == [0, 100, 200])
    }

    @Test("C10: The offsets of centred groups are not clamped, and the first is the initial one")
    func centred() throws {
        let section = compositional(count: 3, .uniform(columns: 1, width: nil, height: 60)) {
            $0.compositional.scrolling = .groupPagingCentered
            $0.compositional.lineSpacing = 10
            $0.compositional.sectionInset = Insets(top: 0, left: 10, bottom: 0, right: 30)
        }
        let scroll = try #require(layOutOne(section).scroll)
        #expect(scroll.snapOffsets == [-10, 335, 680])
        #expect(scroll.initialOffset == -10)
    }

    @Test(
        "C10: Less than 0.001 of content does not make a page",
        arguments: [(375.0, 1), (375.001, 1), (375.01, 2), (750, 2), (0, 1)] as [(Double, Int)])
    func pages(_ row: (contentWidth: Double, pages: Int)) {
        var section = compositional(count: 0, .dynamic) {
            $0.compositional.direction = .horizontal
            $0.compositional.scrolling = .paging
        }
        section.items = [StubSize(row.contentWidth, 50)]
        #expect(layOutOne(section).scroll?.snapOffsets.count == row.pages)
    }

    @Test("C10: Settings for the client's scroller are passed through")
    func properties() {
        var fast = CompositionalOptions.ScrollProperties()
        fast.decelerationRate = "fast"
        fast.bounce = false
        var section = section(.paging)
        section.layout.compositional.orthogonalScrollingProperties = fast
        #expect(layOutOne(section).scroll?.properties == fast)
    }

    @Test("C10: A scroller without items scrolls its insets, and has no resting offsets")
    func emptyScroller() throws {
        let scroll = try #require(layOutOne(section(.groupPagingCentered, count: 0)).scroll)
        #expect(scroll.contentSize == Size(width: 40, height: 0))
        #expect(scroll.snapOffsets.isEmpty && scroll.initialOffset == 0)
    }

    @Test("C10: Resting offsets beyond a limit are not listed, with a diagnostic")
    func offsetLimit() {
        var section = compositional(count: 0, .dynamic) {
            $0.compositional.direction = .horizontal
            $0.compositional.scrolling = .paging
        }
        section.items = [StubSize(1e9, 50)]
        let screen = layOut([section], width: 0.001)
        #expect(screen.sections[0].scroll?.snapOffsets.count == Scroller.offsetLimit)
        #expect(screen.diagnostics.map(\.code) == [.snapOffsetsTruncated])
    }

    @Test(
        "C10: Resting offsets of groups have the same limit",
        arguments: [.continuousGroupLeadingBoundary, .groupPaging, .groupPagingCentered]
            as [CompositionalOptions.Scrolling])
    func groupLimit(_ scrolling: CompositionalOptions.Scrolling) {
        let full = layOut([section(scrolling, count: Scroller.offsetLimit)])
        #expect(full.sections[0].scroll?.snapOffsets.count == Scroller.offsetLimit)
        #expect(full.diagnostics.isEmpty)
        let more = layOut([section(scrolling, count: Scroller.offsetLimit + 1)])
        #expect(more.sections[0].scroll?.snapOffsets == full.sections[0].scroll?.snapOffsets)
        #expect(more.diagnostics.map(\.code) == [.snapOffsetsTruncated])
    }

    @Test("C10: A section needs the same memory for one resting offset as for 10,000")
    func memory() throws {
        let catalog = try catalog(
            #"{"units": {"U": {"cells": {"type": "C"}}}, "cellTypes": {"C": {}}}"#)
        let layout = #"""
            {"kind": "compositional", "scrolling": "paging",
             "itemSize": {"uniform": {"width": 1000000}}}
            """#
        let page = #"""
            {"sections": [{"layout": \#(layout),
              "units": [{"unitType": "U", "unitData": [0]}]}]}
            """#
        var model = PaginatedViewModel()
        try model.load(resolved(page, by: catalog))
        let merged = model.merged(registry: catalog.registry)
        func layOut(width: Double) -> (offsets: Int?, byteCount: Int) {
            let frames = merged.laidOut(
                by: LayoutParameters(viewport: Viewport(width: width, height: 600)))
            return (
                frames.sections[0].scroll?.snapOffsets.count, merged.byteCount(with: frames)
            )
        }
        let (one, all) = (layOut(width: 1_000_000), layOut(width: 100))
        #expect(one.offsets == 1 && all.offsets == Scroller.offsetLimit)
        #expect(all.byteCount == one.byteCount)
    }
}
