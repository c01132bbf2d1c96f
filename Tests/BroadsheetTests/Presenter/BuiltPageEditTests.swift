import Broadsheet
import Foundation
import Testing

private struct Dish: Codable, Hashable, Sendable, Identifiable {
    var id: String
    var price: Int
}

/// A dish, whose id is that of the model.
private enum DishCell: CellType {
    static func size(with dish: Dish, constrainedTo container: Container) -> Size? {
        Size(width: container.available.width, height: Double(dish.price))
    }
}

private enum Heading: CellType {
    static func size(with data: JSONValue, constrainedTo container: Container) -> Size? {
        Size(width: container.available.width, height: 30)
    }
}

private enum Other {
    enum Heading: CellType {
        static func size(with data: JSONValue, constrainedTo container: Container) -> Size? { nil }
    }
}

private struct Diagonal: CustomLayout {
    func place(_ items: inout CustomLayoutItems, in space: CustomLayoutSpace) {
        for index in 0..<items.count {
            let offset = Double(index) * 10
            items.place(index, at: Frame(x: offset, y: offset, width: 10, height: 10))
        }
    }
}

@Suite("Built pages are edited")
struct BuiltPageEditTests {
    private static let dishes = [Dish(id: "soup", price: 6), Dish(id: "pie", price: 9)]

    private func page(
        _ number: Int = 0, _ layout: @escaping @Sendable (inout SectionLayout) -> Void = { _ in }
    ) throws -> ResolvedPage {
        let note = try JSONDocument(Array(#"{"big": 12345678901234567890.5}"#.utf8)).root
        return ResolvedPage.build(number: number, hasNext: true) { page in
            page.section("Menu", collapsed: false) { section in
                layout(&section.layout)
                section.data = note
                section.header(Heading.self, data: "Menu")
                section.cell(DishCell.self, data: nil as Dish?)
                section.cells(DishCell.self, data: Self.dishes)
                section.cell(Heading.self, data: nil as JSONValue?, optional: true)
                section.cell(Heading.self, data: note)
                section.footer(Heading.self, data: ["end": 1])
            }
        }
    }

    private func presenter(_ page: ResolvedPage) throws -> ScreenPresenter {
        var presenter = ScreenPresenter()
        try presenter.loadPage(page)
        return presenter
    }

    @Test("The page of the contract makes the same ids, positions, diagnostics and trees")
    func samePage() throws {
        let built = try presenter(page { $0.flow.gridColumnCount = 2 })
        var posted = ScreenPresenter(registry: built.registry)
        let contract = try ServerStatePage(page { $0.flow.gridColumnCount = 2 })
        try posted.loadPage(0, contract)
        #expect(posted.tree == built.tree)
        #expect(posted.screen.diagnostics.map(\.pointer) == built.screen.diagnostics.map(\.pointer))
        #expect(posted.screen.diagnostics.map(\.code) == [.missingData])
        #expect(built.screen.sections[0].items.map(\.id) == ["soup", "pie", "p0.u4.e0"])
        let types = contract.sections[0].units.map(\.unitType)
        #expect(
            types == [
                "header:Heading", "cell:DishCell", "cells:DishCell", "cell?:Heading",
                "cell:Heading", "footer:Heading",
            ])
        // A posted page is the one that it was posted as.
        let resolved = try ResolvedPage(page: contract, number: 0, registry: built.registry)
        #expect(try ServerStatePage(resolved).document.bytes == contract.document.bytes)
    }

    @Test("A page that was built is edited as one that was posted")
    func edits() throws {
        var presenter = try presenter(page())
        let before = presenter
        try presenter.insertItems(section: "Menu", [Dish(id: "tea", price: 2)], .after("pie"))
        try presenter.replaceItem(section: "Menu", item: "soup", with: Dish(id: "soup", price: 7))
        try presenter.patchItem(section: "Menu", item: "pie", with: ["price": 8])
        try presenter.upsertItems(
            section: "Menu", of: DishCell.self,
            [Dish(id: "pie", price: 10), Dish(id: "jam", price: 1)])
        try presenter.moveItems(section: "Menu", items: ["jam"], .before("soup"))
        try presenter.insertItems(
            section: "Menu", [Dish(id: "ham", price: 3)], .after("jam"))
        try presenter.deleteItems(section: "Menu", .some(["tea"]))
        let items = presenter.screen.sections[0].items
        #expect(items.map(\.id).prefix(4) == ["jam", "ham", "soup", "pie"])
        #expect(items.compactMap { $0.model(DishCell.self)?.price } == [1, 3, 7, 10])
        let isCollapsed = try presenter.toggleSection(0)
        #expect(isCollapsed)
        var tree = before.tree
        try presenter.changes(since: before).apply(to: &tree)
        #expect(tree == presenter.tree)
        #expect(before.tree.sections[0].items.count == 3)
    }

    @Test("A model is decoded once, and is nil for another type and for data that does not fit")
    func models() throws {
        let presenter = try presenter(page())
        let laidOut = presenter.laidOut.sections[0]
        #expect(laidOut.items.map { $0.model(DishCell.self) } == Self.dishes + [nil])
        #expect(laidOut.items.last?.model(Heading.self)?["big"]?.kind == .number)
        #expect(presenter.screen.sections[0].header?.model(Heading.self)?.string == "Menu")
        #expect(presenter.screen.sections[0].header?.model(DishCell.self) == nil)
    }

    @Test("Upserts make the first items of an empty section")
    func emptySection() throws {
        var presenter = ScreenPresenter()
        try presenter.loadPage(page())
        try presenter.appendSection(SectionModel("New"))
        try presenter.upsertItems(section: "New", of: DishCell.self, Self.dishes)
        try presenter.upsertItems(
            section: "New", unitType: "cells:DishCell", [Dish(id: "a", price: 1)])
        #expect(presenter.screen.sections[1].items.map(\.id) == ["soup", "pie", "a"])
        let error = #expect(throws: EditError.self) {
            try presenter.upsertItems(section: "New", unitType: "cells:Other", Self.dishes)
        }
        #expect(error?.description.hasPrefix("/operations/0/unitType: ") == true)
    }

    @Test("A section with a custom layout keeps it by its id; without an id it is not edited")
    func customLayout() throws {
        let custom = SectionLayout.custom(Diagonal())
        var presenter = try presenter(page { $0 = custom })
        let frames = Array(presenter.laidOut.sections[0].items.map(\.frame))
        let changes = try presenter.update {
            try $0.insertItems(section: "Menu", [Dish(id: "x", price: 1)], .after("pie"))
        }
        #expect(Array(presenter.laidOut.sections[0].items.prefix(3).map(\.frame)) == frames)
        guard case .update = changes.content else {
            Issue.record("a reset")
            return
        }
        let unnamed = ResolvedPage.build(number: 1) { page in
            page.section { section in
                section.layout = custom
                section.cells(DishCell.self, data: Self.dishes)
            }
        }
        try presenter.loadPage(unnamed)
        let before = presenter.tree
        #expect(throws: EditError.self) { try presenter.deleteItem(at: .init(section: 1, item: 0)) }
        #expect(presenter.tree == before)
        let error = #expect(throws: ModelPageError.self) { try ServerStatePage(unnamed) }
        #expect(error?.description.hasPrefix("/sections/0/layout: ") == true)
    }

    @Test("A model that is not JSON, and two types of one name, are errors")
    func errors() throws {
        struct Endless: Encodable { var number = Double.infinity }
        let page = ResolvedPage.build(number: 0) { page in
            page.section("A") { $0.cell(Heading.self, data: Endless()) }
        }
        let error = #expect(throws: ModelPageError.self) { try ServerStatePage(page) }
        #expect(error?.description.hasPrefix("/sections/0/units/0/unitData/number: ") == true)
        var presenter = try presenter(page)
        #expect(throws: EditError.self) { try presenter.appendItem(1, toSection: 0) }
        let other = ResolvedPage.build(number: 1) { page in
            page.section { $0.cell(Other.Heading.self, data: 1) }
        }
        #expect(throws: PresenterError.duplicateType("Heading")) { try presenter.loadPage(other) }
        #expect(presenter.pageCount == 1)
    }

    @Test("A registry without the cell type makes an unknown unit, and one with the name its own")
    func registries() throws {
        let contract = try ServerStatePage(page())
        var unknown = ScreenPresenter()
        try unknown.loadPage(0, contract)
        #expect(Set(unknown.screen.diagnostics.map(\.code)) == [.unknownUnitType])
        var registry = CellRegistry()
        registry.declare(DishCell.self)
        registry.register("cells:DishCell") { unit, section in
            section.cell(Heading.self, data: Array(unit.data.elements).first)
        }
        var own = ScreenPresenter(registry: registry)
        try own.loadPage(0, contract)
        #expect(own.screen.sections[0].items.map(\.type) == ["Heading"])
    }

    @Test("Every member of a layout is written and read back")
    func layouts() throws {
        var all = SectionLayout(
            .flow(
                columns: .fitting(minItemWidth: 120.125, max: 4), lineSpacing: 1.0625,
                interitemSpacing: 2, inset: Insets(top: 1, left: -2.5, bottom: 3, right: 0),
                paging: PagingOptions(isAlignCenter: true, autoRollingTimeInterval: 4.5)),
            decorations: [
                DecorationOptions(
                    kind: "card", mode: .section, inset: Insets(2), zIndex: 3,
                    data: Array(#"{"a": 1}"#.utf8)), DecorationOptions(kind: "line"),
            ], pinHeader: true, pinFooter: false)
        all.compositional = CompositionalOptions(
            direction: .horizontal,
            itemSize: .uniform(columns: 3, width: .fraction(0.8), height: 5),
            scrolling: .groupPaging, itemSpacing: 1, lineSpacing: 2, sectionInset: Insets(4),
            orthogonalScrollingProperties: .init(decelerationRate: #""fast""#, bounce: false),
            isUniformAcrossSiblings: true, uniformEstimatedHeight: 44)
        all.list = ListOptions(
            appearance: .insetGrouped, showsSeparators: false, headerMode: .firstItemInSection,
            footerMode: .supplementary, headerTopPadding: 6)
        (all.flow.itemAlignment, all.compositional.itemAlignment) = (.stretch, .stretch)
        all.masonry.placement = .inOrder
        (all.contentInsetsReference, all.maxWidth) = (.safeArea, 720.5)
        var others = all
        others.flow.gridColumnCount = .breakpoints(GridBreakpoints(default: 1, [600.5: 2, 900: 3]))
        others.compositional.itemSize = .uniform(
            columns: .fitting(minItemWidth: 90, max: nil), width: nil, height: nil)
        var third = SectionLayout.list()
        third.flow.gridColumnCount = 7
        third.compositional.itemSize = .dynamic
        var alone = SectionLayout.compositional(CompositionalOptions(itemAlignment: .end))
        alone.flow.itemAlignment = .end
        alone.compositional.itemSize = .uniform(columns: nil, width: .points(80), height: nil)
        for layout in [all, others, third, alone] {
            let contract = try ServerStatePage(page { $0 = layout })
            #expect(contract.sections[0].layout == layout)
        }
    }
}

@Suite("Pages of models")
struct ModelPageTests {
    private struct Shadowed: ServerStateSectionRepresentable {
        var sectionId: String? = nil
        var units: [any ServerStateUnitRepresentable] = []
        var header: UnitModel? = nil
        var collapsed = true
    }

    @Test("Sections and units without types of one's own")
    func sectionModel() throws {
        let page = try ServerStatePage(sections: [
            SectionModel(
                "A", header: UnitModel("H", "top"), collapsed: true, UnitModel("U", [1, 2]),
                UnitModel("V", nil))
        ])
        #expect(
            String(decoding: page.document.bytes, as: UTF8.self)
                == #"{"hasNext":false,"sections":[{"collapsed":true,"header":{"unitData":"top","#
                + #""unitType":"H"},"sectionId":"A","units":[{"unitData":[1,2],"unitType":"U"},"#
                + #"{"unitData":null,"unitType":"V"}]}]}"#)
    }

    @Test("A property of another type than the protocol's is an error that names the type")
    func shadowed() throws {
        func error(_ section: Shadowed) -> ModelPageError? {
            #expect(throws: ModelPageError.self) {
                try ServerStatePage(sections: [SectionModel(), section])
            }
        }
        let collapsed = error(Shadowed())?.description
        #expect(collapsed?.hasPrefix("/sections/1/collapsed: ") == true)
        #expect(collapsed?.contains("Bool?") == true)
        let header = error(Shadowed(header: UnitModel("H", 1)))?.description
        #expect(header?.hasPrefix("/sections/1/header: ") == true)
    }

    @Test("Values of models, and dates as texts")
    func values() throws {
        struct Visit: Codable, Hashable { var at: Date }
        let visit = Visit(at: Date(timeIntervalSince1970: 1_763_800_000.25))
        let value = try JSONValue(encoding: visit)
        #expect(value["at"]?.string == "2025-11-22T08:26:40.250Z")
        #expect(try value.decode(Visit.self) == visit)
        let number = try JSONDocument(Array(#"{"at": 785492800.25}"#.utf8)).root
        #expect(throws: ModelError.self) { try number.decode(Visit.self) }
        #expect(throws: ModelError.self) {
            try JSONValue(encoding: [Date(timeIntervalSince1970: 1e12)])
        }
    }
}
