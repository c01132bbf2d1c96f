import Synchronization
import TestSupport
import Testing

@testable import BroadsheetHTTP
@testable import BroadsheetIO

/// A response that a test changes.
private final class RepeatableText: RepeatableResponse {
    let deliveries = Recorder<ResponseDelivery>()
    private let state: Mutex<(body: [UInt8], isCurrent: Bool, count: UInt64)>

    init(_ body: [UInt8], isForOtherCredentials: Bool = false) {
        self.isForOtherCredentials = isForOtherCredentials
        state = Mutex((body, true, 0))
    }

    /// The number of repetitions.
    var count: UInt64 { state.withLock { $0.count } }

    /// Makes further requests reach the handler.
    func change() { state.withLock { $0.isCurrent = false } }

    let isForOtherCredentials: Bool

    func begin(with credentials: UnsafeRawBufferPointer?) -> RepetitionStart {
        if let credentials, credentials.first == UInt8(ascii: "X") { return .otherClient }
        return state.withLock { state in
            guard state.isCurrent else { return .changed }
            state.count += 1
            return .repetition(Repetition(number: state.count, body: state.body))
        }
    }

    var contentOwner: (any AnyObject & Sendable)? { self }

    func appendID(of repetition: Repetition, to head: inout [UInt8]) {
        head += "repetition-\(repetition.number)".utf8
    }

    func completed(_ repetition: Repetition, _ delivery: ResponseDelivery) {
        deliveries.record(delivery)
    }
}

/// A handler whose every response is repeatable.
private final class RepeatableHandler: HTTPHandler {
    let response: RepeatableText
    let body: [UInt8]
    let requests = Recorder<String>()

    init(_ body: [UInt8] = Array("hello".utf8), isForOtherCredentials: Bool = false) {
        self.body = body
        response = RepeatableText(body, isForOtherCredentials: isForOtherCredentials)
    }

    func respond(to request: HTTPRequest) async -> HTTPResponse {
        requests.record(request.target.path)
        var response = HTTPResponse(
            status: .ok, headers: ["X-Test": "yes", .requestID: "first", "X-Last": "z"], body: body)
        response.repeatable = self.response
        return response
    }

    func response(
        to error: HTTPError, in head: HTTPRequestHead?, from peer: IPAddress
    ) -> HTTPResponse {
        HTTPResponse(status: error.status)
    }
}

@Suite("Responses that are repeated without a task", .timeLimit(.minutes(hangMinutes)))
struct RepeatedResponseTests {
    private func withServer(
        _ handler: RepeatableHandler, memory: MemoryBudget = .unlimited,
        _ body: (HTTPServer, SocketAddress, ManualClock) async throws -> Void
    ) async throws {
        let clock = ManualClock(unixMilliseconds: 784_111_777_000)
        let group = try EventLoopGroup(count: 1, clock: clock.time)
        defer { group.shutdown() }
        var configuration = HTTPServerConfiguration()
        configuration.port = 0
        let server = HTTPServer(
            group: group, configuration: configuration, handler: handler, memory: memory)
        try await body(server, try await server.start(), clock)
        await server.shutdown(drain: .zero)
        #expect(server.statistics.openConnections == 0)
    }

    @Test("A repetition differs in its date and its id only")
    func fields() async throws {
        let handler = RepeatableHandler()
        try await withServer(handler) { _, address, clock in
            let client = try TestClient(address)
            var received: [TestClient.Response] = []
            for _ in 0..<3 {
                try client.send(get("/a"))
                received.append(try await client.response())
                clock.advance(seconds: 1)
            }
            let ids = ["first", "repetition-1", "repetition-2"]
            for (index, response) in received.enumerated() {
                #expect(
                    response.fields == [
                        "Date: Sun, 06 Nov 1994 08:49:\(37 + index) GMT", "X-Test: yes",
                        "X-Request-Id: \(ids[index])", "X-Last: z", "Content-Length: 5",
                    ])
            }
            #expect(received.allSatisfy { $0.text == "hello" })
            #expect(handler.requests.count == 1)
            #expect(!handler.response.deliveries.values.contains { !$0.isComplete })
        }
    }

    @Test("A response for other credentials is found by the rest of the head alone")
    func credentials() async throws {
        let handler = RepeatableHandler(isForOtherCredentials: true)
        try await withServer(handler) { _, address, _ in
            let client = try TestClient(address)
            func count(_ path: String, _ fields: String) async throws -> Int {
                let before = handler.requests.count
                try client.send("GET \(path) HTTP/1.1\r\nHost: h\r\n\(fields)\r\n")
                #expect(try await client.response().text == "hello")
                return handler.requests.count - before
            }
            #expect(try await count("/a", "Authorization: Bearer one\r\nA: b\r\n") == 1)
            for value in ["Bearer one", "Bearer another", "", "Y"] {
                #expect(try await count("/a", "Authorization: \(value)\r\nA: b\r\n") == 0)
            }
            // Another case, place, field, target, or client is another head.
            for fields in [
                "authorization: Bearer one\r\nA: b\r\n", "A: b\r\nAuthorization: Bearer one\r\n",
                "Authorization: Bearer one\r\nA: c\r\n", "A: b\r\n", "Authorization: X\r\nA: b\r\n",
                "Authorization: Bearer one\r\nAuthorization: Y\r\nA: b\r\n",
            ] {
                #expect(try await count("/a", fields) == 1, "\(fields)")
            }
            #expect(try await count("/b", "Authorization: Bearer one\r\nA: b\r\n") == 1)
            let long = String(repeating: "x", count: 4_000)
            #expect(try await count("/a", "Authorization: \(long)\r\nA: b\r\n") == 0)
        }
    }

    @Test("A kept response is in the budget, and is not kept without memory")
    func memory() async throws {
        let handler = RepeatableHandler()
        let memory = MemoryBudget(limit: 8 << 20)
        var holder = memory.reservation(of: 8 << 20, for: .work)
        try await withServer(handler, memory: memory) { server, address, _ in
            let client = try TestClient(address)
            func request(_ path: String) async throws {
                try client.send(get(path))
                #expect(try await client.response().text == "hello")
            }
            for _ in 0..<3 { try await request("/a") }
            #expect(handler.requests.count == 3 && holder != nil)
            holder = nil
            for _ in 0..<3 { try await request("/a") }
            #expect(handler.requests.count == 4)
            let used = memory.statistics.used(by: .repetitions)
            #expect(used == memory.statistics.total && (512..<2048).contains(used))
            for number in 0..<2 * RepeatTable.capacity { try await request("/\(number)") }
            #expect(memory.statistics.used(by: .repetitions) > RepeatTable.capacity * 512)
            #expect(memory.statistics.used(by: .repetitions) < RepeatTable.capacity * 2048)
        }
        #expect(memory.statistics.total == 0)
    }

    @Test("A response that has changed comes from the handler, and is kept again")
    func changed() async throws {
        let handler = RepeatableHandler()
        try await withServer(handler) { _, address, _ in
            let client = try TestClient(address)
            for _ in 0..<3 {
                try client.send(get("/a"))
                _ = try await client.response()
            }
            handler.response.change()
            for _ in 0..<3 {
                try client.send(get("/a"))
                #expect(try await client.response().fields.contains("X-Request-Id: first"))
            }
            #expect(handler.requests.count == 4)
        }
    }

    @Test(
        "A request that closes the connection, has a body, or is not GET or HEAD is never repeated",
        arguments: [
            "GET /a HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n",
            "GET /a HTTP/1.0\r\n\r\n",
            "GET /a HTTP/1.1\r\nHost: h\r\nContent-Length: 1\r\n\r\nx",
            "GET /a HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
            "DELETE /a HTTP/1.1\r\nHost: h\r\n\r\n",
        ])
    func excluded(request: String) async throws {
        let handler = RepeatableHandler()
        try await withServer(handler) { _, address, _ in
            for _ in 0..<3 {
                let client = try TestClient(address)
                try client.send(request)
                _ = try await client.response()
            }
            #expect(handler.requests.count == 3)
            #expect(handler.response.count == 0)
        }
    }

    @Test("A long repetition is completed as its client reads, then the next request is served")
    func slowReader() async throws {
        let handler = RepeatableHandler(ScriptedHandler.bigBody)
        try await withServer(handler) { _, address, _ in
            let client = try TestClient(address, receiveBuffer: 4096)
            for _ in 0..<2 {
                try client.send(get("/a"))
                #expect(try await client.response().body == ScriptedHandler.bigBody)
            }
            try client.send(get("/b"))
            #expect(try await client.response().status == 200)
            #expect(handler.requests.values == ["/a", "/b"])
            let delivery = try #require(handler.response.deliveries.values.first)
            #expect(delivery.isComplete && delivery.bytesSent > ScriptedHandler.bigBody.count)
        }
    }

    @Test("A repetition whose connection is lost is reported as incomplete, once")
    func lostConnection() async throws {
        let handler = RepeatableHandler(ScriptedHandler.bigBody)
        try await withServer(handler) { _, address, _ in
            let client = try TestClient(address, receiveBuffer: 4096)
            try client.send(get("/a"))
            _ = try await client.response()
            try client.send(get("/a"))
            try await client.receive(atLeast: 100)
            client.reset()
            let delivery = await handler.response.deliveries.first(1)
            #expect(delivery.map(\.isComplete) == [false])
        }
        #expect(handler.response.deliveries.count == 1)
    }

    @Test("A shutdown completes a repetition in flight, and closes its connection")
    func drain() async throws {
        let handler = RepeatableHandler(ScriptedHandler.bigBody)
        try await withServer(handler) { server, address, _ in
            let client = try TestClient(address, receiveBuffer: 4096)
            try client.send(get("/a"))
            _ = try await client.response()
            try client.send(get("/a"))
            try await client.receive(atLeast: 100)
            async let shutdown: Void = server.shutdown(drain: .seconds(60))
            try await eventually("a drain") {
                let shard = server.shards[0]
                return try await shard.loop.perform { shard.isDraining }
            }
            #expect(try await client.response().body == ScriptedHandler.bigBody)
            #expect(try await client.end() == .closed)
            await shutdown
            #expect(handler.response.deliveries.values.map(\.isComplete) == [true])
        }
    }

    // MARK: The table

    private func makeEntry(_ number: Int, padding: Int = 0) -> RepeatEntry? {
        let text = get("/\(number)", "X-Padding: " + String(repeating: "x", count: padding))
        var parser = HTTPRequestParser()
        let action = Array(text.utf8).withUnsafeBytes { parser.feed($0) }
        guard case .request(let request) = action else { return nil }
        var response = HTTPResponse(status: .ok)
        response.repeatable = RepeatableText([])
        let head = "HTTP/1.1 200 OK\r\nDate: d\r\nX-Request-Id: i\r\n\r\n"
        return RepeatEntry(response, to: request.head, head: Array(head.utf8))
    }

    private func found(_ entry: RepeatEntry, in table: RepeatTable) -> RepeatEntry? {
        entry.requestHead.withUnsafeBytes { table.entry(for: $0) }
    }

    @Test("Heads of more than the limit are not kept")
    func headLimit() throws {
        let length = try #require(makeEntry(1)).requestHead.count
        let limit = RepeatEntry.maxHeadBytes
        #expect(makeEntry(1, padding: limit - length)?.requestHead.count == limit)
        #expect(makeEntry(1, padding: limit - length + 1) == nil)
    }

    @Test("The table never has more entries than its capacity; the last one is always found")
    func capacity() throws {
        var table = RepeatTable()
        let unknown = try #require(makeEntry(0))
        #expect(found(unknown, in: table) == nil)
        for number in 0..<3 * RepeatTable.capacity {
            let entry = try #require(makeEntry(number))
            table.insert(entry)
            #expect(found(entry, in: table) === entry)
            #expect(table.count <= RepeatTable.capacity)
        }
        #expect(table.count > RepeatTable.capacity / 2)
    }

    @Test("An entry replaces the one with the same head, and is found by the whole head only")
    func replacement() throws {
        var table = RepeatTable()
        let first = try #require(makeEntry(1))
        let second = try #require(makeEntry(1))
        table.insert(first)
        table.insert(second)
        #expect(table.count == 1)
        #expect(found(first, in: table) === second)
        for count in 0..<second.requestHead.count {
            let part = Array(second.requestHead.prefix(count))
            #expect(part.withUnsafeBytes { table.entry(for: $0) } == nil)
        }
        table.remove(first)
        #expect(table.count == 1)
        table.remove(second)
        #expect(table.count == 0)
    }
}
