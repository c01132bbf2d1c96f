import Broadsheet
import BroadsheetClient
import Testing

// The Swift code in docs/swift.md; the regions are compared with it.

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

// [cells]
struct Review: Codable, Sendable {
    var id: String
    var stars: Int
    var text: String
}

/// A review as tall as its text, with a line for the stars.
enum ReviewCell: CellType {
    static let id: JSONPointer? = "/id"

    static func size(with review: Review, constrainedTo container: Container) -> Size? {
        let perLine = max(1, (container.available.width / 9).rounded(.down))
        let lines = (Double(review.text.count) / perLine).rounded(.up)
        return Size(width: container.available.width, height: 24 + 20 * lines)
    }
}
// [/cells]

// [content]
/// A tile with a photo as tall as it is wide, and a badge in its corner.
enum TileCell: CellType {
    static var content: CellContents? {
        .overlay([
            .image("/photo", height: .ratio(1), name: "photo")
                .label("/alt").url("{+value}?w={width}", widths: [320, 640]),
            .box("/badge", width: 24, height: 24, name: "badge")
                .place(horizontal: .end, vertical: .start),
        ])
    }
}
// [/content]

private enum TitleCell: CellType {
    static func size(with data: JSONValue, constrainedTo container: Container) -> Size? {
        Size(width: container.available.width, height: 18)
    }
}

@Suite("Swift in docs/swift.md")
struct SwiftExamples {
    @Test("A cell type with a content has the frames of its parts")
    func contents() throws {
        var model = PaginatedViewModel()
        try model.load(
            ResolvedPage.build(number: 0) { page in
                page.section("Tiles") { section in
                    section.layout.flow.gridColumnCount = 2
                    section.cells(TileCell.self, data: [["photo": "a.png", "badge": "new"]])
                }
            })
        let screen = LaidOutScreen(Composer().screen(of: model), LayoutParameters())
        let item = try #require(screen.item(at: Changes.ItemPlace(section: 0, item: 0)))
        // [parts]
        for part in item.parts {
            print(part.name, part.frame.x, part.frame.y, part.frame.width, part.frame.height)
        }
        // [/parts]
        #expect(item.parts.map(\.name) == ["photo", "badge"])
        #expect(item.parts[1].frame.maxX == item.frame.width)
    }

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
        let place = laidOut.indexPath(of: "p2", inSection: "ProductList")
        let second = place.flatMap(laidOut.item)
        // [/items]
        #expect(page.hasNext)
        #expect(laidOut.sections[0].items.map(\.type) == ["ProductCell", "ProductCell"])
        #expect(place == Changes.ItemPlace(section: 0, item: 1))
        #expect(second?.id == "p2")
    }

    @Test("Units and sections are configured by handlers")
    func handlers() throws {
        // [handlers]
        var registry = CellRegistry()
        registry.register("REVIEWS", cellTypes: ReviewCell.self) { unit, section in
            if section.identifier == "Reviews" {
                section.header(TitleCell.self, data: unit.data["title"])
            }
            section.cells(ReviewCell.self, data: unit.data["list"])
        }
        registry.registerDefault(cellTypes: TitleCell.self) { unit, section in
            guard unit.unitType.hasPrefix("TITLE_") else { return }
            section.cell(TitleCell.self, data: unit.data)
        }
        registry.configureSection { section, layout in
            guard section.identifier?.hasPrefix("Review") == true else { return }
            layout.flow.minimumLineSpacing = 15
            layout.flow.inset = Insets(top: 20, left: 15, right: 15)
        }
        // [/handlers]
        let text = #"""
            {"sections": [{"sectionId": "Reviews", "units": [
              {"unitType": "REVIEWS", "unitData": {"title": "Reviews", "list": [
                {"id": "r1", "stars": 5, "text": "Sturdy."}, {"id": "r2", "text": 3}]}},
              {"unitType": "TITLE_END", "unitData": "The end"}, {"unitType": "OTHER"}]}]}
            """#
        let composer = Composer(registry: registry)
        let page = try composer.page(in: composer.document(of: Array(text.utf8)))
        let screen = LaidOutScreen(composer.screen(of: try composer.viewModel(of: [page])))
        let section = screen.sections[0]
        #expect(section.items.map(\.type) == ["ReviewCell", "ReviewCell", "TitleCell"])
        #expect(section.items.map(\.frame.height) == [44, 50, 18])
        #expect(section.items[0].frame.x == 15)
        #expect(section.header?.view.type == "TitleCell")
        #expect(
            screen.screen.diagnostics.map(\.code) == [.unusableValue, .unknownUnitType])
        #expect(
            screen.screen.diagnostics.first?.pointer
                == "/sections/0/units/0/unitData/list/1/stars")
    }

    @Test("A page is made of models and of values of a document")
    func builtPage() throws {
        // [built]
        let reviews = [
            Review(id: "r1", stars: 5, text: "Sturdy."), Review(id: "r2", stars: 3, text: ""),
        ]
        let json = #"{"title": "Offers", "list": [{"id": "o1"}]}"#
        let offers = try JSONDocument(Array(json.utf8)).root
        let page = ResolvedPage.build(number: 0, hasNext: true) { page in
            page.section("Reviews") { section in
                section.layout.flow.gridColumnCount = 2
                section.header(TitleCell.self, data: "Reviews")
                section.cells(ReviewCell.self, data: reviews)
            }
            page.section("Offers") { section in
                section.header(TitleCell.self, data: offers["title"])
                section.cells(TitleCell.self, data: offers["list"])
            }
        }
        var model = PaginatedViewModel()
        try model.load(page)
        let screen = LaidOutScreen(model.merged(registry: CellRegistry()))
        // [/built]
        #expect(page.hasNext)
        #expect(screen.sections.map(\.id) == ["Reviews", "Offers"])
        #expect(screen.sections.map { $0.items.map(\.id) } == [["r1", "r2"], ["p0.u1.e0"]])
        #expect(screen.sections[0].items.map(\.frame.height) == [44, 24])
        #expect(screen.screen.diagnostics.isEmpty)
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
        var photos = SectionLayout(.masonry(MasonryOptions(columns: 3, lineSpacing: 8)))
        photos.maxWidth = 720
        registry.setLayout(photos, forSection: "Photos")
        // [/layouts]
        let products = registry.layout(forSection: "ProductList")
        #expect(products.kind == .flow)
        #expect(products.flow.gridColumnCount == 2)
        #expect(products.flow.inset == Insets(top: 20, left: 15, bottom: 0, right: 15))
        #expect(products.pinHeader == true)
        #expect(registry.layout(forSection: "TopBanner").flow.paging?.isAutoRolling == true)
        #expect(registry.layout(forSection: "TopBanner").flow.paging?.autoRollingTimeInterval == 3)
        #expect(registry.layout(forSection: "Settings").list.appearance == .insetGrouped)
        #expect(registry.layout(forSection: "Photos").masonry.columns == 3)
        #expect(registry.layout(forSection: "Photos").maxWidth == 720)
    }
}
