import BroadsheetTesting
import Synchronization
import TestSupport
import Testing

@testable import BroadsheetStores

extension PostgresServer {
    /// Returns the address of a database.
    func address(
        _ database: String = "postgres", user: String = "broadsheet", port: UInt16? = nil
    ) throws -> PostgresAddress {
        try PostgresAddress(url: url(database, user: user, port: port))
    }
}

/// Runs a store in a database of its own on a shared server.
func withPostgresStore(
    _ options: PostgresStoreOptions = PostgresStoreOptions(connections: 4),
    _ body: (PostgresStore, PostgresServer, _ database: String) async throws -> Void
) async throws {
    let server = try PostgresServer.shared()
    let database = try server.newDatabase()
    let store = try PostgresStore(server.address(database), options: options)
    do {
        try await body(store, server, database)
    } catch {
        await store.close()
        throw error
    }
    await store.close()
    try server.execute("DROP DATABASE \(database)")
}

/// Runs a store, and passes it with what its observer receives.
func withPostgresStore<Value>(
    at address: PostgresAddress, timeout: Duration = .seconds(5),
    _ body: (PostgresStore, InvalidationLog) async throws -> Value
) async throws -> Value {
    let store = try PostgresStore(
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

/// Checks a requirement on an empty store.
func check(
    _ requirement: StoreConformance.Requirement, of store: any ScreenStore,
    _ server: PostgresServer, _ database: String
) async throws {
    try await requirement.check(store) { seconds in
        // The clock is the server's.
        try server.execute(
            """
            UPDATE broadsheet.screens
            SET expires_at = expires_at - make_interval(secs => \(seconds))
            """, in: database)
    }
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
