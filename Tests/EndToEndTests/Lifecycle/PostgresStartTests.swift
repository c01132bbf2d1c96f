import Foundation
import TestSupport
import Testing

/// A PostgreSQL server with a certificate, and a user that needs TLS and a password.
final class SecurePostgres: Sendable {
    /// The user with the password.
    static let user = "someone:hidden"

    /// The server of all tests.
    static func shared() throws -> SecurePostgres { try result.get() }

    private static let result = Result { try SecurePostgres() }

    /// The server, at which the user `broadsheet` needs no password.
    let server: PostgresServer
    /// The certificate of the server, which is for `localhost`.
    let certificate: String

    private init() throws {
        server = try PostgresServer()
        // The keys and certificates of this server and of another one; then the rules of access.
        try server.run(
            script: """
                umask 077
                for name in server other; do
                    openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 2 \
                        -keyout $name.key -out $name.pem -subj /CN=$name \
                        -addext subjectAltName=DNS:localhost || exit 1
                done
                echo 'hostssl all someone 127.0.0.1/32 scram-sha-256' >pg_hba.conf
                echo 'host all broadsheet 127.0.0.1/32 trust' >>pg_hba.conf
                """)
        try server.execute("SET password_encryption = 'scram-sha-256'; \(Self.role)")
        try server.configure("ssl_cert_file", "server.pem")
        try server.configure("ssl_key_file", "server.key")
        try server.configure("ssl", "on")
        certificate = try server.execute("SHOW data_directory")[0] + "/server.pem"
    }

    private static let role = """
        CREATE ROLE someone LOGIN PASSWORD 'hidden'; GRANT CREATE ON DATABASE postgres TO someone
        """

    /// The value of `--store` for the user, with its password.
    var address: String { address() }

    /// Returns the value of `--store` for another user, host, or authority.
    func address(
        user: String = user, host: String = "localhost", authority: String? = nil
    ) -> String {
        server.url(
            user: user, host: host,
            "sslmode=verify-full&sslrootcert=\(authority ?? certificate)")
    }
}

extension EndToEnd.Starting {
    /// Daemons whose store is in PostgreSQL, and what prevents their start.
    @Suite struct WithPostgres {
        private func expectFailure(
            _ store: String, because reason: String,
            sourceLocation: SourceLocation = #_sourceLocation
        ) throws {
            let outcome = try Shell.broadsheet(
                "serve", "--port", "0", environment: ["BROADSHEET_STORE": store])
            #expect(outcome.status == 1, "\(outcome.errors)", sourceLocation: sourceLocation)
            #expect(outcome.output == "", sourceLocation: sourceLocation)
            let lines = outcome.errors.split(separator: "\n")
            #expect(lines.count == 1, "\(outcome.errors)", sourceLocation: sourceLocation)
            #expect(outcome.errors.contains(reason), sourceLocation: sourceLocation)
            for secret in ["hidden", "someone", "sslmode"] {
                #expect(!outcome.errors.contains(secret), sourceLocation: sourceLocation)
            }
        }

        @Test("With SCRAM and verify-full a daemon serves, and every connection is encrypted")
        func secured() throws {
            let secure = try SecurePostgres.shared()
            let daemon = try TestDaemon(environment: ["BROADSHEET_STORE": secure.address])
            try Storefront.store(0..<1, as: "secured", in: daemon)
            let statement = """
                SELECT bool_and(s.ssl), bool_and(a.usename = 'someone'), count(*) > 1
                FROM pg_stat_activity a JOIN pg_stat_ssl s USING (pid)
                WHERE a.application_name = 'broadsheet'
                """
            // The daemon does not wait for its connection for notifications.
            let deadline = Deadline.within()
            var encrypted = try secure.server.execute(statement)
            while encrypted == ["t|t|f"], !deadline.hasPassed {
                encrypted = try secure.server.execute(statement)
            }
            #expect(encrypted == ["t|t|t"])
            let line = try daemon.program.errors.line { $0.contains(#""started""#) }
            #expect(line.contains("store postgres://localhost:\(secure.server.port)/postgres"))
            #expect(try daemon.stop() == .status(0))
            #expect(try !daemon.program.errors.all().contains("hidden"))
        }

        @Test(
            "A server that is not verified, and a wrong password, end the start with status 1",
            arguments: [
                ("hidden", "127.0.0.1", "server.pem", "does not match host name"),
                ("hidden", "localhost", "other.pem", "certificate verify failed"),
                ("hidden-wrong", "localhost", "server.pem", "password authentication failed"),
            ])
        func refused(password: String, host: String, file: String, reason: String) throws {
            let secure = try SecurePostgres.shared()
            let authority = secure.certificate.replacing("server.pem", with: file)
            let store = secure.address(
                user: "someone:\(password)", host: host, authority: authority)
            try expectFailure(store, because: reason)
        }

        @Test("A store that a newer program has changed so that this one cannot use it: status 1")
        func newer() throws {
            let secure = try SecurePostgres.shared()
            let server = secure.server
            let database = try server.newDatabase()
            let address = server.url(database)
            let daemon = try TestDaemon(environment: ["BROADSHEET_STORE": address])
            #expect(try daemon.stop() == .status(0))
            try server.execute(
                "UPDATE broadsheet.store SET version = 1000, oldest = 1000", in: database)
            try expectFailure(address, because: "newer Broadsheet")
        }
    }
}
