import Broadsheet
import BroadsheetClient
import Testing

// The Swift code in docs/guide.md and README.md. Each region between `// [name]` and `// [/name]`
// is a code block of a document (`SwiftFenceTests`).

// [cell-type]
/// A message as tall as its text.
struct MessageCell: CellType {
    static let id: JSONPointer? = "/id"

    static func size(with data: JSONValue, constrainedTo container: Container) -> Size? {
        let characters = Double(data["text"]?.string?.count ?? 0)
        let perLine = max(1, (container.available.width / 9).rounded(.down))
        let lines = max(1, (characters / perLine).rounded(.up))
        return Size(width: container.available.width, height: 16 + 20 * lines)
    }
}
// [/cell-type]

@Suite("Swift in the guide")
struct GuideExamples {
    private let firstPage = Array(#"{"sections": [{"sectionId": "menu", "units": []}]}"#.utf8)
    private let secondPage = Array(
        #"""
        {"sections": [{"sectionId": "menu", "units": [
            {"unitType": "drinks", "unitData": {"list": [{"sku": "tea", "note": ""}]}}]}]}
        """#.utf8)

    @Test("A page becomes a tree in one call")
    func compose() throws {
        // [compose]
        let page = Array(#"{"sections": [[{"unitType": "SS_TOP_BANNER", "unitData": {}}]]}"#.utf8)
        let tree = try Composer().compose(page)
        print(String(decoding: tree, as: UTF8.self))
        // [/compose]
        #expect(
            String(decoding: tree, as: UTF8.self)
                .contains(#""type":"TopBannerCell","frame":{"x":0,"y":0,"width":390,"height":200}"#)
        )
    }

    @Test("Two pages become a tree for a tablet with another catalog")
    func catalog() throws {
        let catalogBytes = try Fixtures.bytes("cafe/catalog.json")
        // [catalog]
        let catalog = try Catalog(catalogBytes)
        let composer = Composer(registry: catalog.registry)
        let tablet = LayoutParameters(viewport: Viewport(width: 768, height: 1024, scale: 2))
        let tree = try composer.compose([firstPage, secondPage], tablet)
        // [/catalog]
        let text = String(decoding: tree, as: UTF8.self)
        // At most 600 wide: (600 - 16 - 16 - 12) / 2, and as tall as that, 4, 20, 4 and 0.
        #expect(text.contains(#""frame":{"x":100,"y":16,"width":278,"height":306}"#), "\(text)")
    }

    @Test("A screen is edited by its items and sections")
    func update() throws {
        let composer = Composer()
        let page = try composer.page(
            in: composer.document(of: Fixtures.bytes("storefront/page-0.json")))
        let price = try JSONDocument(Array(#"{"price": 39000}"#.utf8)).root
        // [update]
        var model = try composer.viewModel(of: [page])
        var tree = Tree(composer.writer(of: model))
        let changes = try model.update(registry: composer.registry) { updater throws(EditError) in
            try updater.patchItem(section: "ProductList", item: "P0000001", patch: price)
            try updater.toggleSection(section: "TripleItems")
        }
        try changes.apply(to: &tree)
        // [/update]
        #expect(tree == Tree(composer.writer(of: model)))
        let text = try #require(model.storedPage(0)).bytes
        #expect(String(decoding: text, as: UTF8.self).contains(#""price": 39000"#))
        #expect(composer.screen(of: model).sections.contains { $0.collapsed })
    }

    @Test("A Swift cell type measures its own data")
    func registry() throws {
        let chat = Array(
            #"""
            {"sections": [[{"unitType": "messages", "unitData": {"list": [
                {"id": 7, "text": "안녕하세요"},
                {"id": 8, "text": "A text that is longer than one line of a narrow screen"}]}}]]}
            """#.utf8)
        // [registry]
        var registry = CellRegistry()
        registry.register("messages") { unit, section in
            section.layout.flow.minimumLineSpacing = 8
            section.cells(MessageCell.self, data: unit.data["list"])
        }
        let frames = LayoutParameters(options: TreeOptions(fields: .frames))
        let tree = try Composer(registry: registry).compose(chat, frames)
        // [/registry]
        let text = String(decoding: tree, as: UTF8.self)
        // 43 characters to a line of 390 points: one line, then two, 8 points apart.
        for item in [
            #"{"id":"7","type":"MessageCell","frame":{"x":0,"y":0,"width":390,"height":36}}"#,
            #"{"id":"8","type":"MessageCell","frame":{"x":0,"y":44,"width":390,"height":56}}"#,
        ] {
            #expect(text.contains(item), "\(text)")
        }
    }

    @Test("Pages become frames in single steps")
    func steps() throws {
        let pages = try (0...2).map { try Fixtures.bytes("storefront/page-\($0).json") }
        // [steps]
        let composer = Composer()
        var model = PaginatedViewModel()
        for (number, bytes) in pages.enumerated() {
            let page = try composer.page(in: composer.document(of: bytes))
            try model.load(ResolvedPage(page: page, number: number, registry: composer.registry))
        }
        let screen = composer.screen(of: model)
        let frames = composer.frames(of: screen)
        print(frames.contentSize.height, screen.sections.count)
        // [/steps]
        #expect(frames.contentSize.height == 4059.5)
        #expect(screen.sections.count == 5)
    }
}
