import Foundation
import Glibc
import Testing

/// The results of Tests/Clients/stream_clients.py.
private struct StreamResults: Decodable {
    /// The number of open streams of each daemon.
    let streams: [Int]
    /// The number of events by their types.
    let events: [String: Int]
    /// The last event of each client.
    let removed: [String]
    /// The bytes of each stream after its last event.
    let ends: [String]
}

extension EndToEnd {
    /// Streams (docs/api.md, "Streams").
    @Suite struct Streams {
        private let stream = "/v1/screens/home/stream"

        @Test("Three daemons on one Redis server behind nginx stream each other's writes")
        func cluster() throws {
            let folder = try ScratchFolder()
            let redis = try RedisServer(folder: folder.path)
            let daemons = try (0..<3).map { _ in
                try TestDaemon([
                    "--store", redis.address, "--allowed-hosts", ProxyServer.hosts,
                ])
            }
            let proxy = try ProxyServer(folder: folder.path, before: daemons)
            let outcome = try Shell.run(
                [
                    "python3", Repository.path("Tests/Clients/stream_clients.py"),
                    ProxyServer.name, "\(proxy.port)",
                ] + daemons.map { "\($0.port)" }, within: .seconds(300))
            try #require(outcome.status == 0, "\(outcome.errors)")
            let results = try JSONDecoder().decode(
                StreamResults.self, from: Data(outcome.output.utf8))
            #expect(!results.streams.contains(0), "\(results.streams)")
            #expect(results.events["changes", default: 0] > 20, "\(results.events)")
            #expect(Set(results.removed) == ["removed"] && Set(results.ends) == [""])
        }

        @Test("SIGTERM ends thousands of streams in good order within the drain")
        func drain() throws {
            let count = min(3000, try OpenFileLimit.raise() - 200)
            let daemon = try TestDaemon(["--store", "memory", "--drain", "240"])
            try Storefront.store(0..<1, as: "home", in: daemon)
            var connections: [ClientConnection] = []
            for number in 0..<count {
                let connection = try daemon.connect()
                let query = number.isMultiple(of: 2) ? "?changes=true" : ""
                try connection.send(Request.bytes("GET", stream + query))
                connections.append(connection)
            }
            try daemon.wait(for: "broadsheet_streams_open", toBe: count)
            try Storefront.store(0..<1, as: "home", in: daemon)
            daemon.program.send(SIGTERM)
            var complete = 0
            while let connection = connections.popLast() {
                let bytes = try connection.receiveToEnd()
                let isWhole = bytes.starts(with: Array("HTTP/1.1 200".utf8))
                complete += isWhole && bytes.suffix(5) == Array("0\r\n\r\n".utf8)[...] ? 1 : 0
            }
            #expect(complete == count)
            #expect(try daemon.program.wait() == .status(0))
        }

        @Test("With curl -N events are printed as they come")
        func curl() throws {
            let daemon = try TestDaemon(["--store", "memory"])
            try Storefront.store(0..<1, as: "home", in: daemon)
            let curl = try Program([
                "curl", "-sSN", "http://\(daemon.address)\(stream)?changes=true&fields=frames",
            ])
            defer { curl.end() }
            _ = try curl.output.line { $0.hasPrefix("data: ") }
            try daemon.wait(for: "broadsheet_streams_open", toBe: 1)
            let text = curl.output.text
            let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
            try #require(lines.count > 4, "\(text)")
            #expect(lines[0].hasPrefix("retry: ") && lines[1].isEmpty)
            #expect(lines[2] == "event: tree" && lines[3].hasPrefix("id: 1."))
            #expect(lines[4].hasPrefix("data: {\"screen\":\"home\""))
            curl.end()
            try daemon.wait(for: "broadsheet_streams_open", toBe: 0)
        }

        @Test("Beyond --max-streams a stream is 503; the log has a line at the end of each")
        func limit() throws {
            let daemon = try TestDaemon(["--store", "memory", "--max-streams", "2"])
            try Storefront.store(0..<1, as: "home", in: daemon)
            var streams = try (0..<2).map { _ in
                let connection = try daemon.connect()
                try connection.send(Request.bytes("GET", stream))
                return connection
            }
            try daemon.wait(for: "broadsheet_streams_open", toBe: 2)
            let refused = try daemon.request("GET", stream)
            #expect(refused.status == 503 && refused["Retry-After"] == "1")
            #expect(try refused.problem().code == "OVERLOADED")
            streams.removeAll()
            try daemon.wait(for: "broadsheet_streams_open", toBe: 0)
            let line = try daemon.program.errors.line {
                $0.contains(#""path":"/v1/screens/home/stream","status":200"#)
            }
            #expect(line.contains(#""bytes":"#))
        }

        @Test("A daemon warns at its start if streams may take all connections")
        func warning() throws {
            let daemon = try TestDaemon([
                "--store", "memory", "--max-connections", "10", "--max-streams", "10",
            ])
            let line = try daemon.program.errors.line { $0.contains("streams may take") }
            #expect(line.contains("--max-streams is 10, and the process may have 10 connections"))
        }
    }
}
