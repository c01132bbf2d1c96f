import Testing

extension EndToEnd.Crashing {
    @Test("Redis killed amid 8 writers at two daemons comes back, and so do they, losing nothing")
    func killedRedis() throws {
        let folder = try ScratchFolder()
        let redis = try RedisServer(folder: folder.path)
        let daemons = try (0..<2).map { _ in try Daemon(["--store", redis.address]) }
        let ports = daemons.map(\.port)
        let ledger = WriteLedger()
        let token = try TokenProbe(storingAt: daemons[0])
        try CrashRounds(of: "killed redis-server").run { round, comment, generator in
            let before = ledger.tally
            let limit = Int.random(in: 1...150, using: &generator)
            let writers = Writers(ledger, at: ports, round: round)
            try ledger.wait { $0.acknowledged - before.acknowledged >= limit }
            redis.kill()
            // Some write meets the gap, whichever way the daemons take it.
            try ledger.wait { $0.doubtful - before.doubtful >= 1 }
            try redis.restart()
            // Nobody tells the daemons: the writers go on as soon as these have found it out.
            let back = ledger.tally
            try ledger.wait { $0.acknowledged - back.acknowledged >= 2 * Writers.count }
            try writers.stop()

            try catchUp(daemons, on: ledger)
            for daemon in daemons {
                try ledger.check(daemon, comment)
                try token.check(daemon, comment)
                #expect(try daemon.request("GET", "/readyz").status == 200, comment)
            }
            return ledger.tally - before
        }
    }

    @Test("While Redis is away writes and readiness say so, and the daemon is alive")
    func awayRedis() throws {
        let folder = try ScratchFolder()
        let redis = try RedisServer(folder: folder.path)
        let daemon = try Daemon(["--store", redis.address])
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
            guard !deadline.hasPassed else { throw HarnessError("the store did not come back") }
        }
        try token.check(daemon, "Redis came back")
    }

    /// Waits until each daemon has found out that Redis is back.
    private func catchUp(_ daemons: [Daemon], on ledger: WriteLedger) throws {
        for screen in ledger.revisions.keys {
            let deadline = Deadline.within()
            var revisions: [Int?] = []
            repeat {
                revisions = try daemons.map {
                    try $0.request("GET", "/v1/screens/\(screen)/pages").revision
                }
                guard !deadline.hasPassed else {
                    throw HarnessError("\(screen) is at \(revisions) for good")
                }
            } while Set(revisions).count > 1
        }
    }
}
