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
        "A request line that is not three parts and two spaces is refused (RFC 9112 §3)",
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
    func malformedLine(line: String, fault: BadRequest) {
        #expect(failure(line) == .badRequest(fault))
    }

    @Test(
        "A method is a token, and case matters (RFC 9110 §9.1)",
        arguments: ["get", "Get", "BREW", "M-SEARCH", "!#$%&'*+-.^_`|~9"])
    func methods(token: String) throws {
        #expect(try request("\(token) / HTTP/1.1").method.token == token)
        #expect(try request("\(token) / HTTP/1.1").method != .get)
    }

    @Test(
        "A method that is no token is refused at once or at the line's end (RFC 9110 §9.1)",
        arguments: ["G(T", "G\u{e9}T", "(GET", "\u{e9}", "{}", "\"GET\""])
    func malformedMethod(token: String) {
        #expect(failure("\(token) / HTTP/1.1") == .badRequest(.malformedMethod))
    }

    @Test("A method longer than any that is served is not implemented: 501 (RFC 9112 §3)")
    func longMethod() throws {
        let longest = String(repeating: "M", count: 32)
        #expect(try request("\(longest) / HTTP/1.1").method.token == longest)
        #expect(failure("\(longest)M / HTTP/1.1") == .methodNotImplemented)
        let endless = String(repeating: "M", count: 20_000)
        #expect(Transcript(of: endless, closing: false).failure == .methodNotImplemented)
    }

    @Test("CONNECT is a proxy's: 501 (RFC 9110 §9.3.6)")
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
        "Another major version is answered 505 (RFC 9110 §15.6.6)",
        arguments: ["HTTP/0.9", "HTTP/2.0", "HTTP/3.0", "HTTP/9.9"])
    func otherMajorVersion(version: String) {
        #expect(failure("GET / \(version)") == .versionNotSupported)
    }

    @Test("The preface of HTTP/2 is answered 505 (RFC 9113 §3.4)")
    func http2Preface() {
        let preface = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"
        #expect(Transcript(of: preface).failure == .versionNotSupported)
    }

    @Test("A later minor version is read as 1.1 (RFC 9110 §2.5)")
    func laterMinorVersion() throws {
        #expect(try request("GET / HTTP/1.7").version == .http11)
    }

    @Test("A TLS handshake is named for what it is, at its first byte (RFC 8446 §5.1)")
    func tls() {
        #expect(
            Transcript(of: [[0x16]], closing: false).failure == .badRequest(.tlsHandshake))
    }

    @Test("Empty lines before a request are skipped, a few of them (RFC 9112 §2.2)")
    func emptyLines() {
        let request = "GET / HTTP/1.1\r\nHost: a\r\n\r\n"
        #expect(Transcript(of: "\r\n\r\n\r\n\r\n" + request).requests.count == 1)
        #expect(
            Transcript(of: "\r\n\r\n\r\n\r\n\r\n" + request).failure
                == .badRequest(.tooManyEmptyLines))
        #expect(Transcript(of: "\n" + request).failure == .badRequest(.bareLineFeed))
    }
}
