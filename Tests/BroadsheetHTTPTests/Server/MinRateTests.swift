import TestSupport
import Testing

@testable import BroadsheetHTTP
@testable import BroadsheetIO

@Suite("The minimum rate (--min-rate)", .timeLimit(.minutes(hangMinutes)))
struct MinRateTests {
    private static let post = "POST /echo HTTP/1.1\r\nHost: test\r\nContent-Length: 1000000\r\n\r\n"

    /// Sends bytes of a body, and waits until the only connection has read them.
    private func feed(_ bench: ServerBench, _ client: TestClient, _ count: Int) async throws {
        let shard = bench.server.shards[0]
        let before = try await shard.loop.perform { shard.connections.first?.parser.receivedBody }
        try client.send([UInt8](repeating: 120, count: count))
        try await eventually("\(count) bytes more") {
            try await shard.loop.perform { shard.connections.first?.parser.receivedBody }
                == (before ?? 0) + count
        }
    }

    @Test("A body of some bytes, but fewer than the rate in a window of 10 s, receives 408")
    func slowBody() async throws {
        try await withServer { bench in
            let client = try bench.connect()
            try client.send(Self.post)
            try await bench.settle(.inBody)
            for _ in 0..<3 {
                try await feed(bench, client, 10 * 1024)
                bench.advance(by: .seconds(10))
                try await bench.settle(.inBody)
            }
            try await feed(bench, client, 10 * 1024 - 1)
            bench.advance(by: .seconds(10))
            #expect(try await client.response().status == 408)
            #expect(try await client.end() == .closed)
        }
    }

    @Test("A burst counts in its own window only")
    func burst() async throws {
        try await withServer { bench in
            let client = try bench.connect()
            try client.send(Self.post)
            try await bench.settle(.inBody)
            try await feed(bench, client, 500_000)
            bench.advance(by: .seconds(10))
            try await bench.settle(.inBody)
            try await feed(bench, client, 1)
            bench.advance(by: .seconds(10))
            #expect(try await client.response().status == 408)
        }
    }

    @Test("A window without any byte is left to --body-timeout")
    func emptyWindow() async throws {
        try await withServer { bench in
            let client = try bench.connect()
            try client.send(Self.post)
            try await bench.settle(.inBody)
            try await feed(bench, client, 20_000)
            bench.advance(by: .seconds(10))
            for _ in 0..<2 {
                try await bench.settle(.inBody)
                bench.advance(by: .milliseconds(9_500))
            }
            try await bench.settle(.inBody)
            bench.advance(by: .seconds(1))
            #expect(try await client.response().status == 408)
        }
    }

    @Test("Waits for memory begin no new window, and what arrives meanwhile counts")
    func memoryWaits() async throws {
        let memory = MemoryBudget(limit: 8 << 20) { _ in try? await Task.sleep(for: .seconds(3600))
        }
        try await withServer(memory: memory) { bench in
            let holder = MemoryReservation(in: memory, for: .work)
            let client = try bench.connect()
            try client.send(Self.post)
            try await bench.settle(.inBody)
            /// Sends bytes while there is no memory to read them, for a second.
            func feedWaiting(_ count: Int) async throws {
                #expect(holder.resize(to: memory.limit - memory.statistics.total + holder.count))
                let (shard, waiting) = (bench.server.shards[0], memory.statistics.waiting)
                let before = try await shard.loop.perform {
                    shard.connections.first?.parser.receivedBody ?? 0
                }
                try client.send([UInt8](repeating: 120, count: count))
                try await eventually("a wait") { memory.statistics.waiting == waiting + 1 }
                bench.advance(by: .seconds(1))
                holder.shrink(to: 0)
                try await eventually("\(count) bytes more") {
                    try await shard.loop.perform {
                        shard.connections.first?.parser.receivedBody == before + count
                    }
                }
            }
            // The tenth second ends the window while the connection waits.
            for _ in 0..<10 { try await feedWaiting(1024) }
            try await bench.settle(.inBody)
            for _ in 0..<9 { try await feedWaiting(100) }
            try client.send([UInt8](repeating: 120, count: 100))
            bench.advance(by: .seconds(1))
            #expect(try await client.response().status == 408)
        }
    }

    @Test("With 0 there is no minimum")
    func off() async throws {
        try await withServer(configure: { $0.minRate = 0 }) { bench in
            let client = try bench.connect()
            try client.send(Self.post)
            try await bench.settle(.inBody)
            for _ in 0..<5 {
                try await feed(bench, client, 1)
                bench.advance(by: .seconds(10))
                try await bench.settle(.inBody)
            }
        }
    }

    @Test(
        "A response, or a part of a stream, that is read more slowly than the rate ends in a reset",
        arguments: [("/big", ServerBench.State.sending), ("/stream", .stalled)])
    func slowReader(path: String, state: ServerBench.State) async throws {
        let handler = ScriptedHandler {
            let stream = ScriptedStream()
            stream.write(StreamPart(ScriptedHandler.bigBody))
            return stream
        }
        // So fast a rate that the bytes that one read frees in the socket's buffers are below it.
        let configure: (inout HTTPServerConfiguration) -> Void = { $0.minRate = 1 << 30 }
        try await withServer(handler: handler, configure: configure) { bench in
            let client = try bench.connect(receiveBuffer: 4096)
            try client.send(get(path))
            try await bench.settle(state)
            bench.advance(by: .seconds(10))
            try await bench.settle(state)
            let shard = bench.server.shards[0]
            func sent() async throws -> Int {
                try await shard.loop.perform { shard.connections.first?.exchange?.bytesSent ?? 0 }
            }
            let before = try await sent()
            try await eventually("progress") {
                try await client.receive(atLeast: 200_000)
                return try await sent() > before
            }
            bench.advance(by: .seconds(10))
            try await bench.settle()
            #expect(try await client.end() == .reset)
        }
    }

    @Test("No rate applies while a handler runs, nor between requests")
    func notDue() async throws {
        try await withServer { bench in
            let client = try bench.connect()
            try client.send(get("/wait"))
            try await bench.settle(.responding)
            for _ in 0..<5 { bench.advance(by: .seconds(10)) }
            try await bench.settle(.responding)
            bench.handler.release()
            #expect(try await client.response().text == "waited")
            try await bench.settle(.idle)
            bench.advance(by: .seconds(50))
            try client.send(get("/hello"))
            #expect(try await client.response().text == "hello")
        }
    }
}
