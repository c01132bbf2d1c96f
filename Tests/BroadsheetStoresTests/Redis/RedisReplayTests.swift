import BroadsheetIO
import Synchronization
import TestSupport
import Testing

import BroadsheetTesting
@testable import BroadsheetStores

/// Requests whose connections are cut.
@Suite("A request to Redis whose reply is lost", .timeLimit(.minutes(hangMinutes)))
struct RedisReplayTests {
    /// The time of a request that is sent again: long, as on a busy machine other tests take turns.
    private static let longTimeout = Duration.seconds(600)
    /// A text that batches have, and no other script.
    private static let ofCommits = LuaScript.apply.digest

    @Test("A commit is applied once, wherever its connection is cut")
    func once() async throws {
        let seed = SeededGenerator.seed(of: "RedisReplayTests")
        // So many that one is cut, also if a busy proxy receives those of all writers as one.
        let last = UInt64(max(40, 20 * FailureRounds.count))
        try await Self.withCuts(seed) { store in
            let writers = try (0..<4).map {
                CommitWriter(
                    screen: try name("screen-\($0)"), pageBytes: 500,
                    replacesAll: !$0.isMultiple(of: 2))
            }
            await withTaskGroup(of: Void.self) { group in
                for writer in writers {
                    group.addTask {
                        let acknowledged = await writer.write(to: store, upTo: last)
                        #expect(acknowledged == last, "seed \(seed)")
                    }
                }
            }
            for writer in writers {
                let found = try await writer.expectWhole(in: store, atLeast: last, "seed \(seed)")
                #expect(found == last)
            }
            #expect(store.commitsSentAgain.done > 0, "seed \(seed)")
            #expect(store.commitsSentAgain.unknown == 0, "seed \(seed)")
        }
    }

    @Test("A removal whose reply is lost has succeeded")
    func removal() async throws {
        let seed = SeededGenerator.seed(of: "RedisReplayTests")
        try await Self.withCuts(seed) { store in
            let home = try name("home")
            for _ in 0..<10 * FailureRounds.count {
                let revision = try await store.put(0, to: home)
                let last = try await store.commit(.removeScreen, to: home, expecting: revision)
                #expect(last == revision, "seed \(seed)")
                #expect(try await store.load(home, unlessAt: nil) == .absent)
            }
        }
    }

    @Test("A creation that is sent again and finds the screen of another one is unavailable")
    func creation() async throws {
        try await withRedisServer { server in
            let home = try name("home")
            let other = try ScreenStore(server.endpoint())
            let isCut = Mutex(true)
            let proxy = try FakeRedis(upstream: server.port) { command in
                guard command.count > 1, command[1] == Self.ofCommits else { return .pass }
                return isCut.withLock { $0 } ? .hangUp : .pass
            }
            try await withRedisStore(proxy.endpoint, timeout: Self.longTimeout) { store, _, _ in
                let creation = Task {
                    try await store.commit(
                        .put(page: 0, bytes: [1]), to: home, expecting: nil,
                        lifetime: .unchanged)
                }
                #expect(await eventually { proxy.commands.contains { $0.count > 9 } })
                try await other.put(0, "other", to: home)
                isCut.withLock { $0 = false }
                await #expect {
                    try await creation.value
                } throws: {
                    isUnavailable($0)
                }
                #expect(store.commitsSentAgain.unknown == 1)
                #expect(try await store.stored(home).pages.map(\.bytes) == [Array("other".utf8)])
            }
            proxy.stop()
            await other.close()
        }
    }

    @Test("A commit that is lost each time is sent again until --store-timeout, with its number")
    func timeout() async throws {
        // On a busy machine a short time may be over after the first attempt.
        for timeout in [0.3, 3, 30] {
            let server = try FakeRedis(
                FakeRedis.greeting { command in
                    switch command.dropFirst().first {
                    case LuaScript.records.digest:
                        .reply("*5\r\n+- - 1\r\n+0\r\n+1\r\n*1\r\n_\r\n\(FakeRedis.marker)\r\n")
                    case Self.ofCommits: .hangUp
                    // Those that read the index.
                    default: .reply("*0\r\n")
                    }
                })
            let log = EventLog()
            let options = RedisStoreOptions(timeout: .seconds(timeout), onEvent: log.handler)
            let store = try ScreenStore(server.endpoint, options: options)
            await log.waitForConnection(1)
            let home = try name("home")
            await #expect {
                try await store.commit(.put(page: 0, bytes: []), to: home, expecting: nil)
            } throws: {
                isUnavailable($0)
            }
            let commits = server.commands.filter { $0.count > 1 && $0[1] == Self.ofCommits }
            server.stop()
            await store.close()
            guard commits.count > 1 else { continue }
            return #expect(Set(commits).count == 1)
        }
        Issue.record("the commit was sent once at most each time")
    }

    @Test("A read whose connection is lost is sent again, and so are new events of a feed")
    func reads() async throws {
        try await withRedisServer { server in
            let cuts = Mutex(0)
            let proxy = try FakeRedis(upstream: server.port) { command in
                guard command.count > 1,
                    [LuaScript.records, .objects, .apply].map(\.digest).contains(command[1])
                        || command.first == "ZRANGEBYLEX"
                else { return .pass }
                return cuts.withLock { cuts in
                    defer { cuts = max(0, cuts - 1) }
                    return cuts > 0
                } ? .hangUp : .pass
            }
            let log = EventLog()
            try await withRedisStore(proxy.endpoint, log: log, timeout: Self.longTimeout) {
                store, _, _ in
                let home = try name("home")
                try await store.put(0, to: home)
                cuts.withLock { $0 = 3 }
                #expect(try await store.stored(home).pages.count == 1)
                cuts.withLock { $0 = 1 }
                #expect(try await store.screens(after: nil, limit: 9).count == 1)
                cuts.withLock { $0 = 3 }
                #expect(try await store.append([[1]], to: home))
                #expect(cuts.withLock { $0 } == 0)
                #expect(try await store.feed(of: home, after: 0, byteCount: 9)?.last == 1)
            }
            proxy.stop()
        }
    }

    @Test("A request that was never sent fails at once")
    func unsent() async throws {
        let endpoint = try RedisEndpoint(url: "redis://127.0.0.1:\(try FreePort.any())")
        let log = EventLog()
        // A request that were sent again would exceed the limit of the suite.
        let store = try ScreenStore(
            endpoint, options: RedisStoreOptions(timeout: .seconds(86_400), onEvent: log.handler))
        await log.waitForLoss()
        await #expect(throws: StoreError.self) { try await store.put(0, to: name("home")) }
        await store.close()
    }

    /// Runs a store behind a proxy that cuts the connections of one in three commits.
    private static func withCuts(
        _ seed: UInt64, _ body: (ScreenStore) async throws -> Void
    ) async throws {
        let server = try RedisServer()
        defer { withExtendedLifetime(server) {} }
        let cuts = Mutex(SeededGenerator(seed: seed))
        let proxy = try CommitCuttingProxy(upstream: server.port, of: [ofCommits]) {
            cuts.withLock { generator in
                Int.random(in: 0..<3, using: &generator) == 0
                    ? CommitCuttingProxy.Cut.allCases.randomElement(using: &generator) : nil
            }
        }
        defer { proxy.stop() }
        let log = EventLog()
        let store = try ScreenStore(
            RedisEndpoint(url: "redis://127.0.0.1:\(proxy.port)"),
            options: RedisStoreOptions(timeout: Self.longTimeout, onEvent: log.handler))
        await log.waitForConnection(1)
        do {
            try await body(store)
        } catch {
            await store.close()
            throw error
        }
        await store.close()
    }
}
