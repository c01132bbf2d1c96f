import Broadsheet
import Testing

@Suite("F18, F19: Columns that depend on the space or on the viewport")
struct GridColumnCountTests {
    /// Returns the widths of the columns of a grid with gaps of 16.
    private func columns(_ count: GridColumnCount, width: Double) -> [Double] {
        let section = StubSection(count: 40, nil, 30) {
            $0.flow.gridColumnCount = count
            $0.flow.minimumInteritemSpacing = 16
        }
        return layOutOne(section, width: width).items.filter { $0.y == 0 }.map(\.width)
    }

    @Test(
        "F18: There are as many columns as CSS repeat(auto-fill, minmax(160px, 1fr)) makes",
        arguments: [
            (160, 1, 160), (335.99, 1, 335.99), (336, 2, 160), (375, 2, 179.5), (511, 2, 247.5),
            (512, 3, 160), (768, 4, 180), (1040, 6, 160), (1440, 8, 166), (3000, 17, 2744.0 / 17),
        ] as [(Double, Int, Double)])
    func fitting(_ row: (width: Double, count: Int, column: Double)) {
        let widths = columns(.fitting(minItemWidth: 160, max: nil), width: row.width)
        #expect(widths.count == row.count)
        #expect(widths.allSatisfy { isClose($0, row.column) })
    }

    @Test("F18: There are at most max columns, and one as wide as there is where none fits")
    func bounds() {
        #expect(columns(.fitting(minItemWidth: 160, max: 6), width: 1440).count == 6)
        #expect(columns(.fitting(minItemWidth: 160, max: 1), width: 375) == [375])
        #expect(columns(.fitting(minItemWidth: 160, max: 6), width: 100) == [100])
        #expect(columns(.fitting(minItemWidth: 1e9, max: nil), width: 375) == [375])
    }

    @Test("F18: Extreme widths and spacings give a finite number", arguments: [-1e9, -160, 0, 1e9])
    func extremes(spacing: Double) {
        for width in [Double.leastNonzeroMagnitude, 0.5, 160, 1e9] {
            let section = StubSection(count: 3, nil, 30) {
                $0.flow.gridColumnCount = .fitting(minItemWidth: width, max: nil)
                $0.flow.minimumInteritemSpacing = spacing
            }
            for viewport in [1e-9, 375, 1e9] {
                let items = layOutOne(section, width: viewport).items
                #expect(items.count == 3)
                #expect(items.allSatisfy { $0.width.isFinite && $0.width >= 0 })
            }
        }
    }

    @Test(
        "F19: The number of the greatest width holds that the viewport has",
        arguments: [(300, 2), (599.9, 2), (600, 3), (899.9, 3), (900, 4), (1e6, 4)]
            as [(Double, Int)])
    func breakpoints(_ row: (width: Double, count: Int)) {
        let breakpoints = GridBreakpoints(default: 2, [900: 4, 600: 3])
        #expect(columns(.breakpoints(breakpoints), width: row.width).count == row.count)
    }

    @Test("F19: A number of 0 spans the viewport, without cross insets (F6)")
    func breakpointsOfRows() {
        let section = StubSection(count: 1, 20, 30) {
            $0.flow.gridColumnCount = .breakpoints(GridBreakpoints(default: 0, [600: -1]))
            $0.flow.inset = Insets(top: 5, left: 20, bottom: 7, right: 30)
        }
        #expect(layOutOne(section).items == [Frame(0, 5, 375, 30)])
        // F7: a negative number means the screen's item size.
        #expect(layOutOne(section, width: 600).items.map(\.width) == [50])
    }

    @Test("RAGGED_LAST_ROW is about the columns in effect")
    func lint() {
        let section = StubSection(count: 4, nil, 30) {
            $0.flow.gridColumnCount = .fitting(minItemWidth: 100, max: nil)
        }
        for (width, isRagged) in [(220.0, false), (375, true), (450, false)] {
            let environment = LayoutEnvironment(viewport: Viewport(width: width, height: 667))
            let found = LayoutLint.diagnose(sections: [section], in: environment)
            #expect(found.contains { $0.code == .raggedLastRow } == isRagged, "\(width)")
        }
    }
}

@Suite("gridColumnCount in JSON (docs/layout.md, J)")
struct GridColumnCountReadingTests {
    private func page(_ count: String) throws -> ServerStatePage {
        try posted(#"{"sections": [{"layout": {"gridColumnCount": \#(count)}, "units": []}]}"#)
    }

    @Test(
        "Each form is read",
        arguments: [
            ("3", 3), ("-1", -1),
            (#"{"minItemWidth": 160}"#, .fitting(minItemWidth: 160, max: nil)),
            (#"{"minItemWidth": 0.5, "max": 6}"#, .fitting(minItemWidth: 0.5, max: 6)),
            (#"{"minItemWidth": 1e12, "max": null}"#, .fitting(minItemWidth: 1e9, max: nil)),
            (#"{"default": 2}"#, .breakpoints(GridBreakpoints(default: 2))),
            (
                #"{"9e2": 4, "default": 2, "600.5": 0, "0": null, "minItemWidth": null}"#,
                .breakpoints(GridBreakpoints(default: 2, [600.5: 0, 900: 4]))
            ),
        ] as [(String, GridColumnCount)])
    func forms(_ row: (json: String, count: GridColumnCount)) throws {
        #expect(try page(row.json).sections[0].layout?.flow.gridColumnCount == row.count)
    }

    @Test(
        "An invalid form is a violation at its pointer",
        arguments: [
            ("1.5", ""), ("{}", ""), (#"{"600": 3}"#, ""), (#"{"max": 3}"#, ""),
            (#"{"minItemWidth": 160, "default": 2}"#, ""),
            (#"{"minItemWidth": 0}"#, "/minItemWidth"), (#"{"minItemWidth": -1}"#, "/minItemWidth"),
            (#"{"minItemWidth": 1e999}"#, "/minItemWidth"),
            (#"{"minItemWidth": "160"}"#, "/minItemWidth"),
            (#"{"minItemWidth": 160, "max": 0}"#, "/max"),
            (#"{"minItemWidth": 160, "max": 1.5}"#, "/max"),
            (#"{"minItemWidth": 160, "max": 2147483649}"#, "/max"),
            (#"{"default": 1.5}"#, "/default"), (#"{"default": 2, "600": {}}"#, "/600"),
            (#"{"default": 2, "60O": 3}"#, "/60O"), (#"{"default": 2, "-1": 3}"#, "/-1"),
            (#"{"default": 2, "1e10": 3}"#, "/1e10"), (#"{"default": 2, " 600": 3}"#, "/ 600"),
            (#"{"default": 2, "600": 3, "6e2": 3}"#, "/6e2"),
        ])
    func invalid(json: String, pointer: String) {
        let error = #expect(throws: ContractError.self) { try page(json) }
        #expect(
            error?.violations.map(\.pointer) == ["/sections/0/layout/gridColumnCount\(pointer)"])
    }
}
