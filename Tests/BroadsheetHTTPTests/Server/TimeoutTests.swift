import TestSupport
import Testing

@testable import BroadsheetHTTP
@testable import BroadsheetIO

@Suite("Timeouts", .timeLimit(.minutes(hangMinutes)))
struct TimeoutTests {
    private static let post = "POST /echo HTTP/1.1\r\nHost: test\r\nContent-Length: 1000\r\n\r\n"

    @Test("A connection without a request is closed without a response after --idle-timeout")
    func idle() async throws {
        try await withServer { bench in
            let client = try bench.connect()
            try await bench.settle(.idle)
            bench.advance(by: .seconds(59))
            try await bench.settle(.idle)
            bench.advance(by: .seconds(1))
            #expect(try await client.end() == .closed)
            #expect(client.unread.isEmpty)
        }
    }

    @Test("The idle time starts at the last response")
    func idleAfterResponse() async throws {
        try await withServer { bench in
            let client = try bench.connect()
            for _ in 0..<3 {
                try await bench.settle(.idle)
                bench.advance(by: .seconds(59))
                try client.send(get("/hello"))
                #expect(try await client.response().status == 200)
            }
            try await bench.settle(.idle)
            bench.advance(by: .seconds(60))
            #expect(try await client.end() == .closed)
        }
    }

    @Test("A slow head receives 408 after --header-timeout, however steadily it arrives")
    func drippingHead() async throws {
        try await withServer { bench in
            let client = try bench.connect()
            try await bench.settle(.idle)
            for (second, byte) in "GET /hello".utf8.enumerated() {
                try client.send([byte])
                try await bench.settle(.inHead)
                #expect(bench.handler.exchanges.count == 0, "after \(second) s")
                bench.advance(by: .seconds(1))
            }
            let response = try await client.response()
            #expect(response.status == 408)
            #expect(response.closes)
            #expect(try await client.end() == .closed)
            #expect(bench.handler.exchanges.values.first?.status == .requestTimeout)
        }
    }

    @Test("A body receives 408 after --body-timeout without a byte; each byte restarts it")
    func stalledBody() async throws {
        try await withServer(configure: { $0.minRate = 0 }) { bench in
            let client = try bench.connect()
            try client.send(Self.post)
            for _ in 0..<5 {
                try await bench.settle(.inBody)
                bench.advance(by: .seconds(29))
                try await bench.settle(.inBody)
                try await bench.feed(client, "x")
            }
            bench.advance(by: .seconds(30))
            #expect(try await client.response().status == 408)
            #expect(try await client.end() == .closed)
        }
    }

    @Test("A client that does not continue after 100 Continue receives 408")
    func stalledAfterContinue() async throws {
        try await withServer { bench in
            let client = try bench.connect()
            try client.send(
                "POST /echo HTTP/1.1\r\nHost: test\r\nContent-Length: 4\r\nExpect: 100-continue\r\n\r\n"
            )
            #expect(try await client.response(hasBody: false).status == 100)
            try await bench.settle(.inBody)
            bench.advance(by: .seconds(30))
            #expect(try await client.response().status == 408)
        }
    }

    @Test("A response that is not read for --write-timeout ends in a reset")
    func stalledReader() async throws {
        try await withServer { bench in
            let client = try bench.connect(receiveBuffer: 4096)
            try client.send(get("/big"))
            try await bench.settle(.sending)
            bench.advance(by: .seconds(30))
            try await bench.settle()
            #expect(try await client.end() == .reset)
            let exchange = try #require(bench.handler.exchanges.values.first)
            #expect(!exchange.isComplete)
            #expect(exchange.bytesSent > 0)
            #expect(exchange.bytesSent < ScriptedHandler.bigBody.count)
        }
    }

    @Test("A response that is read slowly is not cut off, however long it takes")
    func slowReader() async throws {
        try await withServer { bench in
            let client = try bench.connect()
            try client.send(get("/big"))
            try await bench.settle(.sending)
            for _ in 0..<4 {
                bench.advance(by: .seconds(29))
                let before = try await bench.bytesSent()
                try await eventually("progress") {
                    try await client.receive(atLeast: 200_000)
                    return try await bench.bytesSent() > before
                }
            }
            #expect(try await client.response().body == ScriptedHandler.bigBody)
        }
    }

    @Test("No timeout runs while a handler runs")
    func slowHandler() async throws {
        try await withServer { bench in
            let client = try bench.connect()
            try client.send(get("/wait"))
            try await bench.settle(.responding)
            bench.advance(by: .seconds(3600))
            try await bench.settle(.responding)
            bench.handler.release()
            #expect(try await client.response().text == "waited")
        }
    }

    @Test("A client that goes on sending after an error is read for the linger time")
    func lingering() async throws {
        try await withServer { bench in
            let client = try bench.connect()
            try client.send("nonsense\r\n\r\n")
            #expect(try await client.response().status == 400)
            #expect(try await client.end() == .closed)
            try client.send("more of it")
            try await bench.settle(.lingering)
            bench.advance(by: .seconds(2))
            try await bench.settle()
        }
    }

    @Test("A client that goes on sending too many bytes is closed")
    func lingeringBytes() async throws {
        try await withServer(configure: { $0.lingerBytes = 100_000 }) { bench in
            let client = try bench.connect()
            try client.send("nonsense\r\n\r\n")
            #expect(try await client.response().status == 400)
            await #expect(throws: IOError.self) {
                try await blocking {
                    while true { try client.send([UInt8](repeating: 120, count: 50_000)) }
                }
            }
            try await bench.settle()
        }
    }
}

extension ServerBench {
    /// Sends `text` and waits until the only connection has read it.
    fileprivate func feed(_ client: TestClient, _ text: String) async throws {
        let shard = server.shards[0]
        let before = try await shard.loop.perform { shard.connections.first?.timer.deadline }
        try client.send(text)
        try await eventually("a later deadline") {
            try await shard.loop.perform { shard.connections.first?.timer.deadline } != before
        }
    }

    /// Returns the bytes of the only connection's response that the kernel has accepted.
    fileprivate func bytesSent() async throws -> Int {
        let shard = server.shards[0]
        return try await shard.loop.perform {
            shard.connections.first?.exchange?.bytesSent ?? .max
        }
    }
}
