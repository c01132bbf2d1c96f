import Foundation
import Glibc
import Synchronization

/// Clients that send a write after each response, until they are stopped or their daemon ends.
final class Writers: Sendable {
    /// The number of writers, of which two share a screen.
    static let count = 8

    private let ledger: WriteLedger
    private let ports: [UInt16]
    private let round: Int
    private let pagesEach: Int
    private let isStopped = Atomic(false)
    private let over = DispatchGroup()

    /// Starts the writers.
    ///
    /// - Parameters:
    ///   - ledger: The ledger to record the writes in.
    ///   - ports: The ports of the daemons, to which the writers are distributed.
    ///   - round: A number in the pages, which makes them differ from those of other writers.
    ///   - pagesEach: The number of pages that each writer writes in a cycle.
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

    /// Waits until each writer has its last response, or its daemon has ended.
    func stop() throws {
        isStopped.store(true, ordering: .relaxed)
        guard over.wait(timeout: .now() + 60) == .success else {
            throw HarnessError("a writer did not end in time")
        }
    }

    private func write(as writer: Int) {
        guard let connection = try? ClientConnection(port: ports[writer % ports.count]) else {
            return
        }
        var turn = 0
        while !isStopped.load(ordering: .relaxed) {
            let location = WriteLedger.Location(
                screen: "screen-\(writer / 2)", page: writer * pagesEach + turn % pagesEach)
            ledger.begin(page(writer, turn), at: location)
            do {
                let outcome = try put(page(writer, turn), at: location, on: connection)
                ledger.record(outcome, at: location)
                if case .acknowledged = outcome { turn += 1 }
            } catch {
                return ledger.record(.unknown, at: location)
            }
        }
    }

    private func put(
        _ bytes: [UInt8], at location: WriteLedger.Location, on connection: ClientConnection
    ) throws -> WriteLedger.Outcome {
        try connection.send(
            Request.bytes(
                "PUT", location.path, headers: [("Prefer", "return=minimal")], body: bytes))
        let response = try connection.receive(responseTo: "PUT")
        if response.status == 200 || response.status == 201, let revision = response.revision {
            return .acknowledged(revision)
        }
        let problem = try response.problem()
        guard response.status == 503, response["Retry-After"] != nil else {
            ledger.recordViolation("the response to a write: \(response.status) \(response.text)")
            return .unknown
        }
        switch problem.code {
        case "OVERLOADED": return .refused
        case "STORE_UNAVAILABLE" where problem.detail.contains("nothing was changed"):
            return .refused
        default: return .unknown
        }
    }

    /// Returns a page that differs from all others.
    ///
    /// Some fit into a page of the database, others take many.
    private func page(_ writer: Int, _ turn: Int) -> [UInt8] {
        let filler = String(repeating: "\(writer)", count: [10, 900, 5_000, 60_000][turn % 4])
        return Array(
            #"{"sections":[],"note":"round \#(round) turn \#(turn)","filler":"\#(filler)"}"#.utf8)
    }
}
