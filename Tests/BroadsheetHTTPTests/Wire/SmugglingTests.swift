import BroadsheetHTTP
import Testing

/// The known ways to make two readers disagree about the end of a request.
///
/// Each fails, or is read in the one way that RFC 9112 allows; the hidden request is never
/// returned.
@Suite("Request smuggling (RFC 9112 §11.2)")
struct SmugglingTests {
    private static let hidden = "GET /hidden HTTP/1.1\r\nHost: a\r\n\r\n"

    private func expectRefused(_ stream: String) {
        let transcript = Transcript(of: stream)
        #expect(transcript.requests.isEmpty, "\(transcript)")
        #expect(transcript.failure != nil)
    }

    @Test("CL.TE and TE.CL: both lengths in one message are rejected (RFC 9112 §6.1)")
    func bothLengths() {
        for lines in [
            "Content-Length: 6\r\nTransfer-Encoding: chunked",
            "Transfer-Encoding: chunked\r\nContent-Length: 6",
            "Content-Length: 6\r\nTransfer-Encoding: chunked\r\nContent-Length: 6",
        ] {
            expectRefused(
                "POST / HTTP/1.1\r\nHost: a\r\n\(lines)\r\n\r\n0\r\n\r\n\(Self.hidden)")
        }
    }

    @Test(
        "TE.TE: a disguised Transfer-Encoding is rejected or fully read (RFC 9112 §5.1, §6.1)",
        arguments: [
            "Transfer-Encoding: xchunked", "Transfer-Encoding : chunked",
            "Transfer-Encoding\t: chunked", "Transfer-Encoding: chunked\r\nTransfer-Encoding: x",
            " Transfer-Encoding: chunked", "X: x\nTransfer-Encoding: chunked",
            "X: x\r\n Transfer-Encoding: chunked", "Transfer-Encoding\r\n: chunked",
            "Transfer-Encoding: \u{b}chunked", "Transfer-Encoding: \u{c}chunked",
            "Transfer-Encoding: \0chunked", "Transfer-Encoding: chunked\0",
            "Transfer-Encoding: chunked\r", "Transfer-Encoding: \"chunked\"",
            "Transfer-Encoding: cow, chunked", "Transfer-Encoding: chunked, cow",
            "Transfer-Encoding: identity, chunked", "Transfer-Encoding:\r\n chunked",
            "Transfer-Encoding:\u{a0}chunked", "Transfer-Encoding: chunked;x",
            "Transfer-Encoding\u{85}: chunked", "\u{b}Transfer-Encoding: chunked",
            "Transfer-Encoding; chunked: x", "Transfer-Encoding: ch\tunked",
            "X: x\rTransfer-Encoding: chunked",
            "Transfer-Encoding: x\r\nTransfer-Encoding: chunked",
            "Transfer\u{ad}-Encoding: chunked", "Tra\u{17f}nsfer-Encoding: chunked",
        ])
    func obfuscated(lines: String) {
        let rest = "0\r\n\r\n\(Self.hidden)"
        expectRefused(
            "POST / HTTP/1.1\r\nHost: a\r\n\(lines)\r\nContent-Length: \(rest.utf8.count)\r\n\r\n"
                + rest)
    }

    @Test("Similar names are other fields: only the length is used (RFC 9110 §5.1)")
    func lookalikes() {
        for name in [
            "Transfer_Encoding", "TransferEncoding", "X-Transfer-Encoding", "Transfer-Encodings",
        ] {
            let rest = "0\r\n\r\n"
            let stream =
                "POST / HTTP/1.1\r\nHost: a\r\n\(name): chunked\r\n"
                + "Content-Length: \(rest.utf8.count)\r\n\r\n\(rest)"
            #expect(Transcript(of: stream).requests.map(\.body.text) == [rest])
        }
    }

    @Test(
        "CL.CL: an ambiguous Content-Length is rejected (RFC 9110 §8.6)",
        arguments: [
            "Content-Length: 0\r\nContent-Length: 38", "Content-Length: 0, 38",
            "Content-Length: +0", "Content-Length: -0", "Content-Length: 0x0",
            "Content-Length: 0\u{b}", "Content-Length : 0", "Content-Length:\r\n 0",
            "Content-Length: 18446744073709551616", "Content-Length: 4294967296000000000000",
            "Content-Length: 0_0", "Content-Length: 0 0", "Content-Length: 0e0",
            "Content-Length: \u{661}", "Content-Length: 0\0",
        ])
    func lengths(lines: String) {
        expectRefused("POST / HTTP/1.1\r\nHost: a\r\n\(lines)\r\n\r\n\(Self.hidden)")
    }

    @Test("A Content-Length with leading zeros is decimal, not octal (RFC 9110 §8.6)")
    func leadingZeros() {
        let stream = "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 010\r\n\r\n0123456789"
        #expect(Transcript(of: stream).requests.map(\.body.text) == ["0123456789"])
    }

    @Test(
        "TERM.EXT and EXT.TERM: An ambiguous end of a chunk line is rejected (RFC 9112 §7.1.1)",
        arguments: [
            "5;\nxxxx\r\n", "5;a\nxxxx\r\n", "5\n;a\r\n", "5\rX;a\r\n", "5;a=\"\r\n\"\r\n",
            "5;a=\"\n\"\r\n", "0\n\r\n", "0;\r\r\n\r\n", "0 \r\n\r\n", "0\u{b}\r\n\r\n",
            "0\0\r\n\r\n", "00x0\r\n\r\n", "1 0\r\n\r\n",
        ])
    func chunkLines(body: String) {
        expectRefused(
            "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n\(body)\(Self.hidden)")
    }

    @Test("A size of 2^64 and more does not wrap round to a small one (RFC 9112 §7.1)")
    func chunkSizeOverflow() {
        for size in [
            "10000000000000000", "1000000000000000a", "ffffffffffffffff", "8000000000000000",
        ] {
            expectRefused(
                "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n\(size)\r\n"
                    + "\r\n0\r\n\r\n\(Self.hidden)")
        }
    }

    @Test("CL.0: a GET's body is read as a body, not as the next request (RFC 9110 §9.3.1)")
    func bodyOfGet() {
        let stream =
            "GET / HTTP/1.1\r\nHost: a\r\nContent-Length: \(Self.hidden.utf8.count)\r\n\r\n"
            + Self.hidden
        let transcript = Transcript(of: stream)
        #expect(transcript.requests.map(\.body.text) == [Self.hidden])
    }

    @Test("A request line with a second request hidden in it is rejected (RFC 9112 §3)")
    func splitRequestLine() {
        expectRefused("GET / HTTP/1.1 \r\nHost: a\r\n\r\n")
        expectRefused("GET /\rGET /hidden HTTP/1.1\r\nHost: a\r\n\r\n")
        expectRefused("GET / HTTP/1.1\r Host: a\r\n\r\n")
        expectRefused("GET / HTTP/1.1\u{b}\r\nHost: a\r\n\r\n")
        expectRefused("GET\u{a0}/ HTTP/1.1\r\nHost: a\r\n\r\n")
    }

    @Test("After a failure nothing more is read (RFC 9112 §9.6)")
    func nothingAfterRefusal() {
        var parser = HTTPRequestParser()
        guard case .failure = parser.feed("GET / HTTP/1.1\r\nX : 1\r\n\r\n\(Self.hidden)") else {
            Issue.record("not refused")
            return
        }
        #expect(parser.feed(Self.hidden) == .wait)
        #expect(parser.next() == .wait)
        #expect(parser.finish() == .wait)
    }
}
