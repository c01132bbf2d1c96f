import BroadsheetService
import BroadsheetStores
import Testing

@testable import BroadsheetCLI

@Suite("Where screens are kept")
struct StoreAddressTests {
    @Test("The three kinds of store are read")
    func kinds() throws {
        #expect(try StoreAddress("memory") == .memory)
        #expect(try StoreAddress("sqlite:screens.db") == .sqlite(path: "screens.db"))
        #expect(try StoreAddress("sqlite:/a:b/c.db") == .sqlite(path: "/a:b/c.db"))
        let endpoint = try RedisEndpoint(url: "redis://cache:7000/3")
        #expect(try StoreAddress("redis://cache:7000/3") == .redis(endpoint))
    }

    @Test(
        "Another name is told what there is",
        arguments: ["", "Memory", "memory:", "memcached://host", "screens.db", "sqlite", "sqlite:"])
    func unknown(name: String) {
        #expect(throws: CommandError.self) { try StoreAddress(name) }
    }

    @Test(
        "A server's address that is none is refused without a word of its password",
        arguments: [
            "redis://", "redis:secret", "redis://u:secret@h/x", "rediss://u:secret@h",
            "redis://u:secret@h:99999",
        ])
    func badServer(address: String) {
        let error = #expect(throws: CommandError.self) { try StoreAddress(address) }
        #expect(error?.lines.contains { $0.contains("secret") } == false)
        #expect(error?.status == .usage)
    }

    @Test(
        "Without a word it is a file in the user's state folder, as XDG has it",
        arguments: [
            (["XDG_STATE_HOME": "/state", "HOME": "/home/a"], "/state/broadsheet/screens.db"),
            (["HOME": "/home/a"], "/home/a/.local/state/broadsheet/screens.db"),
            (
                ["XDG_STATE_HOME": "relative", "HOME": "/home/a"],
                "/home/a/.local/state/broadsheet/screens.db"
            ),
            (["XDG_STATE_HOME": "", "HOME": "/h"], "/h/.local/state/broadsheet/screens.db"),
        ])
    func standard(environment: [String: String], path: String) throws {
        #expect(try StoreAddress.standard(in: environment) == .sqlite(path: path))
    }

    @Test("Without a home there is no such folder, and the message says what to say")
    func homeless() {
        let error = #expect(throws: CommandError.self) { try StoreAddress.standard(in: [:]) }
        #expect(error?.lines.first?.contains("--store") == true)
    }

    @Test("Every event of a store becomes a line of the log that says the same")
    func events() {
        let events: [(StoreEvent, LogLevel)] = [
            (.opened("a"), .info), (.connected("a"), .info), (.unreachable("a"), .warning),
            (.damaged("a"), .error), (.expired(1), .info), (.maintenanceFailed("a"), .warning),
            (.inspected(screens: 2, damaged: 0), .info),
            (.inspected(screens: 2, damaged: 1), .error), (.closed, .info),
        ]
        for (event, level) in events {
            let record = LogRecord(event)
            #expect(record.level == level)
            #expect(record.detail == event.description)
        }
    }
}
