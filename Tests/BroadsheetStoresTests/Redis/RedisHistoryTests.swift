import BroadsheetTesting
import TestSupport
import Testing

@testable import BroadsheetStores

@Suite("The history of the Redis store", .serialized, .timeLimit(.minutes(hangMinutes)))
struct RedisHistoryTests {
    @Test(
        "The Redis store conforms to every requirement of stores with a history",
        arguments: StoreConformance.historyRequirements)
    func conforms(to requirement: StoreConformance.Requirement) async throws {
        try await withStore { store, clock, probe in
            try await requirement.check(store) { seconds in
                clock.advance(seconds: seconds)
                try await probe.letPass(seconds: seconds)
            }
        }
    }

    @Test(
        "The Redis store with a history conforms to every other requirement",
        arguments: StoreConformance.requirements)
    func conformsBesides(to requirement: StoreConformance.Requirement) async throws {
        try await withStore { store, clock, probe in
            try await requirement.check(store) { seconds in
                clock.advance(seconds: seconds)
                try await probe.letPass(seconds: seconds)
            }
        }
    }

    @Test("Beyond --keep-revisions the oldest revisions go at once")
    func maxRevisions() async throws {
        try await withStore(HistoryBounds(maxRevisions: 3)) { store, _, probe in
            let home = try name("home")
            for _ in 0..<9 { try await store.put(0, to: home) }
            let list = try #require(try await store.revisions(of: home, before: nil, limit: 99))
            #expect(list.first == 6)
            #expect(list.entries.map(\.revision) == [9, 8, 7, 6])
            let fields = try await probe.send("HKEYS", RedisKeys.history(home)).elements
            #expect(fields?.count == 4 + 3)
        }
    }

    @Test("A screen of an earlier release begins with its current revision")
    func olderStore() async throws {
        try await withRedisServer { server in
            let home = try name("home")
            var before: StoredScreen?
            try await withRedisStore(server.endpoint()) { store, _, _ in
                for text in ["a", "b"] { try await store.put(0, text, to: home) }
                before = try await store.stored(home)
            }
            try await withRedisStore(server.endpoint(), history: HistoryBounds()) {
                store, _, _ in
                try await store.put(0, "c", to: home)
                let list = try #require(
                    try await store.revisions(of: home, before: nil, limit: 9))
                #expect(list.entries.map(\.revision) == [3, 2])
                #expect(list.entries.last == RevisionEntry(revision: 2, pageCount: 1))
                let found = try await store.load(home, at: 2, .all, within: .unlimited)
                #expect(found == before.map(ScreenLoad.screen))
            }
        }
    }

    @Test("What an earlier release writes in between ends the history before it")
    func gap() async throws {
        try await withRedisServer { server in
            let home = try name("home")
            let kept = HistoryBounds()
            try await withRedisStore(server.endpoint(), history: kept) { new, _, _ in
                try await withRedisStore(server.endpoint()) { old, _, _ in
                    for text in ["a", "b"] { try await new.put(0, text, to: home) }
                    try await old.put(0, "c", to: home)
                    for revision in [1, 2] as [UInt64] {
                        let found = try await new.load(
                            home, at: revision, .all, within: .unlimited)
                        #expect(found == .absent)
                    }
                    let middle = try await new.stored(home)
                    try await new.put(0, "d", to: home)
                    let list = try #require(
                        try await new.revisions(of: home, before: nil, limit: 9))
                    #expect(list.first == 3)
                    let found = try await new.load(home, at: 3, .all, within: .unlimited)
                    #expect(found == .screen(middle))
                }
            }
        }
    }

    @Test("The keys of a history have the screen's time to live, renewed by each write")
    func expiry() async throws {
        try await withStore { store, _, probe in
            let home = try name("home")
            try await store.put(0, "a", to: home, lifetime: .seconds(50_000))
            try await store.put(0, "b", to: home)
            for key in [RedisKeys.state(home), RedisKeys.history(home)] {
                let left = try #require(try await probe.send("PTTL", key).integer)
                #expect((40_000_000...50_000_000).contains(left), "\(key)")
            }
            let start = ContinuousClock.now
            try await store.put(0, "c", to: home, lifetime: .indefinite)
            #expect(try await probe.send("PTTL", RedisKeys.state(home)).integer == -1)
            // No earlier revision is older than the last write by then.
            let left = try #require(
                try await probe.send("PTTL", RedisKeys.history(home)).integer)
            let elapsed = ContinuousClock.now - start
            #expect(left <= 86_460_000)
            #expect(Duration.milliseconds(left) + elapsed >= .seconds(86_400))
        }
    }

    @Test(
        "A server that is out of memory loses earlier revisions of any screen before it refuses",
        arguments: ["a page", "an event"])
    func outOfMemory(_ written: String) async throws {
        try await withStore(HistoryBounds(maxBytes: 100 << 20)) { store, _, probe in
            let (home, large) = (try name("home"), try name("large"))
            try await store.put(0, to: home)
            for letter in ["a", "b"] {
                let page = String(repeating: letter, count: 200_000)
                for number in 0..<16 { try await store.put(number, page, to: large) }
            }
            let before = try #require(
                try await store.revisions(of: large, before: nil, limit: 1))
            #expect(before.first < before.revision)
            let information = try await probe.send("INFO", "memory").text ?? ""
            let used = try #require(
                information.firstMatch(of: /used_memory:(\d+)/).flatMap { Int($0.output.1) })
            _ = try await probe.send("CONFIG", "SET", "maxmemory-policy", "noeviction")
            // Half of what the earlier pages take: the buffers of connections vary.
            _ = try await probe.send("CONFIG", "SET", "maxmemory", "\(used - 1_600_000)")
            if written == "an event" {
                #expect(try await store.append([[1]], to: home))
            } else {
                try await store.put(0, "new", to: home)
            }
            let after = try #require(
                try await store.revisions(of: large, before: nil, limit: 1))
            #expect(after.first == before.revision)
            #expect(try await store.stored(large).pages.count == 16)
        }
    }

    @Test("The removal of earlier revisions is reported to the other daemons")
    func removalReported() async throws {
        try await withRedisServer { server in
            let home = try name("home")
            let kept = HistoryBounds()
            try await withRedisStore(server.endpoint(), history: kept) { one, _, _ in
                try await withRedisStore(server.endpoint(), history: kept) { two, _, _ in
                    let log = InvalidationLog()
                    two.observeInvalidations { log.add($0) }
                    // Messages from before the subscription are missed.
                    let isSubscribed = try await eventually {
                        try await one.put(0, to: home)
                        return log.events.contains {
                            if case .written(home, lowest: _) = $0 { true } else { false }
                        }
                    }
                    #expect(isSubscribed)
                    #expect(try await one.removeRevisions(of: home))
                    #expect(await eventually { log.events.contains(.revisionsRemoved(home)) })
                }
            }
        }
    }

    @Test("A value of a page that was changed by others makes the revisions up to it unknown")
    func damaged() async throws {
        try await withStore { store, _, probe in
            let home = try name("home")
            for text in ["a", "b", "c"] { try await store.put(0, text, to: home) }
            _ = try await probe.send("HSET", RedisKeys.history(home), "v:3:0", "2 other 0:b")
            #expect(try await store.load(home, at: 2, .all, within: .unlimited) == .absent)
            #expect(try await store.load(home, at: 1, .all, within: .unlimited) == .absent)
            let list = try #require(try await store.revisions(of: home, before: nil, limit: 9))
            #expect(list.entries.map(\.revision) == [3])
            #expect(try await store.stored(home).revision == 3)
        }
    }

    private func withStore(
        _ bounds: HistoryBounds = HistoryBounds(),
        _ body: (RedisStore, ManualClock, RedisProbe) async throws -> Void
    ) async throws {
        try await withRedisServer { server in
            try await withRedisStore(server.endpoint(), history: bounds, body)
        }
    }
}
