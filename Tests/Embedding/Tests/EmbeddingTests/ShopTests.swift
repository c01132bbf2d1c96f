import Broadsheet
import BroadsheetClient
import Testing

// The home screen of a shop: banners, favourites and a list of products in pages, as
// SSCollectionViewPresenter shows it.

struct BannerModel: Codable, Hashable, Sendable {
    var id: String
    var title: String
    var imgUrl: String
}

struct ProductModel: Codable, Hashable, Sendable {
    var id: String
    var title: String
    var price: Int
}

struct TitleModel: Codable, Hashable, Sendable {
    var title: String
    var isExpanded = true
}

struct FavoritesModel: Codable, Hashable, Sendable {
    var titleInfo: TitleModel?
    var productList: [ProductModel]
}

struct TemplateUnit: ServerStateUnitRepresentable {
    var unitType: String
    var unitData: (any Encodable & Sendable)?

    init(_ type: String, _ data: any Encodable & Sendable) {
        unitType = type
        unitData = data
    }
}

struct Template: ServerStateSectionRepresentable {
    var sectionId: String?
    var units: [any ServerStateUnitRepresentable]
    var header: (any ServerStateUnitRepresentable)?
}

enum BannerCell: CellType {
    static let id: JSONPointer? = "/id"

    static func size(with input: BannerModel, constrainedTo container: Container) -> Size? {
        Size(width: container.available.width, height: 200)
    }
}

enum ShopProductCell: CellType {
    static let typeName = "ProductCell"
    static let id: JSONPointer? = "/id"

    static func size(with input: ProductModel, constrainedTo container: Container) -> Size? {
        let width = container.available.width
        return Size(width: width, height: width + (input.title.count > 20 ? 80 : 60))
    }
}

enum TitleView: CellType {
    static func size(with input: TitleModel, constrainedTo container: Container) -> Size? {
        Size(width: container.available.width, height: 48)
    }
}

@Suite("A shop in pages, as SSCollectionViewPresenter shows it")
struct ShopTests {
    /// The registry of the shop: the layout of each section, and the cells of each unit type.
    private static let registry: CellRegistry = {
        var registry = CellRegistry()
        registry.configureSection { section, layout in
            switch section.identifier {
            case "ProductList":
                layout.flow.inset = Insets(top: 20, left: 15, bottom: 20, right: 15)
                layout.flow.minimumLineSpacing = 15
                layout.flow.minimumInteritemSpacing = 10
                layout.flow.gridColumnCount = 2
            case "MyFavorites":
                layout.flow.inset = Insets(top: 20, left: 10, bottom: 20, right: 10)
                layout.flow.gridColumnCount = 3
            default:
                layout.flow.inset = .zero
                layout.flow.minimumLineSpacing = 0
            }
        }
        registry.register("SS_TOP_BANNER", cellTypes: BannerCell.self) { unit, section in
            section.cells(BannerCell.self, data: unit.data)
        }
        registry.register("SS_PRODUCT_LIST", cellTypes: ShopProductCell.self) { unit, section in
            section.cells(ShopProductCell.self, data: unit.data)
        }
        registry.register("SS_SECTION_TITLE", cellTypes: TitleView.self) { unit, section in
            section.header(TitleView.self, data: unit.data)
        }
        registry.register("SS_MY_FAVORITES", cellTypes: TitleView.self, ShopProductCell.self) {
            unit, section in
            section.header(TitleView.self, data: unit.data["titleInfo"])
            section.cells(ShopProductCell.self, data: unit.data["productList"])
        }
        return registry
    }()

    private let banners = [
        BannerModel(id: "1", title: "Summer sale", imgUrl: "https://shop.example/1.png"),
        BannerModel(id: "2", title: "Winter deals", imgUrl: "https://shop.example/2.png"),
    ]

    private func products(_ ids: ClosedRange<Int>) -> [ProductModel] {
        ids.map { ProductModel(id: "P\($0)", title: "Product \($0)", price: $0 * 100) }
    }

    private func list(_ ids: ClosedRange<Int>) -> Template {
        Template(
            sectionId: "ProductList", units: [TemplateUnit("SS_PRODUCT_LIST", products(ids))])
    }

    /// A presenter with the first page.
    private func presenter() throws -> ScreenPresenter {
        var presenter = ScreenPresenter(registry: Self.registry)
        let favorites = FavoritesModel(
            titleInfo: TitleModel(title: "Favourites"), productList: products(90...92))
        try presenter.loadPage(
            0, hasNext: true,
            sections: [
                Template(units: [TemplateUnit("SS_TOP_BANNER", banners)]),
                Template(
                    sectionId: "MyFavorites", units: [TemplateUnit("SS_MY_FAVORITES", favorites)]),
                list(1...4),
            ])
        return presenter
    }

    private func ids(_ presenter: ScreenPresenter) -> [[String]] {
        presenter.screen.sections.map { $0.items.map(\.id) }
    }

    @Test("Option A and option B: a page from sections, and a page that is built")
    func buildViewModel() throws {
        var registry = CellRegistry()
        registry.register("BANNERS") { $1.cells(BannerCell.self, data: $0.data) }
        var posted = ScreenPresenter(registry: registry)
        try posted.loadPage(
            0, hasNext: false, sections: [Template(units: [TemplateUnit("BANNERS", banners)])])
        var built = ScreenPresenter()
        try built.loadPage(
            .build(number: 0) { page in
                page.section { $0.cells(BannerCell.self, data: banners) }
            })
        for presenter in [posted, built] {
            let items = try #require(presenter.laidOut.sections.first).items
            #expect(items.map(\.id) == ["1", "2"])
            #expect(try items.map { try $0.data.decode(BannerModel.self) } == banners)
            #expect(items.map(\.frame.height) == [200, 200])
        }
    }

    @Test("The server's sections and units, with the layout of each section")
    func serverDriven() throws {
        let laidOut = try presenter().laidOut
        let sections = Array(laidOut.sections)
        #expect(sections.map(\.id) == [nil, "MyFavorites", "ProductList"])
        #expect(sections[0].items.map(\.frame.width) == [390, 390])
        #expect(try sections[1].header?.view.data.decode(TitleModel.self).title == "Favourites")
        #expect(sections[1].items.map(\.type) == ["ProductCell", "ProductCell", "ProductCell"])
        #expect(sections[1].items.allSatisfy { $0.frame.width < 125 })
        #expect(sections[2].items.map(\.frame.width) == [175, 175, 175, 175])
        #expect(sections[2].items.map(\.frame.height) == [235, 235, 235, 235])
        #expect(sections[2].items[2].frame.y - sections[2].items[0].frame.y == 250)
    }

    @Test("Three pages that merge; each is replaced and removed by itself")
    func pages() throws {
        var presenter = try presenter()
        let requested = Requests()
        presenter.onNextRequest { requested.add($0.page + 1) }
        var length = presenter.laidOut.frames.contentSize.height
        presenter.scrolled(to: 0, contentLength: length)
        try presenter.loadPage(1, hasNext: true, sections: [list(5...8)])
        length = presenter.laidOut.frames.contentSize.height
        presenter.scrolled(to: length - 844, contentLength: length)
        try presenter.extendViewModel(
            hasNext: false,
            sections: [list(9...10), Template(units: [TemplateUnit("SS_TOP_BANNER", banners)])])
        presenter.scrolled(to: length, contentLength: length)
        #expect(requested.pages == [1, 2])
        #expect(ids(presenter).map(\.count) == [2, 3, 10, 2])
        #expect((presenter.page, presenter.pageCount, presenter.hasNext) == (2, 3, false))
        #expect(presenter.findPage(containing: "ProductList") == 2)
        #expect(presenter.sections(forPage: 1)?.map(\.items.count) == [4])

        try presenter.loadPage(1, hasNext: true, sections: [list(5...6)])
        #expect(ids(presenter)[2] == (1...6).map { "P\($0)" } + ["P9", "P10"])
        presenter.removePage(1)
        #expect(ids(presenter)[2] == ["P1", "P2", "P3", "P4", "P9", "P10"])
        presenter.removeAllPages()
        #expect(!presenter.hasPageData && presenter.screen.sections.isEmpty)
    }

    @Test("Items by index path and by the id of their section")
    func items() throws {
        var presenter = try presenter()
        let new = ProductModel(id: "N", title: "New", price: 1)
        try presenter.appendItem(new, firstSectionIdentifier: "ProductList")
        try presenter.insertItem(banners[0], at: .init(section: 0, item: 2))
        try presenter.deleteItem(at: .init(section: 2, item: 3))
        try presenter.reconfigureItem(new, atRow: 0, firstSectionIdentifier: "MyFavorites")
        #expect(
            ids(presenter) == [
                ["1", "2", "1#2"], ["N", "P91", "P92"], ["P1", "P2", "P3", "N"],
            ])
        try presenter.deleteAllItems(firstSectionIdentifier: "MyFavorites")
        try presenter.appendSection(list(20...20).named("More"))
        try presenter.appendItemToLastSection(new)
        #expect(ids(presenter).map(\.count) == [3, 0, 4, 2])
        #expect(throws: EditError.self) { try presenter.deleteItem(at: .init(section: 9, item: 0)) }
    }

    @Test("A section is collapsed, and its header shows it")
    func toggle() throws {
        var presenter = try presenter()
        let shown = presenter
        let isCollapsed = try presenter.toggleSection(1)
        try presenter.reconfigureHeader(
            TitleModel(title: "Favourites", isExpanded: !isCollapsed), at: 1)
        let header = try #require(presenter.screen.sections[1].header)
        #expect(try header.data.decode(TitleModel.self).isExpanded == false)
        #expect(presenter.screen.sections[1].items.isEmpty)
        var tree = shown.tree
        try presenter.changes(since: shown).apply(to: &tree)
        #expect(tree == presenter.tree)
    }

    @Test("Banners turn pages, endlessly and by themselves")
    func paging() throws {
        var registry = Self.registry
        registry.configureSection { section, layout in
            layout.flow.paging = PagingOptions(
                isAlignCenter: true, isInfinitePage: true, isAutoRolling: true,
                autoRollingTimeInterval: 4)
        }
        registry.screen.direction = .horizontal
        // As high as a banner, so that each is a page.
        let banner = LayoutParameters(viewport: Viewport(width: 390, height: 200))
        var presenter = ScreenPresenter(registry: registry, parameters: banner)
        try presenter.loadPage(
            0, hasNext: false, sections: [Template(units: [TemplateUnit("SS_TOP_BANNER", banners)])]
        )
        let seen = Requests()
        presenter.onPageDidAppear { seen.add($0) }
        let carousel = try #require(presenter.laidOut.frames.sections[0].paging)
        let offset = try #require(
            carousel.targetOffset(steppingBy: 1, from: carousel.initialOffset))
        presenter.pageDragBegan()
        presenter.pageScrolled(to: carousel.pageIndex(at: offset))
        presenter.pageCameToRest()
        #expect(seen.pages == [1])
        #expect(AutoRolling(carousel.options).interval == 4)
    }

    @Test("Compositional sections: cards that turn pages, and a grid")
    func compositional() throws {
        var registry = Self.registry
        registry.configureSection { section, layout in
            layout.flow = FlowOptions()
            layout.kind = .compositional
            layout.compositional =
                section.identifier == nil
                ? CompositionalOptions(
                    direction: .horizontal, itemSize: .uniform(columns: 1, width: nil, height: 200),
                    scrolling: .paging)
                : CompositionalOptions(
                    direction: .vertical, itemSize: .uniform(columns: 2, width: nil, height: 150))
        }
        var presenter = ScreenPresenter(registry: registry)
        try presenter.loadPage(
            0, hasNext: false,
            sections: [Template(units: [TemplateUnit("SS_TOP_BANNER", banners)]), list(1...4)])
        let sections = Array(presenter.laidOut.sections)
        #expect(sections[0].items.map(\.frame.x) == [0, 390])
        #expect(sections[1].items.map(\.frame.width) == [195, 195, 195, 195])
    }
}

extension Template {
    fileprivate func named(_ id: String) -> Template {
        var template = self
        template.sectionId = id
        return template
    }
}
