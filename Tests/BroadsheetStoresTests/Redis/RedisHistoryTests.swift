import BroadsheetTesting
import TestSupport
import Testing

@testable import BroadsheetStores

@Suite("The history of the Redis store", .serialized, .timeLimit(.minutes(hangMinutes)))
struct RedisHistoryTests {
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
                    try await one.put(0, to: home)
                    #expect(try await one.removeRevisions(of: home))
                    #expect(await eventually { log.events.contains(.revisionsRemoved(home)) })
                }
            }
        }
    }

    private func withStore(
        _ bounds: HistoryBounds = HistoryBounds(),
        _ body: (ScreenStore, ManualClock, RedisProbe) async throws -> Void
    ) async throws {
        try await withRedisServer { server in
            try await withRedisStore(server.endpoint(), history: bounds, body)
        }
    }
}
