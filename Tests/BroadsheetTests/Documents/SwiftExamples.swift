import Broadsheet
import BroadsheetClient
import Testing

// The Swift code in docs/swift.md, as in `GuideExamples.swift`.

// [models]
struct Product: Codable, Sendable {
    var id: String
    var title: String
}

struct ShopUnit: ServerStateUnitRepresentable {
    var unitType: String
    var unitData: (any Encodable & Sendable)?
}

struct ShopSection: ServerStateSectionRepresentable {
    var sectionId: String?
    var units: [any ServerStateUnitRepresentable]
}
// [/models]

@Suite("Swift in docs/swift.md")
struct SwiftExamples {
    @Test("Models become a page, whose items can be read")
    func models() throws {
        // [page]
        let products = [Product(id: "p1", title: "Cup"), Product(id: "p2", title: "Pot")]
        let page = try ServerStatePage(
            hasNext: true,
            sections: [
                ShopSection(
                    sectionId: "ProductList",
                    units: [ShopUnit(unitType: "SS_PRODUCT_LIST", unitData: products)])
            ])
        print(String(decoding: page.document.bytes, as: UTF8.self))
        // [/page]
        // [items]
        let composer = Composer()
        let screen = composer.screen(of: try composer.viewModel(of: [page]))
        let laidOut = LaidOutScreen(screen, LayoutParameters())
        for item in laidOut.sections[0].items {
            let product = try item.data.decode(Product.self)
            print(item.id, item.type, product.title, item.frame.width)
        }
        let place = screen.place(of: "p2", inSection: "ProductList")
        // [/items]
        #expect(page.hasNext)
        #expect(laidOut.sections[0].items.map(\.type) == ["ProductCell", "ProductCell"])
        #expect(place == Changes.ItemPlace(section: 0, item: 1))
    }

    @Test("A presenter loads pages, edits them, and returns the changes")
    func presenter() throws {
        let products = [Product(id: "p1", title: "Cup"), Product(id: "p2", title: "Pot")]
        let more = [Product(id: "p3", title: "Jug")]
        // [presenter]
        func list(_ products: [Product]) -> ShopSection {
            ShopSection(
                sectionId: "ProductList",
                units: [ShopUnit(unitType: "SS_PRODUCT_LIST", unitData: products)])
        }
        var presenter = ScreenPresenter(registry: Catalog.storefront.registry)
        try presenter.loadPage(0, hasNext: true, sections: [list(products)])
        try presenter.loadPage(1, hasNext: false, sections: [list(more)])
        let shown = presenter.tree
        let changes = try presenter.update { updater in
            try updater.moveItem(at: .init(section: 0, item: 2), to: .init(section: 0, item: 0))
            try updater.reconfigureItem(
                Product(id: "p1", title: "Large cup"), atRow: 1,
                firstSectionIdentifier: "ProductList")
        }
        for item in presenter.screen.sections[0].items {
            print(item.id, try item.data.decode(Product.self).title)
        }
        // [/presenter]
        var tree = shown
        try changes.apply(to: &tree)
        #expect(tree == presenter.tree)
        let titles = try presenter.screen.sections[0].items.map { item in
            try item.data.decode(Product.self).title
        }
        #expect(Array(titles) == ["Jug", "Large cup", "Pot"])
    }

    @Test("Layouts are made by functions with defaults")
    func layouts() {
        // [layouts]
        var registry = CellRegistry(screen: ScreenLayout(minimumLineSpacing: 8))
        registry.setLayout(
            SectionLayout(
                .flow(columns: 2, lineSpacing: 15, inset: Insets(top: 20, left: 15, right: 15)),
                pinHeader: true),
            forSection: "ProductList")
        registry.setLayout(
            .flow(paging: PagingOptions(isAlignCenter: true, isAutoRolling: true)),
            forSection: "TopBanner")
        registry.setLayout(.list(ListOptions(appearance: .insetGrouped)), forSection: "Settings")
        // [/layouts]
        let products = registry.layout(forSection: "ProductList")
        #expect(products.kind == .flow)
        #expect(products.flow.gridColumnCount == 2)
        #expect(products.flow.inset == Insets(top: 20, left: 15, bottom: 0, right: 15))
        #expect(products.pinHeader == true)
        #expect(registry.layout(forSection: "TopBanner").flow.paging?.isAutoRolling == true)
        #expect(registry.layout(forSection: "TopBanner").flow.paging?.autoRollingTimeInterval == 3)
        #expect(registry.layout(forSection: "Settings").list.appearance == .insetGrouped)
    }
}
