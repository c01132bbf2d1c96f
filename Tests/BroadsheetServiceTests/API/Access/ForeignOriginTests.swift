import BroadsheetHTTP
import BroadsheetIO
import TestSupport
import Testing

@testable import BroadsheetService

@Suite("Requests of web pages of other origins in the log (docs/operations.md)")
struct ForeignOriginTests {
    private let sink = MemoryLogSink()
    private let clock = ManualClock()

    private func service() async throws -> TestService {
        var access = AccessConfiguration()
        access.corsOrigins = [try #require(WebOrigin("https://shop.example"))]
        return try await TestService(
            access: access, log: Log(format: .text, sink: sink), clock: clock.time)
    }

    private func send(
        _ service: TestService, _ method: String, _ path: String, _ origins: String...
    ) async throws {
        var headers: HTTPHeaders = [:]
        for origin in origins { headers.append(.origin, origin) }
        try await service.send(
            method, path, Pages.list([]), headers: headers, host: "localhost:8080")
    }

    /// The lines about origins, without their times.
    private var lines: [String] {
        sink.lines.filter { $0.contains(" info origin not allowed") }
            .map { String($0.drop { $0 != " " }.dropFirst()) }
    }

    @Test("A request of an origin that is not allowed is logged at info, once a minute and origin")
    func onceAMinute() async throws {
        let service = try await service()
        try await send(service, "GET", "/v1/screens?a", "https://a.example")
        #expect(
            lines == [
                "info origin not allowed: a web page of \"https://a.example\" has sent GET "
                    + "/v1/screens; --cors-origin allows an origin"
            ])
        clock.advance(by: .milliseconds(59_999))
        try await send(service, "PUT", "/v1/screens/home/pages/0", "https://a.example")
        #expect(lines.count == 1)
        try await send(service, "OPTIONS", "/v1/screens", "https://b.example")
        #expect(lines.count == 2)
        clock.advance(by: .milliseconds(1))
        try await send(service, "PUT", "/v1/screens/home/pages/0", "https://a.example")
        #expect(lines.count == 3)
        #expect(lines.last?.contains("has sent PUT /v1/screens/home/pages/0;") == true)
    }

    @Test("Requests without an origin, of the own one and of an allowed one are not logged")
    func allowed() async throws {
        let service = try await service()
        for path in ["/v1/screens", "/nothing"] {
            try await send(service, "GET", path)
            try await send(service, "GET", path, "http://localhost:8080")
            try await send(service, "GET", path, "https://shop.example")
        }
        #expect(lines == [])
    }

    @Test("What is not one origin is logged too, without control characters")
    func unusual() async throws {
        let service = try await service()
        for (index, origins) in [["null"], [String(repeating: "a", count: 301)]].enumerated() {
            try await send(service, "GET", "/v1/screens", origins[0])
            #expect(lines.count == index + 1)
        }
        try await send(service, "GET", "/v1/screens", "https://shop.example", "https://b.example")
        // Both of the last are of no origin that can be named.
        #expect(lines.count == 2)
        #expect(lines[0].contains("of \"null\""))
        #expect(lines[1].contains("of \"?\""))
    }

    @Test("Beyond 100 origins in a minute there is one record for all others, and space is reused")
    func limit() async throws {
        #expect(ForeignOrigins.maxOrigins == 100)
        let service = try await service()
        for number in 0..<150 {
            try await send(service, "GET", "/v1/screens", "https://o\(number).example")
        }
        #expect(lines.count == 101)
        #expect(
            lines.last == "info origin not allowed: web pages of more than 100 origins have sent "
                + "requests in a minute, this one GET /v1/screens")
        try await send(service, "GET", "/v1/screens", "https://o0.example")
        #expect(lines.count == 101)
        clock.advance(seconds: 60)
        try await send(service, "GET", "/v1/screens", "https://o149.example")
        #expect(lines.count == 102)
        #expect(lines.last?.contains("https://o149.example") == true)
    }

    @Test("A response that is repeated without being made again is logged, too")
    func repeated() async throws {
        let service = try await service()
        try await service.send("PUT", "/v1/screens/home/pages/0", Pages.list(["a"]))
        let headers: HTTPHeaders = [
            .origin: "https://a.example", .acceptEncoding: "identity",
        ]
        var last: ReceivedResponse?
        for _ in 0..<3 {
            last = try await service.send(
                "GET", "/v1/screens/home/layout", headers: headers, host: "localhost:8080")
        }
        let repeatable = try #require(last?.response.repeatable)
        #expect(lines.count == 1)
        guard case .repetition = repeatable.begin(with: nil) else { throw CancellationError() }
        #expect(lines.count == 1)
        clock.advance(seconds: 60)
        guard case .repetition = repeatable.begin(with: nil) else { throw CancellationError() }
        #expect(lines.count == 2)
        #expect(lines[1] == lines[0])
    }
}
