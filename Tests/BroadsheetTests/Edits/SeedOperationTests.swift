import Broadsheet
import BroadsheetClient
import TestSupport
import Testing

/// The item and section operations of collection-view libraries: what an update does to a tree.
@Suite("Updates: the behaviours of collection views, as the changes that they make")
struct SeedOperationTests {
    /// A screen of two sections, of which the second one is edited.
    private struct Screen {
        let catalog: Catalog
        var model: PaginatedViewModel

        init() throws {
            catalog = try sampleCatalog()
            func units(_ ids: String) -> String {
                let items = ids.map { #"{"id":"\#($0)","t":"as long as texts in a list are"}"# }
                return #"[{"unitType":"U","unitData":[\#(items.joined(separator: ","))]}]"#
            }
            let views =
                #""header":{"unitType":"H","unitData":"old"},"footer":{"unitType":"F","unitData":"old"}"#
            let page = """
                {"sections":[{"sectionId":"R","units":\(units("xyz"))},
                {"sectionId":"S",\(views),"units":\(units("abcd"))}]}
                """
            model = try viewModel([page], by: catalog)
        }

        /// The tree of all pages.
        var tree: Tree { Tree(Composer(registry: catalog.registry).writer(of: model)) }

        /// Updates the screen, and returns the changes, which make its new tree of the earlier one.
        mutating func update(
            _ body: (inout ScreenUpdater) throws(EditError) -> Void
        ) throws -> Changes.Update {
            var tree = tree
            let changes = try model.update(registry: catalog.registry, body)
            try changes.apply(to: &tree)
            #expect(tree == self.tree)
            guard case .update(let update) = changes.content else {
                throw OracleFailed(reason: "a reset")
            }
            return update
        }
    }

    /// The second section by its id, and by its index.
    private static let targets: [UpdateTarget] = ["S", 1]

    /// Returns the changes of items in stages, as `insert 1/4`.
    private func items(_ update: Changes.Update) -> [String] {
        func place(_ place: Changes.ItemPlace) -> String { "\(place.section)/\(place.item)" }
        return update.stages.flatMap { stage -> [String] in
            stage.reloadItems.map { "reload \(place($0.place))" }
                + stage.deleteItems.map { "delete \(place($0))" }
                + stage.insertItems.map { "insert \(place($0.place))" }
                + stage.moveItems.map { "move \(place($0.from)) to \(place($0.to))" }
        }
    }

    private func ids(_ section: Int, of screen: Screen) -> [TreeValue] {
        screen.tree.sections[section].items.compactMap { $0.members["id"] }
    }

    private func values(_ text: String) throws -> [JSONValue] {
        try Array(JSONDocument(Array(text.utf8)).root.elements)
    }

    @Test("Append to a section, by its id and by its index", arguments: targets)
    func append(section: UpdateTarget) throws {
        var screen = try Screen()
        let new = try values(#"[{"id":"n"},{"id":"m"}]"#)
        let update = try screen.update { updater throws(EditError) in
            try updater.insertItems(section: section, .data(new))
        }
        #expect(items(update) == ["insert 1/4", "insert 1/5"])
    }

    @Test("Insert at an index, in a section by its id and by its index", arguments: targets)
    func insert(section: UpdateTarget) throws {
        let new = try values(#"[{"id":"n"}]"#)
        for (place, expected) in [
            (.before(1), "insert 1/1"), (.after("b"), "insert 1/2"), (.before("a"), "insert 1/0"),
        ] as [(UpdatePlace, String)] {
            var screen = try Screen()
            let update = try screen.update { updater throws(EditError) in
                try updater.insertItems(section: section, .data(new), place)
            }
            #expect(items(update) == [expected])
        }
    }

    @Test("Update an item by its id and by its index: reconfigure in place", arguments: targets)
    func reconfigureItem(section: UpdateTarget) throws {
        var screen = try Screen()
        let value = try #require(try values(#"[{"id":"c","t":"new"}]"#).first)
        let patch = try #require(try values(#"[{"t":"new"}]"#).first)
        for (item, expected) in [("b", "reload 1/1"), (3, "reload 1/3")] as [(UpdateTarget, String)]
        {
            let update = try screen.update { updater throws(EditError) in
                try updater.patchItem(section: section, item: item, patch: patch)
            }
            #expect(items(update) == [expected])
        }
        let update = try screen.update { updater throws(EditError) in
            try updater.replaceItem(section: section, item: "c", data: value)
        }
        #expect(items(update) == ["reload 1/2"])
    }

    @Test("Delete items by ids and by indexes, and all of a section", arguments: targets)
    func delete(section: UpdateTarget) throws {
        var screen = try Screen()
        let some = try screen.update { updater throws(EditError) in
            try updater.deleteItems(section: section, .some([0, "c"]))
        }
        #expect(items(some) == ["delete 1/0", "delete 1/2"])
        let all = try screen.update { updater throws(EditError) in
            try updater.deleteItems(section: section, .all)
        }
        #expect(items(all) == ["delete 1/0", "delete 1/1"])
    }

    @Test("Expand and collapse: the items come and go, and nothing else", arguments: targets)
    func expandAndCollapse(section: UpdateTarget) throws {
        var screen = try Screen()
        for (kind, isCollapsed) in [("delete", true), ("insert", false)] {
            let update = try screen.update { updater throws(EditError) in
                try updater.toggleSection(section: section)
            }
            #expect(items(update) == (0..<4).map { "\(kind) 1/\($0)" })
            #expect(update.sections.map(\.index) == [1])
            #expect(update.sections[0].members["collapsed"] == .bool(isCollapsed))
        }
    }

    @Test("Reconfigure a header and a footer in place", arguments: targets, ["header", "footer"])
    func reconfigureViews(section: UpdateTarget, view: String) throws {
        var screen = try Screen()
        let unit = #"{"unitType":"\#(view == "header" ? "H" : "F")","unitData":"new"}"#
        let patch = try JSONDocument(Array(#"{"\#(view)":\#(unit)}"#.utf8)).root
        let update = try screen.update { updater throws(EditError) in
            try updater.patchSection(section: section, patch: patch)
        }
        #expect(update.stages.isEmpty)
        #expect(update.sections.map { $0.members.keys.sorted() } == [[view]])
    }

    @Test("Move several items, which end up side by side in the order named", arguments: targets)
    func moves(section: UpdateTarget) throws {
        var screen = try Screen()
        let within = try screen.update { updater throws(EditError) in
            try updater.moveItems(section: section, items: ["d", 0], .after("b"))
        }
        #expect(ids(1, of: screen) == ["b", "d", "a", "c"].map(TreeValue.string))
        #expect(items(within).count == 2 && items(within).allSatisfy { $0.hasPrefix("move 1/") })
        let across = try screen.update { updater throws(EditError) in
            try updater.moveItems(
                section: section, items: ["a", "b"], toSection: "R", .before(1))
        }
        #expect(Set(items(across)) == ["move 1/0 to 0/2", "move 1/2 to 0/1"])
        #expect(ids(0, of: screen) == ["x", "a", "b", "y", "z"].map(TreeValue.string))
    }

    @Test("A diff of data and of one section: upsert changes what differs", arguments: targets)
    func diffOfOneSection(section: UpdateTarget) throws {
        var screen = try Screen()
        let same = #"{"t":"as long as texts in a list are","id":"a"}"#
        let data = try values("[\(same),{\"id\":\"c\",\"t\":\"new\"},{\"id\":\"e\"}]")
        let update = try screen.update { updater throws(EditError) in
            try updater.upsertItems(section: section, unitType: "U", data: data)
        }
        #expect(items(update) == ["reload 1/2", "insert 1/4"])
        #expect(update.frames.allSatisfy { $0.place.section == 1 })
    }

    @Test("No empty updates: what changes nothing has no stage", arguments: targets)
    func noEmptyUpdates(section: UpdateTarget) throws {
        var screen = try Screen()
        let update = try screen.update { updater throws(EditError) in
            try updater.toggleSection(section: section)
            try updater.toggleSection(section: section)
            try updater.insertItems(section: section, .data([]))
            try updater.moveItems(section: section, items: ["b"], .after("a"))
        }
        #expect(update.stages.isEmpty && update.sections.isEmpty && update.frames.isEmpty)
    }

    @Test("A full reload where a batch would say more than the tree", arguments: targets)
    func fullReload(section: UpdateTarget) throws {
        var screen = try Screen()
        let new = try values("[" + (0..<60).map { #"{"id":\#($0)}"# }.joined(separator: ",") + "]")
        try screen.model.updatePages(registry: screen.catalog.registry) {
            updater throws(EditError) in
            try updater.insertItems(section: section, .data(new))
        }
        let changes = try screen.model.update(registry: screen.catalog.registry) {
            updater throws(EditError) in
            try updater.deleteItems(section: section, .all)
            try updater.deleteSections(["R"])
        }
        #expect(changes.content == .reset(screen.tree))
    }
}
