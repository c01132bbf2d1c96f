import BroadsheetHTTP
import Testing

@Suite("Request lines (RFC 9112 §3)")
struct RequestLineTests {
    private func failure(_ line: String) -> HTTPError? {
        Transcript(of: line + "\r\nHost: a\r\n\r\n").failure
    }

    private func request(_ line: String) throws -> HTTPRequest {
        try #require(Transcript(of: line + "\r\nHost: a\r\n\r\n").requests.first)
    }

    @Test("Method, target and version are read (RFC 9112 §3)")
    func parts() throws {
        let request = try request("DELETE /v1/screens/home?x=1&y HTTP/1.1")
        #expect(request.method == .delete)
        #expect(request.target.path == "/v1/screens/home")
        #expect(request.target.query == "x=1&y")
        #expect(request.target.form == .origin)
        #expect(request.version == .http11)
    }

    @Test(
        "A request line that is not three parts and two spaces is rejected (RFC 9112 §3)",
        arguments: [
            ("GET  / HTTP/1.1", BadRequest.malformedRequestLine),
            ("GET /  HTTP/1.1", .malformedRequestLine),
            ("GET / HTTP/1.1 ", .malformedRequestLine),
            (" GET / HTTP/1.1", .malformedRequestLine),
            ("GET\t/ HTTP/1.1", .malformedRequestLine),
            ("GET / a HTTP/1.1", .malformedRequestLine),
            ("GET /", .malformedRequestLine),
            ("GET", .malformedRequestLine),
            ("GET / \u{7f}HTTP/1.1", .malformedRequestLine),
            ("GET /\0 HTTP/1.1", .malformedRequestLine),
            ("GET /\rHTTP/1.1 HTTP/1.1", .bareCarriageReturn),
            ("\rGET / HTTP/1.1", .bareCarriageReturn),
        ])
    func malformedLine(line: String, error: BadRequest) {
        #expect(failure(line) == .badRequest(error))
    }

    @Test(
        "A bare CR is refused as soon as the next byte arrives (RFC 9112 §2.2)",
        arguments: [
            "GET /\rx", "\rG", "GET / HTTP/1.1\r\nHost: a\rb", "GET / HTTP/1.1\r\n\rX",
            "GET / HTTP/1.1\r\nX: a\r\r",
            "PUT / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n0\r\nX: a\rb",
        ])
    func bareCarriageReturn(start: String) {
        let bytes = Array(start.utf8)
        let refused = HTTPError.badRequest(.bareCarriageReturn)
        #expect(Transcript(of: [bytes], closing: false).failure == refused)
        #expect(Transcript(of: bytes.map { [$0] }, closing: false).failure == refused)
        let before = Transcript(of: [Array(bytes.dropLast())], closing: false)
        #expect(before.failure == nil)
    }

    @Test(
        "A method is a token, and case matters (RFC 9110 §9.1)",
        arguments: ["get", "Get", "BREW", "M-SEARCH", "!#$%&'*+-.^_`|~9"])
    func methods(token: String) throws {
        #expect(try request("\(token) / HTTP/1.1").method.token == token)
        #expect(try request("\(token) / HTTP/1.1").method != .get)
    }

    @Test(
        "A method that is not a token is rejected at once or at the line's end (RFC 9110 §9.1)",
        arguments: ["G(T", "G\u{e9}T", "(GET", "\u{e9}", "{}", "\"GET\""])
    func malformedMethod(token: String) {
        #expect(failure("\(token) / HTTP/1.1") == .badRequest(.malformedMethod))
    }

    @Test("A method longer than any that is served receives 501 (RFC 9112 §3)")
    func longMethod() throws {
        let longest = String(repeating: "M", count: 32)
        #expect(try request("\(longest) / HTTP/1.1").method.token == longest)
        #expect(failure("\(longest)M / HTTP/1.1") == .methodNotImplemented)
        let endless = String(repeating: "M", count: 20_000)
        #expect(Transcript(of: endless, closing: false).failure == .methodNotImplemented)
    }

    @Test("CONNECT, a method for proxies, receives 501 (RFC 9110 §9.3.6)")
    func connect() { #expect(failure("CONNECT a:443 HTTP/1.1") == .methodNotImplemented) }

    @Test(
        "A version is HTTP/ digit . digit in capitals (RFC 9112 §2.3)",
        arguments: [
            "HTTP/1", "HTTP/1.", "HTTP/1.10", "HTTP/11", "http/1.1", "HTTP/1.1x", "HTTP/x.1",
            "HTTP-1.1", "HTTP /1.1", "HTTPS/1.1", "HTTP/+1.1", "HTTP/1,1", "XTTP/1.1",
        ])
    func malformedVersion(version: String) {
        let expected: BadRequest =
            version.contains(" ") ? .malformedRequestLine : .malformedVersion
        #expect(failure("GET / \(version)") == .badRequest(expected))
    }

    @Test(
        "Another major version receives 505 (RFC 9110 §15.6.6)",
        arguments: ["HTTP/0.9", "HTTP/2.0", "HTTP/3.0", "HTTP/9.9"])
    func otherMajorVersion(version: String) {
        #expect(failure("GET / \(version)") == .versionNotSupported)
    }

    @Test("The preface of HTTP/2 receives 505 (RFC 9113 §3.4)")
    func http2Preface() {
        let preface = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"
        #expect(Transcript(of: preface).failure == .versionNotSupported)
    }

    @Test("A later minor version is read as 1.1 (RFC 9110 §2.5)")
    func laterMinorVersion() throws {
        #expect(try request("GET / HTTP/1.7").version == .http11)
    }

    @Test("A TLS handshake is recognised at its first byte (RFC 8446 §5.1)")
    func tls() {
        #expect(
            Transcript(of: [[0x16]], closing: false).failure == .badRequest(.tlsHandshake))
    }

    @Test("A few empty lines before a request are skipped (RFC 9112 §2.2)")
    func emptyLines() {
        let request = "GET / HTTP/1.1\r\nHost: a\r\n\r\n"
        #expect(Transcript(of: "\r\n\r\n\r\n\r\n" + request).requests.count == 1)
        #expect(
            Transcript(of: "\r\n\r\n\r\n\r\n\r\n" + request).failure
                == .badRequest(.tooManyEmptyLines))
        #expect(Transcript(of: "\n" + request).failure == .badRequest(.bareLineFeed))
    }
}

@Suite("Request targets (RFC 9112 §3.2)")
struct RequestTargetTests {
    private func head(_ line: String) throws -> HTTPRequestHead {
        let transcript = Transcript(of: "\(line) HTTP/1.1\r\nHost: field.example\r\n\r\n")
        return try #require(transcript.requests.first).head
    }

    @Test(
        "Origin-form is split at its first question mark, undecoded (RFC 9112 §3.2.1)",
        arguments: [
            ("/", "/", nil),
            ("/a/b", "/a/b", nil),
            ("/a?", "/a", ""),
            ("/a?b=c?d/e", "/a", "b=c?d/e"),
            ("/%2F%zz;p=1:@!$&'()*+,=~", "/%2F%zz;p=1:@!$&'()*+,=~", nil),
            ("//a//", "//a//", nil),
            ("/a?x={|}^`\\[]", "/a", "x={|}^`\\[]"),
        ] as [(String, String, String?)])
    func originForm(target: String, path: String, query: String?) throws {
        let head = try head("GET \(target)")
        #expect(head.target.path == path)
        #expect(head.target.query == query)
        #expect(head.target.form == .origin)
        #expect(head.host == "field.example")
    }

    @Test(
        "Absolute-form contains a host, which replaces the field's (RFC 9112 §3.2.2)",
        arguments: [
            ("http://a.example/p?q", "a.example", "/p", "q"),
            ("HTTP://a.example:81/", "a.example:81", "/", nil),
            ("https://a.example", "a.example", "/", nil),
            ("http://a.example?q", "a.example", "/", "q"),
            ("http://[2001:db8::1]:80/x", "[2001:db8::1]:80", "/x", nil),
        ] as [(String, String, String, String?)])
    func absoluteForm(target: String, host: String, path: String, query: String?) throws {
        let head = try head("GET \(target)")
        #expect(head.target.form == .absolute)
        #expect(head.host == host)
        #expect(head.target.path == path)
        #expect(head.target.query == query)
    }

    @Test("Asterisk-form is for OPTIONS, a bare authority's too (RFC 9112 §3.2.4)")
    func asteriskForm() throws {
        #expect(try head("OPTIONS *").target.form == .asterisk)
        #expect(try head("OPTIONS http://a.example:80").target.form == .asterisk)
        #expect(try head("OPTIONS http://a.example:80").host == "a.example:80")
        #expect(try head("OPTIONS http://a.example:80/").target.form == .absolute)
    }

    @Test(
        "A target in no form that its method may use is rejected (RFC 9112 §3.2)",
        arguments: [
            "GET *", "OPTIONS **", "GET a", "GET ?a", "GET a.example:80", "GET ftp://a/",
            "GET http://", "GET http:///p", "GET http:/a", "GET http://u@a/", "GET http://a:b/",
            "GET http://a:65536/", "GET http://[::1/", "GET http://[]/", "GET http://a%2/",
            "GET /#fragment", "GET /a#", "GET /?#", "GET /<a>", "GET /\"a\"", "GET /a\\b",
            "GET /a|b", "GET /{a}", "GET /caf\u{e9}", "GET /?caf\u{e9}", "GET /?<", "GET /?\"",
        ])
    func malformed(line: String) {
        #expect(
            Transcript(of: "\(line) HTTP/1.1\r\nHost: a\r\n\r\n").failure
                == .badRequest(.malformedTarget))
    }

    @Test("A target can be created from text")
    func fromText() {
        #expect(RequestTarget("/a?b")?.query == "b")
        #expect(RequestTarget("*")?.form == .asterisk)
        #expect(RequestTarget("http://h/a")?.authority == "h")
        #expect(RequestTarget("a b") == nil)
        #expect(RequestTarget("") == nil)
    }
}
