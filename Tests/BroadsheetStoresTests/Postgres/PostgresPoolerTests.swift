import Synchronization
import TestSupport
import Testing

import BroadsheetTesting
@testable import BroadsheetStores

/// A pooler that gives each transaction another connection.
@Suite("PostgreSQL behind PgBouncer in transaction mode", .timeLimit(.minutes(hangMinutes)))
struct PostgresPoolerTests {
    @Test("Eight writers of a daemon behind PgBouncer lose nothing, on two connections")
    func writers() async throws {
        try await Self.withPooler { address, direct in
            let store = try ScreenStore(
                address,
                options: PostgresStoreOptions(
                    timeout: .seconds(60), listening: .server(direct)))
            let writers = try (0..<8).map {
                CommitWriter(screen: try name("screen-\($0)"), pageBytes: 500)
            }
            await withTaskGroup(of: Void.self) { group in
                for writer in writers {
                    group.addTask { #expect(await writer.write(to: store, upTo: 10) == 10) }
                }
            }
            for writer in writers {
                #expect(try await writer.expectWhole(in: store, atLeast: 10, "pooler") == 10)
            }
            await store.close()
        }
    }

    @Test("With --store-listen to the server a daemon behind PgBouncer receives notifications")
    func notifications() async throws {
        try await Self.withPooler { address, direct in
            let options = PostgresStoreOptions(connections: 2, listening: .server(direct))
            let (one, two) = (
                try ScreenStore(address, options: options),
                try ScreenStore(address, options: options)
            )
            let isReceived = Atomic(false)
            two.observeInvalidations { event in
                if case .written = event { isReceived.store(true, ordering: .relaxed) }
            }
            #expect(
                await eventually {
                    _ = try? await one.put(0, to: name("home"))
                    return isReceived.load(ordering: .relaxed)
                })
            await one.close()
            await two.close()
        }
    }

    @Test(
        "Without --store-listen the loss of the subscription is reported, and responses are right")
    func lostSubscription() async throws {
        try await Self.withPooler { address, _ in
            let log = EventLog()
            let store = try ScreenStore(
                address,
                options: PostgresStoreOptions(
                    connections: 2, timeout: .seconds(60), onEvent: log.handler))
            await log.wait { if case .subscriptionLost = $0 { true } else { false } }
            try await store.put(0, to: name("home"))
            #expect(try await store.revision(name("home")) == 1)
            #expect(store.postgres?.statistics.lostNotifications ?? 0 > 0)
            await store.close()
        }
    }

    /// Runs a pooler before a database of its own.
    private static func withPooler(
        _ body: (_ address: PostgresAddress, _ direct: PostgresAddress) async throws -> Void
    ) async throws {
        let server = try PostgresServer.shared()
        let database = try server.newDatabase()
        let pooler = try PgBouncer(before: server)
        let address = try server.address(database, port: pooler.port)
        #expect(
            await eventually {
                (try? PostgresConnection(address.settings(), isAbandoned: { false })) != nil
            })
        try await body(address, server.address(database))
        withExtendedLifetime(pooler) {}
    }
}
