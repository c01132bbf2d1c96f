import BroadsheetTesting
import Synchronization
import TestSupport
import Testing

@testable import BroadsheetStores

extension PostgresServer {
    /// The query of addresses, which gives connections time on a busy machine.
    static let patientQuery = "sslmode=disable&connect_timeout=60"

    /// Returns the address of a database.
    func address(
        _ database: String = "postgres", user: String = "broadsheet", port: UInt16? = nil
    ) throws -> PostgresAddress {
        try PostgresAddress(url: url(database, user: user, port: port, Self.patientQuery))
    }

    /// Returns the address of the primary among several servers.
    static func address(ofPrimaryAmong servers: [PostgresServer]) throws -> PostgresAddress {
        let hosts = servers.map { "127.0.0.1:\($0.port)" }.joined(separator: ",")
        return try PostgresAddress(url: "postgres://broadsheet@\(hosts)/postgres?\(patientQuery)")
    }

    /// Starts a primary and a synchronous replica of it, which is connected: one that has failed
    /// to connect tries again only after five seconds.
    static func withSynchronousReplica() async throws -> (
        primary: PostgresServer, replica: PostgresServer
    ) {
        let primary = try PostgresServer()
        let replica = try primary.replica("b")
        try primary.configure("synchronous_standby_names", "ANY 1 (b)")
        let isConnected = try await eventually {
            try primary.execute("SELECT sync_state FROM pg_stat_replication") == ["quorum"]
        }
        #expect(isConnected)
        return (primary, replica)
    }

    /// Starts a server and an asynchronous replica of it.
    static func withAsynchronousReplica() throws -> (
        primary: PostgresServer, replica: PostgresServer
    ) {
        let primary = try PostgresServer()
        return (primary, try primary.replica("b"))
    }

    /// Waits until a replica has performed what this server has written so far.
    func waitForReplication(to replica: PostgresServer) async throws {
        let sent = try execute("SELECT pg_current_wal_lsn()")[0]
        let isThere = await eventually {
            let reply = try? replica.execute("SELECT pg_last_wal_replay_lsn() >= '\(sent)'")
            return reply == ["t"]
        }
        #expect(isThere)
    }
}

/// Runs a store in a database of its own on a shared server.
func withPostgresStore(
    _ options: PostgresStoreOptions = PostgresStoreOptions(connections: 4, timeout: .seconds(60)),
    _ body: (ScreenStore, PostgresServer, _ database: String) async throws -> Void
) async throws {
    let server = try PostgresServer.shared()
    let database = try server.newDatabase()
    let store = try ScreenStore(server.address(database), options: options)
    do {
        try await body(store, server, database)
    } catch {
        await store.close()
        throw error
    }
    await store.close()
    // The server notices the end of a connection with a delay.
    try server.execute("DROP DATABASE \(database) WITH (FORCE)")
}

/// Runs a store, and passes it with what its observer receives.
func withPostgresStore<Value>(
    at address: PostgresAddress, timeout: Duration = .seconds(20),
    _ body: (ScreenStore, InvalidationLog) async throws -> Value
) async throws -> Value {
    let store = try ScreenStore(
        address, options: PostgresStoreOptions(connections: 4, timeout: timeout))
    let log = InvalidationLog()
    store.observeInvalidations { log.add($0) }
    do {
        let value = try await body(store, log)
        await store.close()
        return value
    } catch {
        await store.close()
        throw error
    }
}

extension ScreenStore {
    /// The number of notifications that a store in PostgreSQL has received.
    var received: UInt64 { postgres?.statistics.receivedNotifications ?? 0 }
}

/// Expects a request to fail because the server does not reply.
func expectUnavailable(_ body: () async throws -> some Sendable) async {
    await #expect {
        _ = try await body()
    } throws: {
        isUnavailable($0)
    }
}

/// The invalidations that an observer has received.
final class InvalidationLog: Sendable {
    private let received = Mutex<[StoreInvalidation]>([])

    /// The invalidations so far.
    var events: [StoreInvalidation] { received.withLock { $0 } }

    /// Adds an invalidation.
    func add(_ event: StoreInvalidation) { received.withLock { $0.append(event) } }
}
