import BroadsheetIO
import Synchronization
import TestSupport

@testable import BroadsheetStores

/// A client beside the store that reads and changes the data of the server.
final class RedisProbe: Sendable {
    private let group: EventLoopGroup
    private let client: RedisClient

    init(_ endpoint: RedisEndpoint) throws {
        group = try EventLoopGroup(count: 1)
        client = RedisClient(RedisLocation(endpoint, on: group.loops[0]), RedisLinkObserver())
        client.start()
    }

    /// Sends a command and waits for its reply.
    @discardableResult
    func send(_ parts: String...) async throws -> RESPValue { try await send(parts) }

    /// Sends a command of any number of words and waits for its reply.
    @discardableResult
    func send(_ parts: [some StringProtocol]) async throws -> RESPValue {
        try await client.call(RESPCommand(parts.map { Array($0.utf8) }))
    }

    func close() async {
        await client.finish()
        group.stop()
        await group.waitForEnd()
    }

    /// Returns a Boolean value that indicates whether a number of connections subscribe to the
    /// changes of database 0 within ten seconds.
    func hasSubscribers(_ count: Int64) async throws -> Bool {
        try await eventually {
            try await send("PUBSUB", "NUMSUB", "{broadsheet}:changes:0").elements?.last
                == .integer(count)
        }
    }

    /// Advances the time by a number of seconds for every key that expires.
    func letPass(seconds: Int) async throws {
        let keys = try await send("KEYS", "*").elements?.compactMap(\.text) ?? []
        for key in keys {
            guard let left = try await send("PTTL", key).integer, left >= 0 else { continue }
            let rest = left - Int64(seconds) * 1000
            try await send("PEXPIRE", key, "\(max(rest, 1))")
            guard rest <= 0 else { continue }
            _ = try await eventually { try await self.send("EXISTS", key).integer == 0 }
        }
    }
}

/// Runs a server for the duration of `body`.
func withRedisServer(
    _ options: [String] = [], tls: ServerTLS? = nil, _ body: (RedisServer) async throws -> Void
) async throws {
    let server = try RedisServer(options, tls: tls)
    try await body(server)
    // Otherwise the object, and with it the server, might end after its last use.
    withExtendedLifetime(server) {}
}

/// Passes a store on a database of a server to `body`, with a clock that does not advance and a
/// probe.
func withRedisStore(
    _ endpoint: RedisEndpoint, log: EventLog = EventLog(), history: HistoryBounds = .none,
    timeout: Duration = .seconds(30),
    _ body: (ScreenStore, ManualClock, RedisProbe) async throws -> Void
) async throws {
    let clock = ManualClock()
    let store = try ScreenStore(
        endpoint,
        options: RedisStoreOptions(
            clock: clock.time, timeout: timeout, history: history, feeds: FeedBounds(),
            onEvent: log.handler))
    let probe = try RedisProbe(endpoint)
    do {
        try await body(store, clock, probe)
        await probe.close()
        await store.close()
    } catch {
        await probe.close()
        await store.close()
        throw error
    }
}

/// Passes a store on a new server to `body`.
func withRedisStore(
    _ body: (ScreenStore, ManualClock, RedisProbe) async throws -> Void
) async throws {
    try await withRedisServer { server in
        try await withRedisStore(server.endpoint(), body)
    }
}

/// Passes two stores on one server, whose clocks do not advance, and a probe to `body`.
func withTwoRedisStores(
    on server: RedisServer, _ body: (ScreenStore, ScreenStore, RedisProbe) async throws -> Void
) async throws {
    try await withRedisStore(server.endpoint()) { one, _, probe in
        try await withRedisStore(server.endpoint()) { two, _, _ in
            try await body(one, two, probe)
        }
    }
}

/// Passes two stores on a new server to `body`.
func withTwoRedisStores(
    _ body: (ScreenStore, ScreenStore, RedisProbe) async throws -> Void
) async throws {
    try await withRedisServer { server in try await withTwoRedisStores(on: server, body) }
}
