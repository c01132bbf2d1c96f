import Synchronization
import TestSupport
import Testing

import BroadsheetTesting
@testable import BroadsheetStores

/// The effects of messages, received or missed, with a server that a test controls.
@Suite("A store that subscribes to a Redis server", .serialized, .timeLimit(.minutes(hangMinutes)))
struct RedisSubscriberTests {
    private let home: ScreenName

    init() throws { home = try name("home") }

    /// The marker as the complete reply to a command.
    private static let marker = "\(FakeRedis.marker)\r\n"

    private static func isRequest(_ command: [String]) -> Bool {
        command.dropLast() == ["EVAL", RedisScript.marker, "1", RedisKeys.floor]
    }

    private static func isRevisionRequest(_ command: [String]) -> Bool {
        command.prefix(4) == ["EVAL", RedisScript.fields, "1", "{broadsheet}:screen:home"]
    }

    /// Returns the reply of a server for a screen.
    private static func screen(
        at revision: Int, left: Int = -1, else rest: @escaping FakeRedis.Script
    ) -> FakeRedis.Script {
        { command in
            switch command.first {
            case "HGETALL": .reply("*4\r\n+revision\r\n+\(revision)\r\n+latest\r\n+0\r\n")
            case "EVAL" where command[1] == RedisScript.fields:
                .reply(fields(command.dropFirst(4).dropLast(), at: revision, left: left))
            case "EVAL" where command[1] == RedisScript.timeToLive:
                .reply("*2\r\n:\(left)\r\n\(marker)")
            default: rest(command)
            }
        }
    }

    private static func fields(
        _ names: ArraySlice<String>, at revision: Int, left: Int
    ) -> String {
        let values = names.map { name in
            switch name {
            case "=revision": "+\(revision)\r\n"
            case "=sizes": "+0 0 0 0 home\r\n"
            case "=trees": "+\(revision) home\r\n"
            default: "+0\r\n"
            }
        }
        return "*4\r\n+\(revision)\r\n*\(values.count)\r\n\(values.joined()):\(left)\r\n\(marker)"
    }

    /// The reply to a request of the fields of a screen that does not exist.
    private static let noScreen = "*4\r\n_\r\n*6\r\n_\r\n_\r\n_\r\n_\r\n_\r\n_\r\n:-2\r\n\(marker)"

    /// Returns the script of a handshake in RESP2.
    private static func oldGreeting(_ rest: @escaping FakeRedis.Script) -> FakeRedis.Script {
        FakeRedis.greeting(
            instead: { command in
                switch command.first {
                case "HELLO": .reply("-ERR unknown command\r\n")
                case "ROLE": .reply("*1\r\n+master\r\n")
                case "SUBSCRIBE": .reply("*3\r\n+subscribe\r\n+channel\r\n:1\r\n")
                default: nil
                }
            }, rest)
    }

    /// Passes a store to `body` that has read `home` from a fake server.
    private func withStore(
        _ script: @escaping FakeRedis.Script, log: EventLog = EventLog(),
        _ body: (RedisStore, FakeRedis, ManualClock) async throws -> Void
    ) async throws {
        let server = try FakeRedis(script)
        let clock = ManualClock()
        let store = try RedisStore(
            server.endpoint, options: RedisStoreOptions(clock: clock.time, onEvent: log.handler))
        #expect(await eventually { server.commands.contains { $0.first == "SUBSCRIBE" } })
        // Entries from before the subscription are not used.
        let isCached = try await eventually {
            _ = try await store.stored(home)
            let before = server.commands.count(where: Self.isRevisionRequest)
            _ = try await store.load(home, unlessAt: 4)
            return server.commands.count(where: Self.isRevisionRequest) == before
        }
        #expect(isCached)
        try await body(store, server, clock)
        server.stop()
        await store.close()
    }

    /// Expects the result of a read of `home` by a caller that has `revision`.
    private func expect(
        _ expected: ScreenLoad, of store: RedisStore, at revision: UInt64,
        sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
        let found = try await store.load(home, unlessAt: revision)
        #expect(found == expected, sourceLocation: sourceLocation)
    }

    @Test("A read sends one request for pending messages, and none for the screen")
    func cached() async throws {
        let script = Self.screen(at: 4) { _ in .reply(Self.marker) }
        try await withStore(FakeRedis.greeting(script)) { store, server, _ in
            let before = server.commands.count
            for _ in 0..<5 {
                try await expect(.unchanged, of: store, at: 4)
            }
            let requests = server.commands[before...]
            #expect(requests.count == 5)
            #expect(requests.allSatisfy(Self.isRequest))
        }
    }

    @Test("A message that precedes the reply is applied, in either protocol")
    func messageFirst() async throws {
        let message = "3\r\n+message\r\n+channel\r\n+home 5\r\n"
        let quiet = Self.screen(at: 4) {
            $0.first == "PING" ? .reply(Self.pong) : .reply(Self.marker)
        }
        let three = FakeRedis.greeting(
            Self.screen(at: 5) { _ in .reply(">\(message)\(Self.marker)") })
        let two = Self.oldGreeting(Self.screen(at: 5) { _ in .reply("*\(message)\(Self.pong)") })
        for (first, then) in [(FakeRedis.greeting(quiet), three), (Self.oldGreeting(quiet), two)] {
            try await withStore(first) { store, server, _ in
                server.change(then)
                try await expect(.screen(StoredScreen(revision: 5)), of: store, at: 4)
                // The value was not a reply to a request: the next one is assigned correctly.
                try await expect(.unchanged, of: store, at: 5)
            }
        }
    }

    private static let pong = "*2\r\n+pong\r\n\(marker)"

    @Test("Without a reply in time the screen is read, and the lost subscription is reported")
    func silence() async throws {
        let log = EventLog()
        let script = Self.screen(at: 4) { _ in .reply(Self.marker) }
        try await withStore(FakeRedis.greeting(script), log: log) { store, server, _ in
            server.change(FakeRedis.greeting(Self.screen(at: 5) { _ in .silence }))
            try await expect(.screen(StoredScreen(revision: 5)), of: store, at: 4)
            await log.wait { event in
                guard case .subscriptionLost(let reason) = event else { return false }
                return reason.hasPrefix("Redis does not reply in time (127.0.0.1:")
            }
        }
    }

    @Test(
        "The screen is read after an error, a closed connection, or another reply",
        arguments: ["-ERR no", "-MOVED 1 127.0.0.1:1", "+OK", "*0", ""])
    func unexpectedReplies(reply: String) async throws {
        let script = Self.screen(at: 4) { _ in .reply(Self.marker) }
        try await withStore(FakeRedis.greeting(script)) { store, server, _ in
            server.change(
                FakeRedis.greeting(
                    Self.screen(at: 5) { _ in
                        reply.isEmpty ? .hangUp : .reply("\(reply)\r\n")
                    }))
            try await expect(.screen(StoredScreen(revision: 5)), of: store, at: 4)
        }
    }

    @Test("Each screen is read if the store may not subscribe, and the reason is reported")
    func refusedSubscription() async throws {
        let log = EventLog()
        let server = try FakeRedis(
            FakeRedis.greeting(
                instead: {
                    $0.first == "SUBSCRIBE" ? .reply("-NOPERM no channels for you\r\n") : nil
                }, Self.screen(at: 4) { _ in .reply(Self.marker) }))
        let store = try RedisStore(
            server.endpoint, options: RedisStoreOptions(onEvent: log.handler))
        await log.wait { event in
            guard case .subscriptionLost(let reason) = event else { return false }
            return reason.contains("NOPERM")
        }
        for count in 1...5 {
            try await expect(.unchanged, of: store, at: 4)
            #expect(server.commands.count(where: Self.isRevisionRequest) == count)
        }
        server.stop()
        await store.close()
    }

    @Test("Each screen is read while the store is subscribed to another server")
    func twoServers() async throws {
        let runs = Runs()
        let server = try FakeRedis(
            FakeRedis.greeting(
                instead: { command in
                    guard command.first == "INFO" else { return nil }
                    return .reply("+run_id:\(runs.next())\r\n")
                }, Self.screen(at: 4) { _ in .reply(Self.marker) }))
        let store = try RedisStore(server.endpoint)
        #expect(await eventually { server.commands.contains { $0.first == "SUBSCRIBE" } })
        for count in 1...5 {
            try await expect(.unchanged, of: store, at: 4)
            #expect(server.commands.count(where: Self.isRevisionRequest) == count)
        }
        server.stop()
        await store.close()
    }

    @Test("A subscribed store uses the entry of an expiring screen until it expires at most")
    func expiry() async throws {
        let script = Self.screen(at: 4, left: 300) { _ in .reply(Self.marker) }
        try await withStore(FakeRedis.greeting(script)) { store, server, clock in
            server.change(
                FakeRedis.greeting { command in
                    switch command.dropFirst().first {
                    case RedisScript.fields: .reply(Self.noScreen)
                    case RedisScript.timeToLive: .reply("*2\r\n:-2\r\n\(Self.marker)")
                    case RedisScript.marker: .reply(Self.marker)
                    default: .reply("%0\r\n")
                    }
                })
            clock.advance(milliseconds: 299)
            try await expect(.unchanged, of: store, at: 4)
            clock.advance(milliseconds: 1)
            try await expect(.absent, of: store, at: 4)
        }
    }
}

/// Run IDs that are all different.
private final class Runs: Sendable {
    private let last = Atomic(0)

    func next() -> Int { last.add(1, ordering: .relaxed).newValue }
}

extension StoredScreen {
    /// Creates a screen without pages.
    fileprivate init(revision: UInt64) {
        self.init(revision: revision, history: TreeHistory(floor: revision))
    }
}
