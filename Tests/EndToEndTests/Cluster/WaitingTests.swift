import Foundation
import Testing

extension EndToEnd {
    /// Requests that wait for changes (docs/api.md, "Changes").
    @Suite struct WaitingForChanges {
        private let changes = "/v1/screens/home/changes?since=1"

        private func put(_ ids: Range<Int>, at daemon: TestDaemon) throws {
            let items = ids.map { #"{"id":"\#($0)","title":"A product of the storefront"}"# }
            let body = #"""
                {"sections":[{"sectionId":"S","units":
                [{"unitType":"SS_PRODUCT_LIST","unitData":[\#(items.joined(separator: ","))]}]}]}
                """#
            let response = try daemon.request(
                "PUT", "/v1/screens/home/pages/0", body: Array(body.utf8))
            #expect(response.status < 300)
        }

        /// Returns when that many requests wait.
        private func wait(for count: Int, at daemon: TestDaemon) throws {
            try daemon.wait(for: "broadsheet_changes_waiting", toBe: count)
        }

        @Test("A write at any daemon of a server continues the requests that wait at all of them")
        func cluster() throws {
            let folder = try ScratchFolder()
            let redis = try RedisServer(folder: folder.path)
            let daemons = try (0..<2).map { _ in try TestDaemon(["--store", redis.address]) }
            try put(0..<20, at: daemons[0])
            let connections = try daemons.map { daemon in
                let connection = try daemon.connect()
                try connection.send(
                    Request.bytes("GET", changes, headers: [("Prefer", "wait=60")]))
                return connection
            }
            for daemon in daemons { try wait(for: 1, at: daemon) }
            try put(0..<21, at: daemons[1])
            for connection in connections {
                let response = try connection.receive()
                #expect(response.status == 200)
                #expect(response["Preference-Applied"] == "wait=60")
                #expect(response.text.contains("insertItems"))
            }
        }

        @Test("A request whose client has gone waits no longer, and SIGTERM ends all others")
        func ended() throws {
            let daemon = try TestDaemon(["--store", "memory"])
            try put(0..<3, at: daemon)
            let request = Request.bytes("GET", changes, headers: [("Prefer", "wait=60")])
            var leaving: ClientConnection? = try daemon.connect()
            try leaving?.send(request)
            let staying = try daemon.connect()
            try staying.send(request)
            try wait(for: 2, at: daemon)
            leaving = nil
            try wait(for: 1, at: daemon)
            daemon.program.send(SIGTERM)
            #expect(try staying.receive().status == 204)
            #expect(try daemon.program.wait(until: .within()) == .status(0))
        }
    }
}
