import Broadsheet
import BroadsheetClient
import Testing

@Suite("Changes that an update of a screen returns (docs/edits.md, In Swift)")
struct UpdateChangesTests {
    @Test("An update returns the changes of all pages, laid out by the parameters")
    func changes() throws {
        let catalog = try updateCatalog()
        let items = (0..<8).map { #"{"id":"i\#($0)","t":"a text that is not short"}"# }
        let unit = #"{"t":"LIST","d":[\#(items.joined(separator: ","))]}"#
        let posted = #"{"s":[{"id":"A","u":[\#(unit)]}]}"#
        var model = try viewModel(
            [posted, posted.replacing(":\"i", with: ":\"j")], by: catalog)
        let composer = Composer(registry: catalog.registry)
        var parameters = LayoutParameters(viewport: Viewport(width: 250, height: 500))
        parameters.collapsed = ["B"]
        var tree = Tree(composer.writer(of: model, parameters))
        let changes = try model.update(registry: catalog.registry, parameters: parameters) {
            updater throws(EditError) in
            try updater.moveItems(section: "A", items: ["i3"], .after("j1"))
            try updater.deleteItems(section: "A", .some(["j5"]))
        }
        guard case .update(let update) = changes.content else {
            Issue.record("a reset")
            return
        }
        #expect(update.stages.map { $0.moveItems.count } == [1])
        #expect(update.stages.map { $0.deleteItems.count } == [1])
        try changes.apply(to: &tree)
        #expect(tree == Tree(composer.writer(of: model, parameters)))
        #expect(changes.from.page == 1 && changes.to.page == 1 && changes.to.revision == nil)
    }

    @Test("An update that changes no byte returns changes with empty lists, however small the tree")
    func noChanges() throws {
        let catalog = try updateCatalog()
        var model = try viewModel([#"{"s":[]}"#], by: catalog)
        let changes = try model.update(registry: catalog.registry) { updater throws(EditError) in
            try updater.deleteSections([])
        }
        guard case .update(let update) = changes.content else {
            Issue.record("a reset")
            return
        }
        #expect(update.stages.isEmpty && update.sections.isEmpty && update.frames.isEmpty)
    }
}
