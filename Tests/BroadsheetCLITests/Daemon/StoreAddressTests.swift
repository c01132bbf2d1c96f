import BroadsheetServer
import BroadsheetService
import BroadsheetStores
import Testing

@testable import BroadsheetCLI

@Suite("The store of --store")
struct StoreAddressTests {
    @Test("The kinds of store are recognised")
    func kinds() throws {
        #expect(try StoreAddress("memory") == .memory)
        #expect(try StoreAddress("sqlite:screens.db") == .sqlite(path: "screens.db"))
        #expect(try StoreAddress("sqlite:/a:b/c.db") == .sqlite(path: "/a:b/c.db"))
        let endpoint = try RedisEndpoint(url: "redis://cache:7000/3")
        #expect(try StoreAddress("redis://cache:7000/3") == .redis(endpoint))
        for scheme in ["postgres", "postgresql"] {
            let url = "\(scheme)://db/screens"
            #expect(try StoreAddress(url).kind == .postgres(PostgresAddress(url: url)))
        }
    }

    @Test(
        "Another text is a usage error",
        arguments: ["", "Memory", "memory:", "memcached://host", "screens.db", "sqlite", "sqlite:"])
    func unknown(name: String) {
        #expect(throws: ServerError.self) { try StoreAddress(name) }
    }

    @Test(
        "An invalid server address is rejected with a message without its password",
        arguments: [
            "redis://", "redis:secret", "redis://u:secret@h/x", "rediss://u:secret@h?cert=a",
            "redis://u:secret@h:99999", "redis://h?ca=secret", "rediss://h?secret=secret",
            "rediss://h?ca=/secret&ca=/secret", "redis+sentinel://u:secret@h",
            "redis+sentinel://h/name?sentinel-user=secret",
            "redis+sentinel://h/name?sentinel-password=secret&sentinel-password=secret",
            "redis://u:secret@h:99999", "postgres:secret", "postgres://u:secret@h/d?x=1",
            "postgresql://u:secret@h/d?target_session_attrs=standby", "postgre://u:secret@h/d",
            "postgres//u:secret@h/d", "mysql:secret",
        ])
    func invalidServer(address: String) {
        let error = #expect(throws: ServerError.self) { try StoreAddress(address) }
        #expect(error?.lines.contains { $0.contains("secret") } == false)
        #expect(error.map { CommandError($0).status } == .usage)
    }

    @Test(
        "The message about an unknown kind of store has its scheme only",
        arguments: [
            ("postgre://user:hidden@db/screens", "'postgre:…'"), ("screens.db", "'screens.db'"),
            ("Memory:", "'Memory:…'"), ("/a/b:c", "':…'"),
        ])
    func unknownScheme(typed: String, shown: String) {
        let error = #expect(throws: ServerError.self) { try StoreAddress(typed) }
        #expect(error?.lines.first?.contains("--store: \(shown) is not one of: memory") == true)
    }

    @Test(
        "The default is a file in the user's state folder (XDG Base Directory Specification)",
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

    @Test("Without a home folder there is no default, and the message names --store")
    func noHome() {
        let error = #expect(throws: ServerError.self) { try StoreAddress.standard(in: [:]) }
        #expect(error?.lines.first?.contains("--store") == true)
    }

    @Test("Every event of a store is logged with its level and description")
    func events() {
        let events: [(StoreEvent, LogLevel)] = [
            (.opened("a"), .info), (.connected("a"), .info), (.unreachable("a"), .warning),
            (.insecure("a"), .warning),
            (.damaged("a"), .error), (.filesLost("a"), .error), (.expired(1), .info),
            (.maintenanceFailed("a"), .warning), (.emptied(floor: "7"), .error),
            (.sentinelsSilent("a"), .warning), (.inspected(screens: 2, damaged: 0), .info),
            (.inspected(screens: 2, damaged: 1), .error), (.closed, .info),
        ]
        for (event, level) in events {
            let record = LogRecord(event)
            #expect(record.level == level)
            #expect(record.detail == event.description)
        }
    }

    @Test(
        "The description of a store has no user and no password",
        arguments: [
            ("memory", "memory"), ("sqlite:/a/b.db", "sqlite:/a/b.db"),
            ("redis://user:hidden@cache:7000/3", "redis://cache:7000/3"),
            ("redis://:p%40ss@[::1]", "redis://[::1]:6379/0"),
            ("rediss://user:hidden@cache?ca=/a&cert=/b&key=/c", "rediss://cache:6379/0"),
            (
                "rediss+sentinel://user:hidden@a,[::1]:7/main/3?sentinel-password=hidden",
                "rediss+sentinel://a:26379,[::1]:7/main/3"
            ),
            ("postgres://user:hidden@db:7000/screens", "postgres://db:7000/screens"),
        ])
    func description(typed: String, text: String) throws {
        #expect(try "\(StoreAddress(typed))" == text)
    }
}
