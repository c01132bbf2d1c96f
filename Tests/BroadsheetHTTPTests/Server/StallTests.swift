import Testing
import TestSupport

@testable import BroadsheetHTTP
@testable import BroadsheetIO

@Suite("Slow peers among others on one loop", .timeLimit(.minutes(hangMinutes)))
struct StallTests {
    @Test("Readers that stop, slow heads and bodies, and slow handlers stall no other client")
    func isolation() async throws {
        try await withServer { bench in
            let stalled = try bench.connect(receiveBuffer: 4096)
            try stalled.send(get("/big"))
            let dripping = try bench.connect()
            try dripping.send("GET /hel")
            let uploading = try bench.connect()
            try uploading.send("POST /echo HTTP/1.1\r\nHost: test\r\nContent-Length: 4\r\n\r\nbo")
            let waiting = try bench.connect()
            try waiting.send(get("/wait"))
            try await bench.settle(.sending, .inHead, .inBody, .responding)
            let client = try bench.connect()
            for _ in 0..<100 {
                try client.send(get("/hello"))
                #expect(try await client.response().text == "hello")
            }
            // And each of the slow ones is served in the end.
            try dripping.send("lo HTTP/1.1\r\nHost: test\r\n\r\n")
            #expect(try await dripping.response().text == "hello")
            try uploading.send("dy")
            #expect(try await uploading.response().text == "body")
            bench.handler.release()
            #expect(try await waiting.response().text == "waited")
            #expect(try await stalled.response().body == ScriptedHandler.bigBody)
        }
    }

    @Test("While a request is served, further bytes stay in the socket's buffers")
    func backpressure() async throws {
        let received = Recorder<Int>()
        var syscalls = Syscalls.system
        syscalls.receive = { socket, buffer in
            let count = Syscalls.system.receive(socket, buffer)
            received.record(max(0, count))
            return count
        }
        try await withServer(syscalls: syscalls) { bench in
            let client = try bench.connect()
            try client.send(get("/wait"))
            try await bench.settle(.responding)
            let requests = (0..<5_000).map { get("/hello?\($0)") }.joined()
            async let sending: Void = blocking { try client.send(requests) }
            for _ in 0..<100 { try await bench.group.loops[0].perform {} }
            #expect(received.values.reduce(0, +) <= ServerShard.readBufferSize)
            bench.handler.release()
            #expect(try await client.response().text == "waited")
            for _ in 0..<5_000 { _ = try await client.response() }
            try await sending
        }
    }

    @Test("A source produces a part when the part before is sent: a stopped reader costs one part")
    func parts() async throws {
        try await withServer { bench in
            let stalled = try bench.connect(receiveBuffer: 4096)
            try stalled.send(get("/parts"))
            try await bench.settle(.sending)
            for _ in 0..<100 { try await bench.group.loops[0].perform {} }
            let size = HTTPLimits.bodyPartSize
            #expect(bench.handler.parts.values.allSatisfy { $0 <= size })
            #expect(bench.handler.parts.values.reduce(0, +) < ScriptedHandler.bigBody.count / 2)
            let response = try await stalled.response()
            #expect(response.body == ScriptedHandler.bigBody)
            #expect(response.fields.contains("Content-Length: \(ScriptedHandler.bigBody.count)"))
            try stalled.send(get("/hello"))
            #expect(try await stalled.response().text == "hello")
            let exchange = try #require(bench.handler.exchanges.values.first)
            #expect(exchange.isComplete && exchange.bytesSent > ScriptedHandler.bigBody.count)
        }
    }

    @Test("The response to HEAD has the length of a source, and takes no part of it")
    func partsOfHead() async throws {
        try await withServer { bench in
            let client = try bench.connect()
            try client.send("HEAD /parts HTTP/1.1\r\nHost: test\r\n\r\n")
            let response = try await client.response(hasBody: false)
            #expect(response.fields.contains("Content-Length: \(ScriptedHandler.bigBody.count)"))
            #expect(bench.handler.parts.values.isEmpty)
        }
    }

    @Test("A source that ends before its length resets the connection (RFC 9112 §8)")
    func shortSource() async throws {
        try await withServer { bench in
            let client = try bench.connect()
            try client.send(get("/short"))
            await #expect(throws: (any Error).self) { try await client.response() }
            try await eventually("the report") { !bench.handler.exchanges.values.isEmpty }
            #expect(bench.handler.exchanges.values.first?.isComplete == false)
        }
    }

    @Test("A flood on one connection does not delay the others")
    func flood() async throws {
        try await withServer { bench in
            let flooding = try bench.connect()
            let isOver = Flag()
            let head = "POST /echo HTTP/1.1\r\nHost: test\r\nTransfer-Encoding: chunked\r\n\r\n"
            let chunk = [UInt8]("8000\r\n".utf8) + [UInt8](repeating: 1, count: 0x8000) + [13, 10]
            async let upload: Void = blocking {
                try flooding.send(head)
                for _ in 0..<400 where !isOver.isRaised { try flooding.send(chunk) }
                try flooding.send("0\r\n\r\n")
            }
            let client = try bench.connect()
            for _ in 0..<20 {
                try client.send(get("/hello"))
                #expect(try await client.response().text == "hello")
            }
            isOver.isRaised = true
            try await upload
            #expect(try await flooding.response().status == 200)
        }
    }
}
