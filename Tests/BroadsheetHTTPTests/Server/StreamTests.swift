import Synchronization
import TestSupport
import Testing

@testable import BroadsheetHTTP
@testable import BroadsheetIO

@Suite("Responses that are written over time", .timeLimit(.minutes(hangMinutes)))
struct StreamTests {
    @Test("Parts are chunks, sent as they are made; the last chunk is the end (RFC 9112 §7.1)")
    func chunks() async throws {
        try await withServer { bench in
            let (client, stream) = try await bench.openStream()
            stream.write("hello")
            #expect(try await client.chunks(atLeast: 5).text == "hello")
            try await bench.settle(.streaming)
            stream.write("one, ")
            stream.write("")
            stream.write("two")
            stream.finish()
            #expect(try await client.chunks().text == "one, two")
            #expect(try await client.end() == .closed)
            client.close()
            try await bench.settle()
            #expect(stream.ends.load(ordering: .relaxed) == 1)
        }
    }

    @Test("The head announces chunks and the end of the connection, and no length")
    func head() async throws {
        try await withServer { bench in
            let client = try bench.connect()
            try client.send(get("/stream"))
            let head = try await client.response(hasBody: false)
            #expect(head.fields.contains("Transfer-Encoding: chunked"))
            #expect(head.closes)
            #expect(!head.fields.contains { $0.hasPrefix("Content-Length") })
        }
    }

    @Test("HTTP/1.0 receives no chunks: the content ends with the connection (RFC 9112 §6.1)")
    func http10() async throws {
        try await withServer { bench in
            let client = try bench.connect()
            try client.send("GET /stream HTTP/1.0\r\nConnection: keep-alive\r\n\r\n")
            let head = try await client.response(hasBody: false)
            #expect(head.closes)
            #expect(!head.fields.contains { $0.hasPrefix("Transfer-Encoding") })
            let stream = try await bench.stream()
            stream.write("one, ")
            stream.write("two")
            stream.finish()
            #expect(try await client.end() == .closed)
            #expect(client.unread.text == "one, two")
        }
    }

    @Test(
        "The beginning of the content is sent with the head",
        arguments: [("1.1", "6\r\nfirst,\r\n4\r\nnext\r\n0\r\n\r\n"), ("1.0", "first,next")])
    func beginning(version: String, content: String) async throws {
        let handler = ScriptedHandler {
            let stream = ScriptedStream(first: StreamPart(Array("first,".utf8)))
            stream.write("next")
            stream.finish()
            return stream
        }
        try await withServer(handler: handler) { bench in
            let client = try bench.connect()
            try client.send("GET /stream HTTP/\(version)\r\nHost: test\r\n\r\n")
            _ = try await client.response(hasBody: false)
            #expect(try await client.end() == .closed)
            #expect(client.unread.text == content)
        }
    }

    @Test("HEAD receives the fields alone, and the connection stays open (RFC 9110 §9.3.2)")
    func toHead() async throws {
        try await withServer { bench in
            let client = try bench.connect()
            try client.send("HEAD /stream HTTP/1.1\r\nHost: test\r\n\r\n")
            let head = try await client.response(hasBody: false)
            #expect(head.fields.contains("Transfer-Encoding: chunked") && !head.closes)
            try client.send(get("/hello"))
            #expect(try await client.response().text == "hello")
            let stream = try await bench.stream()
            #expect(stream.parts.load(ordering: .relaxed) == 0)
            #expect(stream.ends.load(ordering: .relaxed) == 0)
            #expect(bench.handler.streamGate.statistics.open == 0)
        }
    }

    @Test("All parts arrive in order, in any pieces that the kernel accepts")
    func pieces() async throws {
        try await withServer(syscalls: .sending(atMost: 3)) { bench in
            let (client, stream) = try await bench.openStream()
            var expected = ""
            for number in 0..<200 {
                stream.write("part \(number),")
                expected += "part \(number),"
            }
            stream.finish()
            #expect(try await client.chunks().text == expected)
        }
    }

    @Test("Signals from many threads at once lose no part")
    func signals() async throws {
        try await withServer { bench in
            let (client, stream) = try await bench.openStream()
            await withTaskGroup(of: Void.self) { group in
                for _ in 0..<8 {
                    group.addTask { for _ in 0..<250 { stream.write("x") } }
                }
            }
            #expect(try await client.chunks(atLeast: 2000).count == 2000)
            try await bench.settle(.streaming)
        }
    }

    @Test("Requests that follow on the connection are not served: it closes after the content")
    func pipelined() async throws {
        try await withServer { bench in
            let client = try bench.connect()
            try client.send(get("/stream") + get("/hello"))
            _ = try await client.response(hasBody: false)
            let stream = try await bench.stream()
            stream.write("part")
            stream.finish()
            #expect(try await client.chunks().text == "part")
            #expect(try await client.end() == .closed)
            #expect(bench.handler.requests.values == ["/stream"])
        }
    }

    @Test("A content that cannot be completed is reset, and has no last chunk")
    func failure() async throws {
        try await withServer { bench in
            let (client, stream) = try await bench.openStream()
            stream.write("part")
            stream.finish(.failure)
            #expect(try await client.end() == .reset)
            #expect(client.unread.isEmpty || client.unread.text == "4\r\npart\r\n")
            try await eventually("the report") { bench.handler.exchanges.count == 1 }
            #expect(bench.handler.exchanges.values[0].isComplete == false)
        }
    }

    @Test("The outcome is reported at the end, with all bytes and the whole duration")
    func exchange() async throws {
        try await withServer { bench in
            let (client, stream) = try await bench.openStream()
            stream.write("hello")
            _ = try await client.chunks(atLeast: 5)
            bench.clock.advance(by: .seconds(9))
            #expect(bench.handler.exchanges.values.isEmpty)
            stream.finish()
            #expect(try await client.chunks().isEmpty)
            try await eventually("the report") { bench.handler.exchanges.count == 1 }
            let exchange = bench.handler.exchanges.values[0]
            #expect(exchange.isComplete && exchange.duration == .seconds(9))
            #expect(exchange.bytesSent > "5\r\nhello\r\n0\r\n\r\n".utf8.count)
            #expect(bench.handler.streamGate.statistics.byteCount == 5)
        }
    }
}

@Suite("Streams while the server drains", .timeLimit(.minutes(hangMinutes)))
struct StreamDrainTests {
    @Test("All streams end with their last chunk")
    func inOrder() async throws {
        try await withServer(loops: 2) { bench in
            var clients: [TestClient] = []
            for _ in 0..<100 {
                let client = try bench.connect()
                try client.send(get("/stream"))
                _ = try await client.response(hasBody: false)
                clients.append(client)
            }
            try await eventually("all streams") { bench.handler.streams.count == 100 }
            for stream in bench.handler.streams.values { stream.write("part") }
            async let shutdown: Void = bench.server.shutdown(drain: .seconds(10))
            for client in clients {
                #expect(try await client.chunks().text == "part")
                #expect(try await client.end() == .closed)
                client.close()
            }
            await shutdown
            #expect(!bench.handler.exchanges.values.map(\.isComplete).contains(false))
            let drains = bench.handler.streams.values.map { $0.drains.load(ordering: .relaxed) }
            #expect(drains == Array(repeating: 1, count: 100))
        }
    }

    @Test("A part that is due is sent before the end")
    func whileSending() async throws {
        let part = StreamPart([UInt8](repeating: 120, count: 400_000))
        let handler = ScriptedHandler {
            let stream = ScriptedStream()
            stream.write(part)
            return stream
        }
        try await withServer(handler: handler) { bench in
            let client = try bench.connect(receiveBuffer: 4096)
            try client.send(get("/stream"))
            _ = try await client.response(hasBody: false)
            try await bench.settle(.stalled)
            async let shutdown: Void = bench.server.shutdown(drain: .seconds(60))
            #expect(try await client.chunks().count == 400_000)
            client.close()
            await shutdown
        }
    }

    @Test("Before the drain, streams are asked to end evenly, also if one of them does not end")
    func evenly() async throws {
        let handler = ScriptedHandler { ScriptedStream(endsOnDrain: false) }
        try await withServer(handler: handler) { bench in
            var clients: [TestClient] = []
            for _ in 0..<3 { clients.append(try await bench.openStream().client) }
            let drains = { bench.handler.streams.values.map { $0.drains.load(ordering: .relaxed) } }
            bench.server.beginEnding(within: .seconds(40))
            try await bench.group.loops[0].perform {}
            for count in 1...3 {
                bench.advance(by: .milliseconds(9_999))
                try await bench.group.loops[0].perform {}
                #expect(drains().reduce(0, +) == count - 1)
                bench.advance(by: .milliseconds(1))
                try await eventually("stream \(count) to be asked") {
                    drains().reduce(0, +) == count
                }
            }
            #expect(drains() == [1, 1, 1])
            // One that begins meanwhile is asked, too, before the time is over.
            let late = try await bench.openStream()
            bench.advance(by: .seconds(10))
            try await eventually("the late stream to be asked") { drains() == [1, 1, 1, 1] }
            for client in clients + [late.client] { client.close() }
        }
    }

    @Test("A stream that does not end is reset after the drain time")
    func overdue() async throws {
        let handler = ScriptedHandler { ScriptedStream(endsOnDrain: false) }
        try await withServer(handler: handler) { bench in
            let (client, stream) = try await bench.openStream()
            async let shutdown: Void = bench.server.shutdown(drain: .seconds(10))
            try await eventually("the request to end") {
                stream.drains.load(ordering: .relaxed) == 1
            }
            bench.advance(by: .seconds(10))
            await shutdown
            #expect(try await client.end() == .reset)
            #expect(stream.ends.load(ordering: .relaxed) == 1)
        }
    }
}

@Suite("The frame of a part")
struct StreamPartTests {
    @Test(
        "The length is in hexadecimal digits (RFC 9112 §7.1)",
        arguments: [(1, "1"), (15, "f"), (16, "10"), (255, "ff"), (70_000, "11170")])
    func frame(count: Int, size: String) {
        let part = StreamPart([UInt8](repeating: 120, count: count))
        #expect(part.chunk.count == count + size.utf8.count + 4)
        #expect(part.chunk.starts(with: Array("\(size)\r\nx".utf8)))
        #expect(part.chunk.suffix(3) == Array("x\r\n".utf8)[...])
        #expect(part.chunk[part.content] == [UInt8](repeating: 120, count: count)[...])
    }

    @Test("A part without content has no chunk, which would be the last one")
    func empty() {
        #expect(StreamPart([]).chunk.isEmpty)
    }
}
