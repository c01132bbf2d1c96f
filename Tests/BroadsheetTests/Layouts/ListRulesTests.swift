import Testing

@testable import Broadsheet

@Suite("L: Lists")
struct ListRulesTests {
    /// Returns a list with rows of these heights.
    private func list(
        _ heights: [Double?], _ appearance: ListOptions.Appearance? = nil, header: StubSize? = nil,
        footer: StubSize? = nil, _ configure: (inout ListOptions) -> Void = { _ in }
    ) -> StubSection {
        StubSection(heights.map { StubSize(nil, $0) }, header: header, footer: footer) {
            $0.kind = .list
            $0.list.appearance = appearance
            configure(&$0.list)
        }
    }

    @Test("L1: By default a list is plain, with separators, without header and footer")
    func defaults() {
        let screen = layOut([list([nil], header: StubSize(nil, 30), footer: StubSize(nil, 30))])
        let frames = screen.sections[0]
        #expect(frames.header == nil && frames.footer == nil)
        #expect(frames.items == [Frame(0, 0, 375, 44)])
        #expect(frames.separators.count == 1 && frames.separators[0] != nil)
        #expect(screen.contentSize.height == 44)
        #expect(screen.diagnostics.map(\.code) == [.headerNotShown, .footerNotShown])
    }

    @Test(
        "L2: Rows have a margin in insetGrouped and sidebar lists: 20 from 414 on, else 16",
        arguments: [
            (.plain, 375, 0), (.grouped, 414, 0), (.sidebarPlain, 414, 0), (.insetGrouped, 375, 16),
            (.insetGrouped, 413.9, 16), (.insetGrouped, 414, 20), (.sidebar, 414, 20),
        ] as [(ListOptions.Appearance, Double, Double)])
    func margins(_ row: (appearance: ListOptions.Appearance, width: Double, inset: Double)) {
        let section = list([30], row.appearance, header: StubSize(nil, 20)) {
            $0.headerMode = .supplementary
        }
        let frames = layOutOne(section, width: row.width)
        #expect(isClose(frames.items[0].x, row.inset))
        #expect(isClose(frames.items[0].width, row.width - 2 * row.inset))
        #expect(frames.header?.x == row.inset && frames.header?.width == frames.items[0].width)
        #expect(layOutOne(list([30], .sidebar), width: 20).items[0].width == 0)
    }

    @Test("L3: Rows stack without spacing, at their own height or 44; widths do not count")
    func rows() {
        var section = list([60, nil, 0])
        section.items.append(StubSize(50, 10))
        section.layout.flow.minimumLineSpacing = 100
        section.layout.flow.inset = Insets(100)
        section.layout.flow.gridColumnCount = 3
        #expect(
            layOutOne(section).items == [
                Frame(0, 0, 375, 60), Frame(0, 60, 375, 44), Frame(0, 104, 375, 0),
                Frame(0, 104, 375, 10),
            ])
    }

    @Test("L4: Grouped sections without header and footer have a padding, the first a greater one")
    func padding() {
        for appearance in [ListOptions.Appearance.grouped, .insetGrouped] {
            let section = list([30], appearance)
            let screen = layOut([section, section])
            #expect(screen.sections.map(\.items[0].y) == [35, 17.5])
            #expect(screen.sections.map(\.frame.height) == [82.5, 65])
        }
        for appearance in [ListOptions.Appearance.plain, .sidebar, .sidebarPlain] {
            #expect(layOutOne(list([30], appearance)).frame.height == 30)
        }
    }

    @Test("L4: A header or footer that is shown replaces the padding")
    func paddingAndHeader() {
        let section = list([30], .grouped, header: StubSize(nil, 20), footer: StubSize(nil, 10)) {
            $0.headerMode = .supplementary
            $0.footerMode = .supplementary
        }
        let frames = layOutOne(section)
        #expect(frames.header == Frame(0, 0, 375, 20))
        #expect(frames.items[0].y == 20)
        #expect(frames.footer == Frame(0, 50, 375, 10))
        #expect(frames.frame.height == 60)
    }

    @Test(
        "L5: A header has a padding above it, 22 in a plain list; without height it is 44 tall",
        arguments: [
            (.plain, nil, StubSize(nil, 30), Frame(0, 22, 375, 30)),
            (.plain, 5, StubSize(nil, 30), Frame(0, 5, 375, 30)),
            (.plain, nil, StubSize.none, Frame(0, 22, 375, 44)),
            (.grouped, nil, StubSize(nil, 0), Frame(0, 0, 375, 44)),
            (.sidebarPlain, 3, StubSize(10, 30), Frame(0, 3, 375, 30)),
        ] as [(ListOptions.Appearance, Double?, StubSize, Frame)])
    func headers(
        _ row: (appearance: ListOptions.Appearance, padding: Double?, size: StubSize, frame: Frame)
    ) {
        let section = list([30], row.appearance, header: row.size) {
            $0.headerMode = .supplementary
            $0.headerTopPadding = row.padding
        }
        let frames = layOutOne(section)
        #expect(frames.header == row.frame)
        #expect(frames.items[0].y == row.frame.maxY)
    }

    @Test("L5: With firstItemInSection the first row is the header, and the section's is not shown")
    func firstItemHeader() {
        let section = list([30, 40], .grouped, header: StubSize(nil, 20)) {
            $0.headerMode = .firstItemInSection
        }
        let screen = layOut([section])
        #expect(screen.sections[0].header == nil)
        #expect(screen.sections[0].items.map(\.y) == [35, 65])
        #expect(screen.diagnostics.map(\.code) == [.headerNotShown])
    }

    @Test("L5: A footer has no padding, and a height of 0 counts as unspecified")
    func footers() {
        let section = list([30], footer: StubSize(nil, 0)) { $0.footerMode = .supplementary }
        #expect(layOutOne(section).footer == Frame(0, 30, 375, 44))
    }

    @Test(
        "L6: A separator is inside the bottom edge of each row, inset by the margin",
        arguments: [
            (.plain, [Frame(16, 29.5, 359, 0.5), Frame(16, 69.5, 359, 0.5)]),
            (.sidebarPlain, [Frame(16, 29.5, 359, 0.5), Frame(16, 69.5, 359, 0.5)]),
            (.grouped, [Frame(16, 64.5, 359, 0.5), Frame(0, 104.5, 375, 0.5)]),
            (.insetGrouped, [Frame(32, 64.5, 327, 0.5), nil]),
            (.sidebar, [Frame(32, 29.5, 327, 0.5), nil]),
        ] as [(ListOptions.Appearance, [Frame?])])
    func separators(_ row: (appearance: ListOptions.Appearance, lines: [Frame?])) {
        #expect(layOutOne(list([30, 40], row.appearance), scale: 2).separators == row.lines)
    }

    @Test("L6: There is no separator under a first item that is the header, or if they are off")
    func missingSeparators() {
        let section = list([30, 40]) { $0.headerMode = .firstItemInSection }
        #expect(layOutOne(section).separators == [nil, Frame(16, 69.5, 359, 0.5)])
        let without = list([30, 40]) { $0.showsSeparators = false }
        #expect(layOutOne(without).separators.isEmpty)
    }

    @Test(
        "L6: A separator is one device pixel thick, or a point without a usable scale",
        arguments: [(1, 1), (3, 1.0 / 3), (0, 1), (-2, 1), (.nan, 1), (.infinity, 1)]
            as [(Double, Double)])
    func thickness(_ row: (scale: Double, thickness: Double)) {
        #expect(layOutOne(list([30]), scale: row.scale).separators[0]?.height == row.thickness)
    }

    @Test("L7: Only plain headers are pinned, unless the section or the screen specifies it")
    func pinning() {
        func isPinned(
            _ appearance: ListOptions.Appearance, section: Bool? = nil, screen: Bool? = nil
        ) -> Bool {
            var one = list([30], appearance, header: StubSize(nil, 20)) {
                $0.headerMode = .supplementary
            }
            one.layout.pinHeader = section
            return layOutOne(one) { $0.pinHeaders = screen }.isHeaderPinned
        }
        #expect(isPinned(.plain))
        #expect(!isPinned(.grouped) && !isPinned(.insetGrouped))
        #expect(!isPinned(.sidebar) && !isPinned(.sidebarPlain))
        #expect(!isPinned(.plain, section: false))
        #expect(isPinned(.grouped, screen: true))
        #expect(isPinned(.grouped, section: true, screen: false))
    }
}
