import Broadsheet
import TestSupport
import Testing

@Suite("Merging of pages (docs/api.md)") struct MergingTests {
    /// Returns a section of items with these ids.
    private static func section(_ id: String, _ items: [String], _ rest: String = "") -> String {
        let units = items.map { #"{"id": "\#($0)"}"# }.joined(separator: ",")
        return
            #"{"sectionId": \#(id), \#(rest) "units": [{"unitType": "U", "unitData": [\#(units)]}]}"#
    }

    private func model(
        _ pages: [Int: [String]], hasNext: Set<Int> = []
    ) throws -> PaginatedViewModel {
        var model = PaginatedViewModel()
        for (number, sections) in pages {
            let json = sections.joined(separator: ",")
            try model.load(
                resolved(
                    #"{"hasNext": \#(hasNext.contains(number)), "sections": [\#(json)]}"#,
                    number: number, by: sampleCatalog()))
        }
        return model
    }

    private func sections(_ pages: [Int: [String]]) throws -> [String] {
        try model(pages).summary(by: sampleCatalog().registry).sections.map { section in
            let ids = section.items.map { $0.split(separator: "=")[0].dropFirst("Item:".count) }
            return "\(section.id ?? "-"): \(ids.joined(separator: " "))"
        }
    }

    @Test("Sections of one id become one at the position of the first, with items in page order")
    func oneSection() throws {
        #expect(
            try sections([
                2: [Self.section(#""B""#, ["b2"]), Self.section(#""A""#, ["a2"])],
                0: [Self.section(#""A""#, ["a0", "a1"]), Self.section(#""C""#, ["c0"])],
                1: [Self.section(#""B""#, ["b1"]), Self.section(#""A""#, [])],
            ]) == ["A: a0 a1 a2", "C: c0", "B: b1 b2"])
    }

    @Test("Sections of one id in one page become one section")
    func onePage() throws {
        #expect(
            try sections([
                0: [
                    Self.section(#""A""#, ["1"]), Self.section(#""B""#, ["2"]),
                    Self.section(#""A""#, ["3"]),
                ]
            ]) == ["A: 1 3", "B: 2"])
    }

    @Test("Sections with a null id, without id or as an array of units are never merged")
    func unnamed() throws {
        #expect(
            try sections([
                0: [Self.section("null", ["1"]), Self.section("null", ["2"]), "[]"],
                1: [Self.section("null", ["3"]), #"{"units": []}"#],
            ]) == ["-: 1", "-: 2", "-: ", "-: 3", "-: "])
    }

    @Test("Ids are compared as texts: the bytes of numbers, unescaped strings, also empty ones")
    func texts() throws {
        #expect(
            try sections([
                0: [Self.section("1", ["a"]), Self.section(#""""#, ["b"])],
                1: [Self.section(#""1""#, ["c"]), Self.section(#""\u0031""#, ["d"])],
                2: [Self.section("1.0", ["e"]), Self.section(#""""#, ["f"])],
            ]) == ["1: a c d", ": b f", "1.0: e"])
    }

    @Test("Ids are equal only if their code points are")
    func codePoints() throws {
        #expect(
            try sections([
                0: [Self.section(#""\u00e9""#, ["a"]), Self.section(#""e\u0301""#, ["b"])],
                1: [Self.section(#""é""#, ["c"])],
            ]).count == 2)
    }

    @Test("Headers and footers of later pages replace earlier ones, which stay otherwise")
    func views() throws {
        func unit(_ role: String, _ type: String, _ data: Int) -> String {
            #""\#(role)": {"unitType": "\#(type)", "unitData": \#(data)},"#
        }
        let model = try model([
            0: [Self.section("1", [], unit("header", "H", 10) + unit("footer", "F", 11))],
            1: [Self.section("1", [], unit("header", "H", 20))],
            2: [Self.section("1", [])],
        ])
        let section = model.summary(by: try sampleCatalog().registry).sections.first
        #expect(section?.header == "Title=20")
        #expect(section?.footer == "Title=11")
        let merged = try #require(
            model.merged(registry: try sampleCatalog().registry).sections.first)
        #expect(merged.header?.page.number == 1)
        #expect(merged.header?.pointer == "/sections/0/header")
        #expect(model.summary(by: try sampleCatalog().registry).diagnostics.isEmpty)
    }

    @Test("The last collapsed member applies; a collapsed section has its header and no items")
    func collapsed() throws {
        let header = #""header": {"unitType": "H", "unitData": 1},"#
        let hidden = [
            0: [Self.section("1", ["a"], #""collapsed": false,"# + header)],
            1: [Self.section("1", ["b"], #""collapsed": true,"#)], 2: [Self.section("1", ["c"])],
        ]
        let registry = try sampleCatalog().registry
        let merged = try #require(try model(hidden).merged(registry: registry).sections.first)
        #expect(merged.collapsed)
        #expect(merged.itemCount == 0)
        #expect(merged.parts.isEmpty)
        #expect(merged.hasHeader)
        let shown = try model([
            0: [Self.section("1", ["a"], #""collapsed": true,"#)],
            1: [Self.section("1", ["b"], #""collapsed": false,"#)],
        ])
        #expect(shown.merged(registry: registry).sections.map(\.itemCount) == [2])
    }

    @Test("Sections that the pages collapse are expanded by their exact ids; collapsed wins")
    func expanded() throws {
        let registry = try sampleCatalog().registry
        let model = try model([
            0: ["1", "2", "3"].map { Self.section($0, ["a"], #""collapsed": true,"#) }
                + [Self.section("4", ["b"])]
        ])
        let parameters = LayoutParameters(collapsed: ["3", "4"], expanded: ["1", "3", "5"])
        let sections = model.merged(for: parameters, registry: registry).sections
        #expect(sections.map(\.itemCount) == [1, 0, 0, 0])
        #expect(sections.map(\.collapsed) == [false, true, true, true])
    }

    @Test("Sections are collapsed by their exact ids in addition to those of the pages")
    func collapsedOnTop() throws {
        let model = try model([
            0: [
                Self.section(#""\u00e9""#, ["a"]), Self.section("2", ["b"]),
                Self.section("null", ["c"]),
            ]
        ])
        let registry = try sampleCatalog().registry
        let counts = { (ids: [String]) in
            model.merged(collapsed: ids, registry: registry).sections.map(\.itemCount)
        }
        #expect(counts([]) == [1, 1, 1])
        #expect(counts(["2", "unknown", ""]) == [1, 0, 1])
        #expect(counts(["e\u{301}"]) == [1, 1, 1])
        #expect(counts(["\u{e9}"]) == [0, 1, 1])
    }

    @Test("Layout members of later pages override earlier ones, and those the catalog's")
    func layouts() throws {
        var registry = try sampleCatalog().registry
        var base = SectionLayout()
        base.flow.gridColumnCount = 9
        base.flow.minimumLineSpacing = 9
        base.flow.minimumInteritemSpacing = 9
        registry.setLayout(base, forSection: "1")
        let model = try model([
            1: [Self.section("1", [], #""layout": {"minimumLineSpacing": 2},"#)],
            0: [
                Self.section(
                    "1", [], #""layout": {"minimumLineSpacing": 1, "gridColumnCount": 1},"#)
            ],
        ])
        let flow = try #require(model.merged(registry: registry).sections.first).layout.flow
        #expect(flow.minimumLineSpacing == 2)
        #expect(flow.gridColumnCount == 1)
        #expect(flow.minimumInteritemSpacing == 9)
    }

    @Test(
        "A screen up to a page has that page and the lower ones, and indicates whether there are more"
    )
    func upTo() throws {
        let sections = [Self.section("1", ["x"])]
        let registry = try sampleCatalog().registry
        let model = try model([5: sections, 2: sections, 9: sections], hasNext: [5])
        let states = [1, 2, 4, 5, 9, Int.max].map { last in
            let screen = model.merged(upTo: last, registry: registry)
            return "\(screen.page) \(screen.pageCount) \(screen.hasNext)"
        }
        #expect(
            states == [
                "0 0 true", "2 1 true", "2 1 true", "5 2 true", "9 3 false", "9 3 false",
            ])
        let more = try self.model([0: sections], hasNext: [0])
        #expect(more.merged(registry: registry).hasNext)
        let none = PaginatedViewModel().merged(registry: registry)
        #expect(none.page == 0)
        #expect(none.pageCount == 0)
        #expect(!none.hasNext)
        #expect(none.sections.isEmpty)
    }

    @Test("Diagnostics are in page order, with the numbers of their pages")
    func diagnostics() throws {
        let model = try model([7: [#"[{"unitType": "?"}]"#], 3: [#"[{"unitType": "!"}]"#]])
        let screen = model.merged(registry: try sampleCatalog().registry)
        #expect(screen.diagnostics.map(\.page) == [3, 7])
        #expect(
            model.merged(upTo: 3, registry: try sampleCatalog().registry).diagnostics.count == 1)
    }
}

@Suite("Properties of merging random pages") struct MergingPropertyTests {
    /// Returns a page of random sections with few ids, so that sections merge.
    private func page(_ generator: inout SeededGenerator) -> String {
        func pick(_ values: [String]) -> String { values.randomElement(using: &generator) ?? "" }
        let sections = (0..<Int.random(in: 0...4, using: &generator)).map { _ in
            let units = (0..<Int.random(in: 0...3, using: &generator)).map { _ in
                pick([
                    #"{"unitType": "U", "unitData": [{"id": 1}, {"id": 2}, {}]}"#,
                    #"{"unitType": "ONE", "unitData": {"id": "1"}}"#, #"{"unitType": "?"}"#,
                    #"{"unitType": "H", "unitData": "\#(Int.random(in: 0...9, using: &generator))"}"#,
                    #"{"unitType": "P", "unitData": [0]}"#, #"{"unitType": "U", "unitData": null}"#,
                ])
            }.joined(separator: ",")
            if Int.random(in: 0...5, using: &generator) == 0 { return "[\(units)]" }
            let id = pick([#""A""#, #""B""#, "1", #""\u0031""#, "null"])
            let more = pick([
                "", #""collapsed": true,"#, #""collapsed": false,"#,
                #""layout": {"gridColumnCount": \#(Int.random(in: 0...9, using: &generator))},"#,
                #""layout": {"inset": 3},"#, #""footer": {"unitType": "F", "unitData": 5},"#,
            ])
            return #"{"sectionId": \#(id), \#(more) "units": [\#(units)]}"#
        }
        let hasNext = Bool.random(using: &generator)
        return #"{"hasNext": \#(hasNext), "sections": [\#(sections.joined(separator: ","))]}"#
    }

    private func pages(_ seed: UInt64) throws -> (pages: [ResolvedPage], registry: CellRegistry) {
        var generator = SeededGenerator(seed: seed)
        let registry = try sampleCatalog().registry
        let pages = try (0..<8).map { index in
            try resolved(page(&generator), number: index * index, by: registry)
        }
        return (pages, registry)
    }

    @Test("Any order of loading gives the same screen", arguments: 1...25)
    func order(seed: UInt64) throws {
        let (pages, registry) = try pages(seed)
        var generator = SeededGenerator(seed: seed &* 31)
        var ordered = PaginatedViewModel()
        for page in pages { try ordered.load(page) }
        var shuffled = PaginatedViewModel()
        for page in pages.shuffled(using: &generator) { try shuffled.load(page) }
        for last in [0, 3, 9, 49, 100] {
            #expect(
                shuffled.summary(upTo: last, by: registry)
                    == ordered.summary(upTo: last, by: registry), "seed \(seed), up to \(last)")
        }
    }

    @Test("Replacing a page equals removing it and loading the new one", arguments: 1...25)
    func replacing(seed: UInt64) throws {
        let (pages, registry) = try pages(seed)
        var generator = SeededGenerator(seed: seed &* 37)
        let new = try resolved(page(&generator), number: 9, by: registry)
        var replaced = PaginatedViewModel()
        var reloaded = PaginatedViewModel()
        for page in pages {
            try replaced.load(page)
            try reloaded.load(page)
        }
        try replaced.load(new)
        reloaded.removePage(9)
        try reloaded.load(new)
        #expect(replaced.summary(by: registry) == reloaded.summary(by: registry), "seed \(seed)")
        #expect(replaced.itemCount == reloaded.itemCount, "seed \(seed)")
        #expect(replaced.sectionCount == reloaded.sectionCount, "seed \(seed)")
    }

    @Test("A removed page does not affect the screen", arguments: 1...25)
    func removing(seed: UInt64) throws {
        let (pages, registry) = try pages(seed)
        var without = PaginatedViewModel()
        var removed = PaginatedViewModel()
        for page in pages {
            if page.number != 16 { try without.load(page) }
            try removed.load(page)
        }
        removed.removePage(16)
        #expect(removed.summary(by: registry) == without.summary(by: registry), "seed \(seed)")
        #expect(removed.itemCount == without.itemCount, "seed \(seed)")
    }

    @Test("No item is lost, and no two items of a section have the same id", arguments: 1...25)
    func items(seed: UInt64) throws {
        let (pages, registry) = try pages(seed)
        var model = PaginatedViewModel()
        for page in pages { try model.load(page) }
        let screen = model.merged(registry: registry)
        let hidden = screen.sections.filter(\.collapsed).compactMap(\.id)
        let shown = pages.flatMap(\.sections).filter { !hidden.contains($0.identifier ?? "-") }
        let unnamedHidden = pages.flatMap(\.sections).filter {
            $0.identifier == nil && $0.collapsed == true
        }
        #expect(
            screen.itemCount
                == shown.reduce(0) { $0 + $1.cells.count }
                - unnamedHidden.reduce(0) { $0 + $1.cells.count }, "seed \(seed)")
        for section in screen.sections {
            #expect(Set(section.items.map(\.id)).count == section.itemCount, "seed \(seed)")
        }
    }
}
