import BroadsheetClient
import Testing

@testable import Broadsheet

/// A custom layout that a test's function is, equal to those with the same name.
struct FunctionLayout: CustomLayout {
    let name: String
    let body: @Sendable (inout CustomLayoutItems, CustomLayoutSpace) -> Void

    func place(_ items: inout CustomLayoutItems, in space: CustomLayoutSpace) {
        body(&items, space)
    }

    static func == (one: FunctionLayout, other: FunctionLayout) -> Bool { one.name == other.name }
    func hash(into hasher: inout Hasher) { hasher.combine(name) }
}

@Suite("Rules X: custom layouts") struct CustomLayoutTests {
    private func section(
        count: Int, _ name: String = "", header: StubSize? = nil, footer: StubSize? = nil,
        _ body: @escaping @Sendable (inout CustomLayoutItems, CustomLayoutSpace) -> Void
    ) -> StubSection {
        StubSection(count: count, 40, 20, header: header, footer: footer) {
            $0 = .custom(FunctionLayout(name: name, body: body))
        }
    }

    @Test("X1, X3: Header, leading inset, items, trailing inset, footer")
    func order() {
        var section = section(count: 2, header: StubSize(nil, 30), footer: StubSize(nil, 15)) {
            items, space in
            #expect(space.axis == .vertical && space.crossLength == 360)
            #expect(space.viewport == Size(width: 375, height: 667))
            for item in items.indices {
                items.place(item, at: Frame(Double(item) * 50, 7, 40, 20))
            }
        }
        section.layout.flow.inset = Insets(top: 5, left: 10, bottom: 6, right: 5)
        section.layout.decoration = DecorationOptions(kind: "card")
        let frames = layOutOne(section)
        #expect(frames.header == Frame(0, 0, 375, 30))
        #expect(frames.items == [Frame(10, 42, 40, 20), Frame(60, 42, 40, 20)])
        #expect(frames.footer == Frame(0, 68, 375, 15))
        #expect(frames.frame == Frame(0, 0, 375, 83))
        #expect(frames.decorations.map(\.frame) == [Frame(0, 42, 375, 20)])
        let mirrored = layOutOne(section, direction: .rtl)
        #expect(mirrored.items == [Frame(325, 42, 40, 20), Frame(275, 42, 40, 20)])
    }

    @Test("X1: An empty or collapsed section keeps the rest, and its layout is not called (F17)")
    func empty() {
        var section = section(count: 0, header: StubSize(nil, 30), footer: StubSize(nil, 15)) {
            _, _ in Issue.record("the layout is called")
        }
        section.layout.flow.inset = Insets(top: 5, left: 0, bottom: 6, right: 0)
        #expect(layOutOne(section).frame == Frame(0, 0, 375, 56))
    }

    @Test("X2: Sizes are those of the cells, or have the requested cross length")
    func sizes() {
        let section = section(count: 2) { items, _ in
            let own = items.sizes()
            #expect(own == [Size(width: 40, height: 20), Size(width: 40, height: 20)])
            #expect(items.sizes(across: 90).map(\.width) == [90, 90])
            #expect(items.size(of: 1) == own[1])
            #expect(items.size(of: 1, across: 90) == Size(width: 90, height: 20))
            for length: Double in [-1, .nan, -.infinity] {
                #expect(items.size(of: 0, across: length).width == 0)
            }
            for item in [-1, 2, Int.min, Int.max] { #expect(items.size(of: item) == .zero) }
        }
        _ = layOutOne(section)
        var unknown = StubSection(count: 1) {
            $0 = .custom(
                FunctionLayout(name: "") { items, _ in
                    #expect(items.sizes() == [Size(width: 50, height: 50)])
                    #expect(items.sizes(across: 80) == [Size(width: 80, height: 50)])
                })
        }
        unknown.layout.flow.inset = Insets(3)
        _ = layOutOne(unknown)
    }

    @Test("X2: The lines of texts are those of the last measurement (T5)")
    func texts() throws {
        let catalog = try catalog(
            #"""
            {"units": {"U": {"cells": {"type": "T"}}},
             "fonts": {"f": {"files": ["f.ttf"], "size": 10, "lineHeight": 12}},
             "cellTypes": {"T": {"size": {"height": {"text": "/t", "font": "f"}}}}}
            """#)
        func lines(
            _ body: @escaping @Sendable (inout CustomLayoutItems, CustomLayoutSpace) -> Void
        ) throws -> [Int] {
            var registry = catalog.registry
            registry.setLayout(.custom(FunctionLayout(name: "", body: body)), forSection: "*")
            var model = PaginatedViewModel()
            try model.load(
                resolved(
                    #"{"sections": [[{"unitType": "U", "unitData": [{"t": "a a a a a a"}, {}]}]]}"#,
                    by: registry))
            let screen = model.merged(registry: registry)
            let frames = screen.laidOut(by: LayoutParameters()).sections[0]
            return frames.items.indices.map { Int(frames.lines(ofItem: $0).count) }
        }
        #expect(try lines { items, _ in _ = items.sizes(across: 300) } == [1, 0])
        let many = try lines { items, _ in _ = items.sizes(across: 20) }
        #expect(many[0] > 1)
        #expect(
            try lines { items, _ in
                _ = items.sizes(across: 300)
                _ = items.size(of: 0, across: 20)
            } == many)
        #expect(try lines { items, _ in _ = items.size(of: 0, across: 20) } == many)
        #expect(try lines { _, _ in } == [0, 0])
    }

    @Test("X4: An item that is not placed has no size, and a diagnostic")
    func notPlaced() {
        let section = section(count: 4) { items, _ in items.place(2, at: Frame(1, 2, 3, 4)) }
        let screen = layOut([StubSection(), section])
        #expect(screen.sections[1].items == [.zero, .zero, Frame(1, 2, 3, 4), .zero])
        #expect(
            screen.diagnostics == [
                LayoutDiagnostic(.itemNotPlaced, section: 1, item: 0, count: 3)
            ])
    }

    @Test("X4: Numbers that are not usable are sanitised (G2), with a diagnostic")
    func unusable() {
        let frames: [(Frame, Frame)] = [
            (Frame(.nan, 1, 2, 3), Frame(0, 1, 2, 3)),
            (Frame(1, -.infinity, 2, 3), Frame(1, 0, 2, 3)),
            (Frame(1, 2, .infinity, 3), Frame(1, 2, 0, 3)),
            (Frame(1, 2, 3, -4), Frame(1, 2, 3, 0)),
            (Frame(1e300, -1e300, 1e300, 3), Frame(1e9, -1e9, 1e9, 3)),
        ]
        let section = section(count: frames.count) { items, _ in
            for (item, frame) in frames.enumerated() { items.place(item, at: frame.0) }
        }
        let screen = layOut([section])
        #expect(Array(screen.sections[0].items) == frames.map(\.1))
        #expect(
            screen.diagnostics == [
                LayoutDiagnostic(.unusableFrame, section: 0, item: 0, count: frames.count)
            ])
    }

    @Test("X4: A frame without an item is ignored, with a diagnostic; the last of several counts")
    func withoutItem() {
        let section = section(count: 1) { items, _ in
            for item in [-1, 1, Int.min, Int.max] { items.place(item, at: Frame(0, 0, 9, 9)) }
            items.place(0, at: Frame(.nan, 0, 5, 5))
            items.place(0, at: Frame(0, 0, 6, 6))
        }
        let screen = layOut([section])
        #expect(screen.sections[0].items == [Frame(0, 0, 6, 6)])
        #expect(screen.diagnostics == [LayoutDiagnostic(.frameWithoutItem, section: 0)])
    }

    @Test("X4: A tree has the diagnostics, with the pointer of the first item's section")
    func diagnosticsInTrees() throws {
        var registry = try sampleCatalog().registry
        registry.setLayout(.custom(FunctionLayout(name: "") { _, _ in }), forSection: "*")
        let page =
            #"{"sections": [[], {"units": [{"unitType": "U", "unitData": [{}, {}]}]}]}"#
        let tree = String(
            decoding: try Composer(registry: registry).compose(Array(page.utf8)), as: UTF8.self)
        #expect(
            tree.contains(#"{"code":"ITEM_NOT_PLACED","page":0,"pointer":"/sections/1","#),
            "\(tree)")
    }

    @Test("X3: A section is never shorter than its header, insets and footer")
    func length() {
        let section = section(count: 1, header: StubSize(nil, 10)) { items, _ in
            items.place(0, at: Frame(0, -100, 10, 20))
        }
        #expect(layOutOne(section).frame == Frame(0, 0, 375, 10))
        #expect(layOutOne(section).items == [Frame(0, -90, 10, 20)])
    }

    @Test(
        "X5: Columns are those of gridColumnCount (F18, F19), in 1...1000",
        arguments: [
            (nil, nil), (GridColumnCount.fixed(3), 3), (.fixed(0), 1), (.fixed(-7), 1),
            (.fixed(1000), 1000), (.fixed(1001), 1000), (.fixed(.max), 1000),
            (.fitting(minItemWidth: 100, max: nil), 3),
            (.fitting(minItemWidth: 1e-9, max: nil), 35),
        ] as [(GridColumnCount?, Int?)])
    func columns(columns: GridColumnCount?, expected: Int?) {
        var section = section(count: 1) { items, space in
            #expect(space.columns == expected)
            #expect(space.lineSpacing == 12 && space.interitemSpacing == 10)
            items.place(0, at: .zero)
        }
        section.layout.flow.gridColumnCount = columns
        section.layout.flow.minimumLineSpacing = 12
        #expect(layOut([section]).diagnostics.isEmpty)
    }

    @Test("X1: Equal custom layouts of one type are equal, and JSON cannot name their kind")
    func equality() {
        func layout(_ name: String) -> SectionLayout {
            .custom(FunctionLayout(name: name) { _, _ in })
        }
        #expect(layout("a") == layout("a") && layout("a").hashValue == layout("a").hashValue)
        #expect(layout("a") != layout("b") && layout("a") != .custom(Masonry()))
        #expect(SectionLayout.custom(Masonry()) == .custom(Masonry()))
        #expect(SectionLayout.custom(Mosaic()) != .custom(Mosaic(leadCount: 2)))
        #expect(SectionLayout.Kind(rawValue: "custom") == nil)
        #expect(!SectionLayout.Kind.allCases.contains(.custom))
    }

    @Test("X5: Pages override the members of the layout one by one, its kind among them")
    func overriding() throws {
        var registry = try sampleCatalog().registry
        registry.setLayout(.custom(Masonry(), columns: 2, lineSpacing: 3), forSection: "*")
        func layout(_ json: String) throws -> (SectionLayout, [String]) {
            let text =
                #"{"sections": [{"layout": \#(json), "units": [{"unitType": "U", "unitData": [{}]}]}]}"#
            let page = try resolved(text, by: registry)
            var model = PaginatedViewModel()
            try model.load(page)
            let screen = model.merged(registry: registry)
            return (try #require(screen.sections.first).layout, page.notes)
        }
        let (own, notes) = try layout(#"{"gridColumnCount": 4, "inset": 2}"#)
        #expect(own == .custom(Masonry(), columns: 4, lineSpacing: 3, inset: Insets(2)))
        #expect(notes.isEmpty)
        #expect(try layout(#"{"kind": "flow"}"#).0.kind == .flow)
        #expect(
            try layout(#"{"appearance": "plain"}"#).1
                == ["MEMBER_WITHOUT_EFFECT /sections/0/layout/appearance"])
    }
}
