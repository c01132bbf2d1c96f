import BroadsheetIO
import BroadsheetTesting
import Synchronization
import TestSupport
import Testing

@testable import BroadsheetStores

/// Daemons of two releases on one server.
@Suite(
    "Redis with the commits of two releases", .serialized, .timeLimit(.minutes(hangMinutes)))
struct RedisSkewTests {
    /// The number that the first revision in another line skips.
    private static let gap: UInt64 = 1_000_000
    /// The server of all tests, each of which has a database of its own.
    private static let server = Result { try RedisServer(["--databases", "256"]) }
    private static let used = Atomic(0)

    @Test(
        "A store whose calls two releases perform in turn conforms to every requirement",
        arguments: StoreConformance.requirements)
    func conforms(to requirement: StoreConformance.Requirement) async throws {
        // What the previous release creates has no line, and would leave a gap.
        try await Self.withStores(hasLine: false) { stores, clock, probe in
            try await requirement.check(AlternatingStore(stores)) { seconds in
                clock.advance(seconds: seconds)
                try await probe.letPass(seconds: seconds)
            }
        }
    }

    @Test(
        "Eight writers of two releases lose no write to a screen, and do none twice",
        arguments: [0, 1])
    func writers(creator: Int) async throws {
        try await Self.withStores { stores, _, _ in
            let home = try name("home")
            let pages = 10
            try await Self.put(0, to: home, stores[creator])
            try await withThrowingTaskGroup(of: Void.self) { group in
                for writer in 0..<8 {
                    group.addTask {
                        for page in writer * pages..<(writer + 1) * pages where page > 0 {
                            try await Self.put(page, to: home, stores[writer % stores.count])
                        }
                    }
                }
                try await group.waitForAll()
            }
            for store in stores {
                let stored = try await store.stored(home)
                #expect(stored.pages.map(\.number) == Array(0..<8 * pages))
                // The first commit of this release gives a screen that has no line one.
                let last = UInt64(8 * pages) + (creator == 0 ? 0 : Self.gap)
                #expect(stored.revision == last)
                let revisions = Set(stored.pages.map { $0.revision % Self.gap })
                #expect(revisions == Set(1...UInt64(8 * pages)))
            }
        }
    }

    @Test("Each release replaces and removes what the other one has stored")
    func replacements() async throws {
        try await Self.withStores { stores, _, _ in
            let writer = CommitWriter(
                screen: try name("replaced"), pageBytes: 500, replacesAll: true)
            #expect(await writer.write(to: AlternatingStore(stores), upTo: 25) == 25)
            for store in stores {
                #expect(try await writer.expectWhole(in: store, atLeast: 25, "mixed") == 25)
            }
            let home = try name("home")
            for (one, other) in [(stores[0], stores[1]), (stores[1], stores[0])] {
                let created = try await one.put(0, to: home)
                #expect(try await other.write(.removeAllPages, to: home) > created)
                let filled = try await one.put(1, to: home)
                #expect(try await other.write(.removeScreen, to: home) == filled)
                #expect(try await one.load(home, unlessAt: filled) == .absent)
                #expect(try await one.put(0, to: home) > filled)
                try await other.write(.removeScreen, to: home)
            }
        }
    }

    @Test("A commit that is sent again is recognised after commits of the previous release")
    func numbers() async throws {
        try await Self.withStores { stores, _, probe in
            let home = try name("home")
            let first = RedisCommit(
                commit: .put(page: 0, bytes: [1]), screen: home, expected: nil,
                lifetime: .unchanged, channel: "{broadsheet}:changes:0", maxBytes: 1000)
            #expect(try await probe.outcome(of: first, mayBeDone: false) == .done(1))
            for _ in 0..<20 { try await stores[1].put(1, to: home) }
            #expect(try await probe.outcome(of: first, mayBeDone: true) == .done(1))
            #expect(try await stores[0].put(2, to: home) == 22)
            #expect(try await probe.outcome(of: first, mayBeDone: true) == .done(1))
            let stale = RedisCommit(
                commit: .put(page: 0, bytes: [2]), screen: home, expected: 5,
                lifetime: .unchanged, channel: "{broadsheet}:changes:0", maxBytes: 1000)
            #expect(
                try await probe.outcome(of: stale, mayBeDone: true) == .conflict(current: 22))
        }
    }

    /// Puts a page, again after each conflict.
    private static func put(
        _ page: Int, to screen: ScreenName, _ store: any ScreenStore
    ) async throws {
        let bytes = Array("\(page)".utf8)
        var expected = try await store.revision(screen)
        while true {
            do throws(StoreError) {
                _ = try await store.commit(
                    .put(page: page, bytes: bytes), to: screen, expecting: expected)
                return
            } catch {
                guard case .conflict(let current) = error else { throw error }
                expected = current
            }
        }
    }

    /// Runs a store of this release and then one of the previous release on an empty database.
    ///
    /// - Parameter hasLine: A Boolean value that indicates whether the server discloses its line.
    private static func withStores(
        hasLine: Bool = true,
        _ body: ([any ScreenStore], ManualClock, RedisProbe) async throws -> Void
    ) async throws {
        let (server, database) = (
            try Self.server.get(), used.add(1, ordering: .relaxed).oldValue
        )
        let probe = try RedisProbe(server.endpoint(database: database))
        try await probe.send(
            ["ACL", "SETUSER", "unlined", "on", ">pw", "~*", "&*", "+@all", "-info"])
        let endpoint =
            try hasLine
            ? server.endpoint(database: database)
            : server.endpoint(user: "unlined", password: "pw", database: database)
        let clock = ManualClock()
        let options = RedisStoreOptions(clock: clock.time, timeout: .seconds(30))
        let current = try RedisStore(endpoint, options: options)
        let previous = try PreviousRedisStore(
            endpoint, base: RedisStore(endpoint, options: options))
        let result: Result<Void, any Error>
        do {
            result = .success(try await body([current, previous], clock, probe))
        } catch {
            result = .failure(error)
        }
        await previous.close()
        await current.close()
        await probe.close()
        try result.get()
    }
}
