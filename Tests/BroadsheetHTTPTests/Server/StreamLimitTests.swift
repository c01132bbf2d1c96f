import Synchronization
import TestSupport
import Testing

@testable import BroadsheetHTTP
@testable import BroadsheetIO

@Suite("The limits of streams", .timeLimit(.minutes(hangMinutes)))
struct StreamLimitTests {
    @Test("No stream is opened beyond the limit, and a place is free when a stream ends")
    func limit() async throws {
        let gate = StreamGate(limit: 2, memory: .unlimited)
        try await withServer(handler: ScriptedHandler(streamGate: gate)) { bench in
            let first = try await bench.openStream()
            let second = try await bench.openStream()
            let third = try bench.connect()
            try third.send(get("/stream"))
            #expect(try await third.response().status == 503)
            #expect(gate.statistics.open == 2)
            first.stream.finish()
            try await eventually("a free place") { gate.statistics.open == 1 }
            second.client.reset()
            try await eventually("two free places") { gate.statistics.open == 0 }
            #expect(
                gate.statistics
                    == StreamStatistics(open: 0, opened: 2, lost: 1, byteCount: 0))
        }
    }

    @Test("A stream reserves its memory with that of its head, and without memory is refused")
    func memory() throws {
        let memory = MemoryBudget(limit: 10_000)
        let gate = StreamGate(limit: 10, memory: memory)
        let target = try #require(RequestTarget("/stream"))
        let head = HTTPRequestHead(
            method: .get, target: target, headers: ["X": String(repeating: "x", count: 500)])
        var tickets: [StreamTicket] = []
        for _ in 0..<2 {
            guard case .success(let ticket) = gate.enter(head, for: .name("a")) else {
                Issue.record("refused")
                return
            }
            tickets.append(ticket)
        }
        #expect(memory.statistics.used(by: .streams) > 2 * (StreamGate.streamByteCount + 500))
        guard case .failure(.memory) = gate.enter(head, for: .name("a")) else {
            Issue.record("not refused")
            return
        }
        #expect(gate.statistics.open == 2)
        tickets = []
        #expect(gate.statistics.open == 0 && memory.statistics.total == 0)
    }

    @Test("A client that reads nothing has one part in memory, and is reset after --write-timeout")
    func stalled() async throws {
        let part = StreamPart([UInt8](repeating: 120, count: 50_000))
        let memory = MemoryBudget(limit: 64 << 20)
        let handler = ScriptedHandler { ScriptedStream { part } }
        // On a busy machine the kernels move bytes late, as if the client read slowly.
        let configure: (inout HTTPServerConfiguration) -> Void = { $0.minRate = 0 }
        try await withServer(memory: memory, handler: handler, configure: configure) { bench in
            let client = try bench.connect(receiveBuffer: 4096)
            try client.send(get("/stream"))
            try await bench.settle(.stalled)
            let stream = try await bench.stream()
            let asked = stream.parts.load(ordering: .relaxed)
            let reserved = memory.statistics.used(by: .responses)
            #expect(reserved >= 50_000 && reserved < 51_000)
            // The kernels keep as much as their buffers hold and 16 KiB unsent, not megabytes.
            #expect(asked < 20)
            // Another client is served meanwhile, and its stream, too.
            let (other, _) = try await bench.openStream()
            #expect(try await other.chunks(atLeast: 100_000).count >= 100_000)
            other.reset()
            try await bench.settle(.stalled)
            bench.advance(by: .milliseconds(29_999))
            try await bench.settle(.stalled)
            #expect(stream.parts.load(ordering: .relaxed) == asked)
            bench.advance(by: .milliseconds(1))
            try await bench.settle()
            #expect(try await client.end() == .reset)
            #expect(stream.ends.load(ordering: .relaxed) == 1)
            #expect(memory.statistics.total == 0)
        }
    }

    @Test("A client that reads slowly is served at its pace, and by one part at a time")
    func slow() async throws {
        let part = StreamPart([UInt8](repeating: 120, count: 50_000))
        let handler = ScriptedHandler { ScriptedStream { part } }
        try await withServer(handler: handler, configure: { $0.minRate = 0 }) { bench in
            let client = try bench.connect(receiveBuffer: 4096)
            try client.send(get("/stream"))
            try await bench.settle(.stalled)
            let stream = try await bench.stream()
            for _ in 0..<5 {
                let asked = stream.parts.load(ordering: .relaxed)
                bench.advance(by: .seconds(20))
                try await client.receive(atLeast: 100_000)
                try await eventually("another part") {
                    stream.parts.load(ordering: .relaxed) > asked
                }
                try await bench.settle(.stalled)
                #expect(stream.parts.load(ordering: .relaxed) < asked + 20)
            }
        }
    }

    @Test("A stream on which nothing is due is subject to no timeout, and has heartbeats")
    func heartbeats() async throws {
        try await withServer { bench in
            let (client, stream) = try await bench.openStream()
            for _ in 0..<10 {
                try await bench.settle(.streaming)
                bench.advance(by: .milliseconds(14_999))
                try await bench.settle(.streaming)
                #expect(client.unread.isEmpty)
                bench.advance(by: .milliseconds(1))
                #expect(try await client.chunks(atLeast: 2).text == ":\n")
            }
            bench.advance(by: .seconds(10))
            stream.write("part")
            #expect(try await client.chunks(atLeast: 4).text == "part")
            // The time is that after the last part.
            try await bench.settle(.streaming)
            bench.advance(by: .seconds(10))
            stream.write("part")
            #expect(try await client.chunks(atLeast: 4).text == "part")
        }
    }

    @Test("A client that resets is noticed at once, and one that closes ends the stream")
    func lost() async throws {
        try await withServer { bench in
            let first = try await bench.openStream()
            try await bench.settle(.streaming)
            first.client.reset()
            try await bench.settle()
            #expect(first.stream.ends.load(ordering: .relaxed) == 1)
            let second = try await bench.openStream()
            try await bench.settle(.streaming)
            second.client.halfClose()
            #expect(try await second.client.chunks().isEmpty)
            #expect(try await second.client.end() == .closed)
            try await bench.settle()
            #expect(bench.handler.exchanges.values.map(\.isComplete) == [false, true])
            #expect(bench.handler.streamGate.statistics.lost == 1)
        }
    }

    @Test("A client that ends its side with its request receives the parts that are due")
    func halfClosed() async throws {
        let handler = ScriptedHandler {
            let stream = ScriptedStream()
            stream.write("one, ")
            stream.write("two")
            return stream
        }
        try await withServer(handler: handler) { bench in
            let client = try bench.connect()
            try client.send(get("/stream"))
            client.halfClose()
            _ = try await client.response(hasBody: false)
            #expect(try await client.chunks().text == "one, two")
        }
    }
}
