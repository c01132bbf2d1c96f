import Foundation
import BroadsheetIO
import TestSupport
import Testing

import BroadsheetTesting
@testable import BroadsheetStores

/// Addresses, the schema, and what prevents a start.
@Suite("The start of a PostgreSQL store", .timeLimit(.minutes(hangMinutes)))
struct PostgresStartupTests {
    @Test("Eight daemons that start at once on an empty database make one schema")
    func concurrentMigrations() async throws {
        let server = try PostgresServer.shared()
        let database = try server.newDatabase()
        let address = try server.address(database)
        let home = try name("home")
        try await withThrowingTaskGroup(of: StoreIdentity.self) { group in
            for _ in 0..<8 {
                group.addTask {
                    let store = try ScreenStore(
                        address,
                        options: PostgresStoreOptions(
                            connections: 2, timeout: .seconds(60), listening: .off))
                    let identity = try await store.identity()
                    await store.close()
                    return identity
                }
            }
            var identities: Set<StoreIdentity> = []
            for try await identity in group { identities.insert(identity) }
            #expect(identities.count == 1)
        }
        #expect(
            try server.execute("SELECT s.version FROM broadsheet.store s", in: database) == ["1"])
        let store = try ScreenStore(address)
        #expect(try await store.put(0, to: home) == 1)
        await store.close()
    }

    @Test("The schema can be run again, and then changes nothing")
    func again() async throws {
        try await withPostgresStore { store, server, database in
            try await store.put(0, to: name("home"))
            let before = try server.execute("SELECT * FROM broadsheet.store", in: database)
            try server.execute(PostgresSchema.script, in: database)
            #expect(try server.execute("SELECT * FROM broadsheet.store", in: database) == before)
            #expect(try await store.revision(name("home")) == 1)
        }
    }

    @Test("A schema of a former format is refused in one line, and stays as it is")
    func formerFormat() throws {
        let server = try PostgresServer.shared()
        let database = try server.newDatabase()
        try server.execute(
            """
            CREATE SCHEMA broadsheet;
            CREATE TABLE broadsheet.migrations (version int);
            CREATE TABLE broadsheet.store (one boolean)
            """, in: database)
        let error = #expect(throws: StoreOpenError.self) {
            try ScreenStore(server.address(database))
        }
        #expect(error?.description.contains("its schema has a former format; name") == true)
        #expect(error?.description.contains("\n") == false)
        #expect(throws: PostgresProgram.Failure.self) {
            try server.execute(PostgresSchema.script, in: database)
        }
        let tables = try server.execute(
            "SELECT count(*) FROM pg_tables WHERE schemaname = 'broadsheet'", in: database)
        #expect(tables == ["2"])
        try server.execute("DROP DATABASE \(database) WITH (FORCE)")
    }

    @Test("A store of a newer Broadsheet is refused, and one that a newer one only added to is not")
    func versions() async throws {
        try await withPostgresStore { _, server, database in
            try server.execute("UPDATE broadsheet.store SET version = 2", in: database)
            let store = try ScreenStore(server.address(database))
            try await store.put(0, to: name("home"))
            await store.close()
            try server.execute("UPDATE broadsheet.store SET oldest = 2", in: database)
            let error = #expect(throws: StoreOpenError.self) {
                try ScreenStore(server.address(database))
            }
            #expect(error?.description.contains("newer Broadsheet") == true)
            #expect(throws: PostgresProgram.Failure.self) {
                try server.execute(PostgresSchema.script, in: database)
            }
        }
    }

    @Test("The error of a role that may not create names the command that an administrator runs")
    func noSchema() throws {
        let server = try PostgresServer.shared()
        let database = try server.newDatabase()
        let role = "r\(database)"
        try server.execute("CREATE ROLE \(role) LOGIN")
        let error = #expect(throws: StoreOpenError.self) {
            try ScreenStore(server.address(database, user: role))
        }
        #expect(error?.description.contains("broadsheet store schema") == true)
        #expect(error?.description.contains("GRANT USAGE ON SCHEMA broadsheet TO") == true)
    }

    @Test("A server that is not there prevents the start with one line, without user and password")
    func noServer() throws {
        let port = try FreePort.any()
        let address = try PostgresAddress(
            url: "postgres://someone:hidden@127.0.0.1:\(port)/screens")
        let error = try #require(throws: StoreOpenError.self) { try ScreenStore(address) }
        let text = error.description
        #expect(!text.contains("hidden") && !text.contains("someone") && !text.contains("\n"))
        #expect(text.contains("127.0.0.1") && text.contains("screens"))
    }

    @Test(
        "A URL that libpq rejects is an error without its password",
        arguments: [
            "postgres:", "postgres:secret", "postgres://u:secret@h/x?nothing=1",
            "postgres://u:secret%zz@h/x", "postgres://u:sec\"ret@[h/x",
            "postgres://u:secret@h/x?target_session_attrs=any",
            "postgres://u:secret@h/x?target_session_attrs=prefer-standby",
            "postgres://u:se/secret@h/x", "postgres://u:12/secret@h/x", "postgres://u:@secret@h/x",
            "postgres://u:secret", "postgres://secret/x@y",
        ])
    func invalidAddresses(url: String) {
        let error = #expect(throws: PostgresAddressError.self) { try PostgresAddress(url: url) }
        #expect(error?.description.contains("secret") == false)
        #expect(error?.description.contains("ret@") == false)
    }

    @Test(
        "The description of an address has its hosts and its database",
        arguments: [
            ("postgres://u:p@a,b/screens", "postgres://a,b/screens"),
            ("postgresql://u:p@a:1,b:2/s?sslmode=verify-full", "postgres://a:1,b:2/s"),
        ])
    func descriptions(url: String, description: String) throws {
        #expect(try PostgresAddress(url: url).description == description)
    }

    @Test("The settings of the daemon are added unless they are given")
    func defaults() throws {
        let own = try PostgresAddress(url: "postgres://h/d?connect_timeout=7").settings()
        #expect(own["connect_timeout"] == "7")
        #expect(own["target_session_attrs"] == "read-write")
        #expect(own["tcp_user_timeout"] == "10000")
        #expect(own["gssencmode"] == "disable")
        let primary = try PostgresAddress(url: "postgres://h/d?target_session_attrs=primary")
        #expect(try primary.settings()["target_session_attrs"] == "primary")
    }
}
