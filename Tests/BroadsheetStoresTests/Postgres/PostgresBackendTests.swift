import BroadsheetIO
import BroadsheetTesting
import TestSupport
import Testing

@testable import BroadsheetStores

@Suite("The backend in PostgreSQL", .serialized, .timeLimit(.minutes(hangMinutes)))
struct PostgresBackendTests {
    @Test(
        "The backend in PostgreSQL conforms to every requirement of backends",
        arguments: BackendConformance.requirements + BackendConformance.lineRequirements
            + BackendConformance.copyRequirements)
    func conforms(to requirement: BackendConformance.Requirement) async throws {
        try await withPostgresBackend { backend, server, database in
            try await requirement.check(server.tested(backend, database))
        }
    }

    @Test(
        "Backends of two daemons in PostgreSQL conform to every requirement of shared backends",
        arguments: BackendConformance.sharingRequirements)
    func shares(by requirement: BackendConformance.Requirement) async throws {
        let options = PostgresStoreOptions.testing()
        try await withPostgresBackend(options) { backend, server, database in
            let other = try PostgresBackend(server.address(database), options: options)
            var tested = server.tested(backend, database)
            tested.other = other
            do {
                try await requirement.check(tested)
            } catch {
                await other.close()
                throw error
            }
            await other.close()
        }
    }

    @Test(
        "A store in PostgreSQL conforms to every requirement of stores",
        arguments: StoreConformance.requirements)
    func store(conformsTo requirement: StoreConformance.Requirement) async throws {
        try await check(requirement, StoreBounds())
    }

    @Test(
        "A store in PostgreSQL with a history and feeds conforms to every requirement of stores",
        arguments: StoreConformance.requirements + StoreConformance.historyRequirements
            + StoreConformance.feedRequirements)
    func keepingStore(conformsTo requirement: StoreConformance.Requirement) async throws {
        try await check(
            requirement, StoreBounds(history: HistoryBounds(), feeds: FeedBounds()))
    }

    private func check(
        _ requirement: StoreConformance.Requirement, _ bounds: StoreBounds
    ) async throws {
        try await withPostgresBackend { backend, server, database in
            let clock = ManualClock()
            let store = ScreenStore(
                backend, bounds: bounds, clock: clock.time, timeout: .seconds(60))
            let tested = server.tested(backend, database)
            try await requirement.check(store) { seconds in
                clock.advance(seconds: seconds)
                try await tested.letPass(seconds)
            }
        }
    }
}

/// Runs a backend in a database of its own on a shared server.
///
/// One with notifications takes a quarter of a second to close.
func withPostgresBackend(
    _ options: PostgresStoreOptions = .testing(listening: .off),
    _ body: (PostgresBackend, PostgresServer, _ database: String) async throws -> Void
) async throws {
    let server = try PostgresServer.shared()
    let database = try server.newDatabase()
    let backend = try PostgresBackend(server.address(database), options: options)
    do {
        try await body(backend, server, database)
    } catch {
        await backend.close()
        throw error
    }
    await backend.close()
    // The server notices the end of a connection with a delay.
    try server.execute("DROP DATABASE \(database) WITH (FORCE)")
}

extension PostgresStoreOptions {
    /// Returns options for a busy machine, of a store that has or has not been filled.
    static func testing(listening: Listening = .sameServer) -> PostgresStoreOptions {
        var options = PostgresStoreOptions(
            connections: 4, timeout: .seconds(60), listening: listening)
        options.allowsIncomplete = true
        return options
    }
}

extension PostgresServer {
    /// Returns the description of a backend in a database, whose clock is the server's.
    func tested(_ backend: PostgresBackend, _ database: String) -> TestedBackend {
        var tested = TestedBackend(backend) { seconds in
            try self.execute(
                """
                UPDATE broadsheet.records
                SET expires = expires - make_interval(secs => \(seconds))
                """, in: database)
        }
        tested.beginLine = {
            try self.execute("UPDATE broadsheet.store SET lines = lines + 1", in: database)
        }
        return tested
    }
}
