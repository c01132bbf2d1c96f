import TestSupport
import Testing

@testable import BroadsheetHTTP
@testable import BroadsheetIO

@Suite("The memory of connections", .timeLimit(.minutes(hangMinutes)))
struct MemoryTests {
    private static let mebibyte = 1 << 20

    private func post(_ count: Int, to path: String = "/echo") -> String {
        "POST \(path) HTTP/1.1\r\nHost: test\r\nContent-Length: \(count)\r\n\r\n"
    }

    /// Creates a budget whose waits end only by a grant, by the clock, or by a lost connection.
    private func budget(_ limit: Int) -> MemoryBudget {
        MemoryBudget(limit: limit) { _ in try? await Task.sleep(for: .seconds(3600)) }
    }

    private func settleMemory(_ budget: MemoryBudget) async throws {
        try await eventually("no reserved memory") {
            budget.statistics.total == 0 && budget.statistics.waiting == 0
        }
    }

    @Test("A body is reserved as it arrives, and not as it is declared")
    func progressive() async throws {
        let memory = budget(64 * Self.mebibyte)
        try await withServer(memory: memory) { bench in
            let client = try bench.connect()
            try client.send(post(15 * Self.mebibyte))
            try await bench.settle(.inBody)
            try client.send([UInt8](repeating: 120, count: 100_000))
            try await eventually("the bytes are reserved") { memory.statistics.total >= 100_000 }
            #expect(memory.statistics.total <= 4 * 100_000)
            client.reset()
            try await settleMemory(memory)
        }
    }

    @Test("A body without memory waits, and is refused with 503 when the wait is over")
    func refused() async throws {
        let memory = budget(8 * Self.mebibyte)
        try await withServer(memory: memory) { bench in
            let holder = try #require(memory.reservation(of: 7 * Self.mebibyte, for: .work))
            let client = try bench.connect()
            async let sending: Void = blocking {
                try? client.send(self.post(4 * Self.mebibyte))
                try? client.send([UInt8](repeating: 120, count: 2 * Self.mebibyte))
            }
            try await eventually("the connection waits") { memory.statistics.waiting == 1 }
            // The loop serves others meanwhile.
            let other = try bench.connect()
            try other.send(post(4) + "body")
            #expect(try await other.response().text == "body")
            bench.advance(by: MemoryBudget.maxWait)
            let response = try await client.response()
            #expect(response.status == 503 && response.closes)
            #expect(memory.statistics.refused(.requests) == 1)
            try await sending
            client.close()
            try await eventually("the body is released") {
                memory.statistics.total == holder.count
            }
        }
    }

    @Test("A body that waits continues when memory becomes free")
    func continued() async throws {
        let memory = budget(8 * Self.mebibyte)
        try await withServer(memory: memory) { bench in
            let holder = try #require(memory.reservation(of: 7 * Self.mebibyte, for: .work))
            let client = try bench.connect()
            let body = pattern(blocks: 16)
            async let sending: Void = blocking {
                try client.send(self.post(body.count))
                try client.send(body)
            }
            try await eventually("the connection waits") { memory.statistics.waiting == 1 }
            holder.shrink(to: 0)
            #expect(try await client.response().body == body)
            try await sending
            try await settleMemory(memory)
        }
    }

    @Test("Unfinished bodies never have more than their share, and small ones pass them")
    func unfinished() async throws {
        let memory = budget(8 * Self.mebibyte)
        try await withServer(memory: memory) { bench in
            let clients = try (0..<12).map { _ in try bench.connect() }
            async let sending: Void = blocking {
                for client in clients {
                    try client.send(self.post(Self.mebibyte))
                    try client.send([UInt8](repeating: 120, count: 200_000))
                }
            }
            try await sending
            try await eventually("some connections wait") { memory.statistics.waiting > 0 }
            #expect(memory.statistics.total <= 2 * Self.mebibyte + 12 * 70_000)
            let small = try bench.connect()
            try small.send(post(4) + "body")
            #expect(try await small.response().text == "body")
            for client in clients { client.reset() }
            try await settleMemory(memory)
        }
    }

    @Test("A connection that is reset while it waits is freed, while others still wait")
    func freed() async throws {
        final class Kept: @unchecked Sendable {
            // Unchecked: used on the loop of the connections only.
            struct Reference { weak var connection: Connection? }
            var references: [Reference] = []
            var count: Int { references.count { $0.connection != nil } }
        }
        let memory = budget(8 * Self.mebibyte)
        try await withServer(memory: memory) { bench in
            let holder = try #require(memory.reservation(of: 8 * Self.mebibyte, for: .work))
            var clients: [TestClient] = []
            for count in 1...4 {
                let client = try bench.connect()
                clients.append(client)
                try client.send(post(Self.mebibyte))
                // The first bytes of a body do not wait if they arrive with the head.
                try await bench.settle(allInBody: count)
                try client.send([UInt8](repeating: 120, count: 20_000))
                try await eventually("\(count) wait") { memory.statistics.waiting == count }
            }
            let loop = bench.server.shards[0].loop
            let kept = try await loop.perform {
                let kept = Kept()
                kept.references = bench.server.shards[0].connections.map {
                    Kept.Reference(connection: $0)
                }
                return kept
            }
            for client in clients.dropFirst() { client.reset() }
            try await eventually("the memory of the others is free") {
                try await loop.perform { kept.count } == 1
            }
            #expect(memory.statistics.waiting == 1)
            clients[0].reset()
            holder.shrink(to: 0)
            try await settleMemory(memory)
        }
    }

    @Test("A request keeps its memory until it is handled, also when its connection is lost")
    func handled() async throws {
        let memory = budget(64 * Self.mebibyte)
        try await withServer(memory: memory) { bench in
            let client = try bench.connect()
            try client.send(post(50_000, to: "/wait"))
            try client.send([UInt8](repeating: 120, count: 50_000))
            try await bench.settle(.responding)
            #expect(memory.statistics.used(by: .requests) >= 50_000)
            client.reset()
            try await bench.settle()
            bench.handler.release()
            try await settleMemory(memory)
        }
    }

    @Test("What a client has not read is reserved; without memory its connection is reset")
    func unread() async throws {
        let memory = budget(ScriptedHandler.bigBody.count * 5)
        try await withServer(memory: memory) { bench in
            let first = try bench.connect(receiveBuffer: 4096)
            try first.send(get("/big"))
            try await bench.settle(.sending)
            #expect(memory.statistics.used(by: .responses) >= ScriptedHandler.bigBody.count / 2)
            let second = try bench.connect(receiveBuffer: 4096)
            try second.send(get("/big"))
            #expect(try await second.end() == .reset)
            #expect(memory.statistics.refused(.responses) == 1)
            #expect(try await first.response().body == ScriptedHandler.bigBody)
            try await settleMemory(memory)
        }
    }

    @Test("A hostile mix of connections leaves no reservation")
    func mix() async throws {
        let memory = budget(8 * Self.mebibyte)
        try await withServer(memory: memory) { bench in
            var clients: [TestClient] = []
            for round in 0..<6 {
                let client = try bench.connect(receiveBuffer: 4096)
                clients.append(client)
                switch round {
                case 0: try client.send(get("/big"))
                case 1: try client.send(String(repeating: get("/hello?x"), count: 500))
                case 2: try client.send(post(3_000_000) + String(repeating: "x", count: 90_000))
                case 3: try client.send("POST /echo HTTP/1.1\r\nHost: test\r\nX: " + Self.long)
                case 4: try client.send(post(100_000, to: "/wait"))
                default: try client.send(post(70_000) + String(repeating: "x", count: 70_000))
                }
            }
            try await eventually("something is reserved") { memory.statistics.total > 0 }
            for (index, client) in clients.enumerated() {
                if index.isMultiple(of: 2) { client.reset() } else { client.close() }
            }
            try await bench.settle()
            try await settleMemory(memory)
        }
    }

    private static let long = String(repeating: "y", count: 12_000)
}
