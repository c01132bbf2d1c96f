import BroadsheetIO
import Synchronization
import TestSupport
import Testing

import BroadsheetTesting
@testable import BroadsheetStores

/// Writes that were applied, and that a server without space cannot confirm when they are sent
/// again.
@Suite("PostgreSQL without space after a lost reply", .timeLimit(.minutes(hangMinutes)))
struct PostgresSpaceReplayTests {
    /// Makes the server refuse a row that is written as it is, which is what it does with what was
    /// applied before.
    private static let refusal = """
        CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN
            RAISE EXCEPTION 'no space left' USING ERRCODE = 'disk_full';
        END
        $$;
        CREATE TRIGGER refuse BEFORE UPDATE ON broadsheet.records FOR EACH ROW
            WHEN (NEW.* IS NOT DISTINCT FROM OLD.*) EXECUTE FUNCTION refuse();
        """

    @Test("A commit is unknown then, and no earlier revision is removed for it")
    func commit() async throws {
        try await Self.withCut { store, cutNext in
            let home = try name("home")
            for text in ["a", "b"] { try await store.put(0, text, to: home) }
            let before = try await store.postgres?.weight() ?? 0
            #expect(before > 0)
            cutNext()
            await expectUnavailable {
                try await store.commit(.put(page: 0, bytes: [1]), to: home, expecting: 2)
            }
            #expect(try await store.revision(home) == 3)
            #expect(try await store.postgres?.weight() ?? 0 > before)
        }
    }

    @Test("Events are unknown then, and stored once")
    func events() async throws {
        try await Self.withCut { store, cutNext in
            let home = try name("home")
            for text in ["a", "b"] { try await store.put(0, text, to: home) }
            cutNext()
            await expectUnavailable { try await store.append([[7]], to: home) }
            let feed = try #require(try await store.feed(of: home, after: 0, byteCount: 99))
            #expect(feed.events.map(\.data) == [[7]])
            #expect(try await store.historyByteCount() > 0)
        }
    }

    /// Runs a store with a history, before a server that lacks space.
    ///
    /// - Parameter body: Receives the store, and a function after which the reply to the next
    ///   commit, or to the next events, is cut off.
    private static func withCut(
        _ body: (ScreenStore, _ cutNext: () -> Void) async throws -> Void
    ) async throws {
        let server = try PostgresServer.shared()
        let database = HistoryDatabase(server: server, name: try server.newDatabase())
        let cutsNext = Mutex(false)
        let proxy = try CommitCuttingProxy(upstream: server.port) {
            cutsNext.withLock { cutsNext in
                defer { cutsNext = false }
                return cutsNext ? CommitCuttingProxy.Cut.after : nil
            }
        }
        defer { proxy.stop() }
        let store = try database.open(.system, port: proxy.port)
        do {
            try database.execute(refusal)
            try await body(store) { cutsNext.withLock { $0 = true } }
        } catch {
            await store.close()
            throw error
        }
        await store.close()
        try server.execute("DROP DATABASE \(database.name) WITH (FORCE)")
    }
}
