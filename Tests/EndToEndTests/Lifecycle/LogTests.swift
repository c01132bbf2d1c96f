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
                for _ in 1 2 3 4 5; do curl -sS --max-time 10 "${line#listening on }/livez"; done
                kill "$!"
                """, Repository.binary,
            ])
            #expect(outcome.output.replacing("\n", with: "") == "okokokokok", "\(outcome.errors)")
        }
    }
}
