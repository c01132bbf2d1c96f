import BroadsheetIO
import Synchronization
import TestSupport
import Testing

import BroadsheetTesting
@testable import BroadsheetStores

/// Servers whose history is another one than before.
@Suite("The line of a Redis server", .timeLimit(.minutes(hangMinutes)))
struct RedisLineTests {
    /// The number that the first revision in another line skips.
    private static let gap: UInt64 = 1_000_000

    /// Ends the line of a server that keeps its data and its connections: the server becomes a
    /// replica of none, and then a primary.
    private static func endLine(_ probe: RedisProbe) async throws {
        try await probe.send("REPLICAOF", "127.0.0.1", "1")
        try await probe.send("REPLICAOF", "NO", "ONE")
    }

    private static func line(of probe: RedisProbe) async throws -> String {
        let facts = try await probe.send("INFO", "replication").text ?? ""
        let prefix = "master_replid:"
        let line = try #require(
            facts.split(whereSeparator: \.isNewline).first { $0.hasPrefix(prefix) })
        return String(line.dropFirst(prefix.count).prefix(8))
    }

    /// Sends a command to a server that no store uses, such as a replica.
    private static func send(_ words: String..., to server: RedisServer) throws -> String {
        try ChildProgram.run(["redis-cli", "-p", "\(server.port)"] + words).output
    }

    /// The restarts that a store delivers.
    private final class Restarts: Sendable {
        private let counted = Mutex(0)

        init(of store: ScreenStore) {
            store.observeInvalidations { invalidation in
                if invalidation == .restarted { self.counted.withLock { $0 += 1 } }
            }
        }

        var count: Int { counted.withLock { $0 } }
    }

    @Test("A new store begins at revision 1, in the line of its server", arguments: [false, true])
    func newStore(hasIdentity: Bool) async throws {
        try await withRedisStore { store, _, probe in
            if hasIdentity { _ = try await store.identity() }
            for screen in ["home", "other"] {
                let screen = try name(screen)
                for revision in 1...3 as ClosedRange<UInt64> {
                    #expect(try await store.put(0, to: screen) == revision)
                }
            }
            let identity = hasIdentity ? try await store.identity().name : "-"
            let line = try await Self.line(of: probe)
            #expect(try await probe.send("GET", RedisKeys.line).text == "\(line) \(identity) 1")
            #expect(store.lineCount == 0)
        }
    }

    @Test("After a restart of the server each revision leaves a gap once, and new screens do")
    func restartedServer() async throws {
        try await withRedisServer(["--appendonly", "yes", "--appendfsync", "always"]) { server in
            let log = EventLog()
            try await withRedisStore(server.endpoint(), log: log) { store, _, _ in
                _ = try await store.identity()
                let home = try name("home")
                for revision in 1...2 as ClosedRange<UInt64> {
                    #expect(try await store.put(0, "before", to: home) == revision)
                }
                let restarts = Restarts(of: store)
                let connections = log.connectionCount
                server.kill()
                try server.restart()
                await log.waitForConnection(connections + 1)
                #expect(try await store.stored(home).revision == 2)
                #expect(restarts.count == 1)
                #expect(store.lineCount == 1)
                // The first new screen raises the floor, which the others have, too.
                for screen in ["one", "two"] {
                    #expect(try await store.put(0, to: name(screen)) == Self.gap + 1)
                }
                for revision in 3...5 as ClosedRange<UInt64> {
                    #expect(try await store.put(1, to: home) == Self.gap + revision)
                }
                let removed = try await store.write(.removeScreen, to: home)
                #expect(removed == Self.gap + 5)
                #expect(try await store.put(0, to: home) == Self.gap + 6)
                #expect(restarts.count == 1)
            }
        }
    }

    @Test("No revision has two contents after a replica is promoted that lacks the last writes")
    func promotion() async throws {
        try await withRedisServer { primary in
            let replica = try RedisServer(["--replicaof", "127.0.0.1 \(primary.port)"])
            defer { withExtendedLifetime(replica) {} }
            let home = try name("home")
            let removed = try name("removed")
            var lost: [ScreenName: UInt64] = [:]
            try await withRedisStore(primary.endpoint()) { store, _, _ in
                _ = try await store.identity()
                for screen in [home, removed] { try await store.put(0, "kept", to: screen) }
                // The replica connects, which begins a line, too.
                let before = try await store.put(0, "kept", to: home)
                let isThere = try await eventually {
                    try Self.send("HGET", RedisKeys.screen(home), "revision", to: replica)
                        .contains("\(before)")
                }
                #expect(isThere)
                _ = try Self.send("REPLICAOF", "NO", "ONE", to: replica)
                for screen in [home, try name("new")] {
                    lost[screen] = try await store.put(0, "lost", to: screen)
                }
                lost[removed] = try await store.write(.removeScreen, to: removed)
                lost[removed] = try await store.put(0, "lost", to: removed)
            }
            try await withRedisStore(replica.endpoint()) { store, _, _ in
                for (screen, revision) in lost {
                    let known = try await store.revision(screen) ?? 0
                    #expect(known < revision)
                    for _ in 0..<5 {
                        #expect(try await store.put(0, "after", to: screen) > revision)
                    }
                    let last = try await store.write(.removeScreen, to: screen)
                    #expect(try await store.put(0, "after", to: screen) > max(last, revision))
                }
            }
        }
    }

    @Test("The first revisions in a line that is lost are not assigned again in the next one")
    func lostLine() async throws {
        try await withRedisStore { store, _, probe in
            let home = try name("home")
            try await store.put(0, to: home)
            let keys = [RedisKeys.screen(home), RedisKeys.line]
            for key in keys { try await probe.send("COPY", key, key + "-copy") }
            try await Self.endLine(probe)
            let lost = try await store.put(0, "lost", to: home)
            // The next server lacks all writes of the line.
            for key in keys { try await probe.send("RENAME", key + "-copy", key) }
            try await Self.endLine(probe)
            let next = try await store.put(0, "after", to: home)
            #expect(lost == Self.gap + 2 && next == 2 * Self.gap + 2)
        }
    }

    @Test("Another line on the same connection is a restart, delivered before the write returns")
    func sameConnection() async throws {
        try await withRedisStore { store, clock, probe in
            let home = try name("home")
            try await store.put(0, to: home)
            let restarts = Restarts(of: store)
            try await Self.endLine(probe)
            #expect(try await store.put(0, to: home) == Self.gap + 2)
            #expect(restarts.count == 1)
            #expect(store.lineCount == 1)
            try await Self.endLine(probe)
            // What is known is used for half a second at most.
            clock.advance(seconds: 1)
            // A conflict has a revision, too.
            await #expect(throws: StoreError.conflict(current: Self.gap + 2)) {
                try await store.commit(
                    .put(page: 0, bytes: []), to: home, expecting: 7, lifetime: .unchanged)
            }
            #expect(restarts.count == 2)
        }
    }

    @Test("A new screen is above one that has expired, in any line")
    func expiry() async throws {
        try await withRedisStore { store, clock, probe in
            let home = try name("home")
            for _ in 0..<3 { try await store.put(0, to: home, lifetime: .seconds(1_000)) }
            try await store.put(0, to: home, lifetime: .indefinite)
            try await store.put(0, to: home, lifetime: .seconds(1_000))
            try await probe.letPass(seconds: 1_001)
            clock.advance(seconds: 1_001)
            try await Self.endLine(probe)
            #expect(try await store.put(0, to: home) == Self.gap + 6)
        }
    }

    @Test("A user who may not read the line has none, and the next one with a line leaves a gap")
    func withoutRight() async throws {
        try await withRedisServer { server in
            let admin = try RedisProbe(server.endpoint())
            try await admin.send(
                "ACL", "SETUSER", "plain", "on", ">pw", "~*", "&*", "+@all", "-info")
            let home = try name("home")
            try await withRedisStore(server.endpoint(user: "plain", password: "pw")) {
                store, _, _ in
                let identity = try await store.identity().name
                #expect(try await store.put(0, to: home) == 1)
                try await Self.endLine(admin)
                for revision in 2...3 as ClosedRange<UInt64> {
                    #expect(try await store.put(0, to: home) == revision)
                }
                #expect(try await admin.send("GET", RedisKeys.line).text == "- \(identity) 1")
                #expect(store.lineCount == 0)
            }
            try await withRedisStore(server.endpoint()) { store, _, _ in
                let first = try await store.put(0, to: home)
                let second = try await store.put(0, to: home)
                #expect(first == Self.gap + 4 && second == first + 1)
                let other = try await store.put(0, to: name("other"))
                #expect(other == Self.gap + 1)
            }
            await admin.close()
        }
    }

    @Test("The history of a screen goes on after a gap")
    func history() async throws {
        try await withRedisServer { server in
            let bounds = HistoryBounds()
            try await withRedisStore(server.endpoint(), history: bounds) { store, _, probe in
                let home = try name("home")
                for text in ["a", "b"] { try await store.put(0, text, to: home) }
                try await Self.endLine(probe)
                for text in ["c", "d"] { try await store.put(0, text, to: home) }
                let list = try #require(
                    try await store.revisions(of: home, before: nil, limit: 9))
                #expect(list.entries.map(\.revision) == [Self.gap + 4, Self.gap + 3, 2, 1])
                let earlier = try await store.load(home, at: 2, .all, within: .unlimited)
                guard case .screen(let stored) = earlier else {
                    Issue.record("\(earlier)")
                    return
                }
                #expect(stored.pages.map(\.bytes) == [Array("b".utf8)])
            }
        }
    }
}
