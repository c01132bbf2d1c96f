import Foundation
import Glibc
import Synchronization

/// Clients that send a write after each response, until they are stopped or their daemon ends.
final class Writers: Sendable {
    /// The number of writers, of which two share a screen, or each has one.
    static let count = 8
    /// The number of writers of pages; the others write whole screens.
    private static let pageWriters = 6

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
    ///   - pagesEach: The number of pages that each writer of pages writes in a cycle.
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
            let isPage = writer < Self.pageWriters
            let location = WriteLedger.Location(
                screen: isPage ? "screen-\(writer / 2)" : "whole-\(writer)",
                page: isPage ? writer * pagesEach + turn % pagesEach : nil)
            let bytes = isPage ? page(writer, turn) : screen(writer, turn)
            ledger.begin(bytes, at: location)
            do {
                let outcome = try put(bytes, at: location, on: connection)
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

    /// Returns a screen that differs from all others.
    ///
    /// From one to the next some pages change, one stays, one is added and one is removed.
    private func screen(_ writer: Int, _ turn: Int) -> [UInt8] {
        var pages = (0..<3).map { number in (number, page(writer, turn + number)) }
        for added in [turn, turn + 1] {
            pages.append((10 + added, Array(#"{"sections":[],"added":\#(added)}"#.utf8)))
        }
        let texts = pages.map { number, bytes in
            #"{"page":\#(number),"# + String(decoding: bytes.dropFirst(), as: UTF8.self)
        }
        return Array(#"{"pages":[\#(texts.joined(separator: ","))]}"#.utf8)
    }

    /// Returns a page that differs from all others.
    ///
    /// Some fit into a page of the database, others take many.
    private func page(_ writer: Int, _ turn: Int) -> [UInt8] {
        let note = "round \(round) turn \(turn) of \(writer)"
        let start = #"{"sections":[],"note":"\#(note)","filler":""#
        let length = [10, 900, 5_000, 60_000][turn % 4]
        return Array(start.utf8) + [UInt8](repeating: UInt8(ascii: "a"), count: length)
            + Array(#""}"#.utf8)
    }
}
