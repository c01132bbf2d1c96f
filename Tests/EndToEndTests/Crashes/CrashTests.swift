import Testing

extension EndToEndFailures {
    /// Tests that no acknowledged write is lost when a process is killed or a disk is full.
    ///
    /// Eight clients write meanwhile. `make soak` runs the tests with more rounds.
    @Suite struct Crashing {}
}

extension EndToEndFailures.Crashing {
    @Test("A daemon killed during the writes of 8 clients restarts with every acknowledged write")
    func killedDaemon() throws {
        let folder = try ScratchFolder()
        let options = ["--store", "sqlite:" + folder.path("screens.db")]
        let ledger = WriteLedger()
        var probe: TokenProbe?
        try CrashRounds(of: "killed daemon").run { round, comment, generator in
            let before = ledger.tally
            let daemon = try TestDaemon(options)
            let token = try probe ?? TokenProbe(storingAt: daemon)
            probe = token
            let limit = Int.random(in: 1...150, using: &generator)
            let writers = Writers(ledger, at: [daemon.port], round: round)
            try ledger.wait { $0.acknowledged - before.acknowledged >= limit }
            daemon.program.end()
            try writers.stop()

            let again = try TestDaemon(options)
            try ledger.check(again, comment)
            try token.check(again, comment)
            #expect(try again.stop() == .status(0), comment)
            return ledger.tally - before
        }
    }

    @Test(
        "Two daemons lose no acknowledged write when Redis is killed during the writes of 8 clients"
    )
    func killedRedis() throws {
        let folder = try ScratchFolder()
        let redis = try RedisServer(folder: folder.path)
        let daemons = try (0..<2).map { _ in try TestDaemon(["--store", redis.address]) }
        let ports = daemons.map(\.port)
        let ledger = WriteLedger()
        let token = try TokenProbe(storingAt: daemons[0])
        try CrashRounds(of: "killed redis-server").run { round, comment, generator in
            let before = ledger.tally
            let limit = Int.random(in: 1...150, using: &generator)
            let writers = Writers(ledger, at: ports, round: round)
            try ledger.wait { $0.acknowledged - before.acknowledged >= limit }
            redis.kill()
            // At least one write fails while Redis is unavailable.
            try ledger.wait { $0.unknown - before.unknown >= 1 }
            try redis.restart()
            // The daemons have to detect by themselves that Redis is available again.
            let back = ledger.tally
            try ledger.wait { $0.acknowledged - back.acknowledged >= 2 * Writers.count }
            try writers.stop()

            try waitForEqualRevisions(daemons, of: ledger)
            for daemon in daemons {
                try ledger.check(daemon, comment)
                try token.check(daemon, comment)
                #expect(try daemon.request("GET", "/readyz").status == 200, comment)
            }
            return ledger.tally - before
        }
    }

    @Test("While Redis is unavailable, writes and /readyz respond 503, and /livez responds 200")
    func unavailableRedis() throws {
        let folder = try ScratchFolder()
        let redis = try RedisServer(folder: folder.path)
        let daemon = try TestDaemon(["--store", redis.address])
        let token = try TokenProbe(storingAt: daemon)
        redis.kill()
        let write = try daemon.request(
            "PUT", "/v1/screens/token/pages/2", body: try Storefront.page(2))
        #expect(write.status == 503)
        #expect(write["Retry-After"] != nil)
        #expect(try write.problem().code == "STORE_UNAVAILABLE")
        #expect(try daemon.request("GET", "/readyz").status == 503)
        #expect(try daemon.request("GET", "/livez").status == 200)
        try redis.restart()
        let deadline = Deadline.within()
        while try daemon.request("GET", "/readyz").status != 200 {
            guard !deadline.hasPassed else { throw HarnessError("the store is still unavailable") }
        }
        try token.check(daemon, "Redis is available again")
    }

    @Test("The metrics of a store on a Redis server are those of the documentation")
    func redisMetrics() throws {
        let folder = try ScratchFolder()
        let redis = try RedisServer(folder: folder.path)
        let daemon = try TestDaemon(["--store", redis.address])
        try Storefront.store(0..<1, as: "home", in: daemon)
        let text = try daemon.request("GET", "/metrics").text
        for name in ["asked_again_total", "lines_total"] {
            #expect(text.contains("# TYPE broadsheet_store_\(name) counter"))
        }
        for outcome in ["done", "conflict", "unknown"] {
            let sample = "broadsheet_store_asked_again_total{outcome=\"\(outcome)\"} 0"
            #expect(text.contains(sample))
        }
        #expect(!text.contains("broadsheet_store_connections"))
    }

    /// Waits until all daemons return the same revisions.
    private func waitForEqualRevisions(_ daemons: [TestDaemon], of ledger: WriteLedger) throws {
        for screen in ledger.revisions.keys {
            let deadline = Deadline.within()
            var revisions: [Int?] = []
            repeat {
                revisions = try daemons.map {
                    try $0.request("GET", "/v1/screens/\(screen)/pages").revision
                }
                guard !deadline.hasPassed else {
                    throw HarnessError("the daemons' revisions of \(screen) differ: \(revisions)")
                }
            } while Set(revisions).count > 1
        }
    }
}
