import BroadsheetIO
import Synchronization
import TestSupport
import Testing

import BroadsheetTesting
@testable import BroadsheetStores

@Suite("The PostgreSQL store", .serialized, .timeLimit(.minutes(hangMinutes)))
struct PostgresStoreTests {
    @Test("All daemons of a database have one identity, and each database has another one")
    func identities() async throws {
        try await withPostgresStore { one, server, database in
            let two = try ScreenStore(server.address(database))
            async let first = one.identity()
            async let second = two.identity()
            #expect(try await first == second)
            await two.close()
            try await withPostgresStore { other, _, _ async throws in
                #expect(try await other.identity() != one.identity())
            }
        }
    }

    @Test("A write of one daemon is read by another one, and a stale one conflicts")
    func sharing() async throws {
        try await withPostgresStore { one, server, database in
            let two = try ScreenStore(server.address(database))
            let home = try name("home")
            try await one.put(0, to: home)
            #expect(try await two.revision(home) == 1)
            try await two.put(1, to: home)
            await #expect(throws: StoreError.conflict(current: 2)) {
                try await one.commit(.removeAllPages, to: home, expecting: 1)
            }
            await two.close()
        }
    }

    @Test("Another daemon receives the notification of a write")
    func notifications() async throws {
        try await withPostgresStore { one, server, database in
            let two = try ScreenStore(server.address(database))
            let received = Mutex<[StoreInvalidation]>([])
            two.observeInvalidations { event in received.withLock { $0.append(event) } }
            let home = try name("home")
            // A notification that is sent before the subscription is complete may be lost.
            #expect(
                await eventually {
                    _ = try? await one.put(0, to: home)
                    return received.withLock {
                        $0.contains {
                            if case .written(home, let lowest) = $0 { lowest >= 1 } else { false }
                        }
                    }
                })
            #expect(!received.withLock { $0.contains(.restarted) })
            #expect(two.received > 0)
            // It is counted after the server has replied, which may deliver it before.
            #expect(await eventually { one.postgres?.statistics.sentNotifications ?? 0 > 0 })
            await two.close()
        }
    }

    @Test("Another daemon receives the notification that earlier revisions were removed")
    func removals() async throws {
        let options = PostgresStoreOptions(
            connections: 4, timeout: .seconds(60), history: HistoryBounds())
        try await withPostgresStore(options) { one, server, database in
            let two = try ScreenStore(server.address(database))
            let log = InvalidationLog()
            two.observeInvalidations { log.add($0) }
            let home = try name("home")
            // A notification that is sent before the subscription is complete may be lost.
            let isReceived = try await eventually {
                for _ in 0..<2 { try await one.put(0, to: home) }
                _ = try await one.removeRevisions(of: home)
                return log.events.contains(.revisionsRemoved(home))
            }
            #expect(isReceived)
            await two.close()
        }
    }

    @Test("Without a connection for notifications `missed` is delivered every second")
    func withoutNotifications() async throws {
        let options = PostgresStoreOptions(connections: 2, listening: .off)
        try await withPostgresStore(options) { store, _, _ in
            let count = Atomic(0)
            await withCheckedContinuation { continuation in
                store.observeInvalidations { event in
                    guard event == .missed else { return }
                    if count.add(1, ordering: .relaxed).newValue == 2 { continuation.resume() }
                }
            }
        }
    }

    @Test("A write of more than 256 MiB is refused before it is sent")
    func tooLarge() async throws {
        try await withPostgresStore { store, _, _ in
            let half = [UInt8](repeating: 0, count: PostgresBatch.maxBytes / 2 + 1)
            let pages = [0, 1].map { PutPage(number: $0, bytes: half) }
            let home = try name("home")
            await #expect {
                try await store.commit(.putPages(pages, totals: nil), to: home, expecting: nil)
            } throws: { error in
                guard case StoreError.tooLarge(let byteCount, let limit)? = error as? StoreError
                else { return false }
                return limit == PostgresBatch.maxBytes && byteCount > limit
            }
            #expect(try await store.load(home, unlessAt: nil) == .absent)
        }
    }

    @Test("A screen of which an object is missing is reported as damaged")
    func damage() async throws {
        try await withPostgresStore { store, server, database in
            let home = try name("home")
            for page in 0..<3 { try await store.put(page, to: home) }
            try server.execute("DELETE FROM broadsheet.objects WHERE number = 1", in: database)
            await #expect {
                try await store.load(home, unlessAt: nil)
            } throws: { error in
                if case StoreError.corrupt? = error as? StoreError { true } else { false }
            }
        }
    }

    @Test("A commit in another isolation than read committed is refused, and applies nothing")
    func isolation() async throws {
        try await withPostgresStore { store, server, database in
            try await store.put(0, to: name("home"))
            try server.execute(
                """
                ALTER DATABASE \(database)
                SET default_transaction_isolation = 'repeatable read'
                """)
            let other = try ScreenStore(server.address(database))
            await #expect {
                try await other.commit(.removeAllPages, to: name("home"), expecting: 1)
            } throws: { error in
                if case StoreError.unavailable? = error as? StoreError { true } else { false }
            }
            #expect(try await store.revision(name("home")) == 1)
            await other.close()
        }
    }

    @Test("A check of writes takes the space of its bytes, and then nothing stays")
    func checks() async throws {
        try await withPostgresStore { store, server, database in
            try await store.checkReadiness()
            try await store.checkWrites(ofBytes: 100_000)
            // Zeros would be compressed, and fit on a disk on which no page does.
            let hasTakenSpace = try server.execute(
                "SELECT pg_total_relation_size('broadsheet.probes') >= 100000", in: database)
            #expect(hasTakenSpace == ["t"])
            let left = try server.execute(
                "SELECT count(*) FROM broadsheet.probes", in: database)
            #expect(left == ["0"])
        }
    }
}
