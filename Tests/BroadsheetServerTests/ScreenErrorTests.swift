import Broadsheet
import BroadsheetServer
import BroadsheetStores
import StoreTestSupport
import TestSupport
import Testing

@Suite("The errors of a program's own server", .timeLimit(.minutes(hangMinutes)))
struct ScreenErrorTests {
    /// A layout that only a registry can have.
    private struct Pile: CustomLayout {
        func place(_ items: inout CustomLayoutItems, in space: CustomLayoutSpace) {
            for index in items.indices {
                items.place(index, at: Frame(x: 0, y: 0, width: 10, height: 10))
            }
        }
    }

    /// Expects that a page is not one, and returns the pointer and the detail of the first reason.
    private func violation(
        of operation: () async throws -> Void
    ) async throws -> (pointer: String, detail: String) {
        let error = await #expect(throws: ScreenError.self) { try await operation() }
        guard case .invalidPage(.invalidContract(let contract)) = error else {
            Issue.record("\(String(describing: error))")
            return ("", "")
        }
        let first = try #require(contract.violations.first)
        return (first.pointer, first.detail)
    }

    /// Expects that a limit is exceeded, which the error names.
    private func expectLimit(
        _ name: String, _ operation: () async throws -> Void,
        sourceLocation: SourceLocation = #_sourceLocation
    ) async {
        let error = await #expect(throws: ScreenError.self, sourceLocation: sourceLocation) {
            try await operation()
        }
        guard case .tooMuch(let detail) = error else {
            Issue.record("\(String(describing: error))", sourceLocation: sourceLocation)
            return
        }
        #expect(detail.contains(name), sourceLocation: sourceLocation)
    }

    @Test("An invalid name, and an update or events of a screen that does not exist, are errors")
    func names() async throws {
        try await Menu.withServer { server in
            await #expect(throws: ScreenError.invalidName("a b")) {
                try await server.screens["a b"].remove()
            }
            var revisions = server.screens["a b"].revisions.makeAsyncIterator()
            #expect(await revisions.next() == nil)
            let screen = server.screens["board"]
            await #expect(throws: ScreenError.absent) { try await screen.update { _ in } }
            await #expect(throws: ScreenError.absent) {
                try await screen.handle([ClientEvent(.scroll)])
            }
            let snapshot = try await screen.snapshot()
            #expect(snapshot == nil)
        }
    }

    @Test("A page that is not one has the pointer and the reason, and is not stored")
    func pages() async throws {
        try await Menu.withServer { server in
            let screen = server.screens["board"]
            let endless = SectionModel("A", UnitModel("DISHES", [Double.nan]))
            let error = await #expect(throws: ScreenError.self) {
                try await screen.loadPage(0, sections: [endless])
            }
            guard case .invalidPage(.invalidModel(let model)) = error else {
                Issue.record("\(String(describing: error))")
                return
            }
            #expect(model.pointer.hasPrefix("/sections/0/units/0/unitData"))

            let page = try ServerStatePage(number: 3, sections: [])
            let mismatch = try await violation { try await screen.loadPage(0, page) }
            #expect(mismatch == ("", "The page has the number 3, the call the number 0."))
            enum Undeclared: CellType {
                static func size(with data: Int, constrainedTo container: Container) -> Size? {
                    nil
                }
            }
            let undeclared = try await violation {
                try await screen.loadPage(0) { page in
                    page.section { $0.cell(Undeclared.self, data: 1) }
                }
            }
            #expect(undeclared.pointer == "/sections/0")
            #expect(undeclared.detail.contains("the cell type \"Undeclared\""))
            #expect(try await screen.snapshot() == nil)
        }
    }

    @Test("A custom layout has to be that of the registry for the section's id")
    func customLayouts() async throws {
        var registry = Menu.registry()
        registry.setLayout(.custom(Pile()), forSection: "Pile")
        try await Menu.withServer(registry: registry) { server in
            let screen = server.screens["board"]
            for id in ["Menu", nil] {
                let missing = try await violation {
                    try await screen.loadPage(0) { page in
                        page.section(id) { section in
                            section.layout = .custom(Pile())
                            section.cells(DishCell.self, data: Menu.dishes)
                        }
                    }
                }
                #expect(missing.pointer == "/sections/0")
                #expect(missing.detail.contains("a custom layout"))
            }
            try await screen.loadPage(0) { page in
                page.section("Pile") { section in
                    section.layout = .custom(Pile())
                    section.cells(DishCell.self, data: Menu.dishes)
                }
            }
            let items = try #require(try await screen.snapshot()).laidOut.sections[0].items
            #expect(items.map(\.frame.width) == [10, 10])
        }
    }

    @Test("A strict server refuses pages and edits of the program as it does those of clients")
    func strictness() async throws {
        var configuration = ServerConfiguration.forTests()
        configuration.isStrict = true
        try await Menu.withServer(configuration) { server in
            let screen = server.screens["board"]
            let unknown = [SectionModel("Menu", UnitModel("UNKNOWN", Menu.dishes))]
            let refused = try await violation { try await screen.loadPage(0, sections: unknown) }
            #expect(refused.pointer.hasPrefix("/sections/0/units/0"))
            let revision = try await screen.loadPage(0, sections: Menu.sections)
            let added = [SectionModel("Specials", UnitModel("UNKNOWN", Menu.dishes))]
            let error = await #expect(throws: ScreenError.self) {
                try await screen.update { try $0.appendSections(contentsOf: added) }
            }
            guard case .impossible(.invalidContract) = error else {
                Issue.record("\(String(describing: error))")
                return
            }
            #expect(try await screen.snapshot()?.revision == revision)
        }
    }

    @Test("Each limit of pages, screens and events is an error that names it")
    func limits() async throws {
        var configuration = ServerConfiguration.forTests()
        configuration.screenLimits = ScreenLimits(
            maxDepth: 8, maxSections: 2, maxItems: 3, maxPages: 2)
        configuration.maxBody = 100_000
        try await Menu.withServer(configuration) { server in
            let screen = server.screens["board"]
            let many = SectionModel("A", UnitModel("DISHES", Menu.dishes + Menu.dishes))
            await expectLimit("--max-items") { try await screen.loadPage(0, sections: [many]) }
            await expectLimit("--max-sections") {
                try await screen.loadPage(
                    0, sections: Array(repeating: SectionModel(), count: 3))
            }
            await expectLimit("deep") {
                let deep = SectionModel("A", UnitModel("DISHES", [[[["x"]]]]))
                try await screen.loadPage(0, sections: [deep])
            }
            await expectLimit("--max-body") {
                let text = String(repeating: "x", count: 100_000)
                try await screen.loadPage(
                    0, sections: [SectionModel("A", UnitModel("NONE", text))])
            }
            #expect(try await screen.snapshot() == nil)

            try await screen.loadPage(0, sections: Menu.sections)
            try await screen.loadPage(1, sections: [])
            await expectLimit("--max-pages") { try await screen.loadPage(2, sections: []) }
            await expectLimit("--max-items") {
                try await screen.update { updater in
                    try updater.upsertItems(
                        section: "Menu", unitType: "DISHES",
                        [Dish(id: "tea", price: 2), Dish(id: "jam", price: 1)])
                }
            }
            await expectLimit("1 to 1000 events") {
                try await screen.handle(Array(repeating: ClientEvent(.scroll), count: 1001))
            }
            await expectLimit("/events/0/input") {
                let input = TreeValue.string(
                    String(repeating: "x", count: ClientEvent.maxInputBytes))
                try await screen.handle([
                    ClientEvent(action: "order", section: "Menu", item: "soup", input: input)
                ])
            }
            // What is not of a limit is no such error.
            let error = await #expect(throws: ScreenError.self) { try await screen.handle([]) }
            guard case .impossible(.invalidContract(let contract)) = error else {
                Issue.record("\(String(describing: error))")
                return
            }
            #expect(contract.violations.map(\.pointer) == ["/events"])
        }
    }

    @Test("A failure of the store is the error of each function")
    func storeFails() async throws {
        let backend = InterceptingBackend()
        try await Menu.withServer(store: backend.store) { server in
            let screen = server.screens["board"]
            try await screen.loadPage(0, sections: Menu.sections)
            let failure = StoreError.unavailable("test")
            backend.fail(with: failure)
            let operations: [() async throws -> Void] = [
                { try await screen.loadPage(0, sections: []) },
                { try await screen.update { try $0.deleteSection(at: 0) } },
                { try await screen.handle([ClientEvent(.scroll)]) },
                { try await screen.removePage(0) }, { try await screen.removeAllPages() },
                { try await screen.remove() }, { _ = try await screen.snapshot() },
            ]
            for operation in operations {
                await #expect(throws: ScreenError.store(failure)) { try await operation() }
            }
            backend.fail(with: nil)
            #expect(try await screen.snapshot()?.revision == 1)
        }
    }
}
