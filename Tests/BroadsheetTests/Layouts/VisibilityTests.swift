import BroadsheetClient
import TestSupport
import Testing

@testable import Broadsheet

@Suite("V: Visibility")
struct VisibilityTests {
    /// Header 30, four items of 100 by 50 in two columns of 150, footer 20, and a decoration.
    private var section: StubSection {
        StubSection(count: 4, nil, 50, header: StubSize(nil, 30), footer: StubSize(nil, 20)) {
            $0.flow.gridColumnCount = 2
            $0.flow.minimumInteritemSpacing = 0
            $0.flow.minimumLineSpacing = 0
            $0.decoration = DecorationOptions(kind: "card")
        }
    }

    private func parts(
        _ rectangle: Frame, in screen: ScreenFrames, _ state: ScrollState = ScrollState()
    ) -> [LaidOutElement.Part] {
        VisibilityIndex(screen).elements(in: rectangle, scrolled: state).map(\.part)
    }

    @Test("V1: An element is found if it has an area in common; touching edges do not count")
    func overlap() {
        let screen = layOut([section], width: 300)
        #expect(parts(Frame(0, 0, 300, 30), in: screen) == [.header])
        #expect(parts(Frame(0, 30, 150, 50), in: screen) == [.decoration(0), .item(0)])
        #expect(parts(Frame(149.9, 79.9, 0.2, 0.2), in: screen).count == 5)
        #expect(parts(Frame(300, 0, 100, 500), in: screen).isEmpty)
        #expect(parts(Frame(0, 150, 300, 10), in: screen).isEmpty)
    }

    @Test("V1: An element without area is never found")
    func withoutArea() {
        let flat = layOut([StubSection(count: 2, 375, 0)])
        #expect(parts(Frame(-10, -10, 1000, 1000), in: flat).isEmpty)
        let screen = layOut([section], width: 300)
        #expect(parts(Frame(10, 40, 0, 10), in: screen).isEmpty)
        #expect(parts(Frame(10, 40, 10, 0), in: screen).isEmpty)
    }

    @Test("V2: Negative lengths flip, infinite ones are legal, and NaN finds nothing")
    func standardised() {
        let screen = layOut([section], width: 300)
        #expect(parts(Frame(150, 80, -150, -50), in: screen) == [.decoration(0), .item(0)])
        let all: [LaidOutElement.Part] = [
            .decoration(0), .header, .item(0), .item(1), .item(2), .item(3), .footer,
        ]
        #expect(parts(Frame(-.infinity, -.infinity, .infinity, .infinity), in: screen) == all)
        #expect(parts(Frame(.infinity, .infinity, -.infinity, -.infinity), in: screen) == all)
        #expect(parts(Frame(0, 130, .infinity, .infinity), in: screen) == [.footer])
        #expect(parts(Frame(-.infinity, 0, 5, 500), in: screen).isEmpty)
        for index in 0..<4 {
            var numbers = [0.0, 0, 300, 300]
            numbers[index] = .nan
            let rectangle = Frame(numbers[0], numbers[1], numbers[2], numbers[3])
            #expect(parts(rectangle, in: screen).isEmpty)
        }
    }

    @Test("V2: The items of a scroller are found at their scrolled position, not clipped")
    func orthogonal() {
        let pager = compositional(count: 6, .uniform(columns: 1, width: nil, height: 50)) {
            $0.compositional.scrolling = .paging
        }
        let screen = layOut([section, pager], width: 300)
        let row = Frame(0, 150, 300, 50)
        #expect(parts(row, in: screen) == [.item(0)])
        #expect(
            parts(row, in: screen, ScrollState(orthogonalOffsets: [1: 450])) == [
                .item(1), .item(2),
            ])
        // Another section's offset does not move flow items.
        #expect(parts(row, in: screen, ScrollState(orthogonalOffsets: [0: 450])) == [.item(0)])
        #expect(parts(Frame(0, 150, 900, 50), in: screen) == [.item(0), .item(1), .item(2)])
        let mirrored = layOut([section, pager], width: 300, direction: .rtl)
        #expect(
            parts(row, in: mirrored, ScrollState(orthogonalOffsets: [1: 450])) == [
                .item(1), .item(2),
            ])
        let found = VisibilityIndex(mirrored).elements(
            in: row, scrolled: ScrollState(orthogonalOffsets: [1: 300]))
        #expect(found.map(\.frame) == [Frame(0, 150, 300, 50)])
    }

    @Test("V2: Pinned elements are found at their pinned position")
    func pinned() {
        let tall = StubSection(count: 1, 300, 1000, header: StubSize(nil, 30)) {
            $0.pinHeader = true
        }
        let screen = layOut([tall], width: 300)
        let view = Frame(0, 500, 300, 100)
        #expect(parts(view, in: screen) == [.item(0)])
        let state = ScrollState(position: ScrollPosition(offset: 500, viewportLength: 100))
        #expect(parts(view, in: screen, state) == [.header, .item(0)])
        #expect(parts(Frame(0, 0, 300, 30), in: screen, state).isEmpty)
    }

    @Test("V3: Elements are ordered by section: decoration, header, items ascending, footer")
    func order() {
        let screen = layOut([section, section], width: 300)
        let found = VisibilityIndex(screen).elements(in: Frame(-1, -1, 400, 400))
        #expect(
            found.map(\.section) == Array(repeating: 0, count: 7) + Array(repeating: 1, count: 7))
        #expect(
            found.prefix(7).map(\.part)
                == [.decoration(0), .header, .item(0), .item(1), .item(2), .item(3), .footer])
    }

    @Test("V4: A point is in an item up to its right and bottom edges, which belong to the next")
    func points() {
        let index = VisibilityIndex(layOut([section], width: 300))
        #expect(index.item(atX: 0, y: 30)?.part == .item(0))
        #expect(index.item(atX: 150, y: 30)?.part == .item(1))
        #expect(index.item(atX: 149.999, y: 80)?.part == .item(2))
        #expect(index.item(atX: 0, y: 29.9) == nil)
        #expect(index.item(atX: 300, y: 40) == nil)
        #expect(index.item(atX: .nan, y: 40) == nil && index.item(atX: .infinity, y: 40) == nil)
    }

    @Test("V4: Of overlapping items the one in front is found, then the later one")
    func pointInSeveral() {
        let overlapping = StubSection(count: 3, 300, 50) { $0.flow.minimumLineSpacing = -30 }
        let index = VisibilityIndex(layOut([overlapping], width: 300))
        #expect(index.item(atX: 10, y: 45)?.part == .item(2))
        #expect(index.item(atX: 10, y: 30)?.part == .item(1))
        // The second section's items reach up into the first's, which has a background.
        var behind = StubSection(count: 1, 300, 50) {
            $0.flow.inset = Insets(top: -40, left: 0, bottom: 0, right: 0)
        }
        let decorated = StubSection(count: 1, 300, 50) {
            $0.decoration = DecorationOptions(kind: "c")
        }
        let mixed = VisibilityIndex(layOut([decorated, behind], width: 300))
        #expect(mixed.item(atX: 10, y: 30)?.section == 0)
        behind.layout.decoration = DecorationOptions(kind: "c")
        let level = VisibilityIndex(layOut([decorated, behind], width: 300))
        #expect(level.item(atX: 10, y: 30)?.section == 1)
    }

    @Test(
        "V5: A query finds what a scan of everything finds, in the same order", arguments: 0..<150)
    func equalsTheScan(_ seed: Int) {
        let screens = RandomScreens(seed: UInt64(seed), isHostile: seed.isMultiple(of: 3))
        let (sections, environment) = screens.next()
        let screen = ScreenFrames.layOut(sections: sections, in: environment)
        let index = VisibilityIndex(screen)
        var random = SeededGenerator(seed: UInt64(seed) + 1000)
        for _ in 0..<20 {
            func any(_ most: Double) -> Double {
                Double.random(in: -100...(most + 100), using: &random)
            }
            let rectangle = Frame(
                any(screen.contentSize.width), any(screen.contentSize.height), any(300), any(300))
            let state = ScrollState(
                position: Bool.random(using: &random)
                    ? ScrollPosition(offset: any(screen.contentSize.height), viewportLength: 600)
                    : nil,
                orthogonalOffsets: [0: any(500), 1: any(500)])
            #expect(
                index.elements(in: rectangle, scrolled: state) == screen.scanned(rectangle, state),
                "seed \(seed), \(rectangle)")
        }
    }

    @Test("V5: A viewport's items are found among few candidates anywhere in a million items")
    func candidates() {
        var section = StubSection(count: 100_000, 100, 50)
        section.knowsUniform = true
        for direction in [LayoutDirection.ltr, .rtl] {
            let items = layOutOne(section, direction: direction).items
            let index = FrameIndex(items)
            let middle = items[50_000].y
            let query = QueryRectangle(Frame(0, middle, 375, 600))
            let range = query.map { index.candidates($0) } ?? 0..<0
            #expect(range.contains(50_000) && range.count <= 128)
        }
        let pager = compositional(count: 100_000, .uniform(columns: 1, width: nil, height: 50)) {
            $0.compositional.scrolling = .paging
        }
        let items = layOutOne(pager, direction: .rtl).items
        let query = QueryRectangle(items[70_000])
        let range = query.map { FrameIndex(items).candidates($0) } ?? 0..<0
        #expect(range.contains(70_000) && range.count <= 128)
    }

    @Test("V5: All spans that may overlap are candidates, even out of order")
    func outOfOrder() {
        let bounds = RunningBounds(starts: [0, 50, 20, 90], ends: [10, 200, 30, 100])
        #expect(bounds.candidates(5, 8) == 0..<1)
        #expect(bounds.candidates(25, 28) == 1..<3)
        #expect(bounds.candidates(150, 160) == 1..<4)
        #expect(bounds.candidates(300, 400).isEmpty)
        #expect(RunningBounds(starts: [], ends: []).candidates(0, 1).isEmpty)
    }
}
