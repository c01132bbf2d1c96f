import Broadsheet
import BroadsheetClient
import BroadsheetKit
import BroadsheetServer
import Embedding
import Foundation
import Testing

@Suite("A server with its data in Swift, and an app that follows a screen")
struct BoardTests {
    private let menu = [
        Dish(id: "soup", title: "Soup", left: 12), Dish(id: "pie", title: "Pie", left: 8),
    ]

    /// Runs a server while a function uses it.
    private func withBoard(_ body: @Sendable (ScreenServer) async throws -> Void) async throws {
        let server = boardServer()
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await server.run() }
            defer { server.stop() }
            try await body(server)
        }
    }

    @Test("A program loads and edits a screen, and an app shows it")
    func board() async throws {
        try await withBoard { [menu] server in
            // [board-use]
            let board = server.screens["board"]
            try await board.loadPage(0) { page in
                page.section("Lunch") { section in
                    section.cells(DishCell.self, data: menu)
                }
            }
            let revision = try await board.update { updater in
                try updater.patchItem(section: "Lunch", item: "soup", with: ["left": 0])
                try updater.upsertItems(
                    section: "Lunch", of: DishCell.self,
                    [Dish(id: "tea", title: "Tea", left: 30)])
            }
            // [/board-use]
            #expect(revision == 2)
            let shown = try #require(try await board.snapshot()).laidOut.sections[0].items
            #expect(shown.map { $0.model(DishCell.self)?.left } == [0, 8, 30])
            let address = try #require(await server.address)
            try await follow(try #require(URL(string: address.url)), server)
        }
    }

    /// Follows the board as an app does.
    private func follow(_ url: URL, _ server: ScreenServer) async throws {
        // [app]
        let client = ScreenClient(
            "board", query: ScreenQuery(width: 402, height: 874),
            transport: URLSessionTransport(url))
        for try await update in client.updates {
            for item in update.tree.sections[0].items {
                let dish = try item.decode(Dish.self)
                print(dish.title, dish.left, item.frame.y, item.frame.height)
            }
            guard let pie = update.tree.sections[0].items.first(where: { $0.id == "pie" }),
                try pie.decode(Dish.self).left > 7
            else { break }
            try await client.send([ClientEvent(action: "order", section: "Lunch", item: "pie")])
        }
        // [/app]
        let tree = try #require(await client.tree)
        #expect(tree.revision == 3)
        #expect(TreeLayout(tree).itemCount(in: 0) == 3)
        #expect(tree.sections[0].items.map(\.frame.width) == [402, 402, 402])
    }

    @Test("A program follows the revisions of its screen, and the events of clients")
    func streams() async throws {
        try await withBoard { [menu] server in
            let board = server.screens["board"]
            try await board.loadPage(0) { page in
                page.section("Lunch") { $0.cells(DishCell.self, data: menu) }
            }
            // [board-streams]
            let orders = Task { [events = board.events] in
                for await received in events where received.event.name == "order" {
                    return received.event.item
                }
                return nil
            }
            let revisions = Task { [revisions = board.revisions] in
                for await revision in revisions where revision > 1 { return revision }
                return 0
            }
            // [/board-streams]
            try await board.handle([
                ClientEvent(action: "order", section: "Lunch", item: "soup")
            ])
            #expect(await orders.value == "soup")
            #expect(await revisions.value == 2)
        }
    }

    @Test("The stream of an app has each write of the program, and ends with the screen")
    func writes() async throws {
        try await withBoard { [menu] server in
            let board = server.screens["board"]
            try await board.loadPage(0) { page in
                page.section("Lunch") { $0.cells(DishCell.self, data: menu) }
            }
            let address = try #require(await server.address)
            let url = try #require(URL(string: address.url))
            let client = ScreenClient("board", transport: URLSessionTransport(url))
            var updates = client.updates.makeAsyncIterator()
            let first = try #require(try await updates.next())
            #expect(first.tree.revision == 1 && first.changes == nil)

            let loaded = try await board.loadPage(0) { page in
                page.section("Lunch") { section in
                    section.cells(
                        DishCell.self, data: menu + [Dish(id: "tea", title: "Tea", left: 30)])
                }
            }
            try expect(try await updates.next(), revision: loaded, left: [12, 8, 30])
            let updated = try await board.update { updater in
                try updater.patchItem(section: "Lunch", item: "soup", with: ["left": 0])
            }
            try expect(try await updates.next(), revision: updated, left: [0, 8, 30])
            let handled = try await board.handle([
                ClientEvent(action: "order", section: "Lunch", item: "pie")
            ])
            try expect(try await updates.next(), revision: handled, left: [0, 7, 30])
            #expect([loaded, updated, handled] == [2, 3, 4])

            try await board.remove()
            do {
                _ = try await updates.next()
                Issue.record("the updates do not end with the screen")
            } catch ClientError.removed {}
        }
    }

    /// Expects an update that leads to a revision by changes.
    private func expect(_ update: TreeUpdate?, revision: UInt64, left: [Int]) throws {
        let update = try #require(update)
        #expect(update.tree.revision == revision && update.changes != nil)
        let dishes = try update.tree.sections[0].items.map { try $0.decode(Dish.self) }
        #expect(dishes.map(\.left) == left)
    }

    @Test("A program of the client library alone is linked, and runs")
    func clientProgram() async throws {
        let folder = try #require(Bundle.main.executableURL).deletingLastPathComponent()
        let (process, output) = (Process(), Pipe())
        process.executableURL = folder.appending(path: "ClientProgram")
        process.standardOutput = output
        try await withCheckedThrowingContinuation { (done: CheckedContinuation<Void, any Error>) in
            process.terminationHandler = { _ in done.resume() }
            do { try process.run() } catch { done.resume(throwing: error) }
        }
        let text = String(
            decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        #expect(text == "310.0 9007199254740993 18446744073709551615\n")
    }
}
