import Glibc
import TestSupport
import Testing

@testable import BroadsheetHTTP
@testable import BroadsheetIO

@Suite("Draining", .timeLimit(.minutes(hangMinutes)))
struct DrainTests {
    @Test("Idle connections are closed at once, and so are heads that have not arrived")
    func idle() async throws {
        try await withServer(loops: 2) { bench in
            let idle = try bench.connect()
            try idle.send(get("/hello"))
            #expect(try await idle.response().text == "hello")
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

    @Test("A client that has just connected has a second for its request (docs/operations.md)")
    func justConnected() async throws {
        try await withServer { bench in
            let (silent, sending) = (try bench.connect(), try bench.connect())
            try await bench.settle(.idle, .idle)
            async let shutdown: Void = bench.server.shutdown(drain: .seconds(10))
            try await bench.beginsToDrain()
            try sending.send(get("/hello"))
            let response = try await sending.response()
            #expect(response.text == "hello" && response.closes)
            sending.close()
            try await bench.settle(.idle)
            bench.advance(by: Connection.firstByteTime)
            #expect(try await silent.end() == .closed)
            await shutdown
        }
    }

    @Test("A request whose head has arrived finishes, and its response closes the connection")
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
            let upload = try await uploading.response()
            #expect(upload.text == "body")
            #expect(upload.closes)
            bench.handler.release()
            let response = try await waiting.response()
            #expect(response.text == "waited")
            #expect(response.closes)
            #expect(try await waiting.end() == .closed)
            waiting.close()
            uploading.close()
            await shutdown
        }
    }

    @Test("Pipelined requests are in flight, too; the last response closes the connection")
    func pipelined() async throws {
        try await withServer { bench in
            let client = try bench.connect()
            try client.send(get("/wait") + get("/hello") + get("/hello") + "GET /never")
            try await bench.settle(.responding)
            async let shutdown: Void = bench.server.shutdown(drain: .seconds(10))
            try await bench.beginsToDrain()
            bench.handler.release()
            #expect(try await client.response().text == "waited")
            #expect(try await client.response().text == "hello")
            #expect(try await client.response().text == "hello")
            #expect(try await client.end() == .closed)
            await shutdown
        }
    }

    @Test("A request of which the loop has no event yet is served")
    func justArrived() async throws {
        let hidesInput = Flag()
        var syscalls = Syscalls.system
        syscalls.receive = { socket, buffer in
            hidesInput.isRaised ? Syscalls.wouldBlock : Syscalls.system.receive(socket, buffer)
        }
        try await withServer(syscalls: syscalls) { bench in
            let client = try bench.connect()
            try await bench.settle(.idle)
            hidesInput.isRaised = true
            try client.send(get("/hello"))
            // The edge is past: only a last read finds the request.
            for _ in 0..<3 { try await bench.group.loops[0].perform {} }
            hidesInput.isRaised = false
            async let shutdown: Void = bench.server.shutdown(drain: .seconds(10))
            #expect(try await client.response().text == "hello")
            client.close()
            await shutdown
        }
    }

    @Test("A request in flight after the drain time is cancelled and reset")
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
                bench.handler.cancellations.values == [true]
            }
        }
    }

    @Test("A last response in the kernel is sent although the client ends its side")
    func halfClosedWhileLingering() async throws {
        try await withServer { bench in
            // The client's buffer holds a fraction of the response, the server's the rest.
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
            #expect(try await client.response().body == body)
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
    /// Waits until every shard is draining.
    fileprivate func beginsToDrain() async throws {
        for shard in server.shards {
            try await eventually("draining") {
                try await shard.loop.perform { shard.isDraining }
            }
        }
    }
}
