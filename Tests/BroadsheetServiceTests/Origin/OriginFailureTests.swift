import Broadsheet
import BroadsheetHTTP
import BroadsheetIO
import BroadsheetStores
import TestSupport
import Testing

@testable import BroadsheetService

@Suite("Failures of an origin (docs/operations.md, Pages on demand)")
struct OriginFailureTests {
    private let layout = "/v1/screens/home/layout"

    @Test(
        "A failure of the origin is 502 or 504, and nothing is stored",
        arguments: [
            (
                OriginError.timeout, "ORIGIN_TIMEOUT",
                "has not returned page 0 of the screen \"home\""
            ),
            (.failed(OriginFailure("it burns", cause: "10.0.0.1")), "ORIGIN_FAILED", "it burns."),
            (.outOfMemory, "OVERLOADED", "memory"), (.closed, "OVERLOADED", "stops"),
        ])
    func failures(error: OriginError, code: String, detail: String) async throws {
        let sink = MemoryLogSink()
        let service = try await TestService(
            log: Log(format: .json, sink: sink), origin: FakeOrigin(failing: error))
        let received = try await service.send("GET", layout)
        #expect(received.code == code)
        #expect(try received.string("/detail").contains(detail))
        #expect(!received.text.contains("10.0.0.1"), "addresses are for the log")
        #expect(sink.lines.contains { $0.contains("page not fetched") && $0.contains(code) })
        #expect(try await service.send("GET", "/v1/screens/home").status == 404)
    }

    @Test(
        "A response that PUT would refuse is 502 with the same errors, and is not stored",
        arguments: [
            ("{\"sections\":", [:], "line 1"), ("{\"sections\":7}", [:], "/sections"),
            ("{\"page\":3,\"sections\":[]}", [:], "number 3"),
            ("[[[[[[]]]]]]", [:], "nested"), ("<html>", ["Content-Type": "text/html"], "not JSON"),
            ("{\"sections\":[]}", ["Content-Type": "application/json; charset=latin1"], "UTF-8"),
            ("{\"sections\":[]}", ["Broadsheet-TTL": "soon"], "Broadsheet-TTL"),
            ("{\"sections\":[[],[],[]]}", [:], "--max-sections"),
            ("{\"sections\":[]}          ", [:], "20 bytes"),
        ] as [(String, HTTPHeaders, String)])
    func refused(page: String, headers: HTTPHeaders, detail: String) async throws {
        let service = try await TestService(
            limits: ScreenLimits(maxDepth: 5, maxSections: 2), maxScreenBytes: 20,
            origin: FakeOrigin(page: page, headers: headers))
        let received = try await service.send("GET", layout)
        #expect(received.status == 502)
        #expect(received.code == "ORIGIN_FAILED")
        #expect(received.text.contains(detail), "\(received.text)")
        #expect(try await service.send("GET", "/v1/screens/home").status == 404)
    }

    @Test("The violations of a page have their pointers, and broken JSON its position")
    func pointers() async throws {
        let origin = FakeOrigin(page: #"{"sections":[{"units":7}]}"#)
        let service = try await TestService(origin: origin)
        let received = try await service.send("GET", layout)
        #expect(try received.errors == ["/sections/0/units must be an array of units"])
        origin.respond { _ in OriginPage(bytes: Array("{\n x".utf8)) }
        #expect(try await service.send("GET", layout).number("/line") == 2)
    }

    @Test("A failure that may be over is tried a second time, and no other")
    func tries() async throws {
        for (isTransient, count) in [(true, 2), (false, 1)] {
            let failure = OriginFailure("it fails", isTransient: isTransient)
            let origin = FakeOrigin(failing: .failed(failure))
            let service = try await TestService(origin: origin)
            #expect(try await service.send("GET", layout).code == "ORIGIN_FAILED")
            #expect(origin.requests.count == count)
        }
    }

    @Test("Both tries have the time of one; without any left the first failure is the response")
    func deadline() async throws {
        let clock = ManualClock()
        let origin = FakeOrigin { request throws(OriginError) in
            clock.advance(milliseconds: 1500)
            throw .failed(OriginFailure("it fails", isTransient: true))
        }
        let service = try await TestService(
            clock: clock.time, origin: origin, onDemand: OriginConfiguration())
        #expect(try await service.send("GET", layout).code == "ORIGIN_FAILED")
        #expect(origin.requests.map(\.timeout) == [.seconds(2), .milliseconds(500)])
        origin.respond { request throws(OriginError) in
            clock.advance(seconds: 3)
            throw .failed(OriginFailure("it fails", isTransient: true))
        }
        #expect(try await service.send("GET", layout).code == "ORIGIN_FAILED")
        #expect(origin.requests.count == 3)
    }

    @Test("A request that has to fetch many pages begins none after the time of one")
    func manyPages() async throws {
        let clock = ManualClock()
        let origin = FakeOrigin()
        let service = try await TestService(
            clock: clock.time, origin: origin, onDemand: OriginConfiguration())
        var token = ""
        for number in 0..<3 {
            let target = "\(layout)\(number == 0 ? "" : "?pageToken=\(token)")"
            token = try await service.send("GET", target).string("/nextPageToken")
        }
        try await service.send("DELETE", "/v1/screens/home")
        origin.respond { request throws(OriginError) in
            clock.advance(milliseconds: 1200)
            return try FakeOrigin.fourPages(request)
        }
        let received = try await service.send("GET", "\(layout)?pageToken=\(token)")
        #expect(received.code == "ORIGIN_TIMEOUT")
        let again = try await service.send("GET", "\(layout)?pageToken=\(token)")
        #expect(try again.number("/page") == 3, "what was fetched stays")
    }

    @Test("A 404 is remembered for 5 seconds")
    func absence() async throws {
        let clock = ManualClock()
        let origin = FakeOrigin(failing: .notFound)
        let service = try await TestService(clock: clock.time, origin: origin)
        for (advance, count) in [(0, 1), (4999, 1), (1, 2), (0, 2)] {
            clock.advance(milliseconds: Int64(advance))
            #expect(try await service.send("GET", layout).code == "SCREEN_NOT_FOUND")
            #expect(origin.requests.count == count)
        }
        // A page that is posted meanwhile is there at once.
        try await service.send("PUT", "/v1/screens/home/pages/0", Pages.list(["a"]))
        #expect(try await service.send("GET", layout).status == 200)
    }

    @Test("Of the pages that do not exist, the last 10,000 are remembered")
    func absentPages() throws {
        let pages = AbsentPages(clock: .system)
        let screen = try #require(ScreenName("home"))
        func key(_ page: Int) -> PagesOnDemand.Key { .init(screen: screen, page: page) }
        for page in 0...AbsentPages.limit { pages.insert(key(page)) }
        #expect(!pages.contains(key(0)))
        #expect(pages.contains(key(1)) && pages.contains(key(AbsentPages.limit)))
    }

    @Test("After five failures in a row the origin rests: 503 with Retry-After")
    func circuit() async throws {
        let clock = ManualClock()
        let origin = FakeOrigin(failing: .timeout)
        let service = try await TestService(clock: clock.time, origin: origin)
        func code() async throws -> String? { try await service.send("GET", layout).code }
        for _ in 0..<4 { #expect(try await code() == "ORIGIN_TIMEOUT") }
        origin.respond { _ throws(OriginError) in throw .notFound }
        #expect(try await code() == "SCREEN_NOT_FOUND", "a 404 is a success")
        clock.advance(seconds: 6)
        origin.respond { _ throws(OriginError) in throw .timeout }
        for _ in 0..<5 { #expect(try await code() == "ORIGIN_TIMEOUT") }
        clock.advance(milliseconds: 3500)
        let count = origin.requests.count
        let received = try await service.send("GET", layout)
        #expect(received.code == "ORIGIN_UNAVAILABLE" && received.status == 503)
        #expect(received.response.headers[.retryAfter] == "2")
        #expect(origin.requests.count == count)
        #expect(try await service.send("GET", "/readyz").status == 200)
        // After the rest one more failure is enough for the next one.
        clock.advance(milliseconds: 1500)
        #expect(try await code() == "ORIGIN_TIMEOUT")
        #expect(try await code() == "ORIGIN_UNAVAILABLE")
        clock.advance(seconds: 5)
        origin.respond(FakeOrigin.fourPages)
        #expect(try await code() == nil)
        origin.respond { _ throws(OriginError) in throw .timeout }
        try await service.send("DELETE", "/v1/screens/home")
        for _ in 0..<5 { #expect(try await code() == "ORIGIN_TIMEOUT") }
    }

    @Test(
        "A page's own failures count for that page alone",
        arguments: [
            .success("<html>"), .success(#"{"sections":7}"#),
            .failure(.failed(OriginFailure("it responded with the status 403"))),
            .failure(
                .failed(OriginFailure("it ended early", isTransient: true, isOfOrigin: false))),
        ] as [Result<String, OriginError>])
    func ownFailures(bad: Result<String, OriginError>) async throws {
        let clock = ManualClock()
        let origin = FakeOrigin { request throws(OriginError) in
            guard request.screen.text == "home" else { return try FakeOrigin.fourPages(request) }
            return OriginPage(bytes: Array(try bad.get().utf8))
        }
        let service = try await TestService(clock: clock.time, origin: origin)
        func code(_ screen: String) async throws -> String? {
            try await service.send("GET", "/v1/screens/\(screen)/layout").code
        }
        for number in 0..<5 {
            #expect(try await code("home") == "ORIGIN_FAILED")
            #expect(try await code("shop-\(number)") == nil)
        }
        let count = origin.requests.count
        let rests = try await service.send("GET", layout)
        #expect(rests.status == 503 && rests.code == "ORIGIN_UNAVAILABLE")
        #expect(rests.response.headers[.retryAfter] == "5")
        #expect(try rests.string("/detail").contains("page 0 of the screen \"home\""))
        #expect(origin.requests.count == count)
        #expect(try await code("shop") == nil, "the origin does not rest")
        #expect(try await service.metric("broadsheet_origin_resting") == 0)
        // After its rest one more failure is enough, and a page that can be used ends the row.
        clock.advance(seconds: 5)
        #expect(try await code("home") == "ORIGIN_FAILED")
        #expect(try await code("home") == "ORIGIN_UNAVAILABLE")
        clock.advance(seconds: 5)
        origin.respond(FakeOrigin.fourPages)
        #expect(try await code("home") == nil)
    }

    @Test("A page that cannot be used shows that the origin responds")
    func responds() async throws {
        let origin = FakeOrigin(failing: .timeout)
        let service = try await TestService(clock: ManualClock().time, origin: origin)
        func code(_ screen: String) async throws -> String? {
            try await service.send("GET", "/v1/screens/\(screen)/layout").code
        }
        for number in 0..<4 { #expect(try await code("s\(number)") == "ORIGIN_TIMEOUT") }
        origin.respond { _ in OriginPage(bytes: Array("<html>".utf8)) }
        #expect(try await code("s4") == "ORIGIN_FAILED")
        origin.respond { _ throws(OriginError) in throw .timeout }
        for number in 5..<10 { #expect(try await code("s\(number)") == "ORIGIN_TIMEOUT") }
        #expect(try await code("s10") == "ORIGIN_UNAVAILABLE")
    }

    @Test("The metrics have the fetches by result, and whether the origin rests")
    func metrics() async throws {
        let origin = FakeOrigin()
        // The origin rests for a time that does not pass.
        let service = try await TestService(clock: ManualClock().time, origin: origin)
        try await service.send("GET", layout)
        origin.respond { _ throws(OriginError) in
            throw .failed(OriginFailure("it fails", isTransient: true))
        }
        for _ in 0..<6 { try await service.send("GET", "/v1/screens/other/layout") }
        let metrics = try await service.send("GET", "/metrics").text
        for sample in [
            #"broadsheet_origin_fetches_total{result="stored"} 1"#,
            #"broadsheet_origin_fetches_total{result="failed"} 5"#,
            #"broadsheet_origin_fetches_total{result="refused"} 1"#,
            "broadsheet_origin_fetch_duration_seconds_count 7",
            "broadsheet_origin_retries_total 5.0", "broadsheet_origin_resting 1.0",
            "broadsheet_origin_fetches_in_progress 0.0", "broadsheet_origin_requests_waiting 0.0",
            "broadsheet_origin_bytes_total \(Pages.list(["p0"], hasNext: true).utf8.count).0",
        ] { #expect(metrics.contains(sample + "\n"), "\(sample)") }
    }

    @Test("The bytes of a page are reserved by the origin, and released when it is stored")
    func memory() async throws {
        let memory = MemoryBudget(limit: MemoryBudget.minLimit)
        let origin = FakeOrigin { request throws(OriginError) in
            guard request.memory.resize(to: 20 << 20), request.maxBytes == 1000 else {
                throw .outOfMemory
            }
            return try FakeOrigin.fourPages(request)
        }
        let service = try await TestService(memory: memory, maxPageBytes: 1000, origin: origin)
        #expect(try await service.send("GET", layout).status == 200)
        #expect(memory.statistics.used(by: .requests) == 0)
        let other = try #require(memory.reservation(of: 20 << 20, for: .requests))
        #expect(try await service.send("GET", "/v1/screens/b/layout").code == "OVERLOADED")
        withExtendedLifetime(other) {}
    }
}
