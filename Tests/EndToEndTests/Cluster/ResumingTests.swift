import Foundation
import Testing

extension EndToEnd {
    /// Earlier revisions in the store (docs/api.md, "History").
    @Suite struct Resuming {
        private let home = "/v1/screens/home"

        /// The parts of changes that the tests read.
        private struct Changes: Decodable {
            struct Version: Decodable {
                let revision: Int
                let tag: String?
            }
            let to: Version
            let reset: Bool
        }

        /// Returns a page of products, of which one has another title with each number.
        private func page(_ number: Int) -> [UInt8] {
            let filler = String(repeating: "text ", count: 20)
            let items = (0..<20).map { index in
                let title = index == number % 20 ? "\(number)" : "a"
                return #"{"id":"P\#(index)","title":"\#(title)","note":"\#(filler)"}"#
            }
            return Array(
                """
                {"sections":[{"sectionId":"S","units":[{"unitType":"SS_PRODUCT_LIST",
                "unitData":[\(items.joined(separator: ","))]}]}]}
                """.utf8)
        }

        private func write(_ number: Int, at daemon: TestDaemon) throws {
            let response = try daemon.request(
                "PUT", "\(home)/pages/0", headers: [("Prefer", "return=minimal")],
                body: page(number))
            #expect(response.status < 300)
        }

        /// Follows a screen by changes over restarts of the daemons, and returns the number of
        /// resets.
        private func follow(_ store: String, daemons count: Int) throws -> Int {
            func start() throws -> TestDaemon { try TestDaemon(["--store", store]) }
            var daemons = try (0..<count).map { _ in try start() }
            try write(0, at: daemons[0])
            let tree = try daemons[0].request("GET", "\(home)/layout")
            var since = "1.\(tree["ETag"]?.filter { $0 != "\"" } ?? "")"
            var resets = 0
            for round in 1...20 {
                for step in 0..<3 { try write(3 * round + step, at: daemons[step % count]) }
                let restarted = round % count
                #expect(try daemons[restarted].stop() == .status(0))
                daemons[restarted] = try start()
                let changes: Changes = try daemons[restarted].request(
                    "GET", "\(home)/changes?since=\(since)"
                ).decode()
                resets += changes.reset ? 1 : 0
                since = "\(changes.to.revision).\(changes.to.tag ?? "")"
            }
            return resets
        }

        @Test("Over 20 restarts of two daemons on one Redis server, under writes, none is a reset")
        func redis() throws {
            let folder = try ScratchFolder()
            let redis = try RedisServer(folder: folder.path)
            #expect(try follow(redis.address, daemons: 2) == 0)
        }

        @Test("Over 20 restarts of a daemon with a SQLite file, under writes, none is a reset")
        func sqlite() throws {
            let folder = try ScratchFolder()
            #expect(try follow("sqlite:" + folder.path("screens.db"), daemons: 1) == 0)
        }

        @Test("With --keep-revisions 0 a restart is a reset, and only the current one is known")
        func none() throws {
            let folder = try ScratchFolder()
            let options = [
                "--store", "sqlite:" + folder.path("screens.db"), "--keep-revisions", "0",
            ]
            let daemon = try TestDaemon(options)
            for number in 0..<3 { try write(number, at: daemon) }
            #expect(try daemon.stop() == .status(0))
            let again = try TestDaemon(options)
            let changes: Changes = try again.request(
                "GET", "\(home)/changes?since=1"
            ).decode()
            #expect(changes.reset)
            #expect(try again.request("GET", "\(home)/pages/0?revision=2").status == 404)
            #expect(try again.request("GET", "\(home)/pages/0?revision=3").status == 200)
        }

        @Test("A revision is the same at every daemon, and is taken back at any")
        func shared() throws {
            let folder = try ScratchFolder()
            let redis = try RedisServer(folder: folder.path)
            let daemons = try (0..<2).map { _ in try TestDaemon(["--store", redis.address]) }
            for number in 0..<4 { try write(number, at: daemons[number % 2]) }
            for revision in 1...4 {
                for daemon in daemons {
                    let found = try daemon.request(
                        "GET", "\(home)/pages/0?revision=\(revision)")
                    #expect(found.body == page(revision - 1))
                }
            }
            let reverted = try daemons[1].request(
                "POST", "\(home)/revert", headers: [("If-Match", "\"r4\"")],
                body: Array(#"{"revision":2}"#.utf8))
            #expect(reverted.status == 200)
            #expect(try daemons[0].request("GET", "\(home)/pages/0").body == page(1))
            #expect(try daemons[0].request("DELETE", "\(home)/revisions").status == 204)
            for daemon in daemons {
                let gone = try daemon.request("GET", "\(home)/pages/0?revision=2")
                #expect(try gone.problem().code == "REVISION_NOT_FOUND")
            }
        }
    }
}
