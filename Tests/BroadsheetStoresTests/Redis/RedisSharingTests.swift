import Testing

@testable import BroadsheetStores

/// Two daemons' stores on one server.
@Suite("Redis stores that share a server", .timeLimit(.minutes(2)))
struct RedisSharingTests {
    /// Lends two stores on one server, each with a clock of its own, and a probe.
    private func withTwo(
        _ body: (
            (store: RedisStore, clock: ManualClock), (store: RedisStore, clock: ManualClock),
            RedisProbe
        ) async throws -> Void
    ) async throws {
        try await withRedisServer { server in
            try await withRedisStore(server.endpoint()) { one, oneClock, probe in
                try await withRedisStore(server.endpoint()) { two, twoClock, _ in
                    try await body((one, oneClock), (two, twoClock), probe)
                }
            }
        }
    }

    @Test("lose no write, whichever of them writers come through")
    func noLostUpdates() async throws {
        try await withTwo { one, two, _ in
            let screens = try (0..<4).map { try name("screen-\($0)") }
            try await withThrowingTaskGroup(of: Void.self) { group in
                for writer in 0..<8 {
                    let store = writer.isMultiple(of: 2) ? one.store : two.store
                    group.addTask {
                        for page in 0..<10 {
                            let screen = screens[(writer + page) % screens.count]
                            try await store.insist(
                                on: .put(page: writer * 10 + page, bytes: [UInt8(writer)]),
                                to: screen)
                        }
                    }
                }
                try await group.waitForAll()
            }
            for screen in screens {
                let stored = try await one.store.stored(screen)
                #expect(stored.pages.count == 20)
                #expect(stored.revision == 20)
                #expect(Set(stored.pages.map(\.revision)) == Set(1...20))
                let other = try await two.store.stored(screen)
                #expect(other == stored)
            }
        }
    }

    @Test("hear of each other's writes and removals, and drop what they knew")
    func messages() async throws {
        try await withTwo { one, two, _ in
            let home = try name("home")
            try await one.store.put(0, to: home)
            // The clocks stand still, so nothing but a message can make a store ask again.
            _ = try await two.store.stored(home)
            try await one.store.put(1, to: home)
            #expect(
                try await eventually {
                    try await two.store.load(home, unlessAt: 1) != .unchanged
                })
            #expect(try await two.store.load(home, unlessAt: 2) == .unchanged)
            try await one.store.write(.removeScreen, to: home)
            #expect(
                try await eventually { try await two.store.load(home, unlessAt: 2) == .absent })
        }
    }

    @Test("a store that a message does not reach believes what it knew for half a second")
    func lostMessage() async throws {
        try await withTwo { one, two, probe in
            let home = try name("home")
            try await one.store.put(0, to: home)
            _ = try await two.store.stored(home)
            // A write that nobody is told of.
            try await probe.ask("HSET", RedisKeys.screen(home), "revision", "2")
            two.clock.advance(milliseconds: 499)
            #expect(try await two.store.load(home, unlessAt: 1) == .unchanged)
            two.clock.advance(milliseconds: 1)
            let found = try await two.store.load(home, unlessAt: 1)
            guard case .screen(let stored) = found else {
                return #expect(Bool(false), "the store believes what it knew")
            }
            #expect(stored.revision == 2)
        }
    }

    @Test("a store never goes back behind what it has acknowledged itself")
    func acknowledged() async throws {
        try await withTwo { one, _, _ in
            let home = try name("home")
            var revision: UInt64?
            for page in 0..<20 {
                revision = try await one.store.commit(
                    .put(page: page, bytes: []), to: home, expecting: revision)
                #expect(try await one.store.load(home, unlessAt: revision) == .unchanged)
                if let before = revision.map({ $0 - 1 }) {
                    let found = try await one.store.load(home, unlessAt: before)
                    #expect(found != .unchanged)
                }
            }
            let last = try #require(revision)
            try await one.store.write(.removeScreen, to: home)
            #expect(try await one.store.load(home, unlessAt: last) == .absent)
        }
    }

    @Test("a store whose ear is cut off forgets all it knew, and hears again by itself")
    func cutOff() async throws {
        try await withTwo { one, two, probe in
            let home = try name("home")
            try await one.store.put(0, to: home)
            _ = try await two.store.stored(home)
            let killed = try await probe.ask("CLIENT", "KILL", "TYPE", "pubsub").integer
            #expect(killed == 2)
            try await one.store.put(1, to: home)
            #expect(
                try await eventually {
                    try await two.store.load(home, unlessAt: 1) != .unchanged
                })
            let isListening = try await eventually {
                try await probe.ask("PUBSUB", "NUMSUB", "{broadsheet}:changes:0").elements?.last
                    == .integer(2)
            }
            #expect(isListening)
            // What was learnt before the subscription stood again has been forgotten by it.
            _ = try await two.store.stored(home)
            try await one.store.put(2, to: home)
            #expect(
                try await eventually {
                    try await two.store.load(home, unlessAt: 2) != .unchanged
                })
        }
    }

    @Test("a revision does not come back after a removal, whoever makes the screen anew")
    func floor() async throws {
        try await withTwo { one, two, _ in
            let (home, other) = try (name("home"), name("other"))
            for page in 0..<7 { try await one.store.put(page, to: home) }
            try await two.store.write(.removeScreen, to: home)
            let anew = try await two.store.put(0, to: home)
            #expect(anew == 8)
            let beside = try await one.store.put(0, to: other)
            #expect(beside == 8)
        }
    }
}

extension ScreenStore {
    /// Commits by compare-and-set again and again until it wins.
    func insist(on change: ScreenChange, to screen: ScreenName) async throws {
        var revision = try await revision(screen)
        while true {
            do throws(StoreError) {
                _ = try await commit(change, to: screen, expecting: revision)
                return
            } catch {
                guard case .conflict(let current) = error else { throw error }
                revision = current
            }
        }
    }
}
