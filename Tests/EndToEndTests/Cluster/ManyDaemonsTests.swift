import Foundation
import Glibc
import Testing

extension EndToEnd {
    @Suite struct ManyDaemons {
        private static let writers = 8
        private static let writesEach = 250
        private static let screens = 20

        @Test("Three daemons behind nginx lose no update, one of them killed amid 2,000 writes")
        func interleavedWrites() throws {
            let folder = try ScratchFolder()
            let redis = try RedisServer(folder: folder.path)
            let daemons = try (0..<3).map { _ in try Daemon(["--store", redis.address]) }
            let proxy = try ProxyServer(folder: folder.path, before: daemons)
            let ledger = ClusterLedger()
            let over = DispatchGroup()
            let half = DispatchSemaphore(value: 0)
            let port = proxy.port
            for writer in 0..<Self.writers {
                over.enter()
                Thread.detachNewThread {
                    Self.write(as: writer, port: port, ledger) { half.signal() }
                    over.leave()
                }
            }
            #expect(half.wait(timeout: .now() + 60) == .success)
            daemons[1].program.end()
            #expect(over.wait(timeout: .now() + 120) == .success)

            // Only what was in flight at the killed daemon may be in doubt.
            #expect(ledger.doubts <= Self.writers)
            #expect(ledger.count + ledger.doubts == Self.writers * Self.writesEach)
            #expect(ledger.stale.isEmpty)
            for screen in 0..<Self.screens {
                try check("screen-\(screen)", at: daemons[0], against: ledger)
            }
        }

        /// Posts pages to screens in turn, reading now and then; `half` is called once half of all
        /// writes have been acknowledged.
        private static func write(
            as writer: Int, port: UInt16, _ ledger: ClusterLedger, half: () -> Void
        ) {
            var connection: Connection?
            for turn in 0..<writesEach {
                let screen = "screen-\((writer * 7 + turn * 3) % screens)"
                let note = "\(writer)-\(turn)"
                let deadline = Deadline.within()
                repeat {
                    let fate = post(note, to: screen, port: port, on: &connection)
                    if case .acknowledged(let revision) = fate {
                        ledger.acknowledge(note, in: screen, revision: revision)
                        break
                    }
                    if case .doubtful = fate {
                        ledger.doubt(note, in: screen)
                        break
                    }
                } while !deadline.hasPassed
                if ledger.count >= writers * writesEach / 2 { half() }
                if turn % 5 == 0 { read(screen, port: port, ledger, on: &connection) }
            }
        }

        private enum Fate {
            case acknowledged(Int)
            case refused
            case doubtful
        }

        private static func post(
            _ note: String, to screen: String, port: UInt16, on connection: inout Connection?
        ) -> Fate {
            do {
                let used = try connection ?? Connection(port: port)
                connection = used
                let body = Array(#"{"sections":[],"note":"\#(note)"}"#.utf8)
                try used.send(
                    Request.bytes(
                        "POST", "/v1/screens/\(screen)/pages",
                        headers: [("Prefer", "return=minimal")], body: body))
                let reply = try used.receive(answering: "POST")
                if reply.status == 201, let revision = reply.revision {
                    return .acknowledged(revision)
                }
                // Redis is there all the time: a 503 is a daemon's word that nothing was changed.
                return reply.status == 503 ? .refused : .doubtful
            } catch {
                connection = nil
                return .doubtful
            }
        }

        private static func read(
            _ screen: String, port: UInt16, _ ledger: ClusterLedger,
            on connection: inout Connection?
        ) {
            let moment = ContinuousClock.now
            do {
                let used = try connection ?? Connection(port: port)
                connection = used
                try used.send(Request.bytes("GET", "/v1/screens/\(screen)/pages"))
                let reply = try used.receive()
                if let revision = reply.revision {
                    ledger.read(screen, at: moment, revision: revision)
                }
            } catch {
                connection = nil
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
            struct Posted: Decodable { let note: String }
            let state: State = try daemon.request("GET", "/v1/screens/\(screen)/pages").decode()
            let notes = try state.pages.map { page in
                let path = "/v1/screens/\(screen)/pages/\(page.page)"
                return try daemon.request("GET", path).decode(Posted.self).note
            }
            let (sure, doubtful) = ledger.notes(of: screen)
            #expect(Set(notes).count == notes.count, "\(screen): a write was done twice")
            #expect(sure.isSubset(of: notes), "\(screen): an update was lost")
            #expect(Set(notes).isSubset(of: sure.union(doubtful)))
            #expect(state.revision == notes.count, "\(screen): every write is one revision")
        }
    }
}
