import Broadsheet
import BroadsheetServer
import BroadsheetStores
import Foundation
import TestSupport
import Testing

@Suite("A program's own server: its screens without HTTP", .timeLimit(.minutes(hangMinutes)))
struct ServerScreenTests {
    private func http(_ server: ScreenServer) async throws -> HTTPClient {
        HTTPClient(address: try #require(await server.address))
    }

    @Test("Pages are stored, replaced and removed, and HTTP clients see them")
    func pages() async throws {
        try await Menu.withServer { server in
            let screen = server.screens["board"]
            let first = try await screen.loadPage(0, hasNext: true, sections: Menu.sections)
            let same = try await screen.loadPage(0, hasNext: true, sections: Menu.sections)
            #expect(same == first)
            let second = try await screen.loadPage(1) { page in
                page.section("Menu", collapsed: nil) { section in
                    section.header(Heading.self, data: "Menu")
                    section.cells(DishCell.self, data: [Dish(id: "tea", price: 2)])
                }
            }
            #expect(second > first)
            let http = try await http(server)
            let tree = try await http.send("GET", "/v1/screens/board/layout?pages=all")
            #expect(tree.text.contains(#""id":"tea""#) && tree.text.contains(#""type":"Heading""#))
            let snapshot = try #require(try await screen.snapshot())
            #expect(snapshot.revision == second)
            let models = snapshot.laidOut.sections[0].items.map { $0.model(DishCell.self)?.price }
            #expect(Array(models) == [6, 9, 2])
            #expect(try await screen.removePage(1))
            #expect(try await !screen.removePage(1))
            try await screen.removeAllPages()
            #expect(try await screen.snapshot()?.laidOut.sections.isEmpty == true)
            #expect(try await screen.remove())
            #expect(try await !screen.remove())
            #expect(try await screen.snapshot() == nil)
            #expect(try await http.send("GET", "/v1/screens/board/layout").status == 404)
        }
    }

    @Test("An update by ids with models is one revision, and begins again after other writers")
    func update() async throws {
        try await Menu.withServer { server in
            let screen = server.screens["board"]
            let first = try await screen.loadPage(0, sections: Menu.sections)
            let second = try await screen.update { updater in
                try updater.replaceItem(
                    section: "Menu", item: "soup", with: Dish(id: "soup", price: 7))
                try updater.upsertItems(
                    section: "Menu", unitType: "DISHES", [Dish(id: "jam", price: 1)])
            }
            #expect(second == first + 1)
            #expect(try await screen.update { _ in } == second)
            await #expect(throws: ScreenError.conflict(current: second)) {
                try await screen.update(expecting: first) { try $0.deleteSection(at: 0) }
            }
            await #expect(throws: ScreenError.conflict(current: second)) {
                try await screen.loadPage(0, expecting: first, sections: [])
            }
            struct Own: Error {}
            await #expect(throws: Own.self) { try await screen.update { _ in throw Own() } }
            await #expect(
                throws: ScreenError.impossible(
                    .impossible(
                        pointer: "/operations/0/section",
                        detail: "The screen has no section with the id \"x\"."))
            ) {
                try await screen.update { try $0.deleteItems(section: "x", .all) }
            }
            // Eight writers add to one number, and none is lost.
            try await withThrowingTaskGroup(of: Void.self) { group in
                for _ in 0..<4 {
                    group.addTask {
                        try await screen.update { updater in
                            try updater.appendItem(
                                Dish(id: "x", price: 1), firstSectionIdentifier: "Menu")
                        }
                    }
                }
                try await group.waitForAll()
            }
            #expect(try await screen.snapshot()?.laidOut.sections[0].items.count == 7)
        }
    }

    @Test("Events of the program and of clients are handled, and a stream has all of them")
    func events() async throws {
        try await Menu.withServer { server in
            let screen = server.screens["board"]
            try await screen.loadPage(0) { page in
                page.section("Menu") { section in
                    section.header(Heading.self, data: "Menu")
                    section.cells(DishCell.self, data: Menu.dishes)
                }
            }
            var events = server.screens.events.makeAsyncIterator()
            let revision = try await screen.handle([
                ClientEvent(action: "order", section: "Menu", item: "soup", input: 4)
            ])
            #expect(revision == 2)
            let body =
                #"{"events":[{"type":"select","section":"Menu","view":"header"},"#
                + #"{"type":"action","name":"order","section":"Menu","item":"pie"}]}"#
            let taken = try await http(server).send(
                "POST", "/v1/screens/board/events", body)
            #expect(taken.status == 202)
            let received = [await events.next(), await events.next(), await events.next()]
            #expect(received.map { $0?.screen } == ["board", "board", "board"])
            #expect(received.map { $0?.event.type } == [.action, .select, .action])
            #expect(received[0]?.event.input == 4 && received[1]?.event.view == .header)
            #expect(received.map { $0?.missed } == [0, 0, 0])
            let parameters = LayoutParameters(expanded: ["Menu"])
            let shown = try #require(try await screen.snapshot(parameters)).laidOut
            #expect(shown.sections[0].items.map { $0.model(DishCell.self)?.price } == [10, 10])
            #expect(try await screen.snapshot()?.laidOut.sections[0].items.isEmpty == true)
            let error = await #expect(throws: ScreenError.self) {
                try await screen.handle([
                    ClientEvent(action: "order", section: "Menu", item: "pie", input: "x")
                ])
            }
            guard case .impossible(.impossible(let pointer, _)) = error else {
                Issue.record("\(String(describing: error))")
                return
            }
            #expect(pointer == "/events/0")
        }
    }

    @Test("A reader that is too slow has the newest 1000 events, and the number of those it missed")
    func missed() async throws {
        try await Menu.withServer { server in
            let screen = server.screens["board"]
            try await screen.loadPage(0, sections: Menu.sections)
            var events = screen.events.makeAsyncIterator()
            let other = server.screens["other"].events
            var page = ClientEvent(.pageDidAppear)
            for number in [0, 1] {
                page.page = number
                try await screen.handle(Array(repeating: page, count: 700))
            }
            let first = try #require(await events.next())
            #expect(first.missed == 400 && first.event.page == 0)
            #expect(await events.next()?.missed == 0)
            server.stop()
            var rest = 2
            while await events.next() != nil { rest += 1 }
            #expect(rest == 1000)
            var others = other.makeAsyncIterator()
            #expect(await others.next() == nil)
        }
    }

    @Test("Revisions begin with the current one, follow every writer, and end with the screen")
    func revisions() async throws {
        try await Menu.withServer { server in
            let screen = server.screens["board"]
            try await screen.loadPage(0, sections: Menu.sections)
            var revisions = screen.revisions.makeAsyncIterator()
            #expect(await revisions.next() == 1)
            let put = try await http(server).send(
                "PUT", "/v1/screens/board/pages/1", #"{"sections":[]}"#)
            #expect(put.status == 201)
            #expect(await revisions.next() == 2)
            try await screen.update { try $0.deleteSection(at: 0) }
            #expect(await revisions.next() == 3)
            try await screen.remove()
            #expect(await revisions.next() == nil)
        }
    }

    @Test("Handlers run without the screen's lock, so they may use it")
    func handlersUseScreens() async throws {
        let own = Own()
        var registry = Menu.registry()
        registry.handle("clear", of: DishCell.self) { _, _ in
            try await own.screen?.update { try $0.deleteItems(section: "Menu", .some(["pie"])) }
            return []
        }
        try await Menu.withServer(registry: registry) { server in
            let screen = server.screens["board"]
            await own.set(screen)
            try await screen.loadPage(0, sections: Menu.sections)
            try await screen.handle([ClientEvent(action: "clear", section: "Menu", item: "soup")])
            #expect(try await screen.snapshot()?.laidOut.sections[0].items.map(\.id) == ["soup"])
        }
    }

    private actor Own {
        private(set) var screen: ServerScreen?
        func set(_ screen: ServerScreen) { self.screen = screen }
    }

    @Test("Operations wait for the server, and are stopped by its end and by a cancelled task")
    func stopped() async throws {
        let server = ScreenServer(registry: Menu.registry(), configuration: .forTests())
        let waiting = Task { try await server.screens["board"].remove() }
        let cancelled = Task { try await server.screens["board"].snapshot() }
        cancelled.cancel()
        await #expect(throws: ScreenError.stopped) { try await cancelled.value }
        server.stop()
        try await server.run()
        await #expect(throws: ScreenError.stopped) { try await waiting.value }
        await #expect(throws: ScreenError.stopped) { try await server.screens["board"].remove() }
        var revisions = server.screens["board"].revisions.makeAsyncIterator()
        #expect(await revisions.next() == nil)
        var events = server.screens.events.makeAsyncIterator()
        #expect(await events.next() == nil)
    }

    @Test("The address of a store is opened by itself, and a Redis URL is checked")
    func stores() async throws {
        let store = try await StoreAddress.memory.open()
        await store.close()
        #expect(
            try StoreAddress.redis("redis://localhost:7000/1").description
                == "redis://localhost:7000/1")
        #expect(throws: ServerError.self) { try StoreAddress.redis("http://localhost") }
    }
}
