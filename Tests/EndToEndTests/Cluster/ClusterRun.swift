import Foundation
import Synchronization

/// Clients that write through a proxy, each reading what it wrote through whichever daemon the proxy
/// takes, and clients that read from daemons themselves meanwhile.
final class ClusterRun: Sendable {
    /// What they all know.
    let ledger = ClusterLedger()

    private let writesEach: Int
    /// Is signalled for each write that was acknowledged.
    private let written = DispatchSemaphore(value: 0)
    private let isOver = Atomic(false)
    private let failures = Atomic(0)
    private let losses = Atomic(0)
    private let writing = DispatchGroup()
    private let reading = DispatchGroup()

    /// How many screens they share.
    static let screens = 20

    /// Starts `writers` clients of the proxy at `port`, of which each writes `each` pages.
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

    /// How many reads through the proxy nobody answered.
    var failedReads: Int { failures.load(ordering: .relaxed) }

    /// How many of the daemons' own readers got no answer, and ended.
    var lostReaders: Int { losses.load(ordering: .relaxed) }

    /// Starts a client that reads from the daemon at `port` until all is written, or it is gone.
    func startReader(at port: UInt16) {
        reading.enter()
        Thread.detachNewThread { [self] in
            read(from: ClusterClient(at: port, ledger))
            reading.leave()
        }
    }

    /// Waits until so many writes have been acknowledged.
    func wait(forWrites count: Int) throws {
        let deadline = DispatchTime.now() + 60
        for _ in 0..<count where written.wait(timeout: deadline) != .success {
            throw HarnessError("only \(ledger.count) writes were acknowledged")
        }
    }

    /// Waits until all is written, and everybody has come to an end.
    func waitForWriters() throws {
        let areWritten = writing.wait(timeout: .now() + 120) == .success
        isOver.store(true, ordering: .relaxed)
        guard areWritten, reading.wait(timeout: .now() + 60) == .success else {
            throw HarnessError("a client did not come to an end")
        }
    }

    /// Posts pages to screens in turn, and reads each screen anew, once in each way in turn.
    private func write(as writer: Int, _ client: ClusterClient) {
        let ways = ClusterRead.allCases
        for turn in 0..<writesEach {
            let screen = "screen-\((writer * 7 + turn * 3) % Self.screens)"
            let deadline = Deadline.within()
            var fate = ClusterClient.Fate.refused
            while fate == .refused, !deadline.hasPassed {
                fate = client.post("\(writer)-\(turn)", to: screen)
            }
            if fate == .acknowledged { written.signal() }
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
