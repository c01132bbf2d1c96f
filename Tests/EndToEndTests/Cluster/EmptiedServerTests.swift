import Foundation
import Testing

extension EndToEnd {
    /// A server that has lost its keys (docs/operations.md, "An emptied server").
    @Suite struct EmptiedServer {
        private let home = "/v1/screens/home"

        /// A client that has a tree, with what it uses to keep it up to date.
        private struct Client {
            let tree: Response
            let revision: Int
            let token: String

            var tag: String { tree["ETag"] ?? "" }
        }

        private func put(_ page: Int, _ note: String, at daemon: TestDaemon) throws -> Response {
            let body = """
                {"hasNext":true,"sections":[{"sectionId":"list","units":[
                {"unitType":"SS_PRODUCT_LIST","unitData":[{"id":"\(note)"}]}]}]}
                """
            return try daemon.request("PUT", "\(home)/pages/\(page)", body: Array(body.utf8))
        }

        private func client(of daemon: TestDaemon) throws -> Client {
            let response = try daemon.request("GET", "\(home)/layout")
            let tree = try response.tree()
            return Client(
                tree: response, revision: try #require(tree.revision),
                token: try #require(tree.nextPageToken))
        }

        private func layout(_ daemon: TestDaemon, ifNoneMatch tag: String) throws -> Response {
            try daemon.request("GET", "\(home)/layout", headers: [("If-None-Match", tag)])
        }

        /// Empties a server as an operator may.
        private func empty(
            _ server: RedisServer, _ folder: borrowing ScratchFolder, byRestart: Bool
        ) throws {
            guard byRestart else { return try server.send("FLUSHALL") }
            server.kill()
            try FileManager.default.removeItem(atPath: folder.path("appendonlydir"))
            try server.restart()
        }

        @Test("Screens are gone, and new ones are not taken for them", arguments: [false, true])
        func running(byRestart: Bool) throws {
            let folder = try ScratchFolder()
            let server = try RedisServer(folder: folder.path)
            let daemons = try (0..<2).map { _ in try TestDaemon(["--store", server.address]) }
            for page in 0..<3 { #expect(try put(page, "before", at: daemons[0]).status == 201) }
            let clients = try daemons.map(client)
            let stream = try daemons[1].connect()
            try stream.send(Request.bytes("GET", "\(home)/stream"))
            // A stream is open before its first event, which the store is asked for.
            try stream.waitFor("event: revision")
            try empty(server, folder, byRestart: byRestart)
            for daemon in daemons {
                let deadline = Deadline.within()
                while try daemon.request("GET", "\(home)/layout").status != 404 {
                    if deadline.hasPassed { throw HarnessError("the screen is still there") }
                }
                try daemon.wait(for: "broadsheet_store_up", toBe: 1)
            }
            let events = String(decoding: try stream.receiveToEnd(), as: UTF8.self)
            #expect(events.contains("event: removed"), "\(events)")
            let refused = try daemons[0].request(
                "PUT", "\(home)/pages/0", headers: [("If-Match", "\"r3\"")],
                body: Array(#"{"sections":[]}"#.utf8))
            #expect(refused.status == 412)
            for page in 0..<3 { #expect(try put(page, "after", at: daemons[0]).status == 201) }
            _ = try daemons[0].program.errors.line {
                $0.contains("the server has lost all screens")
            }
            for (daemon, client) in zip(daemons, clients) {
                let current = try layout(daemon, ifNoneMatch: client.tag)
                #expect(current.status == 200)
                #expect(try current.tree().revision ?? 0 > 1_700_000_000_000)
                let changes = try daemon.request(
                    "GET", "\(home)/changes?since=\(client.revision)&page=0")
                #expect(changes.status == 200 && changes.text.contains("after"))
                // Tokens of before lead to the same page of the new screen.
                let next = try daemon.request("GET", "\(home)/layout?pageToken=\(client.token)")
                #expect(next.status == 200 && next.text.contains("after"))
            }
        }

        @Test("If all daemons are restarted too, tokens and tags are invalid, and revisions repeat")
        func restarted() throws {
            let folder = try ScratchFolder()
            let server = try RedisServer(folder: folder.path)
            var daemon = try TestDaemon(["--store", server.address])
            for page in 0..<3 { _ = try put(page, "before", at: daemon) }
            let client = try client(of: daemon)
            #expect(try daemon.stop() == .status(0))
            try server.send("FLUSHALL")
            daemon = try TestDaemon(["--store", server.address])
            #expect(try daemon.request("GET", "\(home)/layout").status == 404)
            let first = try put(0, "after", at: daemon)
            #expect(first.status == 201 && first["ETag"] == "\"r1\"")
            for page in 1..<3 { _ = try put(page, "after", at: daemon) }
            #expect(try layout(daemon, ifNoneMatch: client.tag).status == 200)
            let next = try daemon.request("GET", "\(home)/layout?pageToken=\(client.token)")
            #expect(next.status == 400)
            #expect(try next.problem().code == "INVALID_PAGE_TOKEN")
            // Without the tag, a revision is all that the daemon knows of the client's tree.
            let tag = client.tag.filter { $0 != "\"" }
            for (since, isNew) in [
                ("\(client.revision)", false), ("\(client.revision).\(tag)", true),
            ] {
                let changes = try daemon.request("GET", "\(home)/changes?since=\(since)&page=0")
                #expect(changes.status == 200)
                #expect(changes.text.contains("after") == isNew, "\(since): \(changes.text)")
            }
        }
    }
}
