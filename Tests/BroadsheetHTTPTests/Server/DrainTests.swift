import Glibc
import Testing

@testable import BroadsheetHTTP
@testable import BroadsheetIO

@Suite("Draining", .timeLimit(.minutes(2)))
struct DrainTests {
    @Test("Idle connections are closed at once, and so are heads that have not arrived")
    func idle() async throws {
        try await withServer(loops: 2) { bench in
            let idle = try bench.connect()
            let dripping = try bench.connect()
            try dripping.send("GET /hel")
            try await bench.settle(.idle, .inHead)
            await bench.server.shutdown(drain: .seconds(10))
            #expect(try await idle.end() == .closed)
            #expect(try await dripping.end() == .closed)
            #expect(throws: IOError.system(call: "connect", code: ECONNREFUSED)) {
                _ = try bench.connect()
            }
        }
    }

    @Test("A request whose head has arrived finishes, and its answer says that it is the last")
    func inFlight() async throws {
        try await withServer { bench in
            let waiting = try bench.connect()
            try waiting.send(get("/wait"))
            let uploading = try bench.connect()
            try uploading.send("POST /echo HTTP/1.1\r\nHost: test\r\nContent-Length: 4\r\n\r\nbo")
            try await bench.settle(.responding, .inBody)
            async let shutdown: Void = bench.server.shutdown(drain: .seconds(10))
            try await bench.beginsToDrain()
            try await bench.settle(.responding, .inBody)
            try uploading.send("dy")
            let upload = try await uploading.answer()
            #expect(upload.text == "body")
            #expect(upload.closes)
            bench.handler.release()
            let answer = try await waiting.answer()
            #expect(answer.text == "waited")
            #expect(answer.closes)
            #expect(try await waiting.end() == .closed)
            waiting.close()
            uploading.close()
            await shutdown
        }
    }

    @Test("Requests that were sent ahead are in flight, too; the last answer says so")
    func sentAhead() async throws {
        try await withServer { bench in
            let client = try bench.connect()
            try client.send(get("/wait") + get("/hello") + get("/hello") + "GET /never")
            try await bench.settle(.responding)
            async let shutdown: Void = bench.server.shutdown(drain: .seconds(10))
            try await bench.beginsToDrain()
            bench.handler.release()
            #expect(try await client.answer().text == "waited")
            #expect(try await client.answer().text == "hello")
            #expect(try await client.answer().text == "hello")
            #expect(try await client.end() == .closed)
            await shutdown
        }
    }

    @Test("A request that the loop has not heard of yet is served")
    func justArrived() async throws {
        let isDeaf = Flag()
        var syscalls = Syscalls.system
        syscalls.receive = { socket, buffer in
            isDeaf.isRaised ? Syscalls.wouldBlock : Syscalls.system.receive(socket, buffer)
        }
        try await withServer(syscalls: syscalls) { bench in
            let client = try bench.connect()
            try await bench.settle(.idle)
            isDeaf.isRaised = true
            try client.send(get("/hello"))
            // The edge has come and gone: nothing but a last look finds the request.
            for _ in 0..<3 { try await bench.group.loops[0].perform {} }
            isDeaf.isRaised = false
            async let shutdown: Void = bench.server.shutdown(drain: .seconds(10))
            #expect(try await client.answer().text == "hello")
            client.close()
            await shutdown
        }
    }

    @Test("What is not finished after the drain time is cancelled and reset")
    func overdue() async throws {
        try await withServer { bench in
            let waiting = try bench.connect()
            try waiting.send(get("/wait"))
            let stalled = try bench.connect(receiveBuffer: 4096)
            try stalled.send(get("/big"))
            try await bench.settle(.responding, .sending)
            async let shutdown: Void = bench.server.shutdown(drain: .seconds(10))
            try await bench.beginsToDrain()
            bench.advance(by: .milliseconds(9_999))
            try await bench.settle(.responding, .sending)
            bench.advance(by: .milliseconds(1))
            await shutdown
            #expect(try await waiting.end() == .reset)
            #expect(try await stalled.end() == .reset)
            bench.handler.release()
            try await eventually("the cancelled task") {
                bench.handler.cancellations.entries == [true]
            }
        }
    }

    @Test("A last answer that the kernel is still sending survives that the client ends its side")
    func halfClosedWhileLingering() async throws {
        try await withServer { bench in
            // The client's side holds a fraction of the answer, the server's the rest.
            let client = try bench.connect(receiveBuffer: 4096)
            let body = [UInt8](repeating: 7, count: 60_000)
            try client.send(
                "POST /echo HTTP/1.1\r\nHost: test\r\nContent-Length: \(body.count)\r\n\r\n")
            try await bench.settle(.inBody)
            async let shutdown: Void = bench.server.shutdown(drain: .seconds(10))
            try await bench.beginsToDrain()
            try await blocking { try client.send(body) }
            try await bench.settle(.init(.lingering, .handedOut))
            client.halfClose()
            await shutdown
            #expect(try await client.answer().body == body)
        }
    }

    @Test("Shutting down twice, or before the start, returns at once")
    func twice() async throws {
        let group = try EventLoopGroup(count: 1)
        defer { group.shutdown() }
        let server = HTTPServer(
            group: group, configuration: HTTPServerConfiguration(), handler: ScriptedHandler())
        await server.shutdown(drain: .seconds(10))
        await server.shutdown(drain: .seconds(10))
    }

    @Test("A server whose loops have stopped shuts down, too")
    func afterLoops() async throws {
        let group = try EventLoopGroup(count: 1)
        var configuration = HTTPServerConfiguration()
        configuration.port = 0
        let server = HTTPServer(
            group: group, configuration: configuration, handler: ScriptedHandler())
        try await server.start()
        group.shutdown()
        await server.shutdown(drain: .seconds(10))
        await #expect(throws: IOError.loopStopped) { try await server.start() }
    }
}

extension ServerBench {
    /// Waits until every loop has heard that the server shuts down.
    fileprivate func beginsToDrain() async throws {
        for shard in server.shards {
            try await eventually("draining") {
                try await shard.loop.perform { shard.isDraining }
            }
        }
    }
}
