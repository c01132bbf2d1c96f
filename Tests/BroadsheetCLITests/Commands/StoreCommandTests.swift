import BroadsheetStores
import Foundation
import Testing

@testable import BroadsheetCLI

@Suite("broadsheet store")
struct StoreCommandTests {
    @Test("`store schema` prints the SQL that a daemon sends")
    func schema() async {
        let console = TestConsole()
        #expect(await console.run("store", "schema") == .success)
        #expect(console.output == PostgresSchema.script)
        #expect(console.output.contains("CREATE SCHEMA broadsheet"))
        #expect(console.errors.isEmpty)
    }

    @Test("`store advance` of a server that is not there fails, without its password")
    func noServer() async {
        let console = TestConsole()
        let status = await console.run(
            "store", "advance", "postgres://someone:hidden@127.0.0.1:1/screens")
        #expect(status == .failure)
        let errors = console.errors.joined()
        #expect(errors.contains("127.0.0.1"))
        #expect(!errors.contains("hidden") && !errors.contains("someone"))
    }

    @Test("`store copy` copies a store to an empty one, and says how much that was")
    func copy() async throws {
        let folder = FileManager.default.temporaryDirectory
            .appendingPathComponent("broadsheet-copy-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        let (from, to) = (folder.path + "/from.db", folder.path + "/to.db")
        let missing = TestConsole()
        let status = await missing.run("store", "copy", "sqlite:\(from)", "sqlite:\(to)")
        #expect(status == .failure)
        #expect(missing.errors.joined().contains("no such file"))
        let home = try #require(ScreenName("home"))
        let store = try ScreenStore(path: from, options: SQLiteStoreOptions(feeds: FeedBounds()))
        _ = try await store.commit(
            .put(page: 0, bytes: Array("{}".utf8)), to: home, expecting: nil)
        _ = try await store.append([[1]], to: home)
        await store.close()
        let unread = TestConsole()
        #expect(
            await unread.run("store", "copy", "sqlite:\(from)", "sqlite:\(to)") == .failure)
        #expect(unread.errors.joined().contains("--drop-feeds"))
        let console = TestConsole()
        let words = ["store", "copy", "--drop-feeds", "sqlite:\(from)", "sqlite:\(to)"]
        #expect(await console.run(words) == .success)
        #expect(console.output == "copied 1 screens, 1 pages, 2 bytes\n")
        let again = TestConsole()
        #expect(await again.run(words) == .failure)
        #expect(again.errors.joined().contains("has screens"))
    }

    @Test("`store compact` leaves no byte of removed pages in a file, and says the sizes")
    func compact() async throws {
        let folder = FileManager.default.temporaryDirectory
            .appendingPathComponent("broadsheet-compact-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        let path = folder.path + "/screens.db"
        let missing = TestConsole()
        #expect(await missing.run("store", "compact", path) == .failure)
        #expect(missing.errors.joined().contains("\(path): there is no such file"))
        let home = try #require(ScreenName("home"))
        let store = try ScreenStore(path: path)
        _ = try await store.commit(
            .put(page: 0, bytes: Array("{}".utf8)), to: home, expecting: nil)
        let running = TestConsole()
        #expect(await running.run("store", "compact", path) == .failure)
        #expect(running.errors.joined().contains("in use; stop the daemon first"))
        await store.close()
        for operand in [path, "sqlite:\(path)"] {
            let console = TestConsole()
            #expect(await console.run("store", "compact", operand) == .success)
            #expect(console.errors.count == 1 && console.errors[0].contains(" bytes before, "))
            #expect(console.errors[0].contains("mode 600"))
        }
    }

    @Test(
        "Any other command line is invalid",
        arguments: [
            [], ["schemas"], ["schema", "a"], ["advance", "a", "b"], ["advance", "memory"],
            ["advance", "sqlite:a.db"], ["advance", "--store", "redis://h"],
            ["advance", "postgres:hidden"], ["copy"], ["copy", "sqlite:a.db"],
            ["copy", "memory", "sqlite:a.db"], ["copy", "sqlite:a.db", "memory"],
            ["copy", "sqlite:a.db", "sqlite:a.db"], ["copy", "sqlite:a.db", "postgres:hidden"],
            ["copy", "sqlite:a.db", "sqlite:b.db", "c"], ["compact"], ["compact", "a.db", "b.db"],
            ["compact", "memory"], ["compact", "postgres://u:hidden@h/d"], ["compact", "-"],
            ["compact", ""],
        ])
    func invalid(words: [String]) async {
        let console = TestConsole()
        #expect(await console.run(["store"] + words) == .usage)
        #expect(!console.errors.joined().contains("hidden"))
    }
}
