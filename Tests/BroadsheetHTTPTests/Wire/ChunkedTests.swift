import BroadsheetHTTP
import Testing

@Suite("Chunked bodies (RFC 9112 §7.1)")
struct ChunkedTests {
    private func transcript(_ body: String, limits: HTTPLimits = HTTPLimits()) -> Transcript {
        Transcript(
            of: "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n\(body)",
            limits: limits)
    }

    @Test(
        "Chunks are joined; sizes are hexadecimal in either case (RFC 9112 §7.1)",
        arguments: [
            ("0\r\n\r\n", ""),
            ("000\r\n\r\n", ""),
            ("5\r\nhello\r\n0\r\n\r\n", "hello"),
            ("5\r\nhello\r\n1\r\n \r\n5\r\nworld\r\n0\r\n\r\n", "hello world"),
            ("a\r\n0123456789\r\nA\r\n0123456789\r\n00\r\n\r\n", "01234567890123456789"),
            ("0005\r\n\r\n0\r\n\r\n0\r\n\r\n", "\r\n0\r\n"),
        ])
    func joined(body: String, expected: String) {
        #expect(transcript(body).requests.first?.body.text == expected)
        #expect(transcript(body).ended)
    }

    @Test(
        "Extensions are checked and dropped (RFC 9112 §7.1.1)",
        arguments: [
            "1;a", "1;a=b", "1;a=\"b\"", "1;a=\"b;\\\"\\\\ \t\u{e9}\"", "1;a;b=c;d", "1 ;a",
            "1\t;\ta\t=\tb", "1; a = \"b\" ;c", "1;a ;b", "1;a=\"\"",
        ])
    func extensions(line: String) {
        #expect(transcript("\(line)\r\nx\r\n0;e=1\r\n\r\n").requests.first?.body.text == "x")
    }

    @Test(
        "A chunk line outside the grammar is refused (RFC 9112 §7.1, §2.2)",
        arguments: [
            ("\r\n", BadRequest.malformedChunkSize),
            (" 5\r\n", .malformedChunkSize),
            ("5 \r\n", .malformedChunkSize),
            ("5\t\r\n", .malformedChunkSize),
            ("+5\r\n", .malformedChunkSize),
            ("-5\r\n", .malformedChunkSize),
            ("0x5\r\n", .malformedChunkSize),
            ("5h\r\n", .malformedChunkSize),
            ("g\r\n", .malformedChunkSize),
            ("5_0\r\n", .malformedChunkSize),
            ("5,5\r\n", .malformedChunkSize),
            (";a\r\n", .malformedChunkSize),
            ("5 5\r\n", .malformedChunkSize),
            ("\0\r\n", .malformedChunkSize),
            ("ffffffffffffffff\r\n", .malformedChunkSize),
            ("10000000000000005\r\n", .malformedChunkSize),
            ("00000000000000005\r\n", .malformedChunkSize),
            ("5\n", .bareLineFeed),
            ("\n", .bareLineFeed),
            ("5;a\n", .bareLineFeed),
            ("5;a=\"\n\"\r\n", .bareLineFeed),
            ("5\rx", .bareCarriageReturn),
            ("5\r\r\n", .bareCarriageReturn),
            ("5;a\rb\r\n", .bareCarriageReturn),
            ("5;\r\n", .malformedChunkExtension),
            ("5;;a\r\n", .malformedChunkExtension),
            ("5;a=\r\n", .malformedChunkExtension),
            ("5;a=b=c\r\n", .malformedChunkExtension),
            ("5;=b\r\n", .malformedChunkExtension),
            ("5;a b\r\n", .malformedChunkExtension),
            ("5;a \r\n", .malformedChunkExtension),
            ("5;a=b c\r\n", .malformedChunkExtension),
            ("5;a=\"b\"c\r\n", .malformedChunkExtension),
            ("5;a=\"\0\"\r\n", .malformedChunkExtension),
            ("5;a=\"\\\r\n", .malformedChunkExtension),
            ("5;a=\"b\r\n", .malformedChunkExtension),
            ("5;a=\u{e9}\r\n", .malformedChunkExtension),
        ])
    func malformedLine(line: String, fault: BadRequest) {
        #expect(transcript("\(line)hello\r\n0\r\n\r\n").failure == .badRequest(fault))
    }

    @Test(
        "A chunk's data is followed by CRLF and nothing else (RFC 9112 §7.1)",
        arguments: [
            "5\r\nhello0\r\n\r\n", "5\r\nhello!\r\n0\r\n\r\n", "5\r\nhello\n0\r\n\r\n",
            "5\r\nhello\r0\r\n\r\n", "5\r\nhello \r\n0\r\n\r\n", "4\r\nhello\r\n0\r\n\r\n",
        ])
    func unterminatedData(body: String) {
        #expect(transcript(body).failure == .badRequest(.chunkNotTerminated))
    }

    @Test("Trailers are read past and never become headers (RFC 9110 §6.5.1)")
    func trailers() throws {
        let body = "1\r\nx\r\n0\r\nX-Sum: 1\r\nAuthorization: none\r\n\r\n"
        let request = try #require(transcript(body).requests.first)
        #expect(request.body.text == "x")
        #expect(request.headers.map(\.name) == ["Host", "Transfer-Encoding"])
        #expect(transcript(body + "GET / HTTP/1.1\r\nHost: a\r\n\r\n").requests.count == 2)
    }

    @Test(
        "Trailers are held to the grammar of field lines (RFC 9112 §7.1.2)",
        arguments: [
            ("X : 1\r\n\r\n", BadRequest.blankBeforeColon),
            ("X: 1\r\n 2\r\n\r\n", .multilineHeader),
            ("X: 1\n\r\n", .bareLineFeed),
            ("\n", .bareLineFeed),
            ("X: \0\r\n\r\n", .controlCharacterInHeader),
            ("GET / HTTP/1.1\r\n\r\n", .blankBeforeColon),
        ])
    func malformedTrailers(trailers: String, fault: BadRequest) {
        #expect(transcript("0\r\n\(trailers)").failure == .badRequest(fault))
    }
}
