import Broadsheet
import BroadsheetHTTP
import BroadsheetIO
import Testing
import TestSupport

@testable import BroadsheetService

@Suite("Tokens (docs/api.md, Tokens)")
struct TokenTests {
    private static let path = "/v1/screens/home/layout"
    private static let now = TestIssuer.now

    /// Returns a service with the screen `home`.
    private func service(
        _ lines: String..., clock: ManualClock = ManualClock(), log: Log = .silent,
        workers: WorkerPool? = nil
    ) async throws -> TestService {
        let ring = try KeyRing(issuers: lines, keys: ["w read,write * never"])
        var access = AccessConfiguration(keys: ring)
        access.isMetricsOpen = true
        let service = try await TestService(
            access: access, log: log, clock: clock.time, workers: workers)
        try await service.send(
            "PUT", "/v1/screens/home/pages/0", Pages.list(["a"]), headers: .key("w"))
        return service
    }

    @Test(
        "A token of a reader reads a screen of the line; its key is not known to the daemon else",
        arguments: TestIssuer.both)
    func valid(issuer: TestIssuer) async throws {
        let service = try await service(issuer.line())
        for _ in 0..<2 {
            let received = try await service.send(
                "GET", Self.path, headers: .token(issuer.token()))
            #expect(received.status == 200)
        }
        #expect(
            try await service.metric(
                "broadsheet_token_verifications_total{issuer=\"shop\",result=\"valid\"}") == 1)
        #expect(try await service.metric("broadsheet_tokens_cached") == 1)
    }

    @Test("Tokens of Ed25519 are verified on worker threads")
    func workers() async throws {
        let pool = try WorkerPool(threads: 1)
        defer { pool.shutdown() }
        let service = try await service(TestIssuer.edDSA.line(), workers: pool)
        let token = try TestIssuer.edDSA.token()
        #expect(try await service.send("GET", Self.path, headers: .token(token)).status == 200)
        #expect(try await service.metric("broadsheet_work_wait_seconds_count") > 0)
    }

    /// The claims of a payload, and the code of its problem; `nil` for a valid one.
    private static let payloads: [(String, String?)] = [
        (TestIssuer.payload(""), nil), (TestIssuer.payload(#""iss":"shop""#), nil),
        (TestIssuer.payload(#""iss":"Shop""#), "TOKEN_INVALID"),
        (TestIssuer.payload(#""iss":null"#), "TOKEN_INVALID"),
        (TestIssuer.payload(#""sub":"""#), "TOKEN_INVALID"),
        (TestIssuer.payload(#""sub":7"#), "TOKEN_INVALID"),
        (TestIssuer.payload(#""sub":"\#(String(repeating: "é", count: 128))""#), nil),
        (TestIssuer.payload(#""sub":"\#(String(repeating: "a", count: 257))""#), "TOKEN_INVALID"),
        (TestIssuer.payload(#""screens":["home"]"#), nil),
        (TestIssuer.payload(#""screens":"home""#), "TOKEN_INVALID"),
        (TestIssuer.payload(#""screens":["home",1]"#), "TOKEN_INVALID"),
        (TestIssuer.payload(#""screens":["a*b"]"#), "TOKEN_INVALID"),
        (TestIssuer.payload(#""screens":["h,ome"]"#), "TOKEN_INVALID"),
        (
            TestIssuer.payload(
                "\"screens\":[\((0..<64).map { _ in "\"home\"" }.joined(separator: ","))]"), nil
        ),
        (
            TestIssuer.payload(
                "\"screens\":[\((0..<65).map { _ in "\"home\"" }.joined(separator: ","))]"),
            "TOKEN_INVALID"
        ),
        (TestIssuer.payload(#""scope":"other read""#), nil),
        (TestIssuer.payload(#""scope":["read"]"#), "TOKEN_INVALID"),
        // RFC 7519 §4.1.4 and §4.1.6: both times are required, and numbers.
        ("{\"iat\":\(now)}", "TOKEN_INVALID"), ("{\"exp\":\(now + 9)}", "TOKEN_INVALID"),
        ("{\"iat\":\(now),\"exp\":\"\(now + 9)\"}", "TOKEN_INVALID"),
        ("{\"iat\":\(now),\"exp\":null}", "TOKEN_INVALID"),
        ("{\"iat\":-1,\"exp\":9}", "TOKEN_INVALID"),
        ("{\"iat\":\(now),\"exp\":253402300800}", "TOKEN_INVALID"),
        ("{\"iat\":\(now),\"exp\":1e999}", "TOKEN_INVALID"),
        ("{\"iat\":\(now),\"exp\":\(now)}", "TOKEN_INVALID"),
        ("{\"iat\":\(now),\"exp\":\(now + 3600)}", nil),
        ("{\"iat\":\(now),\"exp\":\(now + 3600).5}", "TOKEN_INVALID"),
        ("{\"iat\":1.7E9,\"exp\":\(now).5}", nil),
        ("{\"iat\":\(now - 300),\"exp\":\(now)}", "TOKEN_EXPIRED"),
        ("{\"iat\":\(now - 300),\"exp\":\(now - 1)}", "TOKEN_EXPIRED"),
        // A difference of clocks of 60 seconds counts for the beginning only.
        ("{\"iat\":\(now + 60),\"exp\":\(now + 99)}", nil),
        ("{\"iat\":\(now + 61),\"exp\":\(now + 99)}", "TOKEN_NOT_YET_VALID"),
        (TestIssuer.payload("\"nbf\":\(now + 60)"), nil),
        (TestIssuer.payload("\"nbf\":\(now + 61)"), "TOKEN_NOT_YET_VALID"),
        (TestIssuer.payload("\"nbf\":\"\(now)\""), "TOKEN_INVALID"),
        (TestIssuer.payload(#""aud":"shop""#), "TOKEN_AUDIENCE_WRONG"),
        (TestIssuer.payload(#""aud":[]"#), "TOKEN_AUDIENCE_WRONG"),
        (TestIssuer.payload(#""aud":null"#), "TOKEN_INVALID"),
        // Members that the daemon does not read are ignored.
        (TestIssuer.payload(#""jti":[{"a":1}],"admin":true"#), nil),
        ("[]", "TOKEN_INVALID"), ("\"a\"", "TOKEN_INVALID"), ("{", "TOKEN_INVALID"),
        ("{}x", "TOKEN_INVALID"), ("", "TOKEN_INVALID"),
        // A repeated member, also in another spelling.
        (TestIssuer.payload("\"exp\":\(now + 9)"), "TOKEN_INVALID"),
        (TestIssuer.payload("\"\\u0065xp\":\(now + 9)"), "TOKEN_INVALID"),
        (TestIssuer.payload(#""a":1,"\u0061":1"#), "TOKEN_INVALID"),
        (TestIssuer.payload(#""a":{"b":1,"b":2}"#), nil),
        (TestIssuer.payload("\"a\":\(nested(15))"), nil),
        (TestIssuer.payload("\"a\":\(nested(16))"), "TOKEN_INVALID"),
    ]

    private static func nested(_ depth: Int) -> String {
        String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
    }

    @Test(
        "The code of a token is that of the first rule that its claims break", arguments: payloads)
    func claims(payload: String, code: String?) async throws {
        let service = try await service(TestIssuer.hs256.line())
        let received = try await service.send(
            "GET", Self.path, headers: .token(TestIssuer.hs256.token(payload)))
        #expect(received.status == (code == nil ? 200 : 401))
        #expect(received.code == code)
    }

    @Test(
        "RFC 7519 §4.1.3: the audience of a line is that of a token, or one of up to 16",
        arguments: [
            (#""aud":"shop""#, nil), (#""aud":["a","shop"]"#, nil),
            ("\"aud\":[\((0..<15).map { "\"\($0)\"," }.joined())\"shop\"]", nil),
            ("\"aud\":[\((0..<16).map { "\"\($0)\"," }.joined())\"shop\"]", "TOKEN_INVALID"),
            (#""aud":"Shop""#, "TOKEN_AUDIENCE_WRONG"), (#""aud":[]"#, "TOKEN_AUDIENCE_WRONG"),
            (#""aud":["shop",1]"#, "TOKEN_INVALID"), (#""aud":{}"#, "TOKEN_INVALID"),
            (#""sub":"a""#, "TOKEN_AUDIENCE_WRONG"),
            // Equal by the rules of Unicode alone: KELVIN SIGN.
            (#""aud":"\u212A""#, "TOKEN_AUDIENCE_WRONG"),
        ] as [(String, String?)])
    func audience(members: String, code: String?) async throws {
        let audience = members.contains("212A") ? "K" : "shop"
        let service = try await service(
            TestIssuer.hs256.line("read", "home", "audience=\(audience)"))
        let token = try TestIssuer.hs256.token(TestIssuer.payload(members))
        let received = try await service.send("GET", Self.path, headers: .token(token))
        #expect(received.code == code)
    }

    @Test(
        "A line bounds the lifetime of its tokens",
        arguments: [(900, nil), (901, "TOKEN_INVALID")] as [(Int, String?)])
    func lifetime(seconds: Int, code: String?) async throws {
        let service = try await service(TestIssuer.hs256.line("read", "home", "lifetime=900"))
        let token = try TestIssuer.hs256.token(
            "{\"iat\":\(Self.now),\"exp\":\(Self.now + seconds)}")
        #expect(try await service.send("GET", Self.path, headers: .token(token)).code == code)
    }

    @Test(
        "A token ends at the millisecond of its `exp`, also a known one", arguments: TestIssuer.both
    )
    func end(issuer: TestIssuer) async throws {
        let clock = ManualClock()
        let service = try await service(issuer.line(), clock: clock)
        let token = try issuer.token()
        #expect(try await service.send("GET", Self.path, headers: .token(token)).status == 200)
        clock.advance(milliseconds: 299_999)
        #expect(try await service.send("GET", Self.path, headers: .token(token)).status == 200)
        clock.advance(milliseconds: 1)
        let received = try await service.send("GET", Self.path, headers: .token(token))
        #expect(received.code == "TOKEN_EXPIRED")
    }

    @Test("From the EXPIRY of its line on the key of a token is not known")
    func expiredLine() async throws {
        let clock = ManualClock()
        let expiry = "2023-11-14T22:13:30Z"  // 10 s after the start
        let service = try await service(
            TestIssuer.hs256.line("read", "home", expiry: expiry), clock: clock)
        let token = try TestIssuer.hs256.token()
        #expect(try await service.send("GET", Self.path, headers: .token(token)).status == 200)
        clock.advance(by: .seconds(10))
        for token in [token, try TestIssuer.hs256.token(TestIssuer.payload(#""sub":"b""#))] {
            let received = try await service.send("GET", Self.path, headers: .token(token))
            #expect(received.code == "TOKEN_KEY_UNKNOWN")
        }
    }

    @Test(
        "RFC 6750 §3: the challenge has the detail, one text for each code",
        arguments: [
            ("a.b", "TOKEN_INVALID"), ("a.b.c", "TOKEN_INVALID"),
            (
                "eyJhbGciOiJIUzI1NiIsImtpZCI6IngifQ.e30.AA", "TOKEN_KEY_UNKNOWN"
            ),
            ("eyJhbGciOiJIUzI1NiIsImtpZCI6ImsifQ.e30.AA", "TOKEN_SIGNATURE_INVALID"),
        ])
    func challenge(token: String, code: String) async throws {
        let service = try await service(TestIssuer.hs256.line())
        let received = try await service.send("GET", Self.path, headers: .token(token))
        #expect(received.status == 401 && received.code == code)
        let detail = try received.string("/detail")
        #expect(
            received.response.headers[.wwwAuthenticate]
                == "Bearer realm=\"broadsheet\", error=\"invalid_token\", "
                + "error_description=\"\(detail)\"")
        #expect(received.response.headers[.cacheControl] == "private, no-store")
    }

    @Test("The secret of a key is that key, also with a dot; without an issuer no value is a token")
    func keys() async throws {
        let digest = SecretDigest(of: "a.b.c".utf8).hexadecimal
        let key = "dotted read home never \(digest)"
        let service = try await service(TestIssuer.hs256.line(), key)
        #expect(try await service.send("GET", Self.path, headers: .token("a.b.c")).status == 200)
        let other = try await service.send("GET", Self.path, headers: .token("abc"))
        #expect(other.code == "UNAUTHENTICATED")
        service.service.reload(keys: try KeyRing(Array(key.utf8)))
        let token = try await service.send(
            "GET", Self.path, headers: .token(TestIssuer.hs256.token()))
        #expect(token.code == "UNAUTHENTICATED")
        #expect(token.response.headers[.cacheControl] == nil)
    }

    @Test("Without an issuer a token is any unknown secret; keys are served alike with one")
    func withoutIssuers() async throws {
        let digest = SecretDigest(of: "a.b.c".utf8).hexadecimal
        let key = "dotted read,write,admin,events * never \(digest)"
        let issuer = TestIssuer.hs256.line()
        let service = try await service(issuer, key)
        let token = try TestIssuer.hs256.token()
        func received(_ operation: Operation, _ secret: String) async throws -> [String] {
            let path = operation.path.replacing("{screen}", with: "home")
                .replacing("{page}", with: "0").replacing("{clientFile}", with: "client.js")
                .replacing("{inspectorFile}", with: "inspector.js")
                .replacing("{font}", with: "f").replacing("{file}", with: "0")
            let received = try await service.send("GET", path, headers: .token(secret))
            let fields = [
                .cacheControl, .contentType, .etag, .vary, .wwwAuthenticate,
            ].flatMap { received.response.headers.values(of: $0) }
            // Each problem has the id of its request.
            let id = received.response.headers[.requestID] ?? ""
            return ["\(received.status)", received.text.replacing(id, with: "")] + fields
        }
        for operation in Operation.all where operation.method == .get {
            guard !["getMetrics", "getStream"].contains(operation.id) else { continue }
            service.service.reload(keys: try KeyRing(Array("\(key)\n\(issuer)".utf8)))
            let beside = try await received(operation, "a.b.c")
            service.service.reload(keys: try KeyRing(Array(key.utf8)))
            #expect(try await received(operation, "a.b.c") == beside, "\(operation.id)")
            let unknown = try await received(operation, "unknown")
            #expect(try await received(operation, token) == unknown, "\(operation.id)")
        }
    }

    @Test("Without an issuer the metrics have nothing about tokens")
    func withoutIssuer() async throws {
        let ring = try KeyRing(of: "k read,admin * never")
        let service = try await TestService(access: AccessConfiguration(keys: ring))
        let text = try await service.send("GET", "/metrics", headers: .key("k")).text
        for word in ["\"TOKEN_", "TOO_MANY_TOKENS", "broadsheet_token", "\"tokens\"", "expired"] {
            #expect(!text.contains(word), "\(word)")
        }
    }

    @Test("The result of a verification is counted by issuer; an unknown key has none")
    func metrics() async throws {
        let service = try await service(TestIssuer.hs256.line())
        let expired = TestIssuer.payload("", from: Self.now - 999)
        let tokens = [
            try TestIssuer.hs256.token(expired), try TestIssuer.hs256.token() + "A", "a.b",
            try TestIssuer.hs256.token(header: #"{"alg":"HS256","kid":"x"}"#),
        ]
        for token in tokens {
            try await service.send("GET", Self.path, headers: .token(token))
        }
        for (issuer, result) in [
            ("shop", "expired"), ("", "invalid"), ("", "key_unknown"),
        ] {
            let name = "broadsheet_token_verifications_total"
            let sample = "\(name){issuer=\"\(issuer)\",result=\"\(result)\"}"
            #expect(try await service.metric(sample) >= 1)
        }
    }

    @Test(
        "The log has the issuer and the digits of the reader, or with log=plain the reader",
        arguments: [("", false), ("log=plain", true)])
    func log(options: String, isPlain: Bool) async throws {
        let sink = MemoryLogSink()
        let log = Log(format: .json, sink: sink)
        let service = try await service(
            TestIssuer.hs256.line("read", "home", options), log: log)
        let reader = #""sub":"readerX""#
        let token = try TestIssuer.hs256.token(TestIssuer.payload(reader))
        let expired = try TestIssuer.hs256.token(TestIssuer.payload(reader, from: Self.now - 999))
        let anonymous = try TestIssuer.hs256.token(TestIssuer.payload(""))
        for token in [token, expired, anonymous] {
            for path in [Self.path, "/v1/screens/other"] {
                let head = HTTPRequestHead(
                    method: .get, target: try #require(RequestTarget(path)),
                    headers: .token(token), host: "h")
                let response = await service.service.respond(to: HTTPRequest(head: head, body: []))
                service.service.completed(
                    HTTPExchange(
                        request: head, status: response.status, headers: response.headers,
                        client: response.client, bytesSent: 1, duration: .zero, isComplete: true))
            }
        }
        let lines = sink.lines.filter { $0.contains("\"issuer\":\"shop\"") }
        #expect(lines.count == 6, "\(sink.lines)")
        let named = lines.filter { $0.contains("\"reader\"") }
        #expect(named.count == 3)
        for line in named {
            #expect(line.contains("\"reader\":\"readerX\"") == isPlain)
            let digits = line.firstMatch(of: /"reader":"[0-9a-f]{16}"/)
            #expect((digits != nil) == !isPlain)
        }
        for line in sink.lines {
            #expect(isPlain || !line.contains("readerX"))
            for token in [token, expired] {
                for part in token.split(separator: ".") { #expect(!line.contains(part)) }
            }
        }
    }

    @Test("A reader that has the separator of a pattern is a warning, once for each line")
    func separators() async throws {
        let sink = MemoryLogSink()
        let service = try await service(
            TestIssuer.hs256.line(), log: Log(format: .json, sink: sink))
        for sub in ["a", "a-b", "c-d", "é"] {
            let token = try TestIssuer.hs256.token(TestIssuer.payload("\"sub\":\"\(sub)\""))
            #expect(try await service.send("GET", Self.path, headers: .token(token)).status == 200)
        }
        let warnings = sink.lines.filter { $0.contains("reader without screens") }
        #expect(warnings.count == 1 && warnings[0].contains("the issuer shop (k)"))
        #expect(!warnings.joined().contains("a-b"))
    }

    @Test("Secrets of HS256 that any user may read are a warning, at the start and after a reload")
    func exposed() async throws {
        let sink = MemoryLogSink()
        var ring = try KeyRing(issuers: [TestIssuer.hs256.line()])
        ring.isReadableByAll = true
        let service = try await TestService(
            access: AccessConfiguration(keys: ring), log: Log(format: .json, sink: sink))
        service.service.reload(keys: ring)
        #expect(sink.lines.filter { $0.contains("secrets exposed") }.count == 2)
    }
}
