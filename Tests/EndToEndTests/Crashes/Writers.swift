import Foundation
import Glibc
import Synchronization

/// Clients that write as fast as they are answered, until they are stopped or their daemon is gone.
final class Writers: Sendable {
    /// How many there are; two share each screen.
    static let count = 8

    private let ledger: WriteLedger
    private let ports: [UInt16]
    private let round: Int
    private let pagesEach: Int
    private let isStopped = Atomic(false)
    private let over = DispatchGroup()

    /// Starts them, in turn at the daemons that listen at `ports`.
    ///
    /// `round` tells what they write from what others wrote; each writes `pagesEach` pages over and
    /// over.
    init(_ ledger: WriteLedger, at ports: [UInt16], round: Int, pagesEach: Int = 5) {
        (self.ledger, self.ports, self.round, self.pagesEach) = (ledger, ports, round, pagesEach)
        for writer in 0..<Self.count {
            over.enter()
            Thread.detachNewThread { [self] in
                write(as: writer)
                over.leave()
            }
        }
    }

    /// Waits until each has its last answer, or has met the end of its daemon.
    func stop() throws {
        isStopped.store(true, ordering: .relaxed)
        guard over.wait(timeout: .now() + 60) == .success else {
            throw HarnessError("a writer did not come to an end")
        }
    }

    private func write(as writer: Int) {
        guard let connection = try? Connection(port: ports[writer % ports.count]) else { return }
        var turn = 0
        while !isStopped.load(ordering: .relaxed) {
            let place = WriteLedger.Place(
                screen: "screen-\(writer / 2)", page: writer * pagesEach + turn % pagesEach)
            ledger.begin(page(writer, turn), at: place)
            do {
                let fate = try put(page(writer, turn), at: place, on: connection)
                ledger.note(fate, at: place)
                if case .acknowledged = fate { turn += 1 }
            } catch {
                return ledger.note(.doubtful, at: place)
            }
        }
    }

    private func put(
        _ bytes: [UInt8], at place: WriteLedger.Place, on connection: Connection
    ) throws -> WriteLedger.Fate {
        try connection.send(
            Request.bytes(
                "PUT", place.path, headers: [("Prefer", "return=minimal")], body: bytes))
        let reply = try connection.receive(answering: "PUT")
        if reply.status == 200 || reply.status == 201, let revision = reply.revision {
            return .acknowledged(revision)
        }
        let problem = try reply.problem()
        guard reply.status == 503, reply["Retry-After"] != nil else {
            ledger.fault("a write was answered \(reply.status) \(reply.text)")
            return .doubtful
        }
        switch problem.code {
        case "OVERLOADED": return .refused
        case "STORE_UNAVAILABLE" where problem.detail.contains("nothing was changed"):
            return .refused
        default: return .doubtful
        }
    }

    /// A page that no other write has; some fit a database page, some take many.
    private func page(_ writer: Int, _ turn: Int) -> [UInt8] {
        let filler = String(repeating: "\(writer)", count: [10, 900, 5_000, 60_000][turn % 4])
        return Array(
            #"{"sections":[],"note":"round \#(round) turn \#(turn)","filler":"\#(filler)"}"#.utf8)
    }
}
