import Broadsheet
import BroadsheetHTTP
import BroadsheetIO
import BroadsheetStores
import Synchronization
import StoreTestSupport
import Testing

@testable import BroadsheetService

@Suite("Log lines (docs/cli.md)")
struct LogTests {
    private static let clock = TimeSource(unixMilliseconds: { 1_709_251_199_001 })

    private func log(_ format: LogFormat) -> (log: Log, sink: MemoryLogSink) {
        let sink = MemoryLogSink()
        return (Log(format: format, sink: sink, clock: Self.clock), sink)
    }

    private func exchange(path: String, isComplete: Bool = true) throws -> HTTPExchange {
        HTTPExchange(
            request: HTTPRequestHead(method: .get, target: try #require(RequestTarget(path))),
            status: .ok, headers: [.requestID: "id-1"], bytesSent: 321,
            duration: .microseconds(1500) + .nanoseconds(999), isComplete: isComplete)
    }

    /// The client of the exchanges.
    private static let client = IPAddress("192.0.2.7") ?? .unspecified

    @Test("A completed request as JSON: time, level, message, id, method, path, status, bytes, us")
    func json() throws {
        let (log, sink) = log(.json)
        log.write(
            LogRecord(
                try exchange(path: "/v1/screens/home/layout?pageToken=secret"), with: Self.client)
        )
        #expect(
            sink.lines == [
                """
                {"time":"2024-02-29T23:59:59.001Z","level":"info","message":"request",\
                "requestId":"id-1","method":"GET","path":"/v1/screens/home/layout",\
                "query":"pageToken=…","status":200,"bytes":321,"microseconds":1500,"address":"192.0.2.7"}
                """
            ])
    }

    @Test(
        "A line has the query's names and values, but no token, and no value of an unknown name",
        arguments: [
            ("width=390&pages=2", "width=390&pages=2"),
            ("collapsed=a%2Cb&collapsed=c", "collapsed=a%2Cb&collapsed=c"),
            ("pageToken=secret&width=390", "pageToken=…&width=390"),
            ("page%54oken=secret", "page%54oken=…"), ("utm_source=secret", "utm_source=…"),
            ("key=secret&pages", "key=…&pages"), ("secret", "…"), ("&&since=3.ab", "since=3.ab"),
        ])
    func query(sent: String, shown: String) throws {
        for format in LogFormat.allCases {
            let (log, sink) = log(format)
            log.write(
                LogRecord(
                    try exchange(path: "/v1/screens/home/layout?" + sent), with: Self.client))
            let expected =
                format == .json ? #","query":"\#(shown)","status""# : "layout?\(shown) 200"
            #expect(sink.lines[0].contains(expected), "\(sink.lines[0])")
            #expect(!sink.lines[0].contains("secret"))
        }
    }

    @Test("A long path and a long query are cut together, within 4 KiB", arguments: [10, 3_000])
    func longQuery(pathLength: Int) throws {
        let (log, sink) = log(.json)
        let path = "/" + String(repeating: "x", count: pathLength)
        var record = LogRecord(
            try exchange(path: path + "?width=" + String(repeating: "y", count: 4_000)),
            with: Self.client)
        record.detail = String(repeating: "z", count: 4_000)
        log.write(record)
        #expect(sink.lines[0].utf8.count < LogRecord.maxLineBytes)
        #expect(sink.lines[0].contains(#"y…""#) == (pathLength < 100))
    }

    @Test("The line of a write has the revision that it made, and no other line has one")
    func revisions() async throws {
        for format in LogFormat.allCases {
            let (log, sink) = log(format)
            var exchange = try exchange(path: "/")
            exchange.revision = 7
            log.write(LogRecord(exchange, with: Self.client))
            #expect(
                sink.lines[0].contains(format == .json ? #","revision":7,"# : " us revision 7 "))
        }
        let service = try await TestService()
        let page = "/v1/screens/home/pages/0"
        let list = Pages.list(["a"])
        for (method, path, body, revision) in [
            ("PUT", page, list, 1), ("PUT", page, Pages.list(["a", "b"]), 2),
            ("PUT", page + "?validateOnly=true", list, nil), ("GET", page, "", nil),
            ("PUT", page, "{", nil), ("DELETE", page, "", 3),
            ("DELETE", "/v1/screens/home", "", nil),
        ] as [(String, String, String, UInt64?)] {
            let found = try await service.send(method, path, body).response.revision
            #expect(found == revision, "\(method) \(path)")
        }
    }

    @Test("A completed request as text")
    func text() throws {
        let (log, sink) = log(.text)
        log.write(LogRecord(try exchange(path: "/v1/catalog"), with: Self.client))
        #expect(
            sink.lines == [
                "2024-02-29T23:59:59.001Z info request id-1 GET /v1/catalog 200 321 B 1500 us "
                    + "from 192.0.2.7"
            ])
    }

    @Test(
        "A line has at most 4 KiB, whatever a client sends: long paths and details are cut",
        arguments: LogFormat.allCases, ["x", "\"", "\u{1}", "\u{85}", "\u{202E}", "é", "\u{1F600}"])
    func longTexts(format: LogFormat, text: String) throws {
        let (log, sink) = log(format)
        var record = LogRecord(
            try exchange(path: "/" + String(repeating: "x", count: 8_000), isComplete: false),
            with: Self.client)
        record.detail = String(repeating: text, count: 10_000)
        record.code = "INVALID_CONTRACT"
        log.write(record)
        let line = try #require(sink.lines.first)
        #expect(line.utf8.count < LogRecord.maxLineBytes)
        #expect(line.split(separator: "…", omittingEmptySubsequences: false).count == 3)
        guard format == .json else { return }
        let members = try JSONDocument(Array(line.utf8)).root
        #expect(members["path"]?.string?.hasPrefix("/xxx") == true)
        #expect(members["detail"]?.string?.hasPrefix(text + text) == true)
    }

    @Test("A write has its number of diagnostics", arguments: LogFormat.allCases)
    func diagnostics(format: LogFormat) throws {
        for (count, text) in [(0, "0 diagnostics"), (1, "1 diagnostic"), (7, "7 diagnostics")] {
            let (log, sink) = log(format)
            log.write(
                LogRecord(
                    HTTPExchange(
                        request: nil, status: .created, headers: [.diagnostics: "\(count)"],
                        bytesSent: 1, duration: .zero, isComplete: true), with: Self.client))
            let json = #","microseconds":0,"diagnostics":\#(count),"address":"192.0.2.7"}"#
            let line = format == .json ? json : " 0 us \(text) from 192.0.2.7"
            #expect(sink.lines[0].hasSuffix(line))
        }
    }

    @Test("A response that was not sent completely is a warning")
    func incomplete() throws {
        let (log, sink) = log(.json)
        log.write(LogRecord(try exchange(path: "/", isComplete: false), with: Self.client))
        #expect(sink.lines[0].contains(#""level":"warning""#))
        #expect(sink.lines[0].contains("the connection was lost"))
    }

    @Test("The line of a stream has the time of its work, and the time for which it was open")
    func open() throws {
        for (format, expected) in [
            (LogFormat.json, #""microseconds":20,"openMicroseconds":1500"#),
            (.text, " 20 us of 1500 us open from 192.0.2.7"),
        ] {
            let (log, sink) = log(format)
            var exchange = try exchange(path: "/")
            exchange.work = .microseconds(20)
            log.write(LogRecord(exchange, with: Self.client))
            #expect(sink.lines[0].contains(expected))
        }
    }

    @Test("A request that the end of the drain cut off has the id that its client sent")
    func cutOff() throws {
        let (log, sink) = log(.json)
        var exchange = try exchange(path: "/", isComplete: false)
        let head = HTTPRequestHead(
            method: .get, target: try #require(RequestTarget("/")), headers: [.requestID: "id-2"])
        (exchange.request, exchange.headers, exchange.status) = (head, [:], .connectionLost)
        exchange.isCutOff = true
        log.write(LogRecord(exchange, with: Self.client))
        #expect(sink.lines[0].contains(#""requestId":"id-2""#))
        #expect(sink.lines[0].contains(#""status":499"#))
        #expect(sink.lines[0].contains("the time to drain was over"))
    }

    @Test("A request whose head could not be read has an empty method and path")
    func noRequest() {
        let (log, sink) = log(.json)
        log.write(
            LogRecord(
                HTTPExchange(
                    request: nil, status: .badRequest, headers: [:], bytesSent: 1, duration: .zero,
                    isComplete: true), with: Self.client))
        #expect(sink.lines[0].contains(#""method":"","path":"","status":400"#))
    }

    @Test("No bytes of a client can begin a new line")
    func injection() throws {
        for format in LogFormat.allCases {
            let (log, sink) = log(format)
            log.write(
                LogRecord(.info, "a\nb\r\u{1B}[31m", detail: "c\n{\"level\":\"error\"}\u{7F}"))
            let line = try #require(sink.lines.first)
            #expect(line.utf8.allSatisfy { $0 >= 0x20 && (format == .json || $0 != 0x7F) })
        }
    }

    @Test("A problem is logged with its request's id, its code and its detail")
    func problems() async throws {
        let (log, sink) = log(.json)
        let service = try await TestService(log: log)
        try await service.send("GET", "/v1/screens/home/layout", headers: [.requestID: "r-7"])
        #expect(sink.lines.count == 1)
        let line = try JSONDocument(Array(sink.lines[0].utf8)).root
        #expect(line["requestId"]?.string == "r-7")
        #expect(line["code"]?.string == "SCREEN_NOT_FOUND")
        #expect(line["level"]?.string == "warning")
        #expect(line["detail"]?.string?.isEmpty == false)
    }

    @Test("A failure of the store is an error")
    func failures() async throws {
        let (log, sink) = log(.json)
        let backend = InterceptingBackend()
        let service = try await TestService(store: backend.store, log: log)
        backend.fail(with: .corrupt("page 7"))
        try await service.send("GET", "/v1/screens/home/layout")
        #expect(sink.lines.allSatisfy { $0.contains(#""level":"error""#) })
        #expect(!sink.lines.isEmpty)
    }

    @Test(
        "Text has escapes for controls, ends of lines, and controls of direction (UAX #9)",
        arguments: [
            (0x00...0x1F, true), (0x20...0x7E, false), (0x7F...0x9F, true), (0xA0...0xFF, false),
            (0x061B...0x061B, false), (0x061C...0x061C, true), (0x061D...0x061D, false),
            (0x200D...0x200D, false), (0x200E...0x200F, true), (0x2010...0x2027, false),
            (0x2028...0x2029, true), (0x202A...0x202E, true), (0x202F...0x202F, false),
            (0x2065...0x2065, false), (0x2066...0x2069, true), (0x206A...0x206A, false),
            (0xFFFF...0x10000, false),
        ] as [(ClosedRange<UInt32>, Bool)])
    func escapes(range: ClosedRange<UInt32>, isEscaped: Bool) throws {
        for value in range {
            let text = String(try #require(Unicode.Scalar(value)))
            let (log, sink) = log(.text)
            log.write(LogRecord(.info, "event", detail: "a\(text)b"))
            let digits = String(value, radix: 16)
            let escape = "\\u" + String(repeating: "0", count: max(0, 4 - digits.count)) + digits
            #expect(sink.lines[0].hasSuffix("event: a\(isEscaped ? escape : text)b"))
        }
    }

    @Test("Completed exchanges are logged by the service")
    func completed() async throws {
        let (log, sink) = log(.text)
        let service = try await TestService(log: log)
        service.service.completed(try exchange(path: "/livez"))
        #expect(sink.lines.count == 1)
    }
}
