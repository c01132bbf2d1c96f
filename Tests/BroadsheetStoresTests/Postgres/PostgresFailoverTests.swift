import BroadsheetIO
import Synchronization
import TestSupport
import Testing

import BroadsheetTesting
@testable import BroadsheetStores

/// Servers that are killed, replicas that are promoted, and replicas that are lost.
@Suite("PostgreSQL, when a server is lost", .timeLimit(.minutes(hangMinutes)))
struct PostgresFailoverTests {
    @Test("A killed server restarts with all pages of a commit or none, and all acknowledged")
    func killed() async throws {
        let server = try PostgresServer()
        let seed = SeededGenerator.seed(of: "PostgresFailoverTests")
        var generator = SeededGenerator(seed: seed)
        for round in FailureRounds.all {
            let writers = try CommitWriter.several(4, "killed-\(round)")
            let limit = Int.random(in: 1...100, using: &generator)
            let acknowledged = try await withPostgresStore(at: server.address()) { store, _ in
                let count = CommitCount()
                return await CommitWriter.write(writers, to: store) {
                    if count.increment() == limit { server.kill() }
                }
            }
            #expect(acknowledged.reduce(0, +) >= UInt64(limit), "seed \(seed)")
            try server.restart()
            try await withPostgresStore(at: server.address()) { store, _ async throws in
                for (writer, last) in zip(writers, acknowledged) {
                    try await writer.expectWhole(in: store, atLeast: last, "seed \(seed)")
                }
            }
        }
    }

    @Test("While the server hangs, reads and writes fail in time; then each was done once or never")
    func hung() async throws {
        let server = try PostgresServer()
        try await withPostgresStore(at: server.address(), timeout: .seconds(10)) {
            store, _ async throws in
            for round in FailureRounds.all {
                let writers = try CommitWriter.several(4, "hung-\(round)")
                let count = CommitCount()
                // It ends with the first failure of each writer.
                let acknowledged = await CommitWriter.write(writers, to: store) {
                    if count.increment() == 20 { try? server.pause() }
                }
                await expectUnavailable { try await store.revision(writers[0].screen) }
                await expectUnavailable { try await store.checkReadiness() }
                try server.resume()
                #expect(await eventually { (try? await store.checkWrites(ofBytes: 1)) != nil })
                for (writer, last) in zip(writers, acknowledged) {
                    let found = try await writer.expectWhole(
                        in: store, atLeast: last, "round \(round)")
                    #expect(found <= last + 1)
                }
            }
        }
    }

    @Test(
        "While its synchronous replica is lost or lags, the server is read, and acknowledges no write",
        arguments: [true, false])
    func lostReplica(isKilled: Bool) async throws {
        let (primary, replica) = try await PostgresServer.withSynchronousReplica()
        try await withPostgresStore(at: primary.address()) { store, _ async throws in
            let home = try name("home")
            for round in FailureRounds.all {
                let revision = try await store.put(0, to: home)
                if isKilled { replica.kill() } else { try replica.pause() }
                // More than the connections; a part of these is left to reads.
                try await withThrowingTaskGroup(of: Void.self) { group in
                    for index in 0..<6 {
                        let other = try name("other-\(round)-\(index)")
                        group.addTask {
                            await expectUnavailable { try await store.put(1, to: other) }
                        }
                    }
                    group.addTask {
                        await expectUnavailable { try await store.checkWrites(ofBytes: 10) }
                    }
                    #expect(try await store.stored(home).revision >= revision)
                    try await store.checkReadiness()
                    try await group.waitForAll()
                }
                #expect(try await store.stored(home).revision == revision)
                if isKilled { try replica.restart() } else { try replica.resume() }
                #expect(await eventually { (try? await store.put(2, to: home)) != nil })
            }
        }
    }

    @Test("A commit that waits for a replica and is cancelled is not acknowledged")
    func cancelled() async throws {
        let (primary, replica) = try await PostgresServer.withSynchronousReplica()
        try await withPostgresStore(at: primary.address(), timeout: .seconds(60)) {
            store, _ async throws in
            for round in FailureRounds.all {
                let home = try name("home-\(round)")
                try await store.put(0, to: home)
                replica.kill()
                let write = Task {
                    try await store.commit(.put(page: 1, bytes: [1]), to: home, expecting: 1)
                }
                #expect(
                    await eventually {
                        let cancelled = try? primary.execute(
                            """
                            SELECT pg_cancel_backend(pid) FROM pg_stat_activity
                            WHERE wait_event = 'SyncRep'
                            """)
                        return cancelled == ["t"]
                    })
                await expectUnavailable { try await write.value }
                try replica.restart()
            }
        }
    }

    @Test("A restored dump gets higher revisions at the first connection of a daemon")
    func dump() async throws {
        let one = try PostgresServer(["fsync=off"])
        let home = try name("home")
        let identity = try await withPostgresStore(at: one.address()) { store, _ async throws in
            for page in 0..<3 { try await store.put(page, to: home) }
            return try await store.identity()
        }
        // As in a dump of another server.
        try one.execute("UPDATE broadsheet.store SET system = '1'")
        try await withPostgresStore(at: one.address()) { store, _ async throws in
            #expect(try await store.revision(home) == 3)
            #expect(try await store.put(3, to: home) == 1_000_004)
            #expect(try await store.put(0, to: name("new")) > 1_000_000)
            #expect(try await store.identity() == identity)
        }
        try PostgresBackend.advance(one.address())
        try await withPostgresStore(at: one.address()) { store, _ async throws in
            #expect(try await store.revision(home) == 1_000_004)
            #expect(try await store.put(3, to: home) == 2_000_005)
            #expect(try await store.stored(home).pages.count == 4)
        }
    }
}
