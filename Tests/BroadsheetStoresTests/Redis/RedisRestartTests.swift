import Synchronization
import TestSupport
import Testing

import BroadsheetTesting
@testable import BroadsheetStores

/// Stores whose server is killed and restarted.
@Suite("A Redis server that is killed", .timeLimit(.minutes(hangMinutes)))
struct RedisRestartTests {
    @Test("The store reconnects to a killed server after its restart, with all acknowledged writes")
    func restart() async throws {
        try await withRedisServer(["--appendonly", "yes", "--appendfsync", "always"]) { server in
            let log = EventLog()
            try await withRedisStore(
                server.endpoint(), log: log, timeout: .seconds(10)
            ) { store, _, _ in
                let identity = try await store.identity()
                let acknowledged = await writeUntilFailure(store) { server.kill() }
                let home = try name("home")
                for _ in 0..<3 {
                    await #expect {
                        try await store.load(home, unlessAt: nil)
                    } throws: {
                        isUnavailable($0)
                    }
                    await #expect {
                        try await store.checkReadiness()
                    } throws: {
                        isUnavailable($0)
                    }
                }
                // A slow disk may have cost a connection before the server was killed.
                let connections = log.connectionCount
                try server.restart()
                await log.waitForConnection(connections + 1)
                #expect(try await store.identity() == identity)
                #expect(acknowledged.count == 8)
                for (screen, revision) in acknowledged {
                    let stored = try await store.stored(screen)
                    #expect(stored.revision >= revision)
                    for page in stored.pages {
                        let expected = Array("\(screen)/\(page.number)".utf8)
                        #expect(page.bytes == expected)
                        #expect(UInt64(page.number) + 1 == page.revision)
                    }
                    #expect(stored.pages.count == Int(stored.revision))
                }
            }
        }
    }

    @Test("A restart that may have lost writes is reported, and another connection is not")
    func restartIsReported() async throws {
        try await withRedisServer { server in
            let log = EventLog()
            try await withRedisStore(server.endpoint(), log: log) { store, _, probe in
                let home = try name("home")
                let revision = try await store.put(0, "lost", to: home)
                let restarts = Mutex(0)
                store.observeInvalidations { invalidation in
                    if invalidation == .restarted { restarts.withLock { $0 += 1 } }
                }
                try await probe.send("CLIENT", "KILL", "TYPE", "normal", "SKIPME", "yes")
                await log.waitForConnection(2)
                #expect(try await store.load(home, unlessAt: revision) == .unchanged)
                #expect(restarts.withLock { $0 } == 0)
                let connections = log.connectionCount
                server.kill()
                try server.restart()
                await log.waitForConnection(connections + 1)
                #expect(try await store.load(home, unlessAt: revision) == .absent)
                #expect(restarts.withLock { $0 } == 1)
                // The server kept nothing, and assigns no revision again.
                #expect(try await store.put(0, "other", to: home) > revision)
            }
        }
    }

    /// Runs 8 writers until each one fails, and calls `interfere` while they write.
    ///
    /// Returns the last acknowledged revision of each screen.
    private func writeUntilFailure(
        _ store: ScreenStore, _ interfere: @escaping @Sendable () -> Void
    ) async -> [ScreenName: UInt64] {
        let writes = WriteCount()
        return await withTaskGroup(of: (ScreenName, UInt64)?.self) { group in
            for writer in 0..<8 {
                group.addTask {
                    guard let screen = ScreenName("screen-\(writer)") else { return nil }
                    var revision: UInt64?
                    while true {
                        let page = Int(revision ?? 0)
                        let change = ScreenCommit.put(
                            page: page, bytes: Array("\(screen)/\(page)".utf8))
                        let next = try? await store.commit(change, to: screen, expecting: revision)
                        guard let next else { return revision.map { (screen, $0) } }
                        revision = next
                        if writes.increment() == 200 { interfere() }
                    }
                }
            }
            return await group.reduce(into: [:]) { found, entry in
                if let (screen, revision) = entry { found[screen] = revision }
            }
        }
    }
}

/// A counter that several tasks share.
private final class WriteCount: Sendable {
    private let count = Atomic(0)

    func increment() -> Int { count.add(1, ordering: .relaxed).newValue }
}
