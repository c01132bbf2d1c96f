import Testing

extension EndToEndFailures.Crashing {
    @Test(
        "On a disk that 8 writers fill nothing is lost, and writes succeed once space is free")
    func fullDisk() throws {
        try CrashRounds(of: "full disk").run { round, comment, generator in
            let storage = try LimitedStorage()
            let ledger = WriteLedger()
            var daemon = try storage.start()
            let token = try TokenProbe(storingAt: daemon)
            var writers = Writers(ledger, at: [daemon.port], round: round, pagesEach: 1_000)
            let failures = Int.random(in: 1...100, using: &generator)
            try ledger.wait { $0.failed >= failures }
            // On a full disk every outcome is known: a write is acknowledged, or has changed
            // nothing.
            if storage.isFileSystem { #expect(ledger.tally.unknown == 0, comment) }
            try expectReads(daemon, ledger, comment)
            if round.isMultiple(of: 2) {
                daemon.program.end()
                try writers.stop()
                daemon = try storage.start()
                try ledger.check(daemon, comment)
                try token.check(daemon, comment)
                let next = count(from: round)
                writers = Writers(ledger, at: [daemon.port], round: next, pagesEach: 1_000)
            }
            try storage.freeSpace(for: daemon)
            let full = ledger.tally
            let further = Int.random(in: 1...50, using: &generator)
            try ledger.wait { $0.acknowledged - full.acknowledged >= further }
            daemon.program.end()
            try writers.stop()

            let again = try storage.start()
            try ledger.check(again, comment)
            try token.check(again, comment)
            #expect(try again.stop() == .status(0), comment)
            return ledger.tally
        }
    }

    /// Returns a round number that makes the writes after a restart differ from those before it.
    private func count(from round: Int) -> Int { round + 1_000_000 }

    /// Expects a daemon on a full disk to return what it acknowledged, and to be ready.
    private func expectReads(_ daemon: TestDaemon, _ ledger: WriteLedger, _ comment: Comment) throws
    {
        for _ in 0..<10 {
            let (location, bytes) = try #require(ledger.anyAcknowledged())
            #expect(try daemon.stored(at: location) == bytes, comment)
        }
        #expect(try daemon.request("GET", "/v1/screens/token/layout").status == 200, comment)
        #expect(try daemon.request("GET", "/readyz").status == 200, comment)
    }
}
