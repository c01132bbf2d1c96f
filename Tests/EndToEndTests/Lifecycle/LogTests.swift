import Foundation
import Testing

/// A line of the daemon's log (docs/cli.md).
private struct LogLine: Decodable {
    let time: String
    let level: String
    let message: String
    let requestId: String?
    let method: String?
    let path: String?
    let status: Int?
    let bytes: Int?
    let microseconds: Int?
}

extension EndToEnd {
    @Suite struct Logs {
        @Test("Each request is logged as a JSON line on standard error, not on standard output")
        func jsonLines() throws {
            let daemon = try TestDaemon()
            let response = try daemon.request(
                "GET", "/v1/screens/none/layout?width=1", headers: [("X-Request-Id", "tour-1")])
            #expect(response["X-Request-Id"] == "tour-1")
            let text = try daemon.program.errors.line { $0.contains("\"method\"") }
            let line = try JSONDecoder().decode(LogLine.self, from: Data(text.utf8))
            #expect(line.method == "GET" && line.path == "/v1/screens/none/layout")
            #expect(line.status == 404 && line.requestId == "tour-1")
            #expect(line.bytes ?? 0 >= response.body.count)
            #expect(line.microseconds ?? -1 >= 0)
            #expect(try daemon.stop() == .status(0))
            for line in try daemon.program.errors.all().split(separator: "\n") {
                #expect(
                    (try? JSONDecoder().decode(LogLine.self, from: Data(line.utf8))) != nil,
                    "\(line)")
            }
            #expect(try daemon.program.output.all().split(separator: "\n").count == 1)
        }

        @Test("A line says what a daemon serves, and to whom, without secrets")
        func start() throws {
            let daemon = try TestDaemon(["--memory", "256MiB"])
            let line = try daemon.program.errors.line { $0.contains("started") }
            #expect(line.contains(", http://127.0.0.1:"), "\(line)")
            let facts =
                ", store memory, catalogs default, keys none: loopback only, "
                + "memory 268435456 bytes"
            #expect(line.contains(facts), "\(line)")
        }

        @Test("A client cannot forge log lines")
        func forgedLines() throws {
            let daemon = try TestDaemon(["--log", "text"])
            let path = "/v1/screens/%0Aforged%20line%1B/layout"
            #expect(try daemon.request("GET", path).status == 400)
            _ = try daemon.program.errors.line { $0.contains("forged") }
            #expect(try daemon.stop() == .status(0))
            let text = try daemon.program.errors.all()
            #expect(!text.contains("\nforged") && !text.contains("\u{1B}"))
        }

        @Test("A log whose reader has ended does not stop the daemon")
        func brokenLog() throws {
            let outcome = try Shell.run([
                "/bin/bash", "-c",
                """
                exec 3< <("$0" serve --port 0 2> >(exec true))
                read -r line <&3
                for _ in 1 2 3 4 5; do curl -sS --max-time 50 "${line#listening on }/livez"; done
                kill "$!"
                """, Repository.binary,
            ])
            #expect(outcome.output.replacing("\n", with: "") == "okokokokok", "\(outcome.errors)")
        }

        @Test("Lines have the client's address, which a trusted proxy names; others name nothing")
        func addresses() throws {
            let forwarded = ("X-Forwarded-For", "198.51.100.1, 203.0.113.9")
            for (proxies, address) in [("127.0.0.1", "203.0.113.9"), ("192.0.2.1", "127.0.0.1")] {
                let daemon = try TestDaemon(["--trusted-proxies", proxies])
                try Storefront.store(0..<1, as: "home", in: daemon)
                let connection = try daemon.connect()
                // The second response is a repetition of the first.
                for path in ["home/layout", "home/layout", "none/layout"] {
                    let target = "/v1/screens/\(path)"
                    try connection.send(Request.bytes("GET", target, headers: [forwarded]))
                    let response = try connection.receive()
                    let id = try #require(response["X-Request-Id"])
                    let isRefused = response.status == 404
                    let message = isRefused ? "refused" : "request"
                    let line = try daemon.program.errors.line {
                        $0.contains(id) && $0.contains(#""message":"\#(message)""#)
                    }
                    #expect(line.contains(#""address":"\#(address)""#), "\(line)")
                }
            }
        }

        @Test("The line of a request that waited has the time of work apart from that of its life")
        func waiting() throws {
            let daemon = try TestDaemon()
            try Storefront.store(0..<1, as: "home", in: daemon)
            let since = try #require(
                daemon.request("GET", "/v1/screens/home/layout").tree().revision)
            let id = "waiting-1"
            let response = try daemon.request(
                "GET", "/v1/screens/home/changes?since=\(since)",
                headers: [("Prefer", "wait=2"), ("X-Request-Id", id)])
            #expect(response.status == 204, "\(response)")
            let line = try daemon.program.errors.line { $0.contains(id) }
            let open = try #require(line.firstMatch(of: /"openMicroseconds":(\d+)/)?.output.1)
            let work = try #require(line.firstMatch(of: /"microseconds":(\d+)/)?.output.1)
            #expect(Int(open) ?? 0 >= 2_000_000 && Int(work) ?? .max < 1_000_000, "\(line)")
            let metrics = try daemon.request("GET", "/metrics").text
            let bucket =
                "broadsheet_http_request_duration_seconds_bucket{"
                + #"operation="getChanges",le="1"} 1"#
            #expect(metrics.contains(bucket), "\(metrics)")
        }

    }
}
