import Foundation
import TestSupport
import Testing

extension EndToEnd.Starting.WithPostgres {
    @Test(
        "Variables of libpq and its file of passwords give what the URL of a store leaves open",
        arguments: ["PGPASSWORD", "PGPASSFILE"])
    func variables(ofPassword variable: String) throws {
        let secure = try SecurePostgres.shared()
        let folder = try ScratchFolder()
        let file = try folder.write("localhost:*:postgres:someone:hidden\n", to: "passwords")
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: file)
        let daemon = try TestDaemon(environment: [
            "BROADSHEET_STORE": "postgres://", "PGHOST": "localhost",
            "PGPORT": "\(secure.server.port)", "PGDATABASE": "postgres", "PGUSER": "someone",
            "PGSSLMODE": "verify-full", "PGSSLROOTCERT": secure.certificate,
            variable: variable == "PGPASSFILE" ? file : "hidden",
        ])
        try Storefront.store(0..<1, as: "variables", in: daemon)
        let line = try daemon.program.errors.line { $0.contains(#""started""#) }
        #expect(line.contains("store postgres://localhost:\(secure.server.port)/postgres"))
        #expect(try daemon.stop() == .status(0))
        let log = try daemon.program.errors.all()
        #expect(!log.contains("hidden") && !log.contains("someone"))
    }

    @Test("A variable that permits replicas ends the start with status 2, as in the URL")
    func replicas() throws {
        for attributes in ["any", "standby", "prefer-standby", "read-only"] {
            let outcome = try Shell.broadsheet(
                "serve", "--port", "0",
                environment: [
                    "BROADSHEET_STORE": "postgres://localhost/screens",
                    "PGTARGETSESSIONATTRS": attributes,
                ])
            #expect(outcome.status == 2, "\(attributes): \(outcome.errors)")
            #expect(outcome.errors.contains("target_session_attrs=read-write"))
        }
    }

    @Test("Without libpq a store in PostgreSQL ends the start with status 1, and others work")
    func noLibrary() throws {
        let folder = try ScratchFolder()
        // The loader finds this file first, which is not a library.
        try folder.write("", to: "libpq.so.5")
        var path = folder.path
        if let inherited = ProcessInfo.processInfo.environment["LD_LIBRARY_PATH"] {
            path += ":" + inherited
        }
        let outcome = try Shell.broadsheet(
            "serve", "--port", "0",
            environment: [
                "BROADSHEET_STORE": "postgres://someone:hidden@localhost/screens",
                "LD_LIBRARY_PATH": path,
            ])
        #expect(outcome.status == 1, "\(outcome.errors)")
        #expect(outcome.output == "")
        #expect(outcome.errors.split(separator: "\n").count == 1, "\(outcome.errors)")
        #expect(outcome.errors.contains("requires libpq: apt install libpq5"))
        #expect(!outcome.errors.contains("someone") && !outcome.errors.contains("hidden"))
        let daemon = try TestDaemon(environment: ["LD_LIBRARY_PATH": path])
        #expect(try daemon.stop() == .status(0))
    }
}
