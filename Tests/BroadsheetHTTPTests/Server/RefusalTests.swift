import BroadsheetIO
import TestSupport
import Testing

@testable import BroadsheetHTTP

@Suite("Requests that are refused before their body is read", .timeLimit(.minutes(hangMinutes)))
struct RefusalTests {
    private static let large = HTTPLimits.maxUncheckedBody + 1

    private func head(_ path: String, _ fields: String...) -> String {
        "POST \(path) HTTP/1.1\r\nHost: test\r\n" + fields.map { $0 + "\r\n" }.joined() + "\r\n"
    }

    @Test(
        "A long, a chunked and an expected body is refused with its head, and the connection closes",
        arguments: [
            "Content-Length: \(large)", "Transfer-Encoding: chunked",
            "Content-Length: 1\r\nExpect: 100-continue",
        ])
    func refused(fields: String) async throws {
        try await withServer { bench in
            let client = try bench.connect()
            try client.send(head("/refused", fields))
            let response = try await client.response()
            #expect(response.status == 401)
            #expect(response.text == "refused")
            #expect(response.closes)
            try await bench.settle(.lingering)
            let exchange = try #require(await bench.handler.exchanges.first(1).first)
            #expect(exchange.request?.target.path == "/refused")
            #expect(bench.handler.peers.values == [IPAddress("127.0.0.1")])
            #expect(bench.handler.requests.values.isEmpty)
        }
    }

    @Test(
        "A failure of HTTP is reported with the head as far as it has arrived, and its peer",
        arguments: [
            ("Content-Length: 99999999999\r\n\r\n", 413), ("bad field\r\n\r\n", 400),
            ("Transfer-Encoding: chunked\r\n\r\nx\r\n", 400),
        ])
    func failure(rest: String, status: Int) async throws {
        try await withServer { bench in
            let client = try bench.connect()
            try client.send("POST /echo HTTP/1.1\r\nHost: test\r\nX-Test: yes\r\n" + rest)
            #expect(try await client.response().status == status)
            let exchange = try #require(await bench.handler.exchanges.first(1).first)
            #expect(exchange.request?.method == .post)
            #expect(exchange.request?.target.path == "/echo")
            #expect(exchange.request?.headers["X-Test"] == "yes")
            #expect(bench.handler.peers.values == [IPAddress("127.0.0.1")])
        }
    }

    @Test("A failure behind an earlier request on a connection is not reported with its head")
    func failureOfSecond() async throws {
        try await withServer { bench in
            let client = try bench.connect()
            try client.send(get("/hello") + "nonsense\r\n\r\n")
            _ = try await (client.response(), client.response())
            let exchanges = await bench.handler.exchanges.first(2)
            #expect(exchanges.map { $0.request?.target.path } == ["/hello", nil])
        }
    }

    @Test("A body of the limit is read before its request reaches the handler, which refuses it")
    func short() async throws {
        try await withServer { bench in
            let client = try bench.connect()
            let count = HTTPLimits.maxUncheckedBody
            try client.send(head("/refused", "Content-Length: \(count)"))
            try await bench.settle(.inBody)
            try client.send(String(repeating: "x", count: count))
            #expect(try await client.response().status == 200)
        }
    }

    @Test("Other requests with such bodies are read, and 100 is sent to those that expect it")
    func accepted() async throws {
        try await withServer { bench in
            let client = try bench.connect()
            let body = String(repeating: "x", count: Self.large)
            try client.send(head("/echo", "Content-Length: \(Self.large)") + body)
            #expect(try await client.response().text == body)
            try client.send(head("/echo", "Content-Length: 1", "Expect: 100-continue"))
            #expect(try await client.response(hasBody: false).status == 100)
            try client.send("y")
            #expect(try await client.response().text == "y")
        }
    }

    @Test("A refusal does not depend on cuts, and discards the bytes after it")
    func cuts() {
        let first = Array("GET / HTTP/1.1\r\nHost: a\r\n\r\n".utf8)
        let second = Array(head("/refused", "Transfer-Encoding: chunked").utf8)
        let stream = first + second + Array("1\r\nx\r\n0\r\n\r\n".utf8) + first
        for cut in 0...stream.count {
            var parser = HTTPRequestParser()
            var refusals = 0
            func refuse(_ head: HTTPRequestHead) -> HTTPResponse? {
                HTTPResponse(status: .forbidden)
            }
            for piece in stream.cut(at: cut) {
                var action = piece.withUnsafeBytes { parser.feed($0, refuse: refuse) }
                while case .request = action { action = parser.next(refuse: refuse) }
                if case .refusal(let head, _) = action {
                    #expect(head.target.path == "/refused")
                    refusals += 1
                }
            }
            #expect(refusals == 1, "cut at \(cut)")
            #expect(parser.phase == .closed)
        }
    }
}
