import BroadsheetClient
import Testing

@testable import Broadsheet

@Suite("G9: Safe areas and readable widths")
struct SectionAreaTests {
    private let safeArea = Insets(top: 59, left: 40, bottom: 34, right: 10)

    private func screen(
        _ sections: [StubSection], width: Double = 390, _ safeArea: Insets?,
        direction: LayoutDirection = .ltr, _ axis: ScreenAxis? = nil
    ) -> ScreenFrames {
        var layout = ScreenLayout()
        layout.direction = axis
        let viewport = Viewport(width: width, height: 844, direction: direction, safeArea: safeArea)
        return ScreenFrames.layOut(
            sections: sections,
            in: LayoutEnvironment(viewport: viewport, screen: layout, rounding: .none))
    }

    private func items(_ section: StubSection, _ safeArea: Insets?) -> [Frame] {
        Array(screen([section], safeArea).sections[0].items)
    }

    @Test("The sides along the main axis move no frame")
    func mainSides() {
        let section = StubSection(count: 3, nil, 20, header: StubSize(nil, 30)) {
            $0.flow.gridColumnCount = 2
        }
        #expect(
            screen([section], Insets(top: 59, left: 0, bottom: 34, right: 0)).sections
                == screen([section], nil).sections)
    }

    @Test(
        "In a horizontal screen top and bottom are taken off, and margins and widths have no effect"
    )
    func horizontalScreen() {
        let section = StubSection(count: 1, 50, 50) {
            $0.flow.gridColumnCount = 1
            $0.contentInsetsReference = .layoutMargins
            $0.maxWidth = 100
        }
        let frames = screen([section], safeArea, .horizontal).sections[0]
        #expect(frames.items[0] == Frame(0, 59, 50, 844 - 59 - 34))
        #expect(frames.frame == Frame(0, 0, 50, 844))
    }

    @Test("From right to left, the area is at the same place", arguments: LayoutDirection.allCases)
    func physical(direction: LayoutDirection) {
        let section = StubSection(count: 1, nil, 20) { $0.flow.gridColumnCount = 0 }
        let item = screen([section], safeArea, direction: direction).sections[0].items[0]
        #expect(item == Frame(40, 0, 340, 20))
    }

    @Test(
        "Each kind is laid out as in a viewport of the area's length, and moved",
        arguments: SectionLayout.Kind.allCases)
    func moved(kind: SectionLayout.Kind) {
        var section = StubSection(
            [60, 90, 30, 45].map { StubSize(80, $0) }, header: StubSize(nil, 20),
            footer: StubSize(nil, 10)
        ) {
            $0.kind = kind
            $0.flow.gridColumnCount = 3
            $0.flow.inset = Insets(5)
            $0.compositional.itemSize = .uniform(columns: 2, width: nil, height: 33)
            $0.list.appearance = .insetGrouped
            $0.list.headerMode = .supplementary
        }
        let inside = screen([section], safeArea).sections[0]
        let narrow = screen([section], width: 340, nil).sections[0]
        let back = inside.elementFrames.map { Frame($0.x - 40, $0.y, $0.width, $0.height) }
        #expect(isClose(back, narrow.elementFrames))
        #expect(inside.frame == Frame(0, 0, 390, narrow.frame.height))
        section.layout.contentInsetsReference = SectionLayout.ContentInsetsReference.none
        if kind != .compositional {
            #expect(screen([section], safeArea).sections[0].items.first?.x ?? 0 < 40)
        }
    }

    @Test("Without a safe area both references have no effect")
    func unknown() {
        for reference in SectionLayout.ContentInsetsReference.allCases {
            let section = StubSection(count: 1, nil, 20) {
                $0.flow.gridColumnCount = 0
                $0.contentInsetsReference = reference
            }
            #expect(items(section, nil) == [Frame(0, 0, 390, 20)])
        }
    }

    @Test("G2, G4: A safe area that leaves nothing is laid out; any numbers are legal")
    func absurd() {
        let section = StubSection(count: 2, nil, 20) { $0.flow.gridColumnCount = 2 }
        for side in [1e9, .infinity, .nan, -50, 500] {
            let frames = screen([section], Insets(side))
            #expect(frames.numbers.allSatisfy { $0.isFinite })
            #expect(frames.sections[0].items.count == 2)
        }
    }

    @Test("A layout of another safe area takes nothing over")
    func reuse() throws {
        let catalog = try catalog(
            #"{"units": {"U": {"cells": {"type": "T"}}}, "cellTypes": {"T": {"size": {"height": 20}}}}"#
        )
        var model = PaginatedViewModel()
        try model.load(
            resolved(
                #"{"sections": [{"units": [{"unitType": "U", "unitData": [1, 2, 3]}]}]}"#,
                by: catalog))
        let screen = model.merged(registry: catalog.registry)
        var parameters = LayoutParameters()
        let known = ReusableLayout(screen, parameters)
        parameters.viewport.safeArea = safeArea
        let other = ReusableLayout(screen, parameters, reusing: known)
        #expect(other.frames == screen.laidOut(by: parameters))
        #expect(other.frames != known.frames)
    }

    @Test(
        "A safe area is four numbers from 0 to 100000",
        arguments: [
            ("59,0,34,0", Insets(top: 59, left: 0, bottom: 34, right: 0)), ("0,0,0,0", .zero),
            ("-0,1e2,0.5,100000", Insets(top: 0, left: 100, bottom: 0.5, right: 100_000)),
            ("1,2,3", nil), ("1,2,3,4,5", nil), ("1,2,3,", nil), ("1,2,3,x", nil), ("", nil),
            ("1,2,3,-1", nil), ("1,2,3,100000.1", nil), ("1,2,3,1e999", nil), ("1, 2,3,4", nil),
        ] as [(String, Insets?)])
    func texts(text: String, safeArea: Insets?) {
        #expect(Insets(safeArea: text) == safeArea)
    }
}
