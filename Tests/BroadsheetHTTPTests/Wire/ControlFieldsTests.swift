import BroadsheetHTTP
import Testing

@Suite("The end of a body (RFC 9112 §6)")
struct FramingTests {
    private func transcript(
        _ lines: String, _ rest: String = "", method: String = "POST"
    )
        -> Transcript
    {
        Transcript(of: "\(method) / HTTP/1.1\r\nHost: a\r\n\(lines)\r\n\r\n\(rest)")
    }

    @Test("Content-Length bounds the body, leading zeros or not (RFC 9112 §6.3)")
    func contentLength() {
        #expect(transcript("Content-Length: 5", "hello").requests.first?.body.text == "hello")
        #expect(transcript("content-length:005", "hello").requests.first?.body.text == "hello")
        #expect(transcript("Content-Length: \t5\t ", "hello").requests.first?.body.text == "hello")
        #expect(transcript("Content-Length: 0").requests.first?.body == [])
    }

    @Test("GET, HEAD, DELETE and OPTIONS need no length, and may have a body (RFC 9110 §9.3.1)")
    func bodiesOfOtherMethods() {
        for method in ["GET", "HEAD", "DELETE", "OPTIONS", "BREW"] {
            #expect(transcript("X: 1", method: method).requests.first?.body == [])
            let with = transcript("Content-Length: 2", "ab", method: method)
            #expect(with.requests.first?.body.text == "ab")
        }
    }

    @Test(
        "POST, PUT and PATCH without a length receive 411 (RFC 9110 §15.5.12)",
        arguments: ["POST", "PUT", "PATCH"])
    func lengthRequired(method: String) {
        #expect(transcript("X: 1", method: method).failure == .lengthRequired)
        let old = Transcript(of: "\(method) / HTTP/1.0\r\n\r\n")
        #expect(old.failure == .lengthRequired)
    }

    @Test(
        "A Content-Length that is not a sequence of digits is rejected (RFC 9110 §8.6)",
        arguments: [
            "", "+5", "-1", "0x5", "5,5", "5, 5", "5 5", "5;", "5.0", "1e1", "five", "\u{ff15}",
            "99999999999999999999", "9223372036854775808", "18446744073709551621", "'5'", "\"5\"",
            ",5", "5,", "_5",
        ])
    func malformedContentLength(value: String) {
        #expect(
            transcript("Content-Length: \(value)", "hello").failure
                == .badRequest(.malformedContentLength))
    }

    @Test(
        "Two Content-Lengths are rejected, differing or not (RFC 9112 §6.3)",
        arguments: [("5", "5"), ("5", "6"), ("0", "5"), ("5", "05")])
    func repeatedContentLength(first: String, second: String) {
        let lines = "Content-Length: \(first)\r\nContent-Length: \(second)"
        #expect(transcript(lines, "hello").failure == .badRequest(.repeatedContentLength))
    }

    @Test("Both Content-Length and Transfer-Encoding are rejected (RFC 9112 §6.1)")
    func both() {
        let body = "0\r\n\r\n"
        let error = HTTPError.badRequest(.lengthAndTransferEncoding)
        #expect(
            transcript("Content-Length: 5\r\nTransfer-Encoding: chunked", body).failure == error)
        #expect(
            transcript("Transfer-Encoding: chunked\r\nContent-Length: 5", body).failure == error)
        #expect(
            transcript("Transfer-Encoding: gzip\r\nContent-Length: 0", body).failure == error)
    }

    @Test(
        "The only transfer coding is chunked, alone and last (RFC 9112 §6.1, §7)",
        arguments: [
            ("chunked", nil),
            ("Chunked", nil),
            ("\tCHUNKED\t", nil),
            ("gzip", .unsupportedTransferCoding),
            ("identity", .unsupportedTransferCoding),
            ("xchunked", .unsupportedTransferCoding),
            ("chunkedx", .unsupportedTransferCoding),
            ("chunk", .unsupportedTransferCoding),
            ("gzip, chunked", .unsupportedTransferCoding),
            ("gzip;level=9, chunked", .unsupportedTransferCoding),
            ("chunked, gzip", .badRequest(.chunkedNotLast)),
            ("chunked, identity", .badRequest(.chunkedNotLast)),
            ("chunked, chunked", .badRequest(.chunkedNotLast)),
            ("chunked;q=1", .badRequest(.malformedTransferEncoding)),
            ("chunked;", .badRequest(.malformedTransferEncoding)),
            ("chunked chunked", .badRequest(.malformedTransferEncoding)),
            ("gzip x", .badRequest(.malformedTransferEncoding)),
            ("", .badRequest(.malformedTransferEncoding)),
            (",", .badRequest(.malformedTransferEncoding)),
            ("chunked,", .badRequest(.malformedTransferEncoding)),
            (",chunked", .badRequest(.malformedTransferEncoding)),
            ("gzip,,chunked", .badRequest(.malformedTransferEncoding)),
            ("\"chunked\"", .badRequest(.malformedTransferEncoding)),
            ("'chunked'", .unsupportedTransferCoding),
            ("chunked\u{e9}", .badRequest(.malformedTransferEncoding)),
        ] as [(String, HTTPError?)])
    func transferEncodings(value: String, failure: HTTPError?) {
        let transcript = transcript("Transfer-Encoding: \(value)", "1\r\nx\r\n0\r\n\r\n")
        #expect(transcript.failure == failure)
        #expect(transcript.requests.first?.body.text == (failure == nil ? "x" : nil))
    }

    @Test("Several Transfer-Encoding lines form one list (RFC 9110 §5.3)")
    func severalLines() {
        let twice = "Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked"
        #expect(transcript(twice).failure == .badRequest(.chunkedNotLast))
        let other = "Transfer-Encoding: identity\r\nTransfer-Encoding: chunked"
        #expect(transcript(other).failure == .unsupportedTransferCoding)
    }

    @Test("Transfer-Encoding in HTTP/1.0 is rejected (RFC 9112 §6.1)")
    func http10() {
        let request = "POST / HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n"
        #expect(Transcript(of: request).failure == .badRequest(.transferEncodingInHTTP10))
    }
}

@Suite("Field lines (RFC 9112 §5)")
struct HeaderTests {
    private func transcript(_ lines: String) -> Transcript {
        Transcript(of: "GET / HTTP/1.1\r\nHost: a\r\n\(lines)\r\n\r\n")
    }

    @Test("Names are found in any case, values have no blanks around them (RFC 9112 §5.1)")
    func lookup() throws {
        let lines = "X-One: \t 1 \t\r\nx-two:2 2\r\nX-Empty:\r\nX-Blank: \t "
        let headers = try #require(transcript(lines).requests.first).headers
        #expect(headers["x-ONE"] == "1")
        #expect(headers["X-Two"] == "2 2")
        #expect(headers["X-Empty"] == "")
        #expect(headers["X-Blank"] == "")
        #expect(headers["X-Three"] == nil)
        #expect(headers.map(\.name) == ["Host", "X-One", "x-two", "X-Empty", "X-Blank"])
    }

    @Test("Repeated fields keep their order (RFC 9110 §5.3)")
    func repeated() throws {
        let headers = try #require(transcript("A: 1\r\nB: 2\r\na: 3").requests.first).headers
        #expect(headers.values(of: "A") == ["1", "3"])
        #expect(headers["A"] == "1")
    }

    @Test("Bytes above ASCII are kept, and replaced only in text (RFC 9110 §5.5: obs-text)")
    func obsText() throws {
        var bytes = Array("GET / HTTP/1.1\r\nHost: a\r\nX: ".utf8)
        bytes += [0x80, 0xFF]
        bytes += Array("\r\nY: \u{d55c}\r\n\r\n".utf8)
        let headers = try #require(Transcript(of: [bytes]).requests.first).headers
        #expect(headers["X"] == "\u{fffd}\u{fffd}")
        #expect(headers["Y"] == "\u{d55c}")
    }

    @Test(
        "A field line outside the grammar is rejected (RFC 9112 §2.2, §5; RFC 9110 §5.5)",
        arguments: [
            ("X : 1", BadRequest.blankBeforeColon),
            ("X\t: 1", .blankBeforeColon),
            ("X Y: 1", .blankBeforeColon),
            (" X: 1", .multilineHeader),
            ("\tX: 1", .multilineHeader),
            ("X: 1\r\n 2", .multilineHeader),
            ("X: 1\r\n\t2", .multilineHeader),
            (" ", .multilineHeader),
            (": 1", .headerWithoutName),
            ("X", .headerWithoutName),
            ("X(Y): 1", .malformedHeaderName),
            ("X\0: 1", .malformedHeaderName),
            ("\u{e9}: 1", .malformedHeaderName),
            ("\u{b}X: 1", .malformedHeaderName),
            ("X: a\0b", .controlCharacterInHeader),
            ("X: \u{1}", .controlCharacterInHeader),
            ("X: \u{b}", .controlCharacterInHeader),
            ("X: a\u{7f}", .controlCharacterInHeader),
            ("X: a\u{1b}[0m", .controlCharacterInHeader),
            ("X: a\rb", .bareCarriageReturn),
            ("X: a\r", .bareCarriageReturn),
            ("X\r: a", .bareCarriageReturn),
            ("\rX: a", .bareCarriageReturn),
            ("X: a\nY: b", .bareLineFeed),
            ("X: a\n", .bareLineFeed),
            ("\nX: a", .bareLineFeed),
        ])
    func malformed(lines: String, error: BadRequest) {
        #expect(transcript(lines).failure == .badRequest(error))
    }

    @Test("A blank before the first field line is rejected too (RFC 9112 §2.2)")
    func blankBeforeFirst() {
        let request = "GET / HTTP/1.1\r\n Host: a\r\n\r\n"
        #expect(Transcript(of: request).failure == .badRequest(.multilineHeader))
    }

    @Test(
        "Host occurs once and is a host (RFC 9112 §3.2)",
        arguments: [
            ("", BadRequest.missingHost),
            ("Host: a\r\nHost: a\r\n", .repeatedHost),
            ("Host: a\r\nhOST: b\r\n", .repeatedHost),
            ("Host:\r\n", .malformedHost),
            ("Host: a b\r\n", .malformedHost),
            ("Host: a,b\"\r\n", .malformedHost),
            ("Host: a/b\r\n", .malformedHost),
            ("Host: http://a\r\n", .malformedHost),
            ("Host: u@a\r\n", .malformedHost),
            ("Host: :80\r\n", .malformedHost),
            ("Host: a:http\r\n", .malformedHost),
            ("Host: a:99999\r\n", .malformedHost),
            ("Host: a:80:80\r\n", .malformedHost),
            ("Host: [::1\r\n", .malformedHost),
            ("Host: [::1]x\r\n", .malformedHost),
            ("Host: ::1\r\n", .malformedHost),
            ("Host: [zz]\r\n", .malformedHost),
            ("Host: []\r\n", .malformedHost),
            ("Host: [1.2.3.4]:80\r\n", .malformedHost),
            ("Host: a%g1\r\n", .malformedHost),
            ("Host: caf\u{e9}\r\n", .malformedHost),
        ])
    func hosts(lines: String, error: BadRequest) {
        #expect(
            Transcript(of: "GET / HTTP/1.1\r\n\(lines)\r\n").failure == .badRequest(error))
        if error != .missingHost {
            let old = Transcript(of: "GET / HTTP/1.0\r\n\(lines)\r\n")
            #expect(old.failure == .badRequest(error))
        }
    }

    @Test(
        "Hosts of every kind are accepted (RFC 3986 §3.2.2)",
        arguments: [
            "a", "a.example", "a.example:80", "a:", "127.0.0.1:65535", "[::1]", "[::1]:8080",
            "[v1.x:y]", "[2001:db8::1.2.3.4]", "x_y~z", "%41b", "xn--bcher-kva.example",
            "LOCALHOST",
        ])
    func goodHosts(host: String) {
        let transcript = Transcript(of: "GET / HTTP/1.1\r\nHost: \(host)\r\n\r\n")
        #expect(transcript.requests.first?.head.host == host)
    }

    @Test("HTTP/1.0 needs no Host (RFC 9112 §3.2)")
    func http10WithoutHost() {
        let transcript = Transcript(of: "GET / HTTP/1.0\r\n\r\n")
        #expect(transcript.requests.count == 1)
        #expect(transcript.requests.first?.head.host == nil)
    }

    @Test(
        "Connections are kept by version and by what Connection lists (RFC 9112 §9.3)",
        arguments: [
            ("1.1", "", true),
            ("1.1", "Connection: close\r\n", false),
            ("1.1", "Connection: Close\r\n", false),
            ("1.1", "Connection: keep-alive , CLOSE\r\n", false),
            ("1.1", "Connection: upgrade,,\r\nConnection: close\r\n", false),
            ("1.1", "Connection: closed\r\n", true),
            ("1.1", "Connection: upgrade\r\n", true),
            ("1.0", "", false),
            ("1.0", "Connection: Keep-Alive\r\n", true),
            ("1.0", "Connection: x,\tkeep-alive\r\n", true),
            ("1.0", "Connection: keep-alive, close\r\n", false),
        ])
    func persistence(version: String, lines: String, keeps: Bool) {
        let transcript = Transcript(of: "GET / HTTP/\(version)\r\nHost: a\r\n\(lines)\r\n")
        #expect(transcript.requests.first?.keepAlive == keeps)
    }
}
