import BroadsheetTesting
import TestSupport
import Testing

@testable import BroadsheetStores

@Suite("The feeds of the Redis store", .serialized, .timeLimit(.minutes(hangMinutes)))
struct RedisFeedsTests {
    @Test(
        "The Redis store conforms to every requirement of stores with feeds",
        arguments: StoreConformance.feedRequirements)
    func conforms(to requirement: StoreConformance.Requirement) async throws {
        try await withRedisStore { store, clock, probe in
            try await requirement.check(store) { seconds in
                clock.advance(seconds: seconds)
                try await probe.letPass(seconds: seconds)
            }
        }
    }

    @Test("A feed has the time to live of its screen, which each commit renews")
    func timeToLive() async throws {
        try await withRedisStore { store, _, probe in
            let home = try name("home")
            _ = try await store.put(0, to: home, lifetime: .seconds(1000))
            _ = try await store.append([[1]], to: home)
            let first = try await probe.send("PTTL", RedisKeys.feed(home)).integer
            #expect((1...1_000_000).contains(first ?? 0))
            _ = try await store.put(0, to: home, lifetime: .seconds(5000))
            let second = try await probe.send("PTTL", RedisKeys.feed(home)).integer
            #expect((1_000_001...5_000_000).contains(second ?? 0))
            _ = try await store.put(0, to: home, lifetime: .indefinite)
            #expect(try await probe.send("PTTL", RedisKeys.feed(home)).integer == -1)
        }
    }

    @Test("An event that others have changed is reported after those before it")
    func damaged() async throws {
        try await withRedisStore { store, _, probe in
            let home = try name("home")
            _ = try await store.put(0, to: home)
            _ = try await store.append([[1], [2], [3]], to: home)
            _ = try await probe.send("HSET", RedisKeys.feed(home), "e:2", "9:x")
            let before = try await store.feed(of: home, after: 0, byteCount: 99)
            #expect(before?.events.map(\.number) == [1])
            await #expect(throws: StoreError.self) {
                try await store.feed(of: home, after: 1, byteCount: 99)
            }
            let after = try await store.feed(of: home, after: 2, byteCount: 99)
            #expect(after?.events.map(\.number) == [3])
        }
    }

    @Test("A feed that a later screen finds is not its own")
    func leftover() async throws {
        try await withRedisStore { store, _, probe in
            let home = try name("home")
            _ = try await probe.send(
                "HSET", RedisKeys.feed(home), "instance", "old", "first", "1", "last", "1")
            _ = try await store.put(0, to: home)
            #expect(try await store.feed(of: home, after: 0, byteCount: 9) == FeedPart())
        }
    }
}
