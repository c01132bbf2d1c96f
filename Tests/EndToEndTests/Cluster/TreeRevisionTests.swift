import Foundation
import Testing

extension EndToEnd {
    /// The revisions and tags of trees (docs/api.md, "Revisions").
    @Suite struct TreeRevisions {
        private let home = "/v1/screens/home"

        /// A tree as a client receives it.
        private struct Received: Equatable {
            let revision: Int?
            let tag: String?
            let body: [UInt8]
        }

        /// Returns the trees up to each page, by the tokens of the trees before them.
        private func trees(of daemon: TestDaemon) throws -> [Received] {
            var found: [Received] = []
            var query = ""
            while found.count < 100 {
                let response = try daemon.request("GET", "\(home)/layout\(query)")
                let tree = try response.tree()
                found.append(
                    Received(revision: tree.revision, tag: response["ETag"], body: response.body))
                guard tree.pageCount > 0, let token = tree.nextPageToken else { break }
                let next = try daemon.request("GET", "\(home)/layout?pageToken=\(token)")
                guard next.status == 200 else { break }
                query = "?pageToken=\(token)"
            }
            return found
        }

        private func put(_ page: Int, _ note: String, at daemon: TestDaemon) throws {
            let body = #"{"hasNext":\#(page < 2),"sections":[],"note":"\#(note)"}"#
            let response = try daemon.request(
                "PUT", "\(home)/pages/\(page)", body: Array(body.utf8))
            #expect(response.status < 300)
        }

        @Test("Three daemons agree on the revision of each tree, and so do they after a restart")
        func daemonsAgree() throws {
            let folder = try ScratchFolder()
            let redis = try RedisServer(folder: folder.path)
            var daemons = try (0..<3).map { _ in try TestDaemon(["--store", redis.address]) }
            for page in [0, 1, 2, 3, 4] { try put(page, "a", at: daemons[page % 3]) }
            let first = try trees(of: daemons[0])
            // Page 2 declares no next page, so that page 3 changed its tree.
            #expect(first.map(\.revision) == [1, 2, 4, 5, 5])
            try put(3, "b", at: daemons[1])
            try daemons[2].request("DELETE", "\(home)/pages/1")
            try put(4, "c", at: daemons[0])
            daemons.append(try TestDaemon(["--store", redis.address]))
            let expected = try trees(of: daemons[0])
            #expect(expected.map(\.revision) == [1, 7, 7, 8])
            #expect(
                expected.first == first.first, "writes to other pages leave the first one alone")
            for daemon in daemons { #expect(try trees(of: daemon) == expected) }
            let tag = try #require(expected.first?.tag)
            for daemon in daemons {
                let refreshed = try daemon.request(
                    "GET", "\(home)/layout", headers: [("If-None-Match", tag)])
                #expect(refreshed.status == 304)
                #expect(refreshed["Cache-Control"] == "no-cache")
            }
        }

        @Test("Daemons agree that a removal behind a page with hasNext changes all pages")
        func allPages() throws {
            let folder = try ScratchFolder()
            let redis = try RedisServer(folder: folder.path)
            var daemons = try (0..<2).map { _ in try TestDaemon(["--store", redis.address]) }
            for page in [0, 1, 0] { try put(page, "a", at: daemons[page]) }
            try daemons[1].request("DELETE", "\(home)/pages/1")
            daemons.append(try TestDaemon(["--store", redis.address]))
            for (index, daemon) in daemons.enumerated() {
                for (query, revision) in [("", 3), ("?pages=all", 4)] {
                    let response = try daemon.request("GET", "\(home)/layout\(query)")
                    #expect(try response.tree().revision == revision, "daemon \(index)")
                }
                let same = try daemon.request("GET", "\(home)/changes?pages=all&since=4")
                #expect(String(decoding: same.body, as: UTF8.self).contains(#""reset":false"#))
            }
            // The last daemon has observed the current tree only.
            let old = try daemons[2].request("GET", "\(home)/changes?pages=all&since=3")
            #expect(String(decoding: old.body, as: UTF8.self).contains(#""reset":true"#))
        }

        @Test("Trees keep their revisions, tags and bytes across restarts and kills on SQLite")
        func restarts() throws {
            let folder = try ScratchFolder()
            let options = ["--store", "sqlite:\(folder.path)/screens.db"]
            var daemon = try TestDaemon(options)
            for page in 0..<5 { try put(page, "a", at: daemon) }
            try put(4, "b", at: daemon)
            try daemon.request("DELETE", "\(home)/pages/1")
            let expected = try trees(of: daemon)
            #expect(expected.map(\.revision) == [1, 7, 7, 7])
            for kill in [false, true] {
                if kill { daemon.program.end() } else { _ = try daemon.stop() }
                daemon = try TestDaemon(options)
                #expect(try trees(of: daemon) == expected)
            }
            try put(4, "c", at: daemon)
            #expect(try trees(of: daemon).map(\.revision) == [1, 7, 7, 8])
        }
    }
}
