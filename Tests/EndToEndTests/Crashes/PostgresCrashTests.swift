import TestSupport
import Testing

extension EndToEndFailures.Crashing {
    @Test(
        "Two daemons lose no acknowledged write when PostgreSQL is killed during the writes of 8 clients"
    )
    func killedPostgres() throws {
        let postgres = try PostgresServer()
        let daemons = try (0..<2).map { _ in try TestDaemon(["--store", postgres.url()]) }
        let ports = daemons.map(\.port)
        let ledger = WriteLedger()
        let token = try TokenProbe(storingAt: daemons[0])
        try CrashRounds(of: "killed PostgreSQL").run { round, comment, generator in
            let before = ledger.tally
            let limit = Int.random(in: 1...150, using: &generator)
            let writers = Writers(ledger, at: ports, round: round)
            try ledger.wait { $0.acknowledged - before.acknowledged >= limit }
            try postgres.restart()
            // The daemons have to connect again by themselves.
            let back = ledger.tally
            try ledger.wait { $0.acknowledged - back.acknowledged >= 2 * Writers.count }
            try writers.stop()
            for daemon in daemons {
                try ledger.check(daemon, comment)
                try token.check(daemon, comment)
                #expect(try daemon.request("GET", "/readyz").status == 200, comment)
            }
            return ledger.tally - before
        }
    }

    /// A failure of a server that ends.
    enum Outage: CaseIterable {
        /// Its processes end.
        case killed
        /// Its processes stop, and connections to it stay open.
        case hung

        func begin(at server: PostgresServer) throws {
            switch self {
            case .killed: server.kill()
            case .hung: try server.pause()
            }
        }

        func end(at server: PostgresServer) throws {
            switch self {
            case .killed: try server.restart()
            case .hung: try server.resume()
            }
        }
    }

    @Test(
        "While PostgreSQL is unavailable, all but /livez responds 503 in time, and then recovers",
        arguments: Outage.allCases)
    func unavailablePostgres(outage: Outage) throws {
        let postgres = try PostgresServer()
        let daemon = try TestDaemon(["--store", postgres.url(), "--store-timeout", "3"])
        let token = try TokenProbe(storingAt: daemon)
        let page = try Storefront.page(2)
        for round in FailureRounds.all {
            try outage.begin(at: postgres)
            let requests = try [
                ("PUT", "/v1/screens/token\(round)/pages/2", page),
                ("GET", "/v1/screens/token/layout", nil),
                ("GET", "/v1/screens/token/pages/0", nil),
                ("GET", "/readyz", nil),
            ].map { method, target, body in
                let connection = try daemon.connect()
                try connection.send(Request.bytes(method, target, body: body))
                return (method, target, connection)
            }
            for (method, target, connection) in requests {
                let response = try connection.receive(responseTo: method)
                #expect(response.status == 503, "\(method) \(target): \(response)")
                if target != "/readyz" {
                    #expect(try response.problem().code == "STORE_UNAVAILABLE")
                }
            }
            #expect(try daemon.request("GET", "/livez").status == 200)
            try outage.end(at: postgres)
            let deadline = Deadline.within()
            while try daemon.request("GET", "/readyz").status != 200 {
                guard !deadline.hasPassed else { throw HarnessError("the store is still lost") }
            }
            try token.check(daemon, "PostgreSQL is available again")
        }
    }

    @Test("The metrics of a store in PostgreSQL are those of the documentation")
    func postgresMetrics() throws {
        let postgres = try PostgresServer()
        let daemon = try TestDaemon(["--store", postgres.url()])
        try Storefront.store(0..<1, as: "home", in: daemon)
        let text = try daemon.request("GET", "/metrics").text
        let documents = String(
            decoding: try Repository.contents("docs/operations.md"), as: UTF8.self)
        for name in ["connections", "asked_again_total", "lines_total", "notifications_total"] {
            #expect(text.contains("# TYPE broadsheet_store_\(name) "))
            #expect(documents.contains("| `broadsheet_store_\(name)` |"))
        }
        for sample in [
            "connections{state=\"busy\"}", "asked_again_total{outcome=\"unknown\"}",
            "notifications_total{result=\"lost\"}",
        ] {
            #expect(text.contains("broadsheet_store_\(sample) "))
        }
    }
}
