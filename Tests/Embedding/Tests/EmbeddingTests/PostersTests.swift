import Broadsheet
import BroadsheetClient
import Testing

// A list of posters with a button in each cell, as the VIPER collectionables have it: the presenter
// has the models, and what is done in a cell reaches it without the view.

struct PosterModel: Codable, Hashable, Sendable {
    var title: String
    var subtitle: String
    var imageName: String
    var isOpen = false
}

enum PosterCell: CellType {
    static let id: JSONPointer? = "/imageName"

    static func size(with input: PosterModel, constrainedTo container: Container) -> Size? {
        Size(width: container.available.width, height: input.subtitle.isEmpty ? 240 : 280)
    }
}

@Suite("Posters with buttons, as the VIPER collectionables have them")
struct PostersTests {
    private static let posters = [
        PosterModel(title: "Venus", subtitle: "Cloud 9", imageName: "venus"),
        PosterModel(title: "Europa", subtitle: "", imageName: "europa"),
    ]

    /// A presenter whose cells have an action for the row and one for the button.
    private func presenter() throws -> ScreenPresenter {
        let open = try JSONDocument(Array(#"{"isOpen": true}"#.utf8)).root
        var registry = CellRegistry()
        registry.register("POSTERS") { $1.cells(PosterCell.self, data: $0.data) }
        registry.handle("select", of: "PosterCell") { action in
            [.patchItem(section: action.section, item: action.item, patch: open)]
        }
        registry.handle("remove", of: "PosterCell") { action in
            let poster = try action.data.decode(PosterModel.self)
            guard poster.isOpen else { return [] }
            return [.deleteItems(section: action.section, .some([action.item]))]
        }
        var presenter = ScreenPresenter(registry: registry)
        try presenter.loadPage(
            0, hasNext: false, sections: [Template(units: [TemplateUnit("POSTERS", Self.posters)])])
        return presenter
    }

    private func model(_ presenter: ScreenPresenter, _ row: Int) throws -> PosterModel {
        let item = try #require(presenter.screen.item(at: .init(section: 0, item: row)))
        return try item.data.decode()
    }

    @Test("The number of sections and rows, and the model of a row")
    func rows() throws {
        let presenter = try presenter()
        #expect(presenter.screen.sections.count == 1)
        #expect(presenter.screen.sections[0].items.count == 2)
        #expect(try model(presenter, 1) == Self.posters[1])
        #expect(presenter.screen.item(at: .init(section: 1, item: 0)) == nil)
        let heights = try #require(presenter.laidOut.sections.first).items.map(\.frame.height)
        #expect(Array(heights) == [280, 240])
    }

    @Test("A row that is selected, and a button in its cell, are actions of the model")
    func selection() async throws {
        var presenter = try presenter()
        let remove = ClientEvent(action: "remove", section: 0, item: "venus")
        try await presenter.handle([remove])
        #expect(presenter.screen.sections[0].items.count == 2)
        var tree = presenter.tree
        let select = ClientEvent(action: "select", section: 0, item: 0)
        try await presenter.handle([select]).apply(to: &tree)
        #expect(try model(presenter, 0).isOpen)
        try await presenter.handle([remove]).apply(to: &tree)
        #expect(try model(presenter, 0).title == "Europa")
        #expect(tree == presenter.tree)
    }
}
