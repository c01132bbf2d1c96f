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
