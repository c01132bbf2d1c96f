import BroadsheetIO
import Synchronization
import TestSupport
import Testing

import BroadsheetTesting
@testable import BroadsheetStores

/// Commits whose connections are cut.
@Suite("A commit to PostgreSQL whose reply is lost", .timeLimit(.minutes(hangMinutes)))
struct PostgresReplayTests {
    @Test("A commit is applied once, wherever its connection is cut")
    func once() async throws {
        let seed = SeededGenerator.seed(of: "PostgresReplayTests")
        try await Self.withCuts(seed) { store, server, database in
            let writers = try CommitWriter.several(4, "cut", pageBytes: 500)
            let last = UInt64(12 * FailureRounds.count)
            let acknowledged = await CommitWriter.write(writers, to: store, upTo: last)
            #expect(acknowledged == Array(repeating: last, count: writers.count), "seed \(seed)")
            for writer in writers {
                #expect(
                    try await writer.expectWhole(in: store, atLeast: last, "seed \(seed)") == last)
            }
            #expect(store.commitsSentAgain.done > 0)
        }
    }

    @Test("A removal whose reply is lost has succeeded")
    func removal() async throws {
        let seed = SeededGenerator.seed(of: "PostgresReplayTests")
        try await Self.withCuts(seed) { store, _, _ in
            let home = try name("home")
            for _ in 0..<10 * FailureRounds.count {
                let revision = try await store.put(0, to: home)
                let last = try await store.commit(.removeScreen, to: home, expecting: revision)
                #expect(last == revision, "seed \(seed)")
                #expect(try await store.load(home, unlessAt: nil) == .absent)
            }
        }
    }

    @Test(
        "Connections that are terminated in the middle of eight writers' commits fail none of them")
    func terminated() async throws {
        let options = PostgresStoreOptions(timeout: .seconds(60))
        try await withPostgresStore(options) { store, server, database in
            let writers = try CommitWriter.several(8, "terminated")
            let last = UInt64(20 * FailureRounds.count)
            let count = CommitCount()
            let acknowledged = await CommitWriter.write(writers, to: store, upTo: last) {
                guard count.increment().isMultiple(of: 40) else { return }
                _ = try? server.execute(
                    """
                    SELECT pg_terminate_backend(pid) FROM pg_stat_activity
                    WHERE datname = '\(database)' AND pid <> pg_backend_pid()
                    """)
            }
            #expect(acknowledged == Array(repeating: last, count: writers.count))
            for writer in writers {
                #expect(try await writer.expectWhole(in: store, atLeast: last, "") == last)
            }
        }
    }

    /// Runs a store behind a proxy that cuts the connections of one in three commits.
    private static func withCuts(
        _ seed: UInt64, _ body: (ScreenStore, PostgresServer, String) async throws -> Void
    ) async throws {
        let server = try PostgresServer.shared()
        let database = try server.newDatabase()
        // None while the store is opened: the script of its schema names the function, too.
        let cuts = Mutex((areOn: false, generator: SeededGenerator(seed: seed)))
        let proxy = try CommitCuttingProxy(upstream: server.port) {
            cuts.withLock { cuts in
                cuts.areOn && Int.random(in: 0..<3, using: &cuts.generator) == 0
                    ? CommitCuttingProxy.Cut.allCases.randomElement(using: &cuts.generator) : nil
            }
        }
        defer { proxy.stop() }
        let store = try ScreenStore(
            server.address(database, port: proxy.port),
            options: PostgresStoreOptions(connections: 4, timeout: .seconds(600)))
        cuts.withLock { $0.areOn = true }
        do {
            try await body(store, server, database)
        } catch {
            await store.close()
            throw error
        }
        await store.close()
    }
}
