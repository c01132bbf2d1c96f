import Broadsheet
import BroadsheetServer
import BroadsheetStores
import StoreTestSupport
import TestSupport
import Testing

/// A program whose state is isolated.
private actor Kitchen {
    private(set) var runs = 0
    private(set) var dishes = Menu.dishes

    /// Stores the dishes.
    func load(_ screen: ServerScreen) async throws -> UInt64 {
        try await screen.loadPage(0) { page in
            runs += 1
            page.section("Menu") { $0.cells(DishCell.self, data: dishes) }
        }
    }

    /// Adds a dish, and stores it.
    func add(_ dish: Dish, to screen: ServerScreen) async throws -> UInt64 {
        try await screen.update { updater in
            runs += 1
            dishes.append(dish)
            try updater.appendItem(dish, firstSectionIdentifier: "Menu")
        }
    }
}

@Suite("Writes of a program to its own server", .timeLimit(.minutes(hangMinutes)))
struct ServerScreenWritesTests {
    @Test("A condition that holds is a write, and without a screen none holds")
    func conditions() async throws {
        try await Menu.withServer { server in
            let screen = server.screens["board"]
            await #expect(throws: ScreenError.conflict(current: nil)) {
                try await screen.loadPage(0, expecting: 1, sections: Menu.sections)
            }
            await #expect(throws: ScreenError.conflict(current: nil)) {
                try await screen.update(expecting: 1) { _ in }
            }
            #expect(try await screen.snapshot() == nil)
            let first = try await screen.loadPage(0, sections: Menu.sections)
            let second = try await screen.loadPage(0, expecting: first) { page in
                page.section("Menu") { $0.cells(DishCell.self, data: Menu.dishes) }
            }
            let page = try ServerStatePage(sections: Menu.sections)
            let third = try await screen.loadPage(0, page, expecting: second)
            let fourth = try await screen.update(expecting: third) { updater in
                try updater.deleteItems(section: "Menu", .some(["pie"]))
            }
            #expect([first, second, third, fourth] == [1, 2, 3, 4])
        }
    }

    /// Returns a store with a page, to which another program writes before each of the next
    /// commits.
    private func contested(times count: Int) async throws -> InterceptingBackend {
        let backend = InterceptingBackend.contested(times: count)
        let page = try ServerStatePage(sections: Menu.sections)
        let board = try #require(ScreenName("board"))
        _ = try await backend.other.commit(
            .put(page: 0, bytes: page.document.bytes), to: board, expecting: nil)
        return backend
    }

    @Test(
        "An update runs its body again if another writer was first, 8 times in all",
        arguments: [(0, 1), (1, 2), (7, 8), (8, 8)])
    func runs(writes: Int, expected: Int) async throws {
        try await Menu.withServer(store: try await contested(times: writes).store) { server in
            let screen = server.screens["board"]
            var runs = 0
            let update = { () async throws -> UInt64 in
                try await screen.update { updater in
                    runs += 1
                    try updater.deleteItems(section: "Menu", .some(["pie"]))
                }
            }
            if writes < 8 {
                #expect(try await update() == UInt64(writes) + 2)
            } else {
                await #expect(throws: ScreenError.conflict(current: 9)) { _ = try await update() }
            }
            #expect(runs == expected)
            let items = try #require(try await screen.snapshot()).laidOut.sections[0].items
            #expect(items.map(\.id) == (writes < 8 ? ["soup"] : ["soup", "pie"]))
        }
    }

    @Test("With a condition an update runs once, also if another writer was first")
    func runsOnce() async throws {
        try await Menu.withServer(store: try await contested(times: 1).store) { server in
            let screen = server.screens["board"]
            var runs = 0
            await #expect(throws: ScreenError.conflict(current: 2)) {
                try await screen.update(expecting: 1) { updater in
                    runs += 1
                    try updater.deleteSection(at: 0)
                }
            }
            #expect(runs == 1)
        }
    }

    @Test("Bodies run in the isolation of the caller, and change its state")
    func isolation() async throws {
        try await Menu.withServer { server in
            let (screen, kitchen) = (server.screens["board"], Kitchen())
            #expect(try await kitchen.load(screen) == 1)
            #expect(try await kitchen.add(Dish(id: "tea", price: 2), to: screen) == 2)
            #expect(await kitchen.runs == 2)
            #expect(await kitchen.dishes.map(\.id) == ["soup", "pie", "tea"])
            let items = try #require(try await screen.snapshot()).laidOut.sections[0].items
            #expect(items.map(\.id) == ["soup", "pie", "tea"])
        }
    }

    @Test("Writes of the program begin the lifetime of the screen, unless they leave every byte")
    func lifetime() async throws {
        let clock = ManualClock()
        var configuration = ServerConfiguration.forTests()
        configuration.screenLifetimeSeconds = 60
        let store = ScreenStore.inMemory(clock: clock.time)
        try await Menu.withServer(configuration, store: store) { server in
            let screen = server.screens["board"]
            let first = try await screen.loadPage(0, sections: Menu.sections)
            clock.advance(seconds: 40)
            let second = try await screen.update { updater in
                try updater.deleteItems(section: "Menu", .some(["pie"]))
            }
            #expect(second == first + 1)
            clock.advance(seconds: 40)
            let third = try await screen.loadPage(0, sections: Menu.sections)
            #expect(third == second + 1)
            clock.advance(seconds: 40)
            #expect(try await screen.loadPage(0, sections: Menu.sections) == third)
            #expect(try await screen.update { _ in } == third)
            clock.advance(seconds: 19)
            #expect(try await screen.snapshot()?.revision == third)
            clock.advance(seconds: 2)
            #expect(try await screen.snapshot() == nil)
        }
    }
}
