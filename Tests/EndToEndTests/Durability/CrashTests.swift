import Foundation
import Glibc
import Testing

/// How often the daemon is killed: `make soak` asks for more.
private let rounds =
    ProcessInfo.processInfo.environment["BROADSHEET_CRASH_ROUNDS"].flatMap { Int($0) } ?? 10

extension EndToEnd {
    @Suite struct Crashing {
        @Test("Killed amid 8 writers, the daemon comes back with every acknowledged write")
        func killedAmidWriters() throws {
            let folder = try ScratchFolder()
            let options = ["--store", "sqlite:" + folder.path("screens.db")]
            let seed = UInt64.random(in: 0 ... .max)
            var generator = SeededGenerator(seed: seed)
            let ledger = WriteLedger()
            var token: String?
            for round in 0..<rounds {
                let daemon = try Daemon(options)
                if token == nil {
                    try Storefront.store(0..<2, as: "token", in: daemon)
                    token = try daemon.request("GET", "/v1/screens/token/layout").tree()
                        .nextPageToken
                }
                try CrashWriters(ledger: ledger, round: round).run(
                    port: daemon.port, limit: Int.random(in: 1...150, using: &generator)
                ) { daemon.program.end() }
                let again = try Daemon(options)
                let comment: Comment = "round \(round), seed \(seed)"
                try check(again, against: ledger, comment)
                let layout = try again.request(
                    "GET", "/v1/screens/token/layout?pageToken=\(try #require(token))")
                #expect(layout.status == 200, comment)
                #expect(try layout.tree().page == 1, comment)
                #expect(try again.stop() == .status(0), comment)
            }
        }

        /// Every place holds what was acknowledged last, or what was under way, and nothing else is
        /// there; no screen has gone back.
        private func check(
            _ daemon: Daemon, against ledger: WriteLedger, _ comment: Comment
        ) throws {
            for place in ledger.places {
                let reply = try daemon.request("GET", place.path)
                let stored = reply.status == 200 ? reply.body : nil
                let isRight =
                    stored == ledger.acknowledged(place)
                    || (stored != nil && stored == ledger.underWay(place))
                #expect(isRight, "\(comment): \(place.path) is not as it was acknowledged")
                ledger.settle(place, as: stored)
            }
            for (screen, revision) in ledger.revisions {
                let state = try daemon.request("GET", "/v1/screens/\(screen)/pages")
                let tag = try #require(state["ETag"])
                #expect(try #require(Int(tag.filter(\.isNumber))) >= revision, comment)
            }
        }
    }
}
