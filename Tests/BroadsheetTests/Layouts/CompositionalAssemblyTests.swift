import Testing

@testable import Broadsheet

@Suite("C11-C16: Siblings, headers and footers, and parts of a section")
struct CompositionalAssemblyTests {
    /// Returns items of these heights in groups of two.
    private func siblings(
        _ heights: [Double?], estimate: Double? = nil, _ direction: ScreenAxis = .horizontal,
        scrolling: CompositionalOptions.Scrolling? = nil
    ) -> StubSection {
        var section = compositional(count: 0, .uniform(columns: 2, width: nil, height: 40)) {
            $0.compositional.direction = direction
            $0.compositional.isUniformAcrossSiblings = true
            $0.compositional.uniformEstimatedHeight = estimate
            $0.compositional.itemSpacing = 5
            $0.compositional.lineSpacing = 10
            $0.compositional.scrolling = scrolling
        }
        section.items = heights.map { StubSize(nil, $0) }
        return section
    }

    @Test("C11: The items of a group are as tall as the tallest of them; groups may differ")
    func tallestSibling() {
        let frames = layOutOne(siblings([30, 60, 20, 10, 70]), width: 205)
        #expect(frames.items.map(\.height) == [60, 60, 20, 20, 70])
        #expect(frames.items.map(\.y) == [0, 0, 70, 70, 100])
        #expect(frames.items.allSatisfy { $0.width == 100 })
        #expect(frames.frame.height == 170)
    }

    @Test("C11: An item without height counts as the estimate, else as the group's height")
    func estimate() {
        #expect(layOutOne(siblings([30, nil])).items[0].height == 40)
        #expect(layOutOne(siblings([30, nil], estimate: 35)).items[0].height == 35)
        // Measured heights may be below either.
        #expect(layOutOne(siblings([30, 20], estimate: 35)).items[0].height == 30)
    }

    @Test("C11: A vertical group is as tall as its items")
    func verticalSiblings() {
        let frames = layOutOne(siblings([30, 60, 20], .vertical), width: 200)
        #expect(
            frames.items == [Frame(0, 0, 100, 60), Frame(0, 65, 100, 60), Frame(0, 135, 100, 20)])
        #expect(frames.frame.height == 155)
    }

    @Test("C11: A scroller is as tall as the tallest of its groups")
    func scrollingSiblings() {
        let frames = layOutOne(siblings([30, 60, 20], scrolling: .continuous), width: 205)
        #expect(frames.items.map(\.height) == [60, 60, 20])
        #expect(frames.items.map(\.y) == [0, 0, 0])
        #expect(frames.frame.height == 60)
    }

    @Test(
        "C12: A header without width spans its reference, and one without height is 50 tall",
        arguments: [
            (StubSize(200, 30), Frame(87.5, 0, 200, 30)), (StubSize(0, 0), Frame(0, 0, 375, 50)),
            (StubSize.none, Frame(0, 0, 375, 50)), (StubSize(nil, 30), Frame(0, 0, 375, 30)),
            (StubSize(-5, .nan), Frame(0, 0, 375, 50)),
        ])
    func boundarySizes(_ row: (size: StubSize, frame: Frame)) {
        let frames = layOutOne(compositional(count: 0, header: row.size, footer: row.size))
        #expect(frames.header == row.frame)
        #expect(frames.footer?.y == row.frame.height && frames.footer?.width == row.frame.width)
    }

    @Test(
        "C13: Headers and footers are centred in the content box, or in the viewport for none",
        arguments: [
            (nil, Frame(20, 0, 315, 30), -10), (.automatic, Frame(20, 0, 315, 30), -10),
            (.safeArea, Frame(20, 0, 315, 30), -10), (.layoutMargins, Frame(20, 0, 315, 30), -10),
            (SectionLayout.ContentInsetsReference.none, Frame(0, 0, 375, 30), 0),
        ] as [(SectionLayout.ContentInsetsReference?, Frame, Double)])
    func reference(
        _ row: (
            reference: SectionLayout.ContentInsetsReference?, full: Frame, wideX: Double
        )
    ) {
        func header(_ width: Double?) -> Frame? {
            let section = compositional(count: 0, header: StubSize(width, 30)) {
                $0.compositional.sectionInset = Insets(top: 0, left: 20, bottom: 0, right: 40)
                $0.contentInsetsReference = row.reference
            }
            return layOutOne(section).header
        }
        #expect(header(nil) == row.full)
        #expect(header(375)?.x == row.wideX)
    }

    @Test("C14: Header, top inset, groups, bottom inset and footer follow each other")
    func order() {
        let section = compositional(
            count: 1, .uniform(columns: 1, width: nil, height: 60), header: StubSize(nil, 30),
            footer: StubSize(nil, 20)
        ) { $0.compositional.sectionInset = Insets(top: 5, left: 0, bottom: 7, right: 0) }
        let frames = layOutOne(section)
        #expect(frames.header == Frame(0, 0, 375, 30))
        #expect(frames.items == [Frame(0, 35, 375, 60)])
        #expect(frames.footer == Frame(0, 102, 375, 20))
        #expect(frames.frame.height == 122)
    }

    @Test("C15: Without items, header, insets and footer remain")
    func empty() {
        let section = compositional(
            count: 0, .dynamic, header: StubSize(nil, 30), footer: StubSize(nil, 20)
        ) { $0.compositional.sectionInset = Insets(top: 5, left: 0, bottom: 7, right: 0) }
        let frames = layOutOne(section)
        #expect(frames.footer == Frame(0, 42, 375, 20))
        #expect(frames.frame.height == 62)
    }

    @Test(
        "C16: interSectionSpacing separates compositional sections, empty ones too")
    func interSectionSpacing() {
        let one = compositional(count: 1, .uniform(columns: 1, width: nil, height: 40))
        let screen = layOut([one, compositional(count: 0), one]) { $0.interSectionSpacing = 25 }
        #expect(
            screen.sections.map(\.frame) == [
                Frame(0, 0, 375, 40), Frame(0, 65, 375, 0), Frame(0, 90, 375, 40),
            ])
        #expect(screen.contentSize == Size(width: 375, height: 130))
    }

    @Test("C16: There is no spacing next to a section of another kind")
    func interSectionSpacingAmongOthers() {
        let one = compositional(count: 1, .uniform(columns: 1, width: nil, height: 40))
        let flow = StubSection(count: 1, 375, 40)
        let screen = layOut([one, flow, one, one]) { $0.interSectionSpacing = 25 }
        #expect(screen.sections.map(\.frame.y) == [0, 40, 80, 145])
    }
}
