import BroadsheetIO
import Foundation
import TestSupport
import Testing

import BroadsheetTesting
@testable import BroadsheetStores

/// The sessions of a store at its server, and locks that other sessions hold.
@Suite("PostgreSQL, sessions and locks", .timeLimit(.minutes(hangMinutes)))
struct PostgresSessionTests {
    /// A connection that looks at the sessions of a database.
    private struct Observer {
        private let connection: PostgresConnection
        private let database: String

        init(_ server: PostgresServer, _ database: String) throws {
            connection = try PostgresConnection(
                server.address().settings(), isAbandoned: { false })
            self.database = database
        }

        /// Returns the number of sessions that satisfy a condition.
        func count(where condition: String) throws -> Int {
            var count = 0
            let sessions = """
                SELECT count(*) FROM pg_stat_activity s
                WHERE s.datname = '\(database)' AND \(condition)
                """
            try connection.run(sessions) { count = $0.integer(0) ?? 0 }
            return count
        }
    }

    @Test("Under load a daemon has at most N + 1 connections to the server")
    func connections() async throws {
        let options = PostgresStoreOptions(connections: 4, timeout: .seconds(60))
        try await withPostgresStore(options) { store, server, database in
            let observer = try Observer(server, database)
            let own = "s.application_name = 'broadsheet'"
            let ended = Recorder<Int>()
            let tasks = 32
            let highest = try await withThrowingTaskGroup(of: Void.self) { group in
                for number in 0..<tasks {
                    group.addTask {
                        defer { ended.record(number) }
                        let screen = try name("screen-\(number)")
                        for page in 0..<10 {
                            try await store.put(page, to: screen)
                            _ = try await store.stored(screen)
                        }
                    }
                }
                var highest = 0
                repeat {
                    highest = max(highest, try observer.count(where: own))
                    await Task.yield()
                } while ended.count < tasks
                try await group.waitForAll()
                return highest
            }
            // The server notices the end of the one of the start with a delay.
            #expect(highest <= options.connections + 2)
            // Three are for commits and two for others at most; those that were used stay.
            let expected = 3...options.connections + 1
            #expect(try await eventually { expected.contains(try observer.count(where: own)) })
        }
    }

    /// Holds an advisory lock until two statements have waited for it, each in its turn.
    ///
    /// The server observes them: the threads that tests have in common may be busy for longer than
    /// a store tries.
    private static func hold(
        _ lock: String, _ server: PostgresServer, _ database: String
    ) async throws {
        let script = """
            DO $$
            DECLARE
                seen text[] := '{}';
            BEGIN
                PERFORM pg_advisory_xact_lock(\(lock));
                FOR attempt IN 1..9000 LOOP
                    IF cardinality(seen) = 2 THEN
                        RETURN;
                    END IF;
                    PERFORM pg_sleep(0.02);
                    PERFORM pg_stat_clear_snapshot();
                    seen := ARRAY(
                        SELECT unnest(seen) UNION SELECT s.pid || ' ' || s.query_start
                        FROM pg_stat_activity s
                        WHERE s.datname = current_database() AND s.wait_event = 'advisory');
                END LOOP;
                RAISE EXCEPTION 'not two, but %', seen;
            END
            $$
            """
        try await onThread { _ = try server.execute(script, in: database) }
    }

    /// Performs what blocks on a thread of its own.
    private static func onThread<Value: Sendable>(
        _ body: @escaping @Sendable () throws -> Value
    ) async throws -> Value {
        try await withCheckedThrowingContinuation { continuation in
            Thread.detachNewThread { continuation.resume(with: Result { try body() }) }
        }
    }

    @Test("A commit that waits longer than lock_timeout for a lock is sent again, and succeeds")
    func lockedScreen() async throws {
        try await withPostgresStore { store, server, database in
            let home = try name("home")
            let observer = try Observer(server, database)
            async let holder: Void = Self.hold(
                "1114794099, hashtext('home')", server, database)
            #expect(
                try await eventually {
                    try observer.count(where: "s.wait_event = 'PgSleep'") == 1
                })
            #expect(try await store.put(0, to: home) == 1)
            try await holder
            #expect(try await store.stored(home).revision == 1)
        }
    }

    @Test("A migration that waits longer than lock_timeout for another one is tried again")
    func lockedSchema() async throws {
        let server = try PostgresServer.shared()
        let database = try server.newDatabase()
        let address = try server.address(database)
        let observer = try Observer(server, database)
        async let holder: Void = Self.hold("1114794099", server, database)
        #expect(
            try await eventually { try observer.count(where: "s.wait_event = 'PgSleep'") == 1 })
        let store = try await Self.onThread {
            try ScreenStore(
                address,
                options: PostgresStoreOptions(
                    connections: 2, timeout: .seconds(60), listening: .off))
        }
        try await holder
        #expect(try await store.put(0, to: name("home")) == 1)
        await store.close()
        try server.execute("DROP DATABASE \(database) WITH (FORCE)")
    }
}
