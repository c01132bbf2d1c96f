import Foundation
import Glibc

/// Writers that write as fast as they are answered until the daemon is gone.
struct CrashWriters {
    /// How many there are; two share each screen.
    static let count = 8
    /// How many pages each writes, over and over.
    static let pagesEach = 5

    let ledger: WriteLedger
    /// Tells the rounds of one test apart in what is written.
    let round: Int

    /// Writes to the daemon at `port` until `limit` writes were acknowledged; calls `kill` then, and
    /// returns when every writer has noticed.
    func run(port: UInt16, limit: Int, kill: () -> Void) throws {
        let enough = DispatchSemaphore(value: 0)
        let over = DispatchGroup()
        for writer in 0..<Self.count {
            over.enter()
            Thread.detachNewThread { [self] in
                defer { over.leave() }
                // The write that meets the daemon's end throws, and so do all that come later.
                try? write(as: writer, port: port) { if $0 >= limit { enough.signal() } }
            }
        }
        let inTime = enough.wait(timeout: .now() + 60) == .success
        kill()
        guard over.wait(timeout: .now() + 60) == .success else {
            throw HarnessError("a writer did not notice that the daemon is gone")
        }
        guard inTime else { throw HarnessError("\(limit) writes were not acknowledged in time") }
    }

    private func write(as writer: Int, port: UInt16, noting: (Int) -> Void) throws {
        let connection = try Connection(port: port)
        var turn = 0
        while true {
            let place = WriteLedger.Place(
                screen: "screen-\(writer / 2)",
                page: writer * Self.pagesEach + turn % Self.pagesEach)
            let bytes = page(writer, turn)
            ledger.begin(bytes, at: place)
            try connection.send(
                Request.bytes(
                    "PUT", place.path, headers: [("Prefer", "return=minimal")], body: bytes))
            let reply = try connection.receive(answering: "PUT")
            guard reply.status == 200 || reply.status == 201, let tag = reply["ETag"],
                let revision = Int(tag.filter(\.isNumber))
            else { throw HarnessError("\(reply.status) \(reply.text)") }
            noting(ledger.acknowledge(place, revision: revision))
            turn += 1
        }
    }

    /// A page that no other write has; some fit a database page, some take many.
    private func page(_ writer: Int, _ turn: Int) -> [UInt8] {
        let filler = String(repeating: "\(writer)", count: [10, 900, 5_000, 60_000][turn % 4])
        return Array(
            #"{"sections":[],"note":"round \#(round) turn \#(turn)","filler":"\#(filler)"}"#.utf8)
    }
}
