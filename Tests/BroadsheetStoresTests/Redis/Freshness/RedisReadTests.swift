import Synchronization
import Testing

@testable import BroadsheetStores

/// What a store reads that shares a server with another.
///
/// The clocks stand still, so nothing that was learnt ever grows old.
@Suite("A read of a shared Redis store", .serialized, .timeLimit(.minutes(2)))
struct RedisReadTests {
    /// Writes through one store, each time reading through the other as soon as the write is
    /// acknowledged, what it knows and what it does not.
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
        "is never older than a write that another store had acknowledged, in either protocol",
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
                let listeners = try await probe.ask("CLIENT", "LIST", "TYPE", "pubsub").text ?? ""
                let word = version == .two ? "resp=2" : "resp=3"
                #expect(listeners.split(separator: "\n").count { $0.contains(word) } == 2)
            }
        }
    }

    @Test("is never older either when the store's ear is cut off again and again")
    func cutOff() async throws {
        try await withTwoRedisStores { one, two, probe in
            let home = try name("home")
            var revision = try await one.put(0, to: home)
            for _ in 0..<50 {
                _ = try await two.stored(home)
                try await probe.ask("CLIENT", "KILL", "TYPE", "pubsub")
                let next = try await one.commit(
                    .put(page: 0, bytes: []), to: home, expecting: revision)
                #expect(try await two.load(home, unlessAt: revision) != .unchanged)
                revision = next
            }
            // It hears again by itself.
            #expect(try await probe.hasListeners(2))
        }
    }

    @Test("is half a second old at most where somebody changes the keys and tells nobody")
    func foreignChange() async throws {
        try await withRedisStore { store, clock, probe in
            let home = try name("home")
            #expect(try await probe.hasListeners(1))
            try await store.put(0, to: home)
            try await probe.ask("HSET", RedisKeys.screen(home), "revision", "2")
            clock.advance(milliseconds: 499)
            #expect(try await store.load(home, unlessAt: 1) == .unchanged)
            clock.advance(milliseconds: 1)
            #expect(try await store.load(home, unlessAt: 1) != .unchanged)
        }
    }

    @Test("whoever watches hears of what others write, and the lowest revision it has from then on")
    func watching() async throws {
        try await withTwoRedisStores { one, two, probe in
            let home = try name("home")
            let heard = Mutex<[StoreInvalidation]>([])
            two.observeInvalidations { news in heard.withLock { $0.append(news) } }
            #expect(try await probe.hasListeners(2))
            for page in 0..<3 { try await one.put(page, to: home) }
            try await one.write(.removeScreen, to: home)
            let expected = (1...4).map { StoreInvalidation.written(home, lowest: $0) }
            #expect(await eventually { heard.withLock { $0 } == expected })
        }
    }
}
