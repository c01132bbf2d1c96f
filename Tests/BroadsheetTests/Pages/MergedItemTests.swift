import Broadsheet
import BroadsheetClient
import Testing

private struct ProductId: Decodable {
    var id: String
}

@Suite("Items of a screen in Swift") struct MergedItemTests {
    private func screen(_ paths: [String]) throws -> MergedScreen {
        let composer = Composer()
        return try composer.screen(
            of: composer.viewModel(
                of: paths.map {
                    try composer.page(in: composer.document(of: Fixtures.bytes("storefront/\($0)")))
                }))
    }

    private func text(_ value: TreeValue?) -> String? {
        guard case .string(let text)? = value else { return nil }
        return text
    }

    @Test("Sections, items, headers, data and frames are those of the tree")
    func likeTheTree() throws {
        let screen = try screen(["page-0.json", "page-1.json"])
        let laidOut = LaidOutScreen(screen)
        let tree = Tree(
            TreeWriter(screen, laidOut.frames, viewport: LayoutParameters().viewport))
        #expect(laidOut.sections.count == tree.sections.count)
        #expect(laidOut.sections.contains { $0.header != nil })
        for (section, expected) in zip(laidOut.sections, tree.sections) {
            #expect(section.id == text(expected.members["id"]))
            #expect(TreeFrame(section.frame) == TreeFrame(expected.members["frame"]))
            #expect(section.items.map(\.id) == expected.items.map { text($0.members["id"]) })
            #expect(section.items.map(\.type) == expected.items.map { text($0.members["type"]) })
            let frames: [TreeFrame] = section.items.map { TreeFrame($0.frame) }
            #expect(frames == expected.items.map(\.frame))
            for (item, expected) in zip(section.items, expected.items) {
                #expect(try TreeValue(item.data.value()) == expected.members["data"])
            }
            guard case .object(let header)? = expected.members["header"] else {
                #expect(section.header == nil)
                continue
            }
            #expect(section.header?.view.type == text(header["type"]))
            #expect(
                try section.header.map { TreeValue(try $0.view.data.value()) } == header["data"])
            #expect(section.header.map { TreeFrame($0.frame) } == TreeFrame(header["frame"]))
        }
    }

    @Test("An item is found by its place, and its place by the ids of section and item")
    func places() throws {
        let screen = try screen(["page-0.json", "page-1.json"])
        let section = try #require(screen.sectionIndex(of: "ProductList"))
        #expect(screen.sectionIndex(of: "productlist") == nil)
        let items = screen.sections[section].items
        #expect(items.count == 16)
        for index in items.indices {
            let place = Changes.ItemPlace(section: section, item: index)
            #expect(screen.indexPath(of: items[index].id, inSection: "ProductList") == place)
            #expect(screen.indexPath(of: items[index]) == place)
            #expect(screen.item(at: place)?.id == items[index].id)
            #expect(screen.item(at: place)?.index == index)
            let id = try screen.item(at: place)?.data.decode(ProductId.self).id
            #expect(id == items[index].id)
        }
        #expect(screen.indexPath(of: "none", inSection: "ProductList") == nil)
        #expect(screen.indexPath(of: items[0].id, inSection: "none") == nil)
    }

    @Test("Sections and items with frames are random-access collections, found by their places")
    func laidOutPlaces() throws {
        func count(_ items: some RandomAccessCollection) -> Int { items.count }
        let screen = LaidOutScreen(try screen(["page-0.json", "page-1.json"]))
        #expect(count(screen.sections) == screen.screen.sections.count)
        #expect(count(screen.screen.sections) == count(screen.frames.sections))
        for (index, section) in screen.sections.enumerated() {
            #expect(count(section.items) == count(section.section.items))
            for (item, element) in section.items.enumerated() {
                let place = Changes.ItemPlace(section: index, item: item)
                #expect(screen.item(at: place)?.frame == element.frame)
                #expect(screen.indexPath(of: element) == place)
                guard let id = section.id else { continue }
                #expect(screen.indexPath(of: element.id, inSection: id) == place)
            }
        }
        for place in [(-1, 0), (0, -1), (0, 1_000), (1_000, 0)] {
            let place = Changes.ItemPlace(section: place.0, item: place.1)
            #expect(screen.item(at: place) == nil)
        }
    }

    @Test("Items of sections without ids have places, and those of another screen have none")
    func placesWithoutIDs() throws {
        let page = #"{"sections": [[], [{"unitType": "SS_PRODUCT_LIST", "unitData": [{}, {}]}]]}"#
        let composer = Composer()
        func screen() throws -> MergedScreen {
            try composer.screen(
                of: composer.viewModel(
                    of: [composer.page(in: composer.document(of: Array(page.utf8)))]))
        }
        let (one, other) = (try screen(), try screen())
        let item = try #require(one.item(at: Changes.ItemPlace(section: 1, item: 1)))
        #expect(one.indexPath(of: item) == Changes.ItemPlace(section: 1, item: 1))
        #expect(other.indexPath(of: item) == nil)
    }

    @Test(
        "No item is at a place that the screen does not have",
        arguments: [(-1, 0), (0, -1), (0, 1_000), (1_000, 0), (Int.max, Int.min)])
    func noItem(section: Int, item: Int) throws {
        let place = Changes.ItemPlace(section: section, item: item)
        #expect(try screen(["page-0.json"]).item(at: place) == nil)
    }

    @Test("Equal ids of a section have suffixes, as in the tree")
    func suffixes() throws {
        let page = #"""
            {"sections": [{"sectionId": "S", "units": [{"unitType": "SS_PRODUCT_LIST",
              "unitData": [{"id": "a"}, {"id": "b"}, {"id": "a"}, {}, {"id": 7}, {"id": "a"}]}]}]}
            """#
        let composer = Composer()
        let model = try composer.viewModel(
            of: [composer.page(in: composer.document(of: Array(page.utf8)))])
        let screen = composer.screen(of: model)
        #expect(
            screen.sections[0].items.map(\.id) == ["a", "b", "a#2", "p0.u0.e3", "7", "a#3"])
        #expect(
            screen.indexPath(of: "a#3", inSection: "S") == Changes.ItemPlace(section: 0, item: 5))
    }

    @Test("A collapsed section has no items")
    func collapsed() throws {
        let composer = Composer()
        let model = try composer.viewModel(
            of: [
                composer.page(in: composer.document(of: Fixtures.bytes("storefront/page-0.json")))
            ])
        let screen = model.merged(collapsed: ["ProductList"], registry: composer.registry)
        let section = try #require(screen.sectionIndex(of: "ProductList"))
        #expect(screen.sections[section].items.isEmpty)
        #expect(LaidOutScreen(screen).sections[section].items.isEmpty)
    }
}

extension TreeFrame {
    fileprivate init(_ frame: Frame) {
        // A tree has lengths with three decimals.
        func written(_ length: Double) -> Double { (length * 1000).rounded() / 1000 }
        self.init(
            x: written(frame.x), y: written(frame.y), width: written(frame.width),
            height: written(frame.height))
    }

    fileprivate init?(_ value: TreeValue?) {
        guard case .object(let members)? = value else { return nil }
        func length(_ name: String) -> Double {
            members[name]?.number ?? .nan
        }
        self.init(
            x: length("x"), y: length("y"), width: length("width"), height: length("height"))
    }
}
