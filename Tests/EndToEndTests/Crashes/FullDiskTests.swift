import Testing

extension EndToEnd.Crashing {
    @Test("On a disk that 8 writers fill nothing is lost, and writing goes on once there is room")
    func fullDisk() throws {
        try CrashRounds(of: "full disk").run { round, comment, generator in
            let room = try SmallRoom()
            let ledger = WriteLedger()
            var daemon = try room.start()
            let token = try TokenProbe(storingAt: daemon)
            var writers = Writers(ledger, at: [daemon.port], round: round, pagesEach: 1_000)
            let failures = Int.random(in: 1...100, using: &generator)
            try ledger.wait { $0.failed >= failures }
            // A full disk leaves no doubt: each write was acknowledged, or changed nothing.
            if room.isFileSystem { #expect(ledger.tally.doubtful == 0, comment) }
            try readOn(daemon, ledger, comment)
            if round.isMultiple(of: 2) {
                daemon.program.end()
                try writers.stop()
                daemon = try room.start()
                try ledger.check(daemon, comment)
                try token.check(daemon, comment)
                let next = count(from: round)
                writers = Writers(ledger, at: [daemon.port], round: next, pagesEach: 1_000)
            }
            try room.makeRoom(for: daemon)
            let full = ledger.tally
            let further = Int.random(in: 1...50, using: &generator)
            try ledger.wait { $0.acknowledged - full.acknowledged >= further }
            daemon.program.end()
            try writers.stop()

            let again = try room.start()
            try ledger.check(again, comment)
            try token.check(again, comment)
            #expect(try again.stop() == .status(0), comment)
            return ledger.tally
        }
    }

    /// Tells what is written on the full disk's next start from what was written before it.
    private func count(from round: Int) -> Int { round + 1_000_000 }

    /// Expects the full daemon to read what it acknowledged, and to call itself ready.
    private func readOn(_ daemon: Daemon, _ ledger: WriteLedger, _ comment: Comment) throws {
        for _ in 0..<10 {
            let (place, bytes) = try #require(ledger.anyAcknowledged())
            let reply = try daemon.request("GET", place.path)
            #expect(reply.status == 200 && reply.body == bytes, comment)
        }
        #expect(try daemon.request("GET", "/v1/screens/token/layout").status == 200, comment)
        #expect(try daemon.request("GET", "/readyz").status == 200, comment)
    }
}
