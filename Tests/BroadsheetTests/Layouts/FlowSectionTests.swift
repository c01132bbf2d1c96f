import Testing

@testable import Broadsheet

@Suite("F1-F7: Inputs of a flow section")
struct FlowInputsTests {
    @Test("F1: By default items are 50 by 50 and 10 apart, without insets and header, vertical")
    func defaults() {
        let section = StubSection(
            Array(repeating: .none, count: 3), header: StubSize.none, footer: StubSize.none)
        let screen = layOut([section], width: 110)
        #expect(
            screen.sections[0].items == [
                Frame(0, 0, 50, 50), Frame(60, 0, 50, 50), Frame(0, 60, 50, 50),
            ])
        #expect(screen.sections[0].header == nil && screen.sections[0].footer == nil)
        #expect(screen.contentSize == Size(width: 110, height: 110))
        #expect(screen.axis == .vertical)
    }

    @Test("F2: Each value is the section's, else the screen's")
    func resolution() {
        let section = StubSection(count: 3, 50, 50) {
            $0.flow.minimumLineSpacing = 3
        }
        let frames = layOutOne(section, width: 130) {
            $0.minimumLineSpacing = 100
            $0.minimumInteritemSpacing = 20
            $0.inset = Insets(top: 7, left: 5, bottom: 1, right: 5)
        }
        // avail 120, k = (120 + 20) / 70 = 2, gap 20.
        #expect(
            frames.items == [Frame(5, 7, 50, 50), Frame(75, 7, 50, 50), Frame(5, 60, 50, 50)])
        #expect(frames.frame.height == 111)
    }

    @Test("F2: A section's inset replaces all edges of the screen's, zeros included")
    func insetIsOneValue() {
        let section = StubSection(count: 1, nil, 20) {
            $0.flow.inset = Insets(top: 1, left: 0, bottom: 0, right: 0)
        }
        let frames = layOutOne(section) { $0.inset = Insets(30) }
        #expect(frames.items == [Frame(0, 1, 375, 20)])
    }

    @Test("F3: An item has its own size, not clamped, or else the screen's item size")
    func itemSize() {
        let section = StubSection([StubSize(500, 20), .none])
        let items = layOutOne(section) { $0.itemSize = Size(width: 33, height: 44) }.items
        #expect(items.map(\.width) == [500, 33])
        #expect(items.map(\.height) == [20, 44])
    }

    @Test("F3: A length that a cell omits is the available length across, the item size along")
    func absentLengths() {
        let section = StubSection([StubSize(nil, 20), StubSize(60, nil)]) {
            $0.flow.inset = Insets(top: 0, left: 10, bottom: 0, right: 15)
        }
        let items = layOutOne(section) { $0.itemSize = Size(width: 33, height: 44) }.items
        #expect(items.map(\.width) == [350, 60])
        #expect(items.map(\.height) == [20, 44])
    }

    @Test("F4: Line spacing separates lines only, interitem spacing items of a line")
    func spacingRoles() {
        let section = StubSection(
            count: 4, 50, 50, header: StubSize(nil, 20), footer: StubSize(nil, 30)
        ) {
            $0.flow.minimumLineSpacing = 7
            $0.flow.minimumInteritemSpacing = 0
        }
        let frames = layOutOne(section, width: 100)
        #expect(frames.items.map(\.x) == [0, 50, 0, 50])
        #expect(frames.items.map(\.y) == [20, 20, 77, 77])
        #expect(frames.footer == Frame(0, 127, 100, 30))
        #expect(frames.frame.height == 157)
    }

    @Test(
        "F5: n columns share the length that insets and spacings leave",
        arguments: [
            (1, [10], 345), (2, [10, 187.5], 167.5),
            (3, [10, 128 + 1.0 / 3, 246 + 2.0 / 3], 325.0 / 3),
        ] as [(Int, [Double], Double)])
    func gridColumns(_ row: (columns: Int, x: [Double], width: Double)) {
        let section = StubSection(count: row.columns, 20, 30) {
            $0.flow.gridColumnCount = .fixed(row.columns)
            $0.flow.inset = Insets(top: 0, left: 10, bottom: 0, right: 20)
        }
        let items = layOutOne(section).items
        #expect(isClose(items.map(\.x), row.x))
        #expect(items.allSatisfy { isClose($0.width, row.width) && $0.y == 0 && $0.height == 30 })
    }

    @Test("F5: A cell is measured with the width of a column, and keeps its main length")
    func gridAsksWithTheColumn() {
        let section = StubSection([.none, StubSize(nil, 70), StubSize(5, nil)]) {
            $0.flow.gridColumnCount = 3
        }
        let items = layOutOne(section, width: 320) { $0.itemSize = Size(width: 1, height: 40) }
            .items
        #expect(items.map(\.width) == [100, 100, 100])
        #expect(items.map(\.height) == [40, 70, 40])
        #expect(items.map(\.y) == [15, 0, 15])
    }

    @Test("F5: Insets wider than the viewport give columns of 0, unless spacings are negative")
    func gridWithoutWidth() {
        let wide = Insets(top: 0, left: 300, bottom: 0, right: 300)
        let none = StubSection(count: 2, 20, 30) {
            $0.flow.gridColumnCount = 2
            $0.flow.inset = wide
        }
        #expect(layOutOne(none).items.map(\.width) == [0, 0])
        // (375 - 600 + 245) / 2 = 10: the width of a column is clamped only at the end.
        let given = StubSection(count: 2, 20, 30) {
            $0.flow.gridColumnCount = 2
            $0.flow.inset = wide
            $0.flow.minimumInteritemSpacing = -245
        }
        #expect(layOutOne(given).items.map(\.width) == [10, 10])
    }

    @Test("F5: In a horizontal screen the columns divide the height")
    func horizontalGrid() {
        let section = StubSection(count: 3, 80, 5) {
            $0.flow.gridColumnCount = 2
            $0.flow.inset = Insets(top: 20, left: 1, bottom: 30, right: 2)
        }
        let items = layOutOne(section, height: 200) { $0.direction = .horizontal }.items
        #expect(items == [Frame(1, 20, 80, 70), Frame(1, 100, 80, 70), Frame(91, 20, 80, 70)])
    }

    @Test("F6: 0 columns span the viewport, without cross insets and with main insets")
    func zeroColumns() {
        let inset = Insets(top: 5, left: 20, bottom: 7, right: 30)
        let section = StubSection(count: 2, 20, 30) {
            $0.flow.gridColumnCount = 0
            $0.flow.inset = inset
        }
        let frames = layOutOne(section)
        #expect(frames.items == [Frame(0, 5, 375, 30), Frame(0, 45, 375, 30)])
        #expect(frames.frame.height == 82)
        let sideways = layOutOne(section, height: 200) { $0.direction = .horizontal }
        #expect(sideways.items == [Frame(20, 0, 20, 200), Frame(50, 0, 20, 200)])
        #expect(sideways.frame.width == 100)
    }

    @Test("F7: A negative number of columns gives every item the screen's item size")
    func negativeColumns() {
        let section = StubSection([StubSize(100, 100), .none]) { $0.flow.gridColumnCount = -3 }
        let items = layOutOne(section) { $0.itemSize = Size(width: 30, height: 40) }.items
        #expect(items.map(\.width) == [30, 30] && items.map(\.height) == [40, 40])
    }

    @Test("F7: More columns than items leave slots empty; far too many leave items without size")
    func manyColumns() {
        let five = StubSection(count: 2, nil, 30) {
            $0.flow.gridColumnCount = 5
            $0.flow.minimumInteritemSpacing = 0
        }
        #expect(layOutOne(five).items == [Frame(0, 0, 75, 30), Frame(75, 0, 75, 30)])
        let absurd = StubSection(count: 3, nil, 30) { $0.flow.gridColumnCount = .fixed(1 << 31) }
        // Items of 0, spaced 10: k = floor(385.001 / 10) = 38, gap 10 + 5 / 37.
        let items = layOutOne(absurd).items
        #expect(items.map(\.width) == [0, 0, 0])
        #expect(isClose(items.map(\.x), [0, 375, 750].map { $0 / 37 }))
    }
}

@Suite("F15-F17: Parts of a flow section")
struct FlowAssemblyTests {
    private let inset = Insets(top: 5, left: 10, bottom: 7, right: 20)

    @Test("F15: Header, leading inset, lines, trailing inset and footer follow each other")
    func order() {
        let section = StubSection(
            count: 1, 100, 50, header: StubSize(80, 44), footer: StubSize(80, 30)
        ) { $0.flow.inset = inset }
        let frames = layOutOne(section)
        #expect(frames.header == Frame(0, 0, 375, 44))
        #expect(frames.items[0].y == 49)
        #expect(frames.footer == Frame(0, 106, 375, 30))
        #expect(frames.frame == Frame(0, 0, 375, 136))
    }

    @Test("F15: In a horizontal screen the header is on the left, as tall as the viewport")
    func horizontalHeader() {
        let section = StubSection(
            count: 1, 100, 50, header: StubSize(44, 9), footer: StubSize(30, 9)
        ) { $0.flow.inset = inset }
        let frames = layOutOne(section, height: 200) { $0.direction = .horizontal }
        #expect(frames.header == Frame(0, 0, 44, 200))
        #expect(frames.items[0].x == 54)
        #expect(frames.footer == Frame(174, 0, 30, 200))
        #expect(frames.frame == Frame(0, 0, 204, 200))
    }

    @Test(
        "F15: A header or footer without main length is not an element, which a diagnostic reports")
    func noElement() {
        let section = StubSection(
            count: 1, 100, 50, header: StubSize(300, 0), footer: StubSize(300, nil))
        let screen = layOut([section])
        #expect(screen.sections[0].header == nil && screen.sections[0].footer == nil)
        #expect(screen.contentSize.height == 50)
        #expect(
            screen.diagnostics == [
                LayoutDiagnostic(.headerHasNoSize, section: 0),
                LayoutDiagnostic(.footerHasNoSize, section: 0),
            ])
        #expect(
            screen.diagnostics.allSatisfy {
                $0.detail.hasSuffix("give its type a size, or a content with a height")
            })
    }

    @Test("F16: Sections span the viewport and follow each other without a gap")
    func sectionFrames() {
        let section = StubSection(count: 1, 500, 50) { $0.flow.inset = inset }
        let screen = layOut([section, section]) { $0.interSectionSpacing = 100 }
        #expect(screen.sections.map(\.frame) == [Frame(0, 0, 375, 62), Frame(0, 62, 375, 62)])
        #expect(screen.contentSize == Size(width: 375, height: 124))
    }

    @Test("F17: A section without items keeps header, insets and footer, without line spacing")
    func emptySection() {
        let section = StubSection(header: StubSize(nil, 44), footer: StubSize(nil, 30)) {
            $0.flow.inset = inset
        }
        let frames = layOutOne(section)
        #expect(frames.header == Frame(0, 0, 375, 44))
        #expect(frames.footer == Frame(0, 56, 375, 30))
        #expect(frames.items.isEmpty && frames.frame.height == 86)
        #expect(layOutOne(StubSection()).frame == Frame(0, 0, 375, 0))
    }
}
