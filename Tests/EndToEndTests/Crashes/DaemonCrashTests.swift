import Testing

extension EndToEnd.Crashing {
    @Test("Killed amid 8 writers, the daemon comes back with every acknowledged write")
    func killedDaemon() throws {
        let folder = try ScratchFolder()
        let options = ["--store", "sqlite:" + folder.path("screens.db")]
        let ledger = WriteLedger()
        var probe: TokenProbe?
        try CrashRounds(of: "killed daemon").run { round, comment, generator in
            let before = ledger.tally
            let daemon = try Daemon(options)
            let token = try probe ?? TokenProbe(storingAt: daemon)
            probe = token
            let limit = Int.random(in: 1...150, using: &generator)
            let writers = Writers(ledger, at: [daemon.port], round: round)
            try ledger.wait { $0.acknowledged - before.acknowledged >= limit }
            daemon.program.end()
            try writers.stop()

            let again = try Daemon(options)
            try ledger.check(again, comment)
            try token.check(again, comment)
            #expect(try again.stop() == .status(0), comment)
            return ledger.tally - before
        }
    }
}
