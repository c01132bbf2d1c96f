import BroadsheetHTTP
import Testing

@Suite("Pipelining: one request at a time")
struct ConversationTests {
    private let get = "GET /1 HTTP/1.1\r\nHost: a\r\n\r\n"

    private func isRequest(_ action: HTTPParserAction, _ path: String) -> Bool {
        guard case .request(let request) = action else { return false }
        return request.target.path == path
    }

    @Test("Phases follow the bytes, for a connection's timeouts")
    func phases() {
        var parser = HTTPRequestParser()
        #expect(parser.phase == .idle)
        #expect(parser.feed("") == .wait)
        #expect(parser.phase == .idle)
        #expect(parser.feed("P") == .wait)
        #expect(parser.phase == .head)
        #expect(parser.feed("UT /1 HTTP/1.1\r\n") == .wait)
        #expect(parser.method == .put)
        #expect(parser.feed("Host: a\r\nContent-Length: 2\r\n\r\n") == .wait)
        #expect(parser.phase == .body)
        #expect(parser.feed("a") == .wait)
        #expect(isRequest(parser.feed("b"), "/1"))
        #expect(parser.phase == .handedOut)
        #expect(parser.method == .put)
        #expect(parser.next() == .wait)
        #expect(parser.phase == .idle)
        #expect(parser.method == nil)
    }

    @Test("Pipelined requests are returned one by one (RFC 9112 §9.3.2)")
    func pipeline() {
        var parser = HTTPRequestParser()
        let second = "PUT /2 HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\n\r\nabc"
        #expect(isRequest(parser.feed(get + second + "GET /3 HT"), "/1"))
        #expect(!parser.wantsInput)
        #expect(isRequest(parser.next(), "/2"))
        #expect(parser.next() == .wait)
        #expect(parser.phase == .head)
        #expect(parser.wantsInput)
        #expect(isRequest(parser.feed("TP/1.1\r\nHost: a\r\n\r\n"), "/3"))
        #expect(parser.wantsInput)
    }

    @Test("Bytes that arrive while a response is awaited wait, and so does a failure in them")
    func failureWaits() {
        var parser = HTTPRequestParser()
        #expect(isRequest(parser.feed(get), "/1"))
        #expect(parser.feed(get) == .wait)
        #expect(parser.feed("garbage\r\n") == .wait)
        #expect(isRequest(parser.next(), "/1"))
        #expect(parser.next() == .failure(.badRequest(.malformedRequestLine)))
        #expect(parser.next() == .wait)
        #expect(!parser.wantsInput)
    }

    @Test("A thousand pipelined requests in one piece are all returned")
    func longPipeline() {
        let transcript = Transcript(of: String(repeating: get, count: 1_000))
        #expect(transcript.requests.count == 1_000)
        #expect(transcript.ended)
    }

    @Test("Pipelined bytes are bounded; the requests before are still served")
    func pipelineBound() {
        var parser = HTTPRequestParser()
        #expect(isRequest(parser.feed(get), "/1"))
        #expect(parser.feed(get) == .wait)
        let flood = [UInt8](repeating: UInt8(ascii: "x"), count: 100_000)
        for _ in 0..<10 { #expect(parser.feed(flood) == .wait) }
        #expect(isRequest(parser.next(), "/1"))
        // The flood is not a request either, but its line exceeds the limit first.
        guard case .failure = parser.next() else {
            Issue.record("the flood was not refused")
            return
        }
        #expect(parser.phase == .closed)
    }

    @Test("A request whose end was discarded at the limit is rejected at once")
    func pipelineBoundWithinBody() {
        var parser = HTTPRequestParser()
        #expect(isRequest(parser.feed(get), "/1"))
        let head =
            "PUT / HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\nContent-Length: 300000\r\n\r\n"
        #expect(parser.feed(head) == .wait)
        #expect(parser.feed([UInt8](repeating: 1, count: 300_000)) == .wait)
        #expect(parser.next() == .failure(.badRequest(.tooMuchPipelined)))
    }

    @Test("A client that expects 100 Continue receives it, before its body only (RFC 9110 §10.1.1)")
    func expectContinue() {
        let head = "PUT /1 HTTP/1.1\r\nHost: a\r\nExpect: 100-Continue\r\nContent-Length: 2\r\n\r\n"
        var waiting = HTTPRequestParser()
        guard case .expectContinue(let seen) = waiting.feed(head) else {
            Issue.record("no 100 Continue")
            return
        }
        #expect(seen.method == .put)
        #expect(waiting.phase == .body)
        #expect(isRequest(waiting.feed("ok"), "/1"))

        var eager = HTTPRequestParser()
        #expect(eager.feed(head + "o") == .wait)
        #expect(isRequest(eager.feed("k"), "/1"))
    }

    @Test("100 Continue is not sent without a body, nor to HTTP/1.0 (RFC 9110 §10.1.1)")
    func noContinue() {
        var empty = HTTPRequestParser()
        let expect = "Host: a\r\nExpect: 100-continue\r\n"
        #expect(
            isRequest(empty.feed("PUT /1 HTTP/1.1\r\n\(expect)Content-Length: 0\r\n\r\n"), "/1"))
        var none = HTTPRequestParser()
        #expect(isRequest(none.feed("GET /1 HTTP/1.1\r\n\(expect)\r\n"), "/1"))
        var old = HTTPRequestParser()
        #expect(old.feed("PUT /1 HTTP/1.0\r\n\(expect)Content-Length: 1\r\n\r\n") == .wait)
        #expect(isRequest(old.feed("x"), "/1"))
    }

    @Test(
        "Another expectation receives 417 (RFC 9110 §10.1.1)",
        arguments: ["200-ok", "100-continue, x", "x, 100-continue", "100-continue=1", "100"])
    func unknownExpectation(value: String) {
        let request = "PUT / HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nExpect: \(value)\r\n\r\n"
        #expect(Transcript(of: request, closing: false).failure == .expectationFailed)
    }

    @Test("A pipelined request receives 100 Continue after the responses before it")
    func pipelinedExpectation() {
        var parser = HTTPRequestParser()
        let head = "PUT /2 HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\nContent-Length: 2\r\n\r\n"
        #expect(isRequest(parser.feed(get + head), "/1"))
        guard case .expectContinue = parser.next() else {
            Issue.record("no 100 Continue")
            return
        }
        #expect(isRequest(parser.feed("ok"), "/2"))
    }

    @Test("A peer that ends between requests ends the connection (RFC 9112 §9.6)")
    func endWhenIdle() {
        var parser = HTTPRequestParser()
        #expect(parser.finish() == .end)
        #expect(parser.phase == .closed)
        #expect(Transcript(of: get + "\r\n").ended)
    }

    @Test("A half-closed peer receives all its responses (RFC 9112 §9.6)")
    func halfClosed() {
        var parser = HTTPRequestParser()
        #expect(isRequest(parser.feed(get + get), "/1"))
        #expect(parser.finish() == .wait)
        #expect(!parser.wantsInput)
        #expect(isRequest(parser.next(), "/1"))
        #expect(parser.next() == .end)
        #expect(parser.feed(get) == .wait)
    }

    @Test(
        "A peer that ends within a request failed to send it (RFC 9112 §8)",
        arguments: [
            "G", "GET / HTTP/1.1\r\n", "GET / HTTP/1.1\r\nHost: a\r\n",
            "PUT / HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\n\r\nx",
            "PUT / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n",
        ])
    func endWithinRequest(prefix: String) {
        var parser = HTTPRequestParser()
        #expect(parser.feed(prefix) == .wait)
        #expect(parser.finish() == .failure(.badRequest(.incomplete)))
        var pipelined = HTTPRequestParser()
        _ = pipelined.feed(get + prefix)
        #expect(pipelined.finish() == .wait)
        #expect(pipelined.next() == .failure(.badRequest(.incomplete)))
    }

    @Test("The method of a failed HEAD is known, so its response has no body (RFC 9110 §9.3.2)")
    func failedHead() {
        let transcript = Transcript(of: "HEAD / HTTP/1.1\r\nHost: a\r\nX : 1\r\n\r\n")
        #expect(transcript.failedMethod == .head)
    }

    @Test("Calls in the wrong state change nothing")
    func outOfTurn() {
        var parser = HTTPRequestParser()
        #expect(parser.next() == .wait)
        #expect(parser.feed("GE") == .wait)
        #expect(parser.next() == .wait)
        #expect(isRequest(parser.feed("T /1 HTTP/1.1\r\nHost: a\r\n\r\n"), "/1"))
        #expect(parser.finish() == .wait)
        #expect(parser.next() == .end)
        #expect(parser.finish() == .wait)
    }
}
