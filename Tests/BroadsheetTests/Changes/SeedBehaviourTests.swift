import BroadsheetClient
import TestSupport
import Testing

@testable import Broadsheet

/// The item and section operations of collection-view libraries, as changes between two trees.
@Suite("Changes: the behaviours of collection views")
struct SeedBehaviourTests {
    /// A section of a page.
    private struct Section {
        var id: String? = "S"
        var items: [String]
        var header: String?
        var footer: String?
        var collapsed = false

        init(
            _ id: String?, _ items: [String], header: String? = nil, footer: String? = nil,
            collapsed: Bool = false
        ) {
            self.id = id
            self.items = items
            self.header = header
            self.footer = footer
            self.collapsed = collapsed
        }

        init(
            _ items: [String], header: String? = nil, footer: String? = nil, collapsed: Bool = false
        ) {
            self.init("S", items, header: header, footer: footer, collapsed: collapsed)
        }

        /// The section as JSON; an item is `id` or `id:text`.
        var json: String {
            let elements = items.map { item in
                let parts = item.split(separator: ":")
                return "{\"id\":\"\(parts[0])\",\"t\":\"\(parts.count > 1 ? parts[1] : "")\"}"
            }
            var members = [
                "\"units\":[{\"unitType\":\"U\",\"unitData\":[\(elements.joined(separator: ","))]}]"
            ]
            if let id { members.append("\"sectionId\":\"\(id)\"") }
            for (name, text) in [("header", header), ("footer", footer)] {
                guard let text else { continue }
                let type = name == "header" ? "H" : "F"
                members.append("\"\(name)\":{\"unitType\":\"\(type)\",\"unitData\":\"\(text)\"}")
            }
            if collapsed { members.append("\"collapsed\":true") }
            return "{\(members.joined(separator: ","))}"
        }
    }

    private func tree(_ sections: [Section]) throws -> TreeWriter {
        let registry = try sampleCatalog().registry
        var model = PaginatedViewModel()
        let json = #"{"sections":[\#(sections.map(\.json).joined(separator: ","))]}"#
        try model.load(resolved(json, by: registry))
        let screen = model.merged(registry: registry)
        let frames = Composer(registry: registry).frames(of: screen)
        return TreeWriter(screen, frames, viewport: Viewport())
    }

    /// Returns the update between two trees, as the model of a collection view accepts it.
    private func update(_ old: [Section], _ new: [Section]) throws -> Changes.Update {
        let (before, after) = (try tree(old), try tree(new))
        var document = ChangesDocument(from: before, to: after, isSame: true)
        let json = TreeValue(try JSONDocument(document.written()).root)
        var view = try CollectionView(Tree(before).value)
        try view.apply(json)
        #expect(view.tree == Tree(after).value)
        guard case .update(let update)? = Changes(json)?.content else {
            throw OracleFailed(reason: "reset")
        }
        return update
    }

    /// The places of a list, as `section/item`.
    private func places(_ list: [Changes.ItemPlace]) -> [String] {
        list.map { "\($0.section)/\($0.item)" }
    }

    @Test("Append: one insertion at the end, and nothing else moves")
    func append() throws {
        let update = try update([Section(["a", "b"])], [Section(["a", "b", "c", "d"])])
        #expect(update.stages.count == 1)
        #expect(places(update.stages[0].insertItems.map(\.place)) == ["0/2", "0/3"])
        #expect(update.stages[0].moveItems.isEmpty && update.stages[0].deleteItems.isEmpty)
    }

    @Test("Insert by index, in the section of an id wherever that is")
    func insert() throws {
        let update = try update(
            [Section("A", ["x"]), Section("B", ["a", "b"])],
            [Section("A", ["x"]), Section("B", ["a", "n", "b"])])
        #expect(places(update.stages[0].insertItems.map(\.place)) == ["1/1"])
        #expect(update.frames.map(\.place.section) == [1])
    }

    @Test("Update: an item whose data differs is reloaded in place, by itself")
    func reconfigureItem() throws {
        let update = try update([Section(["a", "b:old", "c"])], [Section(["a", "b:new", "c"])])
        #expect(update.stages.count == 1)
        #expect(places(update.stages[0].reloadItems.map(\.place)) == ["0/1"])
        #expect(update.frames.isEmpty && update.sections.isEmpty)
    }

    @Test("Delete by index, and of all items of a section")
    func delete() throws {
        let one = try update([Section(["a", "b", "c"])], [Section(["a", "c"])])
        #expect(places(one.stages[0].deleteItems) == ["0/1"])
        let all = try update([Section(["a", "b"])], [Section([])])
        #expect(places(all.stages[0].deleteItems) == ["0/0", "0/1"])
    }

    @Test("Sections are inserted, deleted and moved by their ids")
    func sections() throws {
        let update = try update(
            [Section("A", ["a"]), Section("B", ["b"]), Section("C", ["c"])],
            [Section("C", ["c"]), Section("A", ["a"]), Section("N", ["n"])])
        #expect(update.stages.count == 1)
        #expect(update.stages[0].deleteSections == [1])
        #expect(update.stages[0].insertSections.map(\.place) == [2])
        #expect(update.stages[0].moveSections.count == 1)
    }

    @Test("Expand and collapse insert and delete the items of one section")
    func expandAndCollapse() throws {
        let open = Section(["a", "b"])
        let closed = Section(["a", "b"], collapsed: true)
        let collapse = try update([open], [closed])
        #expect(places(collapse.stages[0].deleteItems) == ["0/0", "0/1"])
        #expect(collapse.sections[0].members["collapsed"] == .bool(true))
        let expand = try update([closed], [open])
        #expect(places(expand.stages[0].insertItems.map(\.place)) == ["0/0", "0/1"])
        #expect(expand.sections[0].members["collapsed"] == .bool(false))
    }

    @Test("A header and a footer are reconfigured in place, come, and go")
    func reconfigureViews() throws {
        let changed = try update(
            [Section(["a"], header: "old", footer: "x")],
            [Section(["a"], header: "new", footer: "x")])
        #expect(changed.stages.isEmpty)
        #expect(changed.sections[0].members.keys.sorted() == ["header"])
        let gone = try update([Section(["a"], header: "h")], [Section(["a"], footer: "f")])
        #expect(gone.sections[0].members["header"] == .null)
        #expect(gone.sections[0].members["footer"]?["data"] == .string("f"))
    }

    @Test("Moves of several items are the fewest, within a section and to another")
    func moves() throws {
        let within = try update(
            [Section(["a", "b", "c", "d", "e"])], [Section(["d", "e", "a", "b", "c"])])
        #expect(within.stages[0].moveItems.count == 2)
        let across = try update(
            [Section("A", ["a", "b"]), Section("B", ["c"])],
            [Section("A", ["b"]), Section("B", ["c", "a"])])
        #expect(places(across.stages[0].moveItems.map(\.from)) == ["0/0"])
        #expect(places(across.stages[0].moveItems.map(\.to)) == ["1/1"])
    }

    @Test("Items of a section that moves change in a stage of their own")
    func threeStages() throws {
        let update = try update(
            [Section("A", ["a:1", "b"]), Section("B", ["c"])],
            [Section("B", ["c"]), Section("A", ["n", "a:2"])])
        #expect(update.stages.count == 3)
        #expect(places(update.stages[0].reloadItems.map(\.place)) == ["0/0"])
        #expect(update.stages[1].moveSections.count == 1)
        #expect(!update.stages[2].insertItems.isEmpty && !update.stages[2].deleteItems.isEmpty)
    }

    @Test("An item that leaves for a section that is new is deleted, and part of the section")
    func intoNewSection() throws {
        let update = try update(
            [Section("A", ["a", "b"])], [Section("A", ["b"]), Section("B", ["a"])])
        #expect(places(update.stages[0].deleteItems) == ["0/0"])
        #expect(update.stages[0].insertSections[0].value.items.count == 1)
        #expect(update.stages[0].moveItems.isEmpty)
    }

    @Test("A diff of data: only what is different, for equal data in other notation nothing")
    func diff() throws {
        let (old, new) = (
            #"[{"id":"a","n":1.0,"t":"é","o":{"x":1,"y":[1,2]}},{"id":"b","n":2}]"#,
            #"[ {"id":"a", "o":{"y":[1,2],"x":1},"t":"\u00e9","n":1}, {"id":"b","n":3}]"#
        )
        let registry = try sampleCatalog().registry
        let trees = try [old, new].map { data in
            var model = PaginatedViewModel()
            let json = #"{"sections":[[{"unitType":"U","unitData":\#(data)}]]}"#
            try model.load(resolved(json, by: registry))
            let screen = model.merged(registry: registry)
            return TreeWriter(
                screen, Composer(registry: registry).frames(of: screen), viewport: Viewport())
        }
        let comparison = ScreenComparison(from: trees[0], to: trees[1])
        #expect(comparison.stages.map { $0.reloadItems.map(\.from.first) } == [[1]])
    }

    @Test("No empty updates: nothing new has no stage, no section and no frame")
    func nothing() throws {
        let section = Section(["a", "b"], header: "h")
        let update = try update([section], [section])
        #expect(update.stages.isEmpty && update.sections.isEmpty && update.frames.isEmpty)
    }

    @Test("A full reload takes the place of changes that would be longer")
    func fullReload() throws {
        let old = try tree([Section((0..<30).map { "a\($0)" })])
        let new = try tree([Section(["z"])])
        guard case .reset(let tree) = Changes(from: old, to: new).content else {
            Issue.record("not a reset")
            return
        }
        #expect(tree == Tree(new))
    }

    @Test("Sections without id are the same by page and place; items without id by place")
    func withoutIDs() throws {
        let update = try update(
            [Section(nil, ["a"]), Section("X", ["x"]), Section(nil, ["b"])],
            [Section("X", ["x"]), Section(nil, ["a"]), Section(nil, ["c"])])
        #expect(update.stages[0].deleteSections.isEmpty)
        #expect(update.stages[0].moveSections.count == 1)
    }
}
