import Broadsheet
import BroadsheetHTTP
import BroadsheetIO
import BroadsheetStores
import StoreTestSupport
import Testing
import TestSupport

@testable import BroadsheetService

@Suite(
    "The end of a token (docs/api.md, Until exp)", .timeLimit(.minutes(hangMinutes)))
struct TokenEndTests {
    private static let path = "/v1/screens/home"

    /// A service with a screen, and tokens that end 300 seconds after the start of its clock.
    private struct Running {
        let service: TestService
        let clock = ManualClock()
        let issuer: TestIssuer
        private let line: String

        init(_ issuer: TestIssuer = .hs256, workers: WorkerPool? = nil) async throws {
            self.issuer = issuer
            line = issuer.line("read,events", "home,user-{sub}-*")
            let ring = try KeyRing(issuers: [line], keys: ["w read,write,admin * never"])
            var access = AccessConfiguration(keys: ring)
            access.isMetricsOpen = true
            service = try await TestService(access: access, clock: clock.time, workers: workers)
            try await put([1])
        }

        func put(_ ids: [Int]) async throws {
            let written = try await service.send(
                "PUT", "\(TokenEndTests.path)/pages/0", ChangesEndpointTests.page(ids),
                headers: .key("w"))
            #expect(written.status < 300)
        }

        func headers(_ sub: String = "a") throws -> HTTPHeaders {
            .token(try issuer.token(TestIssuer.payload("\"sub\":\"\(sub)\"")))
        }

        /// Puts a line with other patterns, or none, in place of the issuer's.
        func reload(_ other: String? = nil, adding more: String? = nil) throws {
            service.service.reload(
                keys: try KeyRing(
                    issuers: [other, more].compactMap { $0 }, keys: ["w read,write,admin * never"]))
        }
    }

    @Test("A stream ends at `exp` with an event without id; nothing written later is in it")
    func stream() async throws {
        let running = try await Running()
        let reader = try await running.service.stream("?changes=true", headers: running.headers())
        #expect(try await reader.next()?.type == "tree")
        running.clock.advance(by: .seconds(300))
        try await running.put([1, 2])
        let last = try #require(try await reader.next())
        #expect(last.type == "expired" && last.id == nil)
        #expect(last.data == #"{"screen":"home","code":"TOKEN_EXPIRED"}"#)
        #expect(try await reader.next() == nil)
        reader.close()
        #expect(try await running.service.metric("broadsheet_streams_expired_total") == 1)
    }

    @Test("A stream without any event ends within a second after `exp`, and tells when to return")
    func idle() async throws {
        let running = try await Running()
        var waits: Set<String> = []
        let readers = try await (0..<8).asyncMap { _ in
            try await running.service.stream(headers: running.headers())
        }
        for reader in readers { #expect(try await reader.next()?.type == "revision") }
        running.clock.advance(by: .seconds(300))
        for reader in readers {
            let last = try #require(try await reader.next())
            #expect(last.type == "expired")
            let wait = try #require(last.retry)
            #expect(1000...10_000 ~= wait)
            waits.insert(String(wait))
            #expect(try await reader.next() == nil)
            reader.close()
        }
        #expect(waits.count > 1)
    }

    @Test("A request that waits is 401 at `exp`")
    func waiting() async throws {
        let running = try await Running()
        var headers = try running.headers()
        headers.append(.prefer, "wait=20")
        async let response = running.service.send(
            "GET", "\(Self.path)/changes?since=1", headers: headers)
        await until { running.service.service.screens.observers.count == 1 }
        running.clock.advance(by: .seconds(300))
        let ended = try await response
        #expect(ended.status == 401 && ended.code == "TOKEN_EXPIRED")
        #expect(running.service.service.screens.observers.count == 0)
    }

    @Test("A request in progress at `exp` is completed", arguments: ["GET", "POST"])
    func completed(method: String) async throws {
        let backend = InterceptingBackend()
        let clock = ManualClock()
        let ring = try KeyRing(
            issuers: [TestIssuer.hs256.line("read,events", "home")], keys: ["w write * never"])
        let service = try await TestService(
            store: backend.store, access: AccessConfiguration(keys: ring), clock: clock.time)
        try await service.send(
            "PUT", "\(Self.path)/pages/0", Pages.list(["a"]), headers: .key("w"))
        backend.pause()
        let token = HTTPHeaders.token(try TestIssuer.hs256.token())
        async let response = service.send(
            method, method == "GET" ? "\(Self.path)/layout" : "\(Self.path)/events",
            method == "GET" ? "" : #"{"events":[{"type":"scroll"}]}"#, headers: token)
        await until { backend.isHolding }
        clock.advance(by: .seconds(300))
        backend.resume()
        #expect(try await response.status == (method == "GET" ? 200 : 202))
    }

    @Test("After a reload the streams and requests of an unchanged line stay")
    func unchanged() async throws {
        let running = try await Running()
        let reader = try await running.service.stream(headers: running.headers())
        #expect(try await reader.next()?.id == "1")
        try running.reload(
            running.issuer.line("read,events", "home,user-{sub}-*"),
            adding: TestIssuer(algorithm: .hs256, name: "new", id: "n").line())
        try await running.put([1, 2])
        #expect(try await reader.next()?.id == "2")
        #expect(
            try await running.service.send(
                "GET", "\(Self.path)/layout", headers: running.headers()
            ).status == 200)
        reader.close()
    }

    @Test(
        "A stream of a line that was removed or changed sends nothing more; its token is judged anew",
        arguments: [
            (nil, 401, "TOKEN_KEY_UNKNOWN"), ("read other never", 403, "FORBIDDEN"),
            ("read home 2020-01-01T00:00:00Z", 401, "TOKEN_KEY_UNKNOWN"),
            ("read home never", 200, nil),
        ] as [(String?, Int, String?)])
    func replaced(bounds: String?, status: Int, code: String?) async throws {
        let running = try await Running()
        let reader = try await running.service.stream("?changes=true", headers: running.headers())
        #expect(try await reader.next()?.type == "tree")
        async let last = reader.next()
        let line = try bounds.map { bounds in
            let words = bounds.split(separator: " ").map(String.init)
            try #require(words.count == 3)
            return running.issuer.line(words[0], words[1], expiry: words[2])
        }
        try running.reload(
            line, adding: TestIssuer(algorithm: .hs256, name: "other", id: "o").line())
        try await running.put([1, 2])
        #expect(try await last == nil)
        reader.close()
        let again = try await running.service.send(
            "GET", "\(Self.path)/layout", headers: running.headers())
        #expect(again.status == status && again.code == code)
    }
}

extension Sequence {
    fileprivate func asyncMap<Value>(
        _ body: (Element) async throws -> Value
    ) async throws -> [Value] {
        var values: [Value] = []
        for element in self { values.append(try await body(element)) }
        return values
    }
}

@Suite("Repeated responses for tokens", .timeLimit(.minutes(hangMinutes)))
struct RepeatedTokenTests {
    private func withServer(
        _ line: String, log: Log = .silent,
        _ body: (LoopbackServer, ManualClock) async throws -> Void
    ) async throws {
        let clock = ManualClock()
        let ring = try KeyRing(issuers: [line], keys: ["w read,write * never"])
        let service = try await TestService(
            store: ScreenStore.inMemory(clock: clock.time), access: AccessConfiguration(keys: ring),
            log: log, clock: clock.time)
        for screen in ["home", "user-a-home"] {
            try await service.send(
                "PUT", "/v1/screens/\(screen)/pages/0", Pages.list(["a"]), headers: .key("w"))
        }
        let server = try await LoopbackServer(service, clock: clock, repeats: true)
        try await body(server, clock)
        await server.stop()
    }

    private func get(_ token: String, _ screen: String = "home", _ query: String = "") -> String {
        "GET /v1/screens/\(screen)/layout\(query) HTTP/1.1\r\nHost: h\r\n"
            + "Authorization: Bearer \(token)\r\nAccept: */*\r\n\r\n"
    }

    private func token(_ sub: String, _ more: String = "") throws -> String {
        try TestIssuer.hs256.token(TestIssuer.payload("\"sub\":\"\(sub)\"\(more)"))
    }

    /// Sends a request, and checks its status and whether the handler has seen it.
    private func expect(
        _ status: String, to request: String, on server: LoopbackServer, handled: Int
    ) async throws {
        let before = server.handler.callCount
        let response = try await server.send([request])[0]
        #expect(response.hasPrefix("HTTP/1.1 \(status) "))
        #expect(server.handler.callCount - before == handled)
    }

    @Test("One response serves all verified readers of a screen; the log has each of them")
    func shared() async throws {
        let sink = MemoryLogSink()
        let line = TestIssuer.hs256.line("read", "home,user-{sub}-*", "log=plain")
        try await withServer(line, log: Log(format: .json, sink: sink)) { server, _ in
            for sub in ["a", "b", "c"] {
                let request = get(try token(sub))
                // The first request of a reader verifies its token.
                try await expect("200", to: request, on: server, handled: 1)
                try await expect("200", to: request, on: server, handled: 0)
            }
            try await expect("401", to: get("x.y.z"), on: server, handled: 1)
            try await expect("401", to: get("secret-x"), on: server, handled: 1)
            try await expect("200", to: get("secret-w"), on: server, handled: 1)
            try await expect("200", to: get("secret-w"), on: server, handled: 0)
        }
        for sub in ["a", "b", "c"] {
            let lines = sink.lines.filter {
                $0.contains(#""issuer":"shop","reader":"\#(sub)""#) && $0.contains(#""status":200"#)
            }
            #expect(lines.count == 2, "\(sub)")
        }
    }

    @Test("A response is not sent for a token without its right, screen, catalog or flag")
    func needs() async throws {
        let line = TestIssuer.hs256.line("read,events", "home,user-{sub}-*", "flags=x")
        try await withServer(line) { server, _ in
            let (own, other) = (try token("a"), try token("b"))
            for screen in ["home", "user-a-home"] {
                try await expect("200", to: get(own, screen), on: server, handled: 1)
                try await expect("200", to: get(own, screen), on: server, handled: 0)
            }
            try await expect("200", to: get(other), on: server, handled: 1)
            try await expect("403", to: get(other, "user-a-home"), on: server, handled: 1)
            try await expect("403", to: get(other, "user-a-home"), on: server, handled: 1)
            for more in [#","scope":"events""#, #","screens":["user-*"]"#] {
                let bounded = try token("a", more)
                for _ in 0..<2 {
                    try await expect("403", to: get(bounded), on: server, handled: 1)
                }
            }
            // The entry is still there.
            try await expect("200", to: get(own, "user-a-home"), on: server, handled: 0)
            // A line with fewer flags does not have those of an entry.
            let request = get(own, "home", "?flags=x")
            try await expect("200", to: request, on: server, handled: 1)
            try await expect("200", to: request, on: server, handled: 0)
            let none = TestIssuer.hs256.line("read", "home", "flags=")
            server.service.service.reload(keys: try KeyRing(issuers: [none]))
            for _ in 0..<2 { try await expect("403", to: request, on: server, handled: 1) }
        }
    }

    @Test("A repeated response ends with its token, and with its screen's revision")
    func ends() async throws {
        try await withServer(TestIssuer.hs256.line()) { server, clock in
            let request = get(try token("a"))
            try await expect("200", to: request, on: server, handled: 1)
            try await server.service.send(
                "PUT", "/v1/screens/home/pages/0", Pages.list(["b"]), headers: .key("w"))
            try await expect("200", to: request, on: server, handled: 1)
            clock.advance(milliseconds: 299_999)
            try await expect("200", to: request, on: server, handled: 0)
            clock.advance(milliseconds: 1)
            try await expect("401", to: request, on: server, handled: 1)
        }
    }
}
