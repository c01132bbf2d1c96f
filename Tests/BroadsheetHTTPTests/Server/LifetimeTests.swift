import Testing

@testable import BroadsheetHTTP
@testable import BroadsheetIO

@Suite("The lifetime of connections", .timeLimit(.minutes(2)))
struct LifetimeTests {
    @Test(
        "A connection that is over is let go of",
        arguments: [
            "", "GET /hel", "nonsense\r\n\r\n", get("/hello"), get("/hello", "Connection: close"),
            get("/big"),
        ])
    func released(sent: String) async throws {
        try await withServer { bench in
            let client = try bench.connect()
            try client.send(sent)
            let held = WeakConnection()
            let shard = bench.server.shards[0]
            try await eventually("the connection") {
                try await shard.loop.perform {
                    held.connection = shard.connections.first
                    return held.connection != nil || bench.handler.exchanges.count > 0
                }
            }
            client.reset()
            try await bench.settle()
            try await eventually("its end") { held.connection == nil }
        }
    }

    @Test("A connection between requests holds no bytes of either side")
    func idle() async throws {
        try await withServer { bench in
            let client = try bench.connect()
            try client.send(get("/big") + get("/hello"))
            _ = try await client.answer()
            _ = try await client.answer()
            try await bench.settle(.idle)
            let shard = bench.server.shards[0]
            let holds = try await shard.loop.perform {
                shard.connections.map { $0.outbox != nil || $0.exchange != nil || $0.task != nil }
            }
            #expect(holds == [false])
        }
    }
}

/// Sees a connection without keeping it.
private final class WeakConnection: @unchecked Sendable {
    // Unchecked: set on the loop's thread before the test looks, then only read.
    weak var connection: Connection?
}
