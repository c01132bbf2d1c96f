import Foundation
import Synchronization
import Testing

extension EndToEnd {
    @Suite struct ManyDaemons {
        private static let writers = 8
        private static let writesEach = 250

        @Test(
            """
            Three daemons behind nginx lose no update and return no read older than a client knew \
            when it began, while one of them is killed during 2,000 writes
            """)
        func interleavedWrites() throws {
            let folder = try ScratchFolder()
            let redis = try RedisServer(folder: folder.path)
            // A request that a busy server delays must not fail.
            let options = ["--store", redis.address, "--store-timeout", "30"]
            let daemons = try (0..<3).map { _ in try TestDaemon(options) }
            let proxy = try ProxyServer(folder: folder.path, before: daemons)
            let run = ClusterRun(proxy.port, writers: Self.writers, each: Self.writesEach)
            for daemon in daemons { run.startReader(at: daemon.port) }
            try run.wait(forWrites: Self.writers * Self.writesEach / 2)
            daemons[1].program.end()
            try run.waitForWriters()

            let ledger = run.ledger
            // Only the outcomes of requests in progress at the killed daemon may be unknown.
            #expect(ledger.unknownCount <= Self.writers)
            #expect(ledger.count + ledger.unknownCount == Self.writers * Self.writesEach)
            #expect(run.failedReads <= Self.writers)
            // The reader of the killed daemon ends with it.
            #expect(run.lostReaders == 1)
            #expect(ledger.reads > Self.writers * Self.writesEach)
            #expect(ledger.stale.isEmpty)
            for screen in 0..<ClusterRun.screens {
                try check("screen-\(screen)", at: daemons[0], against: ledger)
            }
        }

        private func check(
            _ screen: String, at daemon: TestDaemon, against ledger: ClusterLedger
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
            let (stored, unknown) = ledger.notes(of: screen)
            #expect(Set(notes).count == notes.count, "\(screen): a write was applied twice")
            #expect(stored.isSubset(of: notes), "\(screen): an update was lost")
            #expect(Set(notes).isSubset(of: stored.union(unknown)))
            #expect(state.revision == notes.count, "\(screen): every write is one revision")
        }
    }
}

/// Clients that write and read through a proxy, and clients that read from the daemons directly.
final class ClusterRun: Sendable {
    /// The record of all clients.
    let ledger = ClusterLedger()

    private let writesEach: Int
    /// A semaphore that is signalled for each acknowledged write.
    private let written = DispatchSemaphore(value: 0)
    private let isOver = Atomic(false)
    private let failures = Atomic(0)
    private let losses = Atomic(0)
    private let writing = DispatchGroup()
    private let reading = DispatchGroup()

    /// The number of screens.
    static let screens = 20

    /// Starts clients of the proxy.
    ///
    /// - Parameters:
    ///   - port: The port of the proxy.
    ///   - writers: The number of clients.
    ///   - each: The number of pages that each client writes.
    init(_ port: UInt16, writers: Int, each: Int) {
        writesEach = each
        for writer in 0..<writers {
            writing.enter()
            Thread.detachNewThread { [self] in
                write(as: writer, ClusterClient(at: port, ledger))
                writing.leave()
            }
        }
    }

    /// The number of reads through the proxy without a valid response.
    var failedReads: Int { failures.load(ordering: .relaxed) }

    /// The number of direct readers that ended without a valid response.
    var lostReaders: Int { losses.load(ordering: .relaxed) }

    /// Starts a client that reads from the daemon at `port` until all writes are done or the daemon
    /// ends.
    func startReader(at port: UInt16) {
        reading.enter()
        Thread.detachNewThread { [self] in
            read(from: ClusterClient(at: port, ledger))
            reading.leave()
        }
    }

    /// Waits until the given number of writes have been acknowledged.
    func wait(forWrites count: Int) throws {
        let deadline = DispatchTime.now() + 300
        for _ in 0..<count where written.wait(timeout: deadline) != .success {
            throw HarnessError("only \(ledger.count) writes were acknowledged")
        }
    }

    /// Waits until all clients have ended.
    func waitForWriters() throws {
        let areWritten = writing.wait(timeout: .now() + 300) == .success
        isOver.store(true, ordering: .relaxed)
        guard areWritten, reading.wait(timeout: .now() + 120) == .success else {
            throw HarnessError("a client did not end in time")
        }
    }

    /// Posts pages to the screens, and reads each screen after its write in one of the ways.
    private func write(as writer: Int, _ client: ClusterClient) {
        let ways = ClusterRead.allCases
        for turn in 0..<writesEach {
            let screen = "screen-\((writer * 7 + turn * 3) % Self.screens)"
            let deadline = Deadline.within()
            var outcome = ClusterClient.Outcome.refused
            while outcome == .refused, !deadline.hasPassed {
                outcome = client.post("\(writer)-\(turn)", to: screen)
            }
            if outcome == .acknowledged { written.signal() }
            if !client.read(screen, as: ways[turn % ways.count]) {
                failures.add(1, ordering: .relaxed)
            }
        }
    }

    private func read(from client: ClusterClient) {
        let ways = ClusterRead.allCases
        var turn = 0
        while !isOver.load(ordering: .relaxed) {
            let screen = "screen-\(turn % Self.screens)"
            guard client.read(screen, as: ways[turn / Self.screens % ways.count]) else {
                losses.add(1, ordering: .relaxed)
                return
            }
            turn += 1
        }
    }
}
