import TestSupport
import Testing

@testable import BroadsheetHTTP
@testable import BroadsheetIO

@Suite("Lost connections", .timeLimit(.minutes(hangMinutes)))
struct VanishingPeerTests {
    /// The way in which a peer leaves.
    enum Way: CaseIterable, Sendable {
        case closes, resets

        func take(_ client: TestClient) {
            switch self {
            case .closes: client.close()
            case .resets: client.reset()
            }
        }
    }

    @Test(
        "A connection lost before, in or after a head, or in a body, causes no request",
        arguments: Way.allCases,
        [
            ("", ServerBench.State.idle),
            ("GET /hel", .inHead),
            ("GET /hello HTTP/1.1\r\nHost: test\r\n", .inHead),
            ("POST /echo HTTP/1.1\r\nHost: test\r\nContent-Length: 9\r\n\r\nfour", .inBody),
            (
                "POST /echo HTTP/1.1\r\nHost: test\r\nTransfer-Encoding: chunked\r\n\r\n9\r\nfour",
                .inBody
            ),
        ])
    func whileReceiving(way: Way, stage: (sent: String, state: ServerBench.State)) async throws {
        try await withServer { bench in
            let client = try bench.connect()
            try client.send(stage.sent)
            try await bench.settle(stage.state)
            way.take(client)
            try await bench.settle()
            #expect(bench.handler.requests.count == 0)
        }
    }

    @Test("A lost connection cancels its handler's task, and its response is reported as not sent")
    func whileResponding() async throws {
        try await withServer { bench in
            let client = try bench.connect()
            try client.send(get("/wait"))
            try await bench.settle(.responding)
            client.reset()
            try await bench.settle()
            bench.handler.release()
            try await eventually("a report") { bench.handler.exchanges.count == 1 }
            #expect(bench.handler.cancellations.values == [true])
            let exchange = try #require(bench.handler.exchanges.values.first)
            #expect(!exchange.isComplete)
            #expect(exchange.bytesSent == 0)
        }
    }

    @Test("A response whose connection is lost in the middle is reported as incomplete")
    func whileSending() async throws {
        try await withServer { bench in
            let client = try bench.connect(receiveBuffer: 4096)
            try client.send(get("/big"))
            try await bench.settle(.sending)
            client.reset()
            try await bench.settle()
            #expect(bench.handler.exchanges.values.map(\.isComplete) == [false])
        }
    }

    @Test("A connection lost in the middle of a thousand pipelined requests is closed")
    func whilePipelining() async throws {
        try await withServer { bench in
            let client = try bench.connect()
            try client.send((0..<1000).map { get("/yield?\($0)") }.joined())
            _ = try await client.response()
            client.reset()
            try await bench.settle()
            #expect(bench.handler.requests.count < 1000 || bench.handler.exchanges.count == 1000)
        }
    }

    @Test("An unfinished request at the end of the stream receives 400, then the connection closes")
    func halfClosedWithinRequest() async throws {
        try await withServer { bench in
            let client = try bench.connect()
            try client.send(get("/hello") + "GET /hel")
            client.halfClose()
            #expect(try await client.response().status == 200)
            #expect(try await client.response().status == 400)
            #expect(try await client.end() == .closed)
            try await bench.settle()
        }
    }

    @Test("After hundreds of lost connections the next client is served")
    func many() async throws {
        try await withServer(loops: 2) { bench in
            for round in 0..<300 {
                let client = try bench.connect()
                try client.send(get(round.isMultiple(of: 2) ? "/hello" : "/big"))
                Way.allCases[round / 2 % 2].take(client)
            }
            let client = try bench.connect()
            try client.send(get("/hello"))
            #expect(try await client.response().text == "hello")
            client.close()
            try await bench.settle()
            #expect(bench.server.statistics.openConnections == 0)
        }
    }
}

@Suite("The lifetime of connections", .timeLimit(.minutes(hangMinutes)))
struct LifetimeTests {
    @Test(
        "A connection that has ended is released",
        arguments: [
            "", "GET /hel", "nonsense\r\n\r\n", get("/hello"), get("/hello", "Connection: close"),
            get("/big"),
        ])
    func released(sent: String) async throws {
        try await withServer { bench in
            let client = try bench.connect()
            try client.send(sent)
            let held = WeakConnection()
            let shard = bench.server.shards[0]
            try await eventually("the connection") {
                try await shard.loop.perform {
                    held.connection = shard.connections.first
                    return held.connection != nil || bench.handler.exchanges.count > 0
                }
            }
            client.reset()
            try await bench.settle()
            try await eventually("its end") { held.connection == nil }
        }
    }

    @Test("A connection between requests has no buffers")
    func idle() async throws {
        try await withServer { bench in
            let client = try bench.connect()
            try client.send(get("/big") + get("/hello"))
            _ = try await client.response()
            _ = try await client.response()
            try await bench.settle(.idle)
            let shard = bench.server.shards[0]
            let holds = try await shard.loop.perform {
                shard.connections.map { $0.outbox != nil || $0.exchange != nil || $0.task != nil }
            }
            #expect(holds == [false])
        }
    }
}

/// A reference to a connection that does not keep it alive.
private final class WeakConnection: @unchecked Sendable {
    // Unchecked: set on the loop's thread before the test reads it.
    weak var connection: Connection?
}
