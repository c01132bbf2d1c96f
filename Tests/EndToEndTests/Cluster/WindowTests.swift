import Foundation
import TestSupport
import Testing

extension EndToEnd {
    /// Windows of screens that several daemons, or one after the other, serve (docs/api.md).
    @Suite struct Windows {
        private let home = "/v1/screens/home"
        private let query = "before=900&after=900"

        private struct Document: Decodable {
            struct Version: Decodable {
                let revision: Int
                let tag: String
            }
            struct Whole: Decodable {
                struct Window: Decodable { let item: String? }
                let window: Window
            }
            let to: Version
            let reset: Bool
            let tree: Whole
        }

        private func post(_ page: Int, at daemon: TestDaemon) throws {
            let items = (page * 10..<page * 10 + 10).map { #"{"id":"m\#($0)","title":"A text"}"# }
            let body = #"""
                {"sections":[{"sectionId":"Chat","layout":{"gridColumnCount":1},"units":
                [{"unitType":"SS_PRODUCT_LIST","unitData":[\#(items.joined(separator: ","))]}]}]}
                """#
            let response = try daemon.request(
                "PUT", "\(home)/pages/\(page)", body: Array(body.utf8))
            try #require(response.status < 300)
        }

        private func delete(_ item: String, at daemon: TestDaemon) throws {
            let body =
                #"{"operations":[{"op":"deleteItems","section":"Chat","items":["\#(item)"]}]}"#
            let response = try daemon.request("POST", "\(home)/updates", body: Array(body.utf8))
            try #require(response.status == 200)
        }

        /// Opens a window, and returns its version as `12.TAG`.
        private func open(_ item: String, at daemon: TestDaemon) throws -> String {
            let response = try daemon.request("GET", "\(home)/layout?item=\(item)&\(query)")
            try #require(response.status == 200)
            let tag = try #require(response["ETag"]).filter { $0 != "\"" }
            return "\(try #require(response.text.firstMatch(of: /"revision":([0-9]+)/)).1).\(tag)"
        }

        private func changes(
            since version: String, _ more: String = "", at daemon: TestDaemon
        ) throws -> Document {
            let response = try daemon.request("GET", "\(home)/changes?since=\(version)\(more)")
            try #require(response.status == 200, "\(response.text)")
            return try response.decode()
        }

        /// Checks that a document leads to the window that another daemon has.
        private func check(
            _ document: Document, leadsTo item: String, at daemon: TestDaemon
        ) throws {
            #expect(document.tree.window.item == item)
            #expect(
                try open(item, at: daemon) == "\(document.to.revision).\(document.to.tag)")
        }

        @Test("Two daemons on one Redis server follow one window, also by streams")
        func redis() throws {
            let folder = try ScratchFolder()
            let redis = try RedisServer(folder: folder.path)
            try follow(redis.address)
        }

        @Test("Two daemons on one PostgreSQL server follow one window, also by streams")
        func postgres() throws {
            let postgres = try PostgresServer(["fsync=off"])
            try follow(postgres.url())
        }

        /// Follows windows at two daemons with one store, by changes and by streams.
        private func follow(_ store: String) throws {
            let daemons = try (0..<2).map { _ in try TestDaemon(["--store", store]) }
            for page in 0..<5 { try post(page, at: daemons[page % 2]) }
            let version = try open("m25", at: daemons[0])
            let first = try changes(since: version, at: daemons[1])
            #expect(!first.reset)
            try check(first, leadsTo: "m25", at: daemons[1])
            let connections = try daemons.map { daemon in
                let connection = try daemon.connect()
                try connection.send(
                    Request.bytes(
                        "GET", "\(home)/changes?since=\(version)", headers: [("Prefer", "wait=60")])
                )
                try daemon.wait(for: "broadsheet_changes_waiting", toBe: 1)
                return connection
            }
            let streams = try daemons.map { daemon in
                let connection = try daemon.connect()
                try connection.send(
                    Request.bytes("GET", "\(home)/stream?changes=true&item=m25&\(query)"))
                try connection.waitFor("event: tree")
                return connection
            }
            try delete("m25", at: daemons[1])
            for connection in connections {
                let document: Document = try connection.receive().decode()
                #expect(!document.reset)
                try check(document, leadsTo: "m26", at: daemons[0])
            }
            for connection in streams { try connection.waitFor("event: changes") }
            try #require(
                try daemons[0].request("DELETE", home).status == 204)
            for connection in streams {
                let text = String(decoding: try connection.receiveToEnd(), as: UTF8.self)
                #expect(text.contains("event: tree") && text.contains(#""item":"m25""#))
                #expect(text.contains(#""item":"m26""#))
                #expect(text.contains("event: removed"))
            }
        }

        @Test(
            "A restarted daemon knows the window of a tag, also of an earlier revision")
        func restart() throws {
            let folder = try ScratchFolder()
            let store = ["--store", "sqlite:\(folder.path)/screens.db"]
            var daemon = try TestDaemon(store)
            for page in 0..<5 { try post(page, at: daemon) }
            let (kept, lost) = (try open("m25", at: daemon), try open("m40", at: daemon))
            #expect(try daemon.stop() == .status(0))
            daemon = try TestDaemon(store)
            let same = try changes(since: kept, at: daemon)
            #expect(!same.reset)
            try check(same, leadsTo: "m25", at: daemon)
            #expect(try daemon.stop() == .status(0))
            daemon = try TestDaemon(store)
            try delete("m40", at: daemon)
            #expect(try daemon.stop() == .status(0))
            daemon = try TestDaemon(store)
            for (version, item) in [(kept, "m25"), (lost, "m41")] {
                let later = try changes(since: version, at: daemon)
                #expect(!later.reset)
                try check(later, leadsTo: item, at: daemon)
            }
        }
    }
}
