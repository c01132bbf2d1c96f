import Broadsheet
import BroadsheetHTTP
import BroadsheetStores
import TestSupport
import Testing

@testable import BroadsheetService

@Suite("Repeated responses with keys and origins", .timeLimit(.minutes(hangMinutes)))
struct RepeatedAccessTests {
    private static let end = "2023-11-14T23:13:20Z"  // 1 h after the start of a manual clock

    private func withServer(
        _ access: AccessConfiguration, log: Log = .silent,
        _ body: (LoopbackServer, ManualClock) async throws -> Void
    ) async throws {
        let clock = ManualClock()
        let service = try await TestService(
            store: ScreenStore.inMemory(clock: clock.time), access: access, log: log,
            clock: clock.time)
        try await service.send(
            "PUT", "/v1/screens/home/pages/0", Pages.list(["a"]), headers: .key("writer"))
        let server = try await LoopbackServer(service, clock: clock, repeats: true)
        try await body(server, clock)
        await server.stop()
    }

    private func get(_ fields: String...) -> String {
        "GET /v1/screens/home/layout HTTP/1.1\r\nHost: h\r\n"
            + fields.map { $0 + "\r\n" }.joined() + "\r\n"
    }

    /// Sends a request three times, and checks its status and the number of those requests that are
    /// not repeated.
    private func expect(
        _ status: String, to request: String, on server: LoopbackServer, handled: Int
    ) async throws {
        let before = server.handler.callCount
        for _ in 0..<3 {
            let response = try await server.send([request])[0]
            #expect(response.hasPrefix("HTTP/1.1 \(status) "))
        }
        #expect(server.handler.callCount - before == handled)
    }

    private func access(_ lines: String...) throws -> AccessConfiguration {
        AccessConfiguration(keys: try KeyRing(ofLines: lines + ["writer write * never"]))
    }

    @Test(
        "The response to a key is repeated for its head, and the log has the key's name each time")
    func repeated() async throws {
        let sink = MemoryLogSink()
        let log = Log(format: .json, sink: sink)
        try await withServer(access("app read * never"), log: log) { server, _ in
            let request = get("Authorization: Bearer secret-app")
            try await expect("200", to: request, on: server, handled: 1)
            try await expect("401", to: get(), on: server, handled: 3)
            let other = get("Authorization: Bearer secret-other")
            try await expect("401", to: other, on: server, handled: 3)
        }
        let named = sink.lines.filter {
            $0.contains(#""status":200"#) && $0.contains(#""key":"app""#)
        }
        #expect(named.count == 3)
        #expect(!sink.lines.contains { $0.contains("secret-") })
    }

    @Test("A repeated response ends with its key's validity")
    func expiry() async throws {
        try await withServer(access("app read * \(Self.end)")) { server, clock in
            let request = get("Authorization: Bearer secret-app")
            try await expect("200", to: request, on: server, handled: 1)
            clock.advance(milliseconds: 3_599_999)
            try await expect("200", to: request, on: server, handled: 0)
            clock.advance(milliseconds: 1)
            try await expect("401", to: request, on: server, handled: 3)
        }
    }

    @Test(
        "After a reload a key that was removed or restricted has no repeated responses",
        arguments: [
            ("other read * never", "401"), ("app read shop never", "403"),
            ("app write * never", "403"), ("app read * 2020-01-01T00:00:00Z", "401"),
            ("app read home never", "200"),
        ])
    func reload(line: String, status: String) async throws {
        try await withServer(access("app read * never")) { server, _ in
            let request = get("Authorization: Bearer secret-app")
            try await expect("200", to: request, on: server, handled: 1)
            server.service.service.reload(keys: try KeyRing(of: line))
            let handled = status == "200" ? 1 : 3
            try await expect(status, to: request, on: server, handled: handled)
        }
    }

    @Test("The fields for an allowed origin are repeated for its head only")
    func origins() async throws {
        var access = AccessConfiguration()
        access.corsOrigins = [try #require(WebOrigin("https://shop.example"))]
        try await withServer(access) { server, _ in
            for _ in 0..<3 {
                let own = try await server.send([get("Origin: https://shop.example")])[0]
                #expect(own.field("Access-Control-Allow-Origin") == "https://shop.example")
                let other = try await server.send([get("Origin: https://other.example")])[0]
                #expect(other.field("Access-Control-Allow-Origin") == nil)
                let none = try await server.send([get()])[0]
                #expect(none.field("Access-Control-Allow-Origin") == nil)
                for response in [own, other, none] { #expect(response.field("Vary") == "Origin") }
            }
            #expect(server.handler.callCount == 3)
        }
    }
}
