import Testing

@testable import BroadsheetHTTP
@testable import BroadsheetIO

@Suite("Peers that vanish", .timeLimit(.minutes(2)))
struct VanishingPeerTests {
    /// How a peer goes.
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
        "before, within and after a head, and within a body", arguments: Way.allCases,
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

    @Test("while a handler is at work: its task is cancelled, its answer dropped and reported")
    func whileResponding() async throws {
        try await withServer { bench in
            let client = try bench.connect()
            try client.send(get("/wait"))
            try await bench.settle(.responding)
            client.reset()
            try await bench.settle()
            bench.handler.release()
            try await eventually("a report") { bench.handler.exchanges.count == 1 }
            #expect(bench.handler.cancellations.entries == [true])
            let exchange = try #require(bench.handler.exchanges.entries.first)
            #expect(!exchange.isComplete)
            #expect(exchange.bytesSent == 0)
        }
    }

    @Test("in the middle of an answer")
    func whileSending() async throws {
        try await withServer { bench in
            let client = try bench.connect(receiveBuffer: 4096)
            try client.send(get("/big"))
            try await bench.settle(.sending)
            client.reset()
            try await bench.settle()
            #expect(bench.handler.exchanges.entries.map(\.isComplete) == [false])
        }
    }

    @Test("in the middle of a thousand requests that it sent ahead")
    func whilePipelining() async throws {
        try await withServer { bench in
            let client = try bench.connect()
            try client.send((0..<1000).map { get("/yield?\($0)") }.joined())
            _ = try await client.answer()
            client.reset()
            try await bench.settle()
            #expect(bench.handler.requests.count < 1000 || bench.handler.exchanges.count == 1000)
        }
    }

    @Test("with an unfinished request at the end of its stream: answered 400, then closed")
    func halfClosedWithinRequest() async throws {
        try await withServer { bench in
            let client = try bench.connect()
            try client.send(get("/hello") + "GET /hel")
            client.halfClose()
            #expect(try await client.answer().status == 200)
            #expect(try await client.answer().status == 400)
            #expect(try await client.end() == .closed)
            try await bench.settle()
        }
    }

    @Test("by the hundred, and the next one is served as ever")
    func many() async throws {
        try await withServer(loops: 2) { bench in
            for round in 0..<300 {
                let client = try bench.connect()
                try client.send(get(round.isMultiple(of: 2) ? "/hello" : "/big"))
                Way.allCases[round / 2 % 2].take(client)
            }
            let client = try bench.connect()
            try client.send(get("/hello"))
            #expect(try await client.answer().text == "hello")
            client.close()
            try await bench.settle()
            #expect(bench.server.statistics.openConnections == 0)
        }
    }
}
