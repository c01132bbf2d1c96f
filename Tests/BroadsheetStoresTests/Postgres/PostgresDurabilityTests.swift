import BroadsheetIO
import TestSupport
import Testing

import BroadsheetTesting
@testable import BroadsheetStores

/// Settings of roles and servers with which an acknowledged write could be lost.
@Suite("PostgreSQL, settings and durability", .timeLimit(.minutes(hangMinutes)))
struct PostgresDurabilityTests {
    @Test(
        "A write raises synchronous_commit for its transaction, where it is lower than on",
        arguments: [
            ("off", "on"), ("local", "on"), ("remote_write", "on"), ("on", "on"),
            ("remote_apply", "remote_apply"),
        ])
    func raised(setting: String, raised: String) async throws {
        try await withPostgresStore { _, server, database in
            for write in [
                """
                SELECT 'done' FROM broadsheet.apply_1('home', 1, 'unchecked', NULL, NULL, 'none',
                    false, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, '{}', '{}',
                    '{}', '{}', '{}', '{}', '{}', NULL, NULL) AS a WHERE a.applied
                """,
                "SELECT 'done' FROM broadsheet.probe_1('a')",
            ] {
                let reply = try server.execute(
                    """
                    SET synchronous_commit = \(setting); BEGIN; \(write); SHOW synchronous_commit;
                    COMMIT; SHOW synchronous_commit
                    """, in: database)
                #expect(reply == ["done", raised, setting], "\(write)")
            }
        }
    }

    @Test("A role whose synchronous_commit is off gets no acknowledgment without a replica")
    func role() async throws {
        let (primary, replica) = try await PostgresServer.withSynchronousReplica()
        try primary.execute("ALTER ROLE broadsheet SET synchronous_commit = off")
        try await withPostgresStore(at: primary.address(), timeout: .seconds(10)) {
            store, _ async throws in
            let home = try name("home")
            try await store.put(0, to: home)
            replica.kill()
            await expectUnavailable {
                try await store.commit(.put(page: 1, bytes: [1]), to: home, expecting: 1)
            }
            #expect(try await store.stored(home).pages.count == 1)
            try replica.restart()
            #expect(await eventually { (try? await store.put(2, to: home)) != nil })
        }
    }

    @Test("A server with fsync or full_page_writes off is reported once, and another one never")
    func unsafeServers() async throws {
        let server = try PostgresServer()
        #expect(try await Self.warnings(at: server.address()) == [])
        for setting in ["fsync", "full_page_writes"] {
            try server.configure(setting, "off")
            let warnings = try await Self.warnings(at: server.address())
            #expect(warnings.count == 1, "\(setting): \(warnings)")
            #expect(warnings.allSatisfy { $0.contains("fsync or full_page_writes") })
            try server.configure(setting, "on")
        }
    }

    @Test(
        "A connection to another machine that is not encrypted or verified is reported once",
        arguments: [
            ("db.example", "disable", "is not encrypted"),
            ("db.example", "require", "is not verified: add sslmode=verify-full"),
            ("db.example", "verify-ca", nil), ("db.example", "verify-full", nil),
            ("localhost", "disable", nil), ("127.0.0.1", "disable", nil),
        ] as [(String, String, String?)])
    func insecureConnections(host: String, mode: String, warning: String?) async throws {
        let (server, certificate) = try Self.secureServer.get()
        // A host is another machine by its name.
        var query = "hostaddr=127.0.0.1&connect_timeout=60&sslmode=\(mode)"
        // With a certificate libpq verifies that of the server also if it does not have to.
        if mode.hasPrefix("verify") { query += "&sslrootcert=\(certificate)" }
        let address = try PostgresAddress(url: server.url(host: host, query))
        let warnings = try await Self.warnings(at: address)
        #expect(warnings.count == (warning == nil ? 0 : 1), "\(warnings)")
        if let warning {
            #expect(warnings.allSatisfy { $0.contains(warning) && $0.contains(host) })
        }
    }

    /// A server with a certificate for `db.example`, and the path of the certificate.
    private static let secureServer: Result<(PostgresServer, String), any Error> = Result {
        let server = try PostgresServer()
        try server.run(
            script: """
                umask 077
                openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 2 \
                    -keyout server.key -out server.pem -subj /CN=server \
                    -addext subjectAltName=DNS:db.example
                """)
        try server.configure("ssl_cert_file", "server.pem")
        try server.configure("ssl_key_file", "server.key")
        try server.configure("ssl", "on")
        return (server, try server.execute("SHOW data_directory")[0] + "/server.pem")
    }

    /// Returns what a store reports of its server and its connections, once it has all of them.
    private static func warnings(at address: PostgresAddress) async throws -> [String] {
        let log = EventLog()
        let store = try ScreenStore(
            address,
            options: PostgresStoreOptions(
                connections: 4, timeout: .seconds(60), onEvent: log.handler))
        // The connection for notifications has received one of its own.
        let isSubscribed = await eventually {
            _ = try? await store.put(0, to: name("home"))
            return store.received > 0
        }
        #expect(isSubscribed)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<32 {
                group.addTask { _ = try await store.page(0, of: name("home"), atMost: nil) }
            }
            try await group.waitForAll()
        }
        await store.close()
        return log.events.compactMap { event -> String? in
            if case .insecure(let what) = event { what } else { nil }
        }
    }
}
