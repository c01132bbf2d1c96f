import Synchronization
import TestSupport
import Testing

import BroadsheetTesting
@testable import BroadsheetStores

/// The effects of messages, received or missed, with a server that a test controls.
@Suite(
    "A backend that subscribes to a Redis server", .serialized, .timeLimit(.minutes(hangMinutes)))
struct RedisSubscriberTests {
    private let home: ScreenName

    init() throws { home = try name("home") }

    /// The marker as the complete reply to a command.
    private static let marker = "\(FakeRedis.marker)\r\n"

    private static func isRequest(_ command: [String]) -> Bool {
        command.dropLast() == ["EVAL", RedisMarker.script, "1", RedisKeys.floor]
    }

    private static func isRevisionRequest(_ command: [String]) -> Bool {
        command.first == "EVALSHA" && command[1] == LuaScript.records.digest
    }

    /// Returns the reply of a server that has a screen without pages.
    private static func screen(
        at revision: UInt64, left: Int = -1, else rest: @escaping FakeRedis.Script
    ) -> FakeRedis.Script {
        { command in
            guard isRevisionRequest(command) else { return rest(command) }
            guard command[8] != "\(revision)" else { return .reply(reply(":\(left)\r\n")) }
            return .reply(
                reply(
                    "*6\r\n+\(revision)\r\n+0\r\n:\(left)\r\n+{}\r\n+\(revision)\r\n_\r\n"))
        }
    }

    /// Returns the reply to a query for one record.
    private static func reply(_ record: String) -> String {
        "*5\r\n+\(state)\r\n+0\r\n+1\r\n*1\r\n\(record)\(marker)"
    }

    /// The state of the server.
    private static let state = "- - 1"

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

    /// Passes a backend to `body` that has read `home` from a fake server.
    private func withBackend(
        _ script: @escaping FakeRedis.Script, log: EventLog = EventLog(),
        _ body: (RedisBackend, FakeRedis, ManualClock) async throws -> Void
    ) async throws {
        let server = try FakeRedis(script)
        let clock = ManualClock()
        let backend = try RedisBackend(
            server.endpoint, options: RedisStoreOptions(clock: clock.time, onEvent: log.handler))
        #expect(await eventually { server.commands.contains { $0.first == "SUBSCRIBE" } })
        // Entries from before the subscription are not used.
        let isCached = try await eventually {
            _ = try await state(in: backend, at: nil)
            let before = server.commands.count(where: Self.isRevisionRequest)
            _ = try await state(in: backend, at: 4)
            return server.commands.count(where: Self.isRevisionRequest) == before
        }
        #expect(isCached)
        try await body(backend, server, clock)
        server.stop()
        await backend.close()
    }

    /// Returns the reply to a query for `home` by a caller that has `revision`.
    private func state(
        in backend: RedisBackend, at revision: UInt64?
    ) async throws -> RecordState? {
        let known = revision.map { RecordVersion(revision: $0, edit: 0) }
        let reply = try await backend.records([RecordQuery(screen: home, known: known)])
        return reply.records.first
    }

    /// The state of the record at a revision that the caller does not have.
    private static func present(_ revision: UInt64) -> RecordState {
        .present(
            StoredRecord(
                version: RecordVersion(revision: revision, edit: 0), bytes: Array("{}".utf8),
                timeLeft: nil, feedVersion: revision, feed: nil))
    }

    /// Expects the reply to a query for `home` by a caller that has `revision`.
    private func expect(
        _ expected: RecordState, of backend: RedisBackend, at revision: UInt64,
        sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
        let found = try await state(in: backend, at: revision)
        #expect(found == expected, sourceLocation: sourceLocation)
    }

    @Test("A read sends one request for pending messages, and none for the screen")
    func cached() async throws {
        let script = Self.screen(at: 4) { _ in .reply(Self.marker) }
        try await withBackend(FakeRedis.greeting(script)) { backend, server, _ in
            let before = server.commands.count
            for _ in 0..<5 {
                try await expect(.unchanged(timeLeft: nil), of: backend, at: 4)
            }
            let requests = server.commands[before...]
            #expect(requests.count == 5)
            #expect(requests.allSatisfy(Self.isRequest))
        }
    }

    @Test("A message that precedes the reply is applied, in either protocol")
    func messageFirst() async throws {
        let message = "3\r\n+message\r\n+channel\r\n+home 5 0 written \(Self.state)\r\n"
        let quiet = Self.screen(at: 4) {
            $0.first == "PING" ? .reply(Self.pong) : .reply(Self.marker)
        }
        let three = FakeRedis.greeting(
            Self.screen(at: 5) { _ in .reply(">\(message)\(Self.marker)") })
        let two = Self.oldGreeting(Self.screen(at: 5) { _ in .reply("*\(message)\(Self.pong)") })
        for (first, then) in [(FakeRedis.greeting(quiet), three), (Self.oldGreeting(quiet), two)] {
            try await withBackend(first) { backend, server, _ in
                server.change(then)
                try await expect(Self.present(5), of: backend, at: 4)
                // The value was not a reply to a request: the next one is assigned correctly.
                try await expect(.unchanged(timeLeft: nil), of: backend, at: 5)
            }
        }
    }

    private static let pong = "*2\r\n+pong\r\n\(marker)"

    @Test("Without a reply in time the screen is read, and the lost subscription is reported")
    func silence() async throws {
        let log = EventLog()
        let script = Self.screen(at: 4) { _ in .reply(Self.marker) }
        try await withBackend(FakeRedis.greeting(script), log: log) { backend, server, _ in
            server.change(FakeRedis.greeting(Self.screen(at: 5) { _ in .silence }))
            try await expect(Self.present(5), of: backend, at: 4)
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
        try await withBackend(FakeRedis.greeting(script)) { backend, server, _ in
            server.change(
                FakeRedis.greeting(
                    Self.screen(at: 5) { _ in
                        reply.isEmpty ? .hangUp : .reply("\(reply)\r\n")
                    }))
            try await expect(Self.present(5), of: backend, at: 4)
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
        let backend = try RedisBackend(
            server.endpoint, options: RedisStoreOptions(onEvent: log.handler))
        await log.wait { event in
            guard case .subscriptionLost(let reason) = event else { return false }
            return reason.contains("NOPERM")
        }
        for count in 1...5 {
            try await expect(.unchanged(timeLeft: nil), of: backend, at: 4)
            #expect(server.commands.count(where: Self.isRevisionRequest) == count)
        }
        server.stop()
        await backend.close()
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
        let backend = try RedisBackend(server.endpoint)
        #expect(await eventually { server.commands.contains { $0.first == "SUBSCRIBE" } })
        for count in 1...5 {
            try await expect(.unchanged(timeLeft: nil), of: backend, at: 4)
            #expect(server.commands.count(where: Self.isRevisionRequest) == count)
        }
        server.stop()
        await backend.close()
    }

    @Test("A subscribed store uses the entry of an expiring screen until it expires at most")
    func expiry() async throws {
        let script = Self.screen(at: 4, left: 300) { _ in .reply(Self.marker) }
        try await withBackend(FakeRedis.greeting(script)) { backend, server, clock in
            server.change(
                FakeRedis.greeting { command in
                    .reply(Self.isRevisionRequest(command) ? Self.reply("_\r\n") : Self.marker)
                })
            clock.advance(milliseconds: 299)
            try await expect(.unchanged(timeLeft: 1), of: backend, at: 4)
            clock.advance(milliseconds: 1)
            try await expect(.absent, of: backend, at: 4)
        }
    }
}

/// Run IDs that are all different.
private final class Runs: Sendable {
    private let last = Atomic(0)

    func next() -> Int { last.add(1, ordering: .relaxed).newValue }
}
