import Synchronization
import TestSupport
import Testing

import BroadsheetTesting
@testable import BroadsheetStores

/// The schema is run again while sessions use its tables.
@Suite("The compression of objects in PostgreSQL", .timeLimit(.minutes(hangMinutes)))
struct PostgresCompressionTests {
    /// The columns, and whether they are compressed or stored plain.
    private static let columns = """
        SELECT a.attrelid::regclass, a.attstorage, a.attcompression FROM pg_attribute a
        WHERE a.attrelid IN ('broadsheet.objects'::regclass, 'broadsheet.records'::regclass)
            AND a.attname IN ('bytes', 'feed')
        ORDER BY 1
        """

    @Test("The schema does not wait for sessions that write when it is run again")
    func again() async throws {
        try await withPostgresStore { store, server, database in
            try await store.put(0, to: name("home"))
            let before = try server.execute(Self.columns, in: database)
            let writer = try Self.session(of: server, database, locking: Self.tables)
            try server.execute(PostgresSchema.script, in: database)
            #expect(try server.execute(Self.columns, in: database) == before)
            try writer.run("COMMIT")
        }
    }

    @Test("A lock that is held for longer than the schema waits does not decide the compression")
    func locked() async throws {
        try await withPostgresStore { _, server, database in
            let before = try server.execute(Self.columns, in: database)
            try server.execute(
                "ALTER TABLE broadsheet.objects ALTER COLUMN bytes SET COMPRESSION default",
                in: database)
            let undecided = try server.execute(Self.columns, in: database)
            let writer = try Self.session(of: server, database, locking: "broadsheet.objects")
            let isEnded = Atomic(false)
            let script = Task {
                defer { isEnded.store(true, ordering: .relaxed) }
                try server.execute(PostgresSchema.script, in: database)
            }
            // One that did not end with the first timeout would wait for the lock again.
            var waits: Set<String> = []
            _ = try await eventually {
                waits.formUnion(
                    try server.execute(
                        """
                        SELECT waitstart FROM pg_locks
                        WHERE NOT granted AND relation = 'broadsheet.objects'::regclass
                        """, in: database))
                return waits.count > 1 || isEnded.load(ordering: .relaxed)
            }
            try writer.run("COMMIT")
            await #expect(throws: PostgresProgram.Failure.self) { try await script.value }
            #expect(try server.execute(Self.columns, in: database) == undecided)
            try server.execute(PostgresSchema.script, in: database)
            #expect(try server.execute(Self.columns, in: database) == before)
        }
    }

    private static let tables = "broadsheet.store, broadsheet.records, broadsheet.objects"

    /// Returns a session that has begun a transaction, and locks tables as a writer does.
    private static func session(
        of server: PostgresServer, _ database: String, locking tables: String
    ) throws -> PostgresConnection {
        let session = try PostgresConnection(
            try server.address(database).settings(), isAbandoned: { false })
        try session.run("BEGIN")
        try session.run("LOCK TABLE \(tables) IN ROW EXCLUSIVE MODE")
        return session
    }
}
