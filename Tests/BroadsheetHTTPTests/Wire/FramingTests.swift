import BroadsheetHTTP
import Testing

@Suite("Where a body ends (RFC 9112 §6)")
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
        "POST, PUT and PATCH without a length are answered 411 (RFC 9110 §15.5.12)",
        arguments: ["POST", "PUT", "PATCH"])
    func lengthRequired(method: String) {
        #expect(transcript("X: 1", method: method).failure == .lengthRequired)
        let old = Transcript(of: "\(method) / HTTP/1.0\r\n\r\n")
        #expect(old.failure == .lengthRequired)
    }

    @Test(
        "A Content-Length that is not one row of digits is refused (RFC 9110 §8.6)",
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
        "Two Content-Lengths are refused, differing or not (RFC 9112 §6.3)",
        arguments: [("5", "5"), ("5", "6"), ("0", "5"), ("5", "05")])
    func repeatedContentLength(first: String, second: String) {
        let lines = "Content-Length: \(first)\r\nContent-Length: \(second)"
        #expect(transcript(lines, "hello").failure == .badRequest(.repeatedContentLength))
    }

    @Test("Both Content-Length and Transfer-Encoding are refused (RFC 9112 §6.1)")
    func both() {
        let body = "0\r\n\r\n"
        let fault = HTTPError.badRequest(.lengthAndTransferEncoding)
        #expect(
            transcript("Content-Length: 5\r\nTransfer-Encoding: chunked", body).failure == fault)
        #expect(
            transcript("Transfer-Encoding: chunked\r\nContent-Length: 5", body).failure == fault)
        #expect(
            transcript("Transfer-Encoding: gzip\r\nContent-Length: 0", body).failure == fault)
    }

    @Test(
        "The one transfer coding is chunked, alone and last (RFC 9112 §6.1, §7)",
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

    @Test("Several Transfer-Encoding lines make one list (RFC 9110 §5.3)")
    func severalLines() {
        let twice = "Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked"
        #expect(transcript(twice).failure == .badRequest(.chunkedNotLast))
        let other = "Transfer-Encoding: identity\r\nTransfer-Encoding: chunked"
        #expect(transcript(other).failure == .unsupportedTransferCoding)
    }

    @Test("Transfer-Encoding in HTTP/1.0 is refused (RFC 9112 §6.1)")
    func http10() {
        let request = "POST / HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n"
        #expect(Transcript(of: request).failure == .badRequest(.transferEncodingInHTTP10))
    }
}
