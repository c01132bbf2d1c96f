import Testing

@testable import Broadsheet

@Suite("F8-F14: Lines of a flow section")
struct FlowLinesTests {
    @Test("F8: Lines have the length that the cross insets leave, never a negative one")
    func available() {
        let inset = Insets(top: 0, left: 30, bottom: 0, right: 45)
        let section = StubSection(count: 2, 300, 10) { $0.flow.inset = inset }
        #expect(layOutOne(section).items.map(\.x) == [30, 30])
        let tooWide = StubSection(count: 1, 100, 10) {
            $0.flow.inset = Insets(top: 0, left: 300, bottom: 0, right: 300)
        }
        // avail 0: centred on the inset's edge, (0 - 100) / 2 = -50.
        #expect(layOutOne(tooWide).items[0].x == 250)
    }

    @Test(
        "F9: An item joins a line that it exceeds by at most 0.001",
        arguments: [(50.001, 1), (50.0011, 2), (49, 1)] as [(Double, Int)])
    func fitTest(_ row: (width: Double, lines: Int)) {
        // 40 + 10 + width in 100, and a last item that makes the section ragged.
        let section = StubSection([StubSize(40, 10), StubSize(row.width, 10), StubSize(99, 20)])
        let items = layOutOne(section, width: 100).items
        #expect(items[1].y == (row.lines == 1 ? 0 : 20))
    }

    @Test("F9: Three thirds of a width always share a line, of one size or not")
    func thirds() {
        let third = StubSection(count: 3, 375.0 / 3 + 0.0003, 10) {
            $0.flow.minimumInteritemSpacing = 0
        }
        #expect(layOutOne(third).items.allSatisfy { $0.y == 0 })
        let ragged = StubSection([125.0003, 125.0002, 125.0003].map { StubSize($0, 10) }) {
            $0.flow.minimumInteritemSpacing = 0
        }
        #expect(layOutOne(ragged).items.allSatisfy { $0.y == 0 })
    }

    @Test("F9: The first item of a line always fits")
    func longFirstItem() {
        let section = StubSection([StubSize(500, 10), StubSize(600, 10), StubSize(10, 10)])
        #expect(layOutOne(section).items.map(\.y) == [0, 20, 40])
    }

    @Test("F10: The number of items in a line does not depend on their total number")
    func countedAsIfFull() {
        // k = floor(385.001 / 110) = 3 for a single item as for many: it is leading.
        #expect(layOutOne(StubSection(count: 1, 100, 100)).items[0].x == 0)
        #expect(layOutOne(StubSection(count: 2, 100, 100)).items.map(\.x) == [0, 137.5])
    }

    @Test("F10: A section is uniform if all its items have one size in both dimensions")
    func uniformity() {
        let alike = StubSection(count: 4, 100, 100)
        #expect(layOutOne(alike).items.map(\.x) == [0, 137.5, 275, 0])
        let taller = StubSection([100, 100, 100, 101].map { StubSize(100, $0) })
        // Ragged now: the first line of three is justified as before, the last is leading.
        #expect(layOutOne(taller).items.map(\.x) == [0, 137.5, 275, 0])
        let five = StubSection([100, 100, 100, 100, 101].map { StubSize(100, $0) })
        #expect(layOutOne(five).items.map(\.x) == [0, 137.5, 275, 0, 110])
    }

    @Test("F10: Items without length are one line, the spacing apart")
    func noStep() {
        let section = StubSection(count: 5, 10, 30) { $0.flow.minimumInteritemSpacing = -10 }
        let frames = layOutOne(section)
        #expect(frames.items.map(\.x) == [0, 0, 0, 0, 0])
        #expect(frames.frame.height == 30)
        let backwards = StubSection(count: 3, 10, 30) { $0.flow.minimumInteritemSpacing = -15 }
        #expect(layOutOne(backwards).items.map(\.x) == [0, -5, -10])
    }

    @Test("F11: Every line of a grid has the same gap, the last one included")
    func uniformLines() {
        let items = layOutOne(StubSection(count: 8, 100, 20)).items
        #expect(items.map(\.x) == [0, 137.5, 275, 0, 137.5, 275, 0, 137.5])
        #expect(items.map(\.y) == [0, 0, 0, 30, 30, 30, 60, 60])
    }

    @Test("F11: A single item in a line is centred, and overflows both sides if it is too long")
    func singleColumn() {
        #expect(layOutOne(StubSection(count: 2, 200, 20)).items.map(\.x) == [87.5, 87.5])
        #expect(layOutOne(StubSection(count: 2, 475, 20)).items.map(\.x) == [-50, -50])
    }

    @Test("F12: A line other than the last is justified, or centred if it holds one item")
    func commonLines() {
        let section = StubSection([100, 100, 200, 300, 50].map { StubSize($0, 10) })
        let items = layOutOne(section, width: 310).items
        // 100 + 100 justified in 310; 200 alone, centred at 55; 300 at 5; 50 last, leading.
        #expect(items.map(\.x) == [0, 210, 55, 5, 0])
        #expect(items.map(\.y) == [0, 0, 20, 40, 60])
    }

    @Test("F12: A single item is centred between the insets, not in the viewport")
    func loneItemAndInsets() {
        let section = StubSection([StubSize(200, 10), StubSize(250, 10)]) {
            $0.flow.inset = Insets(top: 0, left: 10, bottom: 0, right: 50)
        }
        // avail 315: 10 + 57.5 and 10 + 32.5.
        #expect(layOutOne(section).items.map(\.x) == [67.5, 42.5])
    }

    @Test("F13: The last line starts at the leading edge, and its gap is the spacing")
    func lastLine() {
        let section = StubSection([200, 150, 50, 60, 70].map { StubSize($0, 10) }) {
            $0.flow.minimumInteritemSpacing = 4
        }
        let items = layOutOne(section).items
        #expect(items.map(\.x) == [0, 225, 0, 54, 118])
    }

    @Test("F13: A single line of different items is a last line")
    func onlyLine() {
        let section = StubSection([50, 60].map { StubSize($0, 10) })
        #expect(layOutOne(section).items.map(\.x) == [0, 60])
    }

    @Test("F13: If every line holds a single item, the last one is centred too")
    func allSingle() {
        let section = StubSection([200, 300, 250].map { StubSize($0, 10) })
        #expect(layOutOne(section).items.map(\.x) == [87.5, 37.5, 62.5])
        // One line of two before it, and the last is leading again.
        let mixed = StubSection([100, 110, 300, 250].map { StubSize($0, 10) })
        #expect(layOutOne(mixed).items.map(\.x) == [0, 265, 37.5, 0])
    }

    @Test("F14: A line is as thick as its thickest item, and the others are centred in it")
    func insideALine() {
        let section = StubSection(
            [StubSize(300, 10), StubSize(50, 40), StubSize(60, 20), StubSize(70, 30)])
        let items = layOutOne(section).items
        // 40 thick, then from 50 on 30 thick.
        #expect(items.map(\.y) == [15, 0, 55, 50])
    }

    @Test(
        "F14: An item that is too long has its own line, which starts at the inset if it is the last"
    )
    func overlongItem() {
        let section = StubSection([
            StubSize(475, 10), StubSize(100, 10), StubSize(110, 10), StubSize(480, 10),
        ])
        let items = layOutOne(section).items
        // Overflows by 50 on both sides; 100 and 110 are justified; the last starts at the leading
        // edge.
        #expect(items.map(\.x) == [-50, 0, 265, 0])
        #expect(items.map(\.width) == [475, 100, 110, 480])
    }

    @Test("F14: The lines of a horizontal screen are columns from top to bottom")
    func horizontalLines() {
        let section = StubSection([StubSize(40, 60), StubSize(80, 100), StubSize(20, 90)])
        let items = layOutOne(section, height: 200) { $0.direction = .horizontal }.items
        // Column one: 60 and 100 justified in 200, 80 thick; column two leads.
        #expect(items == [Frame(20, 0, 40, 60), Frame(0, 100, 80, 100), Frame(90, 0, 20, 90)])
    }
}
