import BroadsheetHTTP
import Testing

@Suite("Limits of a request: at the limit it is read, beyond it rejected (docs/cli.md)")
struct LimitTests {
    private func limits(_ set: (inout HTTPLimits) -> Void) -> HTTPLimits {
        var limits = HTTPLimits()
        set(&limits)
        return limits
    }

    private func chunked(_ body: String) -> String {
        "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n\(body)"
    }

    @Test("The defaults are those of docs/cli.md")
    func defaults() {
        let limits = HTTPLimits()
        #expect(limits.maxBody == 16_777_216)
        #expect(limits.maxHeaderBytes == 16_384)
        #expect(limits.maxHeaders == 100)
        #expect(limits.maxTarget == 8_192)
    }

    @Test("A target beyond --max-target is 414 (RFC 9110 §15.5.15), also before the target ends")
    func target() {
        let limits = limits { $0.maxTarget = 10 }
        func request(_ target: String) -> String { "GET \(target) HTTP/1.1\r\nHost: a\r\n\r\n" }
        #expect(Transcript(of: request("/123456789"), limits: limits).requests.count == 1)
        let error = HTTPError.uriTooLong(limit: 10)
        #expect(Transcript(of: request("/1234567890"), limits: limits).failure == error)
        let endless = "GET /" + String(repeating: "x", count: 60)
        #expect(Transcript(of: endless, limits: limits, closing: false).failure == error)
    }

    @Test("Header bytes beyond --max-header-bytes, line ends included, are 431 (RFC 6585 §5)")
    func headerBytes() {
        let fields = "Host: a\r\nX: 1\r\n\r\n"
        let request = "GET / HTTP/1.1\r\n" + fields
        let enough = limits { $0.maxHeaderBytes = fields.utf8.count }
        #expect(Transcript(of: request, limits: enough).requests.count == 1)
        let tooFew = limits { $0.maxHeaderBytes = fields.utf8.count - 1 }
        #expect(
            Transcript(of: request, limits: tooFew).failure
                == .headersTooLarge(limit: fields.utf8.count - 1))
    }

    @Test("A header line without an end is rejected as soon as it exceeds the limit")
    func endlessHeader() {
        var parser = HTTPRequestParser()
        #expect(parser.feed("GET / HTTP/1.1\r\nX: ") == .wait)
        #expect(parser.feed([UInt8](repeating: 0x61, count: 16_380)) == .wait)
        #expect(parser.feed("a") == .failure(.headersTooLarge(limit: 16_384)))
        #expect(parser.feed("a") == .wait)
        #expect(parser.phase == .closed)
    }

    @Test("Fields beyond --max-headers are 431 (RFC 6585 §5)")
    func headerCount() {
        let limits = limits { $0.maxHeaders = 3 }
        let request = "GET / HTTP/1.1\r\nHost: a\r\nX: 1\r\nX: 2\r\n"
        #expect(Transcript(of: request + "\r\n", limits: limits).requests.count == 1)
        #expect(
            Transcript(of: request + "X: 3\r\n", limits: limits).failure
                == .tooManyHeaders(limit: 3))
    }

    @Test("A Content-Length beyond --max-body is 413 before the body arrives (RFC 9110 §15.5.14)")
    func announcedBody() {
        let limits = limits { $0.maxBody = 5 }
        func head(_ length: Int) -> String {
            "PUT / HTTP/1.1\r\nHost: a\r\nContent-Length: \(length)\r\n\r\n"
        }
        #expect(Transcript(of: head(5) + "hello", limits: limits).requests.count == 1)
        let transcript = Transcript(of: head(6), limits: limits, closing: false)
        #expect(transcript.failure == .bodyTooLarge(limit: 5))
        #expect(transcript.failedMethod == .put)
    }

    @Test("A chunk size that exceeds --max-body is 413 (RFC 9110 §15.5.14)")
    func chunkedBody() {
        let limits = limits { $0.maxBody = 5 }
        let atLimit = chunked("3\r\nabc\r\n2\r\nde\r\n0\r\n\r\n")
        #expect(Transcript(of: atLimit, limits: limits).requests.first?.body.text == "abcde")
        let error = HTTPError.bodyTooLarge(limit: 5)
        for body in ["6\r\n", "3\r\nabc\r\n3\r\n", "fffffffffffffff\r\n"] {
            #expect(
                Transcript(of: chunked(body), limits: limits, closing: false).failure == error)
        }
    }

    @Test("--max-body 0 accepts requests without a body")
    func noBody() {
        let limits = limits { $0.maxBody = 0 }
        #expect(Transcript(of: chunked("0\r\n\r\n"), limits: limits).requests.count == 1)
        #expect(
            Transcript(of: chunked("1\r\nx"), limits: limits).failure == .bodyTooLarge(limit: 0))
    }

    @Test("Chunk extensions beyond the limit for the whole body are 413")
    func chunkExtensions() {
        let limits = limits { $0.maxHeaderBytes = 48 }
        let piece = "1;e=123456\r\nx\r\n"  // nine bytes of extension
        let five = String(repeating: piece, count: 5)
        #expect(
            Transcript(of: chunked(five + "0\r\n\r\n"), limits: limits).requests.count == 1)
        #expect(
            Transcript(of: chunked(five + piece), limits: limits).failure
                == .chunkExtensionsTooLarge(limit: 48))
        let endless = "1;" + String(repeating: "e", count: 100)
        #expect(
            Transcript(of: chunked(endless), limits: limits, closing: false).failure
                == .chunkExtensionsTooLarge(limit: 48))
    }

    @Test("Trailers beyond the limits in bytes and in number are 431")
    func trailers() {
        let bytes = limits { $0.maxHeaderBytes = 40 }
        let long = "0\r\nX: " + String(repeating: "x", count: 37)
        #expect(
            Transcript(of: chunked(long), limits: bytes, closing: false).failure
                == .trailersTooLarge(limit: 40))
        let count = limits { $0.maxHeaders = 2 }
        #expect(
            Transcript(of: chunked("0\r\nX: 1\r\nX: 2\r\n\r\n"), limits: count).requests.count == 1)
        #expect(
            Transcript(of: chunked("0\r\nX: 1\r\nX: 2\r\nX: 3\r\n"), limits: count).failure
                == .tooManyTrailers(limit: 2))
    }

    @Test("Limits of Int.max and of 0 cause no overflow")
    func extremes() {
        let huge = limits {
            $0.maxBody = .max
            $0.maxHeaderBytes = .max
            $0.maxHeaders = .max
            $0.maxTarget = .max
        }
        for stream in Corpus.valid {
            #expect(Transcript(of: stream, limits: huge) == Transcript(of: stream))
        }
        let none = limits {
            $0.maxBody = 0
            $0.maxHeaderBytes = 0
            $0.maxHeaders = 0
            $0.maxTarget = 0
        }
        for stream in Corpus.valid {
            #expect(Transcript(of: stream, limits: none).failure != nil)
        }
    }

    @Test("A body that is declared to be huge costs nothing until it arrives")
    func hugeAnnouncement() {
        var parser = HTTPRequestParser(limits: limits { $0.maxBody = .max })
        let head = "PUT / HTTP/1.1\r\nHost: a\r\nContent-Length: 9223372036854775807\r\n\r\nx"
        #expect(parser.feed(head) == .wait)
        #expect(parser.phase == .body)
    }
}
