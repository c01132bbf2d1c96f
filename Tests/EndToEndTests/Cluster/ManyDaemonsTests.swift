import Testing

extension EndToEnd {
    @Suite struct ManyDaemons {
        private static let writers = 8
        private static let writesEach = 250

        @Test(
            """
            Three daemons behind nginx lose no update and answer no read with less than any client \
            knew when it began, one of them killed amid 2,000 writes
            """)
        func interleavedWrites() throws {
            let folder = try ScratchFolder()
            let redis = try RedisServer(folder: folder.path)
            let daemons = try (0..<3).map { _ in try Daemon(["--store", redis.address]) }
            let proxy = try ProxyServer(folder: folder.path, before: daemons)
            let run = ClusterRun(proxy.port, writers: Self.writers, each: Self.writesEach)
            for daemon in daemons { run.startReader(at: daemon.port) }
            try run.wait(forWrites: Self.writers * Self.writesEach / 2)
            daemons[1].program.end()
            try run.waitForWriters()

            let ledger = run.ledger
            // Only what was in flight at the killed daemon may be in doubt.
            #expect(ledger.doubts <= Self.writers)
            #expect(ledger.count + ledger.doubts == Self.writers * Self.writesEach)
            #expect(run.failedReads <= Self.writers)
            // A daemon's own reader ends with it.
            #expect(run.lostReaders == 1)
            #expect(ledger.reads > Self.writers * Self.writesEach)
            #expect(ledger.stale.isEmpty)
            for screen in 0..<ClusterRun.screens {
                try check("screen-\(screen)", at: daemons[0], against: ledger)
            }
        }

        private func check(
            _ screen: String, at daemon: Daemon, against ledger: ClusterLedger
        ) throws {
            struct State: Decodable {
                struct Page: Decodable { let page: Int }
                let revision: Int
                let pages: [Page]
            }
            let state: State = try daemon.request("GET", "/v1/screens/\(screen)/pages").decode()
            let notes = try state.pages.map { page in
                let path = "/v1/screens/\(screen)/pages/\(page.page)"
                return try daemon.request("GET", path).decode(PostedNote.self).note
            }
            let (sure, doubtful) = ledger.notes(of: screen)
            #expect(Set(notes).count == notes.count, "\(screen): a write was done twice")
            #expect(sure.isSubset(of: notes), "\(screen): an update was lost")
            #expect(Set(notes).isSubset(of: sure.union(doubtful)))
            #expect(state.revision == notes.count, "\(screen): every write is one revision")
        }
    }
}
