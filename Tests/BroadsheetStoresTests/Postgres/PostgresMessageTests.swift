import TestSupport
import Testing

import BroadsheetTesting
@testable import BroadsheetStores

/// Messages and warnings, which operators and logs receive.
@Suite("The messages of a PostgreSQL store", .timeLimit(.minutes(hangMinutes)))
struct PostgresMessageTests {
    @Test("The message about a role that does not exist has neither its name nor its password")
    func unknownRole() throws {
        let server = try PostgresServer.shared()
        let address = try server.address(user: "nouser123:hidden")
        let error = try #require(throws: StoreOpenError.self) { try ScreenStore(address) }
        let text = error.description
        #expect(text.contains("does not exist"), "\(text)")
        #expect(!text.contains("nouser123") && !text.contains("hidden"), "\(text)")
    }

    @Test(
        "The user is removed from messages where it is quoted, in any language, and not elsewhere",
        arguments: [
            (#"FATAL: role "admin" does not exist"#, "FATAL: role … does not exist"),
            (#"no entry for user "admin", database "a""#, #"no entry for user …, database "a""#),
            ("no such user: 'admin'", "no such user: …"),
            ("Rolle »admin« existiert nicht", "Rolle … existiert nicht"),
            ("le rôle «\u{a0}admin\u{a0}» n'existe pas", "le rôle … n'existe pas"),
            ("no existe el rol «admin»", "no existe el rol …"),
            ("permission denied for schema\n\tadmin", "permission denied for schema admin"),
        ])
    func quotations(message: String, expected: String) throws {
        let found = PostgresAddress.PostgresSettings.redacted(message, user: "admin")
        #expect(found == expected)
    }

    @Test("The letters of a password change no message, and a server that is not there is named")
    func letters() throws {
        let port = try FreePort.any()
        var texts: [String] = []
        for password in ["d", "secret", "e%20"] {
            let address = try PostgresAddress(
                url: "postgres://u:\(password)@127.0.0.1:\(port)/screens")
            texts.append(
                try #require(throws: StoreOpenError.self) { try ScreenStore(address) }.description
            )
        }
        #expect(Set(texts).count == 1)
        #expect(texts[0].contains("Connection refused"), "\(texts[0])")
        #expect(texts[0].contains("Start PostgreSQL at 127.0.0.1:\(port)"), "\(texts[0])")
        #expect(!texts[0].contains("…") && !texts[0].contains("\n"), "\(texts[0])")
    }

    @Test("That connections are not encrypted is reported once, also with one for notifications")
    func unencrypted() async throws {
        let server = try PostgresServer.shared()
        let database = try server.newDatabase()
        // By its name the host is another machine.
        let url = server.url(
            database, host: "db", "hostaddr=127.0.0.1&\(PostgresServer.patientQuery)")
        let log = EventLog()
        let store = try ScreenStore(
            PostgresAddress(url: url),
            options: PostgresStoreOptions(
                connections: 2, timeout: .seconds(60), onEvent: log.handler))
        try await store.put(0, to: name("home"))
        let isListening = try await eventually {
            try server.execute(
                """
                SELECT count(*) FROM pg_stat_activity
                WHERE datname = '\(database)' AND query LIKE 'LISTEN%'
                """) == ["1"]
        }
        #expect(isListening)
        await store.close()
        let warnings = log.events.map(\.description).filter { $0.contains("encrypted") }
        #expect(warnings == ["the connection to db:\(server.port) is not encrypted"])
    }
}
