import Synchronization
import TestSupport
import Testing

import BroadsheetTesting
@testable import BroadsheetStores

/// Reads of a store that shares a server with another store.
///
/// The clocks do not advance, so cache entries never expire.
@Suite("A read of a shared Redis store", .serialized, .timeLimit(.minutes(hangMinutes)))
struct RedisReadTests {
    /// Writes through one store and reads through the other after each acknowledgement, both
    /// screens that it has in its cache and others.
    private func alternate(
        _ writer: RedisStore, _ reader: RedisStore, rounds: Int, screen: ScreenName
    ) async throws {
        var revision = try await writer.put(0, to: screen)
        _ = try await reader.stored(screen)
        for round in 0..<rounds {
            let next = try await writer.commit(
                .put(page: 0, bytes: [UInt8](repeating: 1, count: round)), to: screen,
                expecting: revision)
            let found = try await reader.load(screen, unlessAt: revision)
            guard case .screen(let stored) = found else {
                Issue.record("round \(round): read \(revision) after \(next) was acknowledged")
                return
            }
            #expect(stored.revision == next)
            #expect(try await reader.load(screen, unlessAt: next) == .unchanged)
            revision = next
        }
        try await writer.write(.removeScreen, to: screen)
        #expect(try await reader.load(screen, unlessAt: revision) == .absent)
    }

    @Test(
        "A read reflects every acknowledged write of another store, in either protocol",
        arguments: [RESPVersion.three, .two])
    func order(version: RESPVersion) async throws {
        // Without HELLO there is no RESP3.
        let options = version == .two ? ["--rename-command", "HELLO", ""] : []
        try await withRedisServer(options) { server in
            try await withTwoRedisStores(on: server) { one, two, probe in
                try await withThrowingTaskGroup(of: Void.self) { group in
                    for index in 0..<4 {
                        let (writer, reader) = index.isMultiple(of: 2) ? (one, two) : (two, one)
                        let screen = try name("screen-\(index)")
                        group.addTask {
                            try await alternate(writer, reader, rounds: 250, screen: screen)
                        }
                    }
                    try await group.waitForAll()
                }
                let word = version == .two ? "resp=2" : "resp=3"
                // A subscription whose server was slow is established again.
                let areSubscribed = try await eventually {
                    let listeners = try await probe.send("CLIENT", "LIST", "TYPE", "pubsub").text
                    return (listeners ?? "").split(separator: "\n")
                        .count { $0.contains(word) } == 2
                }
                #expect(areSubscribed)
            }
        }
    }

    @Test("A read reflects writes of other stores even if the subscription is interrupted")
    func cutOff() async throws {
        try await withTwoRedisStores { one, two, probe in
            let home = try name("home")
            var revision = try await one.put(0, to: home)
            for _ in 0..<50 {
                _ = try await two.stored(home)
                try await probe.send("CLIENT", "KILL", "TYPE", "pubsub")
                let next = try await one.commit(
                    .put(page: 0, bytes: []), to: home, expecting: revision)
                #expect(try await two.load(home, unlessAt: revision) != .unchanged)
                revision = next
            }
            // The subscription is restored automatically.
            #expect(try await probe.hasSubscribers(2))
        }
    }

    @Test("A read is at most half a second old after a change that was not published")
    func foreignChange() async throws {
        try await withRedisStore { store, clock, probe in
            let home = try name("home")
            #expect(try await probe.hasSubscribers(1))
            try await store.put(0, to: home)
            try await probe.send("HSET", RedisKeys.screen(home), "revision", "2")
            clock.advance(milliseconds: 499)
            #expect(try await store.load(home, unlessAt: 1) == .unchanged)
            clock.advance(milliseconds: 1)
            #expect(try await store.load(home, unlessAt: 1) != .unchanged)
        }
    }

    @Test("An observer receives the writes of other stores with the lowest possible revision")
    func invalidations() async throws {
        try await withTwoRedisStores { one, two, probe in
            let home = try name("home")
            let received = Mutex<[StoreInvalidation]>([])
            two.observeInvalidations { invalidation in
                // The connection for messages may be established after this.
                if invalidation != .missed { received.withLock { $0.append(invalidation) } }
            }
            #expect(try await probe.hasSubscribers(2))
            for page in 0..<3 { try await one.put(page, to: home) }
            try await one.write(.removeScreen, to: home)
            let expected = (1...4).map { StoreInvalidation.written(home, lowest: $0) }
            #expect(await eventually { received.withLock { $0 } == expected })
        }
    }
}
