import Testing

@testable import Broadsheet

@Suite("D1-D4: backgrounds")
struct DecorationTests {
    private func section(
        _ mode: DecorationOptions.Mode?, inset: Insets = .zero, kind: SectionLayout.Kind = .flow,
        count: Int = 2
    ) -> StubSection {
        StubSection(count: count, 100, 50, header: StubSize(nil, 30), footer: StubSize(nil, 20)) {
            $0.kind = kind
            $0.flow.inset = Insets(top: 5, left: 10, bottom: 7, right: 10)
            $0.compositional.itemSize = .uniform(columns: 1, width: nil, height: 50)
            $0.decoration = DecorationOptions(kind: "card", mode: mode, inset: inset, data: [0x31])
        }
    }

    @Test("D1: mode section is the whole section, viewport across")
    func wholeSection() {
        let frames = layOutOne(section(.section))
        #expect(frames.decorations.map(\.frame) == [Frame(0, 0, 375, 112)])
        #expect(frames.decorations[0].kind == "card" && frames.decorations[0].data == [0x31])
    }

    @Test("D1: mode items is from the first to the last item, viewport across")
    func items() {
        #expect(layOutOne(section(.items)).decorations.map(\.frame) == [Frame(0, 35, 375, 50)])
        let sideways = layOutOne(section(.items), height: 200) { $0.direction = .horizontal }
        #expect(sideways.decorations.isEmpty == false)
        #expect(sideways.decorations[0].frame.y == 0 && sideways.decorations[0].frame.height == 200)
    }

    @Test("D1: the least and the greatest edge count, whichever items have them")
    func extremes() {
        var section = section(.items)
        section.items = [StubSize(300, 10), StubSize(300, 40), StubSize(20, 60)]
        section.header = nil
        section.layout.flow.minimumLineSpacing = -30
        // Lines at 5 (10 thick) and -15 (60 thick: 40 centred is at -5).
        #expect(layOutOne(section).decorations[0].frame == Frame(0, -15, 375, 60))
    }

    @Test(
        "D1: when it does not say, a compositional section's is the section's, others' the items'")
    func defaultModes() {
        #expect(layOutOne(section(nil)).decorations[0].frame == Frame(0, 35, 375, 50))
        let group = layOutOne(section(nil, kind: .compositional))
        #expect(group.decorations[0].frame == Frame(0, 0, 375, 162))
        #expect(layOutOne(section(nil, kind: .list)).decorations[0].frame == Frame(0, 0, 375, 100))
    }

    @Test("D2: insets shrink it, negative ones grow it")
    func insets() {
        let shrunk = layOutOne(section(.items, inset: Insets(top: 1, left: 2, bottom: 3, right: 4)))
        #expect(shrunk.decorations[0].frame == Frame(2, 36, 369, 46))
        let grown = layOutOne(
            section(.items, inset: Insets(top: -8, left: 8, bottom: -8, right: 8)))
        #expect(grown.decorations[0].frame == Frame(8, 27, 359, 66))
    }

    @Test("D3: nothing of it left is no element, and neither is one behind no items")
    func noElement() {
        let gone = layOutOne(section(.items, inset: Insets(top: 25, left: 0, bottom: 25, right: 0)))
        #expect(gone.decorations.isEmpty && gone.itemZIndex == 0)
        #expect(layOutOne(section(.items, inset: Insets(200))).decorations.isEmpty)
        #expect(layOutOne(section(.items, count: 0)).decorations.isEmpty)
        #expect(layOutOne(section(.section, count: 0)).decorations.count == 1)
        let strange = Insets(top: .nan, left: .infinity, bottom: -.infinity, right: .nan)
        #expect(
            layOutOne(section(.items, inset: strange)).decorations[0].frame == Frame(0, 35, 375, 50)
        )
    }

    @Test("D3: an orthogonal section's is on the outer view")
    func orthogonal() {
        var pager = section(.section, kind: .compositional, count: 4)
        pager.layout.compositional.scrolling = .paging
        #expect(layOutOne(pager).decorations[0].frame == Frame(0, 0, 375, 112))
    }

    @Test("D4: it changes no content size")
    func contentSize() {
        let screen = layOut([section(.section, inset: Insets(-500))])
        #expect(screen.contentSize == Size(width: 375, height: 112))
    }
}
