import BroadsheetHTTP
import Testing

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
        "Absolute-form brings its own host, which replaces the field's (RFC 9112 §3.2.2)",
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
        "A target in no form that its method may use is refused (RFC 9112 §3.2)",
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

    @Test("A target can be made of text, as endpoints' tests do")
    func fromText() {
        #expect(RequestTarget("/a?b")?.query == "b")
        #expect(RequestTarget("*")?.form == .asterisk)
        #expect(RequestTarget("http://h/a")?.authority == "h")
        #expect(RequestTarget("a b") == nil)
        #expect(RequestTarget("") == nil)
    }
}
