import BroadsheetClient
import Testing

@testable import Broadsheet

@Suite("F21, C18: Alignment in lines and rows")
struct ItemAlignmentTests {
    @Test("F21: Items are aligned in lines in horizontal screens, too")
    func horizontalScreen() {
        let section = StubSection([40, 80, 60].map { StubSize($0, 50) }) {
            $0.flow.itemAlignment = .end
        }
        let items = layOutOne(section, height: 200) { $0.direction = .horizontal }.items
        #expect(items.map(\.x) == [40, 0, 20])
    }

    @Test("F21, F10: Lines break by the sizes before they are stretched")
    func stretched() {
        let section = StubSection([StubSize(100, 20), StubSize(100, 40)]) {
            $0.flow.itemAlignment = .stretch
        }
        let plain = StubSection(section.items)
        #expect(layOutOne(section).items.map(\.x) == layOutOne(plain).items.map(\.x))
        #expect(layOutOne(section).items.map(\.height) == [40, 40])
    }

    @Test("P3: A page of a carousel is as long as its first item is laid out, alone in its line")
    func carousel() {
        func pageLength(_ width: Double) -> Double? {
            let section = StubSection([StubSize(width, 60), StubSize(width, 90)]) {
                $0.flow.itemAlignment = .stretch
                $0.flow.minimumLineSpacing = 0
                $0.flow.paging = PagingOptions()
            }
            return layOutOne(section).paging?.pageLength
        }
        #expect(pageLength(300) == 60)
        #expect(pageLength(100) == nil)
    }

    @Test(
        "C18: A member without effect has a diagnostic",
        arguments: [
            (#""kind": "compositional", "itemSize": "dynamic""#, false),
            (#""kind": "compositional", "itemSize": "dynamic", "direction": "vertical""#, true),
            (#""kind": "compositional", "itemSize": {"uniform": {}}"#, true),
            (#""kind": "compositional", "isUniformAcrossSiblings": true"#, true),
            (
                #""kind": "compositional", "isUniformAcrossSiblings": true, "scrolling": "paging""#,
                false
            ),
            (#""kind": "compositional", "scrolling": "paging""#, true),
            (#""kind": "flow""#, false), (#""kind": "list""#, true), (#""kind": "masonry""#, true),
        ])
    func withoutEffect(layout: String, isIdle: Bool) throws {
        let page = try resolved(
            #"{"sections": [{"layout": {\#(layout), "itemAlignment": "end"}, "units": []}]}"#,
            by: catalog("{}"))
        let expected = ["MEMBER_WITHOUT_EFFECT /sections/0/layout/itemAlignment"]
        #expect(page.notes == (isIdle ? expected : []))
    }

    @Test("C18: Only a change of the height of the row arranges all items again")
    func costOfRows() {
        var dynamic = SectionLayout.compositional(
            CompositionalOptions(
                itemSize: .dynamic, scrolling: .continuous, itemAlignment: .center))
        var cards = dynamic
        cards.compositional.itemSize = .uniform(columns: nil, width: 40, height: nil)
        cards.compositional.isUniformAcrossSiblings = true
        let sizes = (0..<10_000).map { Size(width: 40, height: Double(20 + $0 % 30)) }
        let environment = LayoutEnvironment(viewport: Viewport())
        for layout in [dynamic, cards] {
            let before = CountedSection(sizes, layout)
            let known = ArrangedScreen([before], in: environment)
            for (height, isTaller) in [(49.0, false), (12, false), (50, true)] {
                let row = CountedSection(sizes + [Size(width: 40, height: height)], layout)
                let reused = row.frames(after: before, known, in: environment)
                let count = row.measuredCount
                #expect(isTaller ? count > 10_000 : count <= 2, "\(height): \(count)")
                #expect(reused == ScreenFrames.layOut(sections: [row], in: environment))
            }
        }
        dynamic.compositional.itemAlignment = .start
        let before = CountedSection(sizes, dynamic)
        let row = CountedSection(sizes + [Size(width: 40, height: 90)], dynamic)
        _ = row.frames(
            after: before, ArrangedScreen([before], in: environment), in: environment)
        #expect(row.measuredCount <= 2, "at the start the height does not matter")
    }
}
