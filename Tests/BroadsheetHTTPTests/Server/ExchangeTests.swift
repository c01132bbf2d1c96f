@testable import BroadsheetHTTP
import TestSupport
import Testing

@testable import BroadsheetIO

@Suite("Requests and responses over a socket", .timeLimit(.minutes(hangMinutes)))
struct ExchangeTests {
    @Test("A response has Date and Content-Length")
    func response() async throws {
        try await withServer { bench in
            let client = try bench.connect()
            try client.send(get("/hello"))
            let response = try await client.response()
            #expect(response.status == 200)
            #expect(response.text == "hello")
            #expect(
                response.fields == [
                    "Date: Sun, 06 Nov 1994 08:49:37 GMT", "X-Test: yes", "Content-Length: 5",
                ])
        }
    }

    @Test("Every request has the address of its peer")
    func peer() async throws {
        try await withServer { bench in
            let client = try bench.connect()
            try client.send(get("/hello") + get("/hello"))
            _ = try await (client.response(), client.response())
            #expect(
                await bench.handler.peers.first(2) == [
                    IPAddress("127.0.0.1"), IPAddress("127.0.0.1"),
                ])
        }
    }

    @Test("A connection serves request after request (RFC 9112 §9.3)")
    func keepAlive() async throws {
        try await withServer { bench in
            let client = try bench.connect()
            for _ in 0..<50 {
                try client.send(get("/hello"))
                #expect(try await client.response().text == "hello")
            }
            #expect(bench.server.statistics.acceptedConnections == 1)
        }
    }

    @Test("The response to HEAD has GET's length and no body (RFC 9110 §9.3.2)")
    func head() async throws {
        try await withServer { bench in
            let client = try bench.connect()
            try client.send("HEAD /hello HTTP/1.1\r\nHost: test\r\n\r\n" + get("/hello"))
            let head = try await client.response(hasBody: false)
            #expect(head.fields.contains("Content-Length: 5"))
            #expect(try await client.response().text == "hello")
        }
    }

    @Test(
        "The connection closes after the response when the client requests it (RFC 9112 §9.6)",
        arguments: [
            get("/hello", "Connection: close"),
            "GET /hello HTTP/1.0\r\n\r\n",
        ])
    func closeOnRequest(request: String) async throws {
        try await withServer { bench in
            let client = try bench.connect()
            try client.send(request)
            let response = try await client.response()
            #expect(response.text == "hello")
            #expect(response.closes)
            #expect(try await client.end() == .closed)
            try await bench.settle()
        }
    }

    @Test("HTTP/1.0 stays open on request, and the response announces it (RFC 9112 §9.3)")
    func keepAliveInHTTP10() async throws {
        try await withServer { bench in
            let client = try bench.connect()
            for _ in 0..<2 {
                try client.send("GET /hello HTTP/1.0\r\nConnection: keep-alive\r\n\r\n")
                #expect(try await client.response().fields.contains("Connection: keep-alive"))
            }
        }
    }

    @Test("A request that arrives byte by byte is the same request")
    func byteByByte() async throws {
        try await withServer { bench in
            let client = try bench.connect()
            let request = "POST /echo HTTP/1.1\r\nHost: test\r\nContent-Length: 5\r\n\r\n12345"
            for byte in request.utf8 {
                try client.send([byte])
                try await bench.group.loops[0].perform {}
            }
            #expect(try await client.response().text == "12345")
        }
    }

    @Test("A body much larger than a read arrives whole, and is returned whole")
    func largeBody() async throws {
        try await withServer { bench in
            let client = try bench.connect()
            let body = pattern(blocks: 120)
            let head = "POST /echo HTTP/1.1\r\nHost: test\r\nContent-Length: \(body.count)\r\n\r\n"
            try await blocking { try client.send(Array(head.utf8) + body) }
            #expect(try await client.response().body == body)
        }
    }

    @Test(
        "A client that waits receives 100 Continue; one that does not, does not (RFC 9110 §10.1.1)")
    func expectContinue() async throws {
        try await withServer { bench in
            let client = try bench.connect()
            let head =
                "POST /echo HTTP/1.1\r\nHost: test\r\nContent-Length: 4\r\nExpect: 100-continue\r\n\r\n"
            try client.send(head)
            #expect(try await client.response(hasBody: false).status == 100)
            try client.send("body")
            #expect(try await client.response().text == "body")
            try client.send(head + "body")
            #expect(try await client.response().status == 200)
        }
    }

    @Test("A body beyond the limit is rejected without 100 Continue")
    func expectContinueRefused() async throws {
        try await withServer(configure: { $0.limits.maxBody = 3 }) { bench in
            let client = try bench.connect()
            try client.send(
                "POST /echo HTTP/1.1\r\nHost: test\r\nContent-Length: 4\r\nExpect: 100-continue\r\n\r\n"
            )
            let response = try await client.response()
            #expect(response.status == 413)
            #expect(response.closes)
            client.close()
            try await bench.settle()
        }
    }

    @Test(
        "Responses to a thousand pipelined requests arrive in order (RFC 9112 §9.3.2)",
        arguments: [
            "/hello", "/yield",
        ])
    func pipelined(path: String) async throws {
        try await withServer { bench in
            let client = try bench.connect()
            let requests = (0..<1000).map { get("\(path)?\($0)") }.joined()
            try await blocking { try client.send(requests) }
            for number in 0..<1000 {
                let response = try await client.response()
                #expect(response.text == (path == "/yield" ? "\(number)" : "hello"))
            }
            #expect(bench.handler.requests.count == 1000)
        }
    }

    @Test(
        "A client that has ended its stream receives every response (RFC 9112 §9.6)",
        arguments: [
            1, 100,
        ])
    func halfClosed(count: Int) async throws {
        try await withServer { bench in
            let client = try bench.connect()
            try client.send((0..<count).map { get("/yield?\($0)") }.joined())
            client.halfClose()
            for number in 0..<count {
                #expect(try await client.response().text == "\(number)")
            }
            #expect(try await client.end() == .closed)
            try await bench.settle()
        }
    }

    @Test("A malformed request receives 400, and the connection closes without a reset")
    func malformed() async throws {
        try await withServer { bench in
            let client = try bench.connect()
            // More than the server reads at once, all of it unread when the response is sent.
            try client.send("GET / HTTP/1.1\r\nHost: test\r\nbad header\r\n\r\n")
            try client.send([UInt8](repeating: 120, count: 100_000))
            let response = try await client.response()
            #expect(response.status == 400)
            #expect(response.closes)
            #expect(try await client.end() == .closed)
            client.close()
            try await bench.settle()
        }
    }

    @Test("Every response is reported with its request, its bytes and its time")
    func reported() async throws {
        try await withServer { bench in
            let client = try bench.connect()
            try client.send(get("/wait"))
            try await bench.settle(.responding)
            bench.clock.advance(by: .milliseconds(250))
            bench.handler.release()
            _ = try await client.response()
            try client.send("nonsense\r\n\r\n")
            _ = try await client.response()
            try await eventually("two reports") { bench.handler.exchanges.count == 2 }
            let first = bench.handler.exchanges.values[0]
            #expect(first.request?.target.path == "/wait")
            #expect(first.status == .ok)
            #expect(first.headers["X-Test"] == "yes")
            #expect(first.duration == .milliseconds(250))
            #expect(first.isComplete)
            let head =
                "HTTP/1.1 200 OK\r\nDate: Sun, 06 Nov 1994 08:49:37 GMT\r\nX-Test: yes\r\n"
                + "Content-Length: 6\r\n\r\n"
            #expect(first.bytesSent == head.utf8.count + 6)
            let second = bench.handler.exchanges.values[1]
            #expect(second.request == nil)
            #expect(second.status == .badRequest)
        }
    }

    @Test("Connections are spread over the loops")
    func spread() async throws {
        try await withServer(loops: 3) { bench in
            let clients = try (0..<6).map { _ in try bench.connect() }
            for client in clients {
                try client.send(get("/hello"))
                #expect(try await client.response().status == 200)
            }
            for shard in bench.server.shards {
                let count = try await shard.loop.perform { shard.connections.count }
                #expect(count == 2)
            }
        }
    }
}
