import Broadsheet
import BroadsheetClient
import Testing

@Suite("Actions of items (docs/catalog.md, Actions)")
struct ActionTests {
    private static let actions = #"""
        "can": ["move", "delete"], "actions": {
          "favourite": {"operations": [{"op": "patchItem", "patch": {"f": true}}]},
          "rename": {"operations": [
            {"op": "patchItem", "patch": {"names": [{"$input": "/name"}, {"$input": ""}]}}]},
          "remove": {"operations": [{"op": "deleteItems"}]},
          "clear": {"operations": [{"op": "deleteItems", "all": true}]},
          "drop": {"operations": [{"op": "deleteSections", "sections": ["A"]}]},
          "top": {"operations": [{"op": "moveItems", "before": 0}]},
          "into": {"operations": [
            {"op": "moveItems", "toSection": {"$input": "/to"}, "after": {"$input": "/after"}}]},
          "toggle": {"operations": [{"op": "toggleSection"}]},
          "refresh": {"operations": [
            {"op": "replaceSection", "section": {"id": {"$input": "/id"}, "u": []}}]},
          "both": {"operations": [
            {"op": "patchItem", "patch": {"n": 1}}, {"op": "moveItems", "before": 0}]},
          "notify": {"forward": true}}
        """#

    private let catalog: Catalog
    private let pages: [String]

    init() throws {
        catalog = try Catalog(Array(actionCatalog(Self.actions).utf8))
        pages = [
            #"{"s":[{"id":"A","u":[{"t":"LIST","d":[{"id":"a"},{"id":"b"},{"id":"c"}]}]}]}"#,
            #"{"s":[{"id":"A","u":[{"t":"LIST","d":[{"id":"a"},{"id":"x","kind":"fixed"}]}]},{"id":"B","u":[]}]}"#,
        ]
    }

    private func events(_ events: [String]) throws -> [ClientEvent] {
        let all = events.joined(separator: ",")
        return try ClientReport(JSONDocument(Array(#"{"events":[\#(all)]}"#.utf8))).events
            .map(\.clientEvent)
    }

    /// Returns the pages after the actions, or the pointer of the error.
    private func outcome(_ events: [String]) async throws -> [String] {
        var model = try viewModel(pages, by: catalog)
        do {
            _ = try await model.handle(try self.events(events), registry: catalog.registry)
            return texts(model)
        } catch let error as EditError {
            #expect(texts(model) == pages, "a failed action changed something")
            if case .impossible(let pointer, _) = error { return [pointer] }
            return ["\(error)"]
        }
    }

    private func action(_ name: String, _ item: String, _ more: String = "") -> String {
        #"{"type":"action","name":"\#(name)","section":"A","item":\#(item)\#(more)}"#
    }

    @Test("Operations have the event's own section, item and items by default")
    func defaults() async throws {
        let favourite = try await outcome([action("favourite", #""b""#)])
        #expect(favourite[0] == pages[0].replacing(#"{"id":"b"}"#, with: #"{"id":"b","f":true}"#))
        let removed = try await outcome([action("remove", "1")])
        #expect(removed[0] == pages[0].replacing(#"{"id":"b"},"#, with: ""))
        let top = try await outcome([action("top", #""c""#)])
        #expect(top[0].contains(#"[{"id":"c"},{"id":"a"},{"id":"b"}]"#))
        let toggled = try await outcome([action("toggle", #""c""#)])
        #expect(toggled[1].contains(#""collapsed":true"#))
        // An id with a suffix is that of the tree.
        let second = try await outcome([action("favourite", #""a#2""#)])
        #expect(second[1].contains(#"{"id":"a","f":true}"#))
    }

    @Test("Values of the input are copied at any depth, numbers in their notation")
    func inputs() async throws {
        let input = #","input":{"name": "é\u0041" , "x":[1.0]}"#
        let renamed = try await outcome([action("rename", #""a""#, input)])
        #expect(
            renamed[0].contains(
                #"{"id":"a","names":["éA", {"name":"éA","x":[1.0]}]}"#))
        let moved = try await outcome([
            action("into", #""b""#, #","input":{"to":"A","after":4}"#)
        ])
        #expect(moved[1].contains(#"{"id":"x","kind":"fixed"},{"id":"b"}"#))
    }

    @Test(
        "An action that cannot be done changes nothing, and its event is named",
        arguments: [
            [("rename", #""a""#, "")],
            [("rename", #""a""#, #","input":{"nome":1}"#)],
            [("into", #""a""#, #","input":{"to":"Z","after":0}"#)],
            [("into", #""a""#, #","input":{"to":[],"after":0}"#)],
            [("into", #""a""#, #","input":{"to":"A","after":"a"}"#)],
        ])
    func impossible(_ failing: [(String, String, String)]) async throws {
        let first = action("favourite", #""b""#)
        let others = failing.map { action($0.0, $0.1, $0.2) }
        #expect(try await outcome([first] + others) == ["/events/1"])
    }

    @Test(
        "An action that nothing binds, or whose item is gone, has no effect",
        arguments: [
            ("unknown", #""a""#), ("favourite", #""z""#), ("favourite", "9"),
            ("notify", #""a""#), ("favourite", #""x""#), ("Favourite", #""a""#),
        ])
    func unbound(_ name: String, _ item: String) async throws {
        #expect(try await outcome([action(name, item)]) == pages)
        let others = [
            #"{"type":"action","name":"favourite","section":"Z","item":"a"}"#,
            #"{"type":"action","name":"favourite","section":"A"}"#,
            #"{"type":"select","name":"favourite","section":"A","item":"a"}"#,
        ]
        #expect(try await outcome(others) == pages)
    }

    @Test("An action cannot move or delete an item whose type does not permit it")
    func capabilities() async throws {
        #expect(try await outcome([action("clear", #""a""#)]) == ["/events/0"])
        #expect(try await outcome([action("drop", #""a""#)]) == ["/events/0"])
        var model = try viewModel(pages, by: catalog)
        // An update of a backend may.
        try model.updatePages(registry: catalog.registry) { updater throws(EditError) in
            try updater.deleteItems(section: "A", .all)
        }
        #expect(model.itemCount == 0)
    }

    @Test("An action that replaces a section deletes the items of all its parts")
    func replacements() async throws {
        func refresh(_ id: String) -> String {
            action("refresh", #""a""#, #","input":{"id":\#(id)}"#)
        }
        // The section has an item whose type cannot be deleted.
        #expect(try await outcome([refresh(#""A""#)]) == ["/events/0"])
        // An empty section is replaced, and a new one inserted; then indexes may mean others.
        let both = try await outcome([refresh(#""B""#), refresh(#""C""#)])
        #expect(both[0] == pages[0])
        #expect(
            both[1].hasSuffix(#","kind":"fixed"}]}]},{"id": "B", "u": []},{"id": "C", "u": []}]}"#))
        #expect(
            try await outcome([refresh(#""C""#), action("favourite", "0")]) == ["/events/1"])
        #expect(try await outcome([refresh("null")]) == ["/events/0"])
    }

    @Test("Each action applies to what those before it left")
    func order() async throws {
        let twice = try await outcome([action("remove", #""b""#), action("remove", #""b""#)])
        #expect(twice[0] == pages[0].replacing(#"{"id":"b"},"#, with: ""))
        // After items have moved, an index may mean another item.
        let both = [action("top", #""b""#), action("favourite", "0")]
        #expect(try await outcome(both) == ["/events/1"])
        let patched = [action("favourite", "0"), action("favourite", "1")]
        #expect(try await outcome(patched)[0].contains(#"{"id":"b","f":true}"#))
    }

    @Test("A handler in Swift is called with the item, and its operations are applied")
    func handlers() async throws {
        var registry = catalog.registry
        let patch = try JSONDocument(Array(#"{"seen": 1}"#.utf8)).root
        registry.handle("seen") { action in
            [.patchItem(section: action.section, item: action.item, patch: patch)]
        }
        registry.handle("seen", of: "F") { action async in
            await Task.yield()
            #expect(action.data["kind"]?.string == "fixed" && action.cellType == "F")
            #expect(action.input?["why"]?.string == "x")
            return [.deleteItems(section: action.section, .some([action.item]))]
        }
        var model = try viewModel(pages, by: catalog)
        let changes = try await model.handle(
            [ClientEvent(action: "seen", section: "A", item: "b")], registry: registry)
        #expect(texts(model)[0].contains(#"{"id":"b","seen":1}"#))
        guard case .update = changes.content else {
            Issue.record("a reset")
            return
        }
        let forbidden = ClientEvent(
            action: "seen", section: "A", item: "x", input: ["why": "x"])
        let error = await #expect(throws: EditError.self) {
            try await model.handle([forbidden], registry: registry)
        }
        guard case .impossible("/events/0", _) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
    }

    @Test("Items have the gestures of their type in trees, and other gestures reload them")
    func gestures() throws {
        let composer = Composer(registry: catalog.registry)
        let tree = Tree(composer.writer(of: try viewModel(pages, by: catalog)))
        let can = tree.sections[0].items.map(\.can)
        #expect(can == Array(repeating: ["move", "delete"], count: 4) + [[]])
        let other = try Catalog(Array(actionCatalog(#""can": ["move"]"#).utf8))
        let changed = Composer(registry: other.registry)
            .writer(of: try viewModel(pages, by: other))
        let changes = Changes(
            from: composer.writer(of: try viewModel(pages, by: catalog)), to: changed)
        var applied = tree
        try changes.apply(to: &applied)
        #expect(applied == Tree(changed))
        #expect(applied.sections[0].items.map(\.can) == Array(repeating: ["move"], count: 4) + [[]])
        let free = try Catalog(Array(actionCatalog(#""picture": {}"#).utf8))
        let freeTree = Tree(
            Composer(registry: free.registry).writer(of: try viewModel(pages, by: free)))
        #expect(freeTree.sections[0].items.first.map { $0.can == nil } == true)
    }
}
