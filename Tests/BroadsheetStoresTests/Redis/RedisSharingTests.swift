import TestSupport
import Testing

import BroadsheetTesting
@testable import BroadsheetStores

/// The stores of two daemons on one server.
@Suite("Redis stores that share a server", .timeLimit(.minutes(hangMinutes)))
struct RedisSharingTests {
    @Test("Stores that share a server lose no write, whichever store makes it")
    func noLostUpdates() async throws {
        try await withTwoRedisStores { one, two, _ in
            let screens = try (0..<4).map { try name("screen-\($0)") }
            try await withThrowingTaskGroup(of: Void.self) { group in
                for writer in 0..<8 {
                    let store = writer.isMultiple(of: 2) ? one : two
                    group.addTask {
                        for page in 0..<10 {
                            let screen = screens[(writer + page) % screens.count]
                            try await store.commitWithRetries(
                                .put(page: writer * 10 + page, bytes: [UInt8(writer)]),
                                to: screen)
                        }
                    }
                }
                try await group.waitForAll()
            }
            for screen in screens {
                let stored = try await one.stored(screen)
                #expect(stored.pages.count == 20)
                #expect(stored.revision == 20)
                #expect(Set(stored.pages.map(\.revision)) == Set(1...20))
                let other = try await two.stored(screen)
                #expect(other == stored)
            }
        }
    }

    @Test("Stores that share a server never return a revision older than an acknowledged one")
    func acknowledged() async throws {
        try await withTwoRedisStores { one, _, _ in
            let home = try name("home")
            var revision: UInt64?
            for page in 0..<20 {
                revision = try await one.commit(
                    .put(page: page, bytes: []), to: home, expecting: revision)
                #expect(try await one.load(home, unlessAt: revision) == .unchanged)
                if let before = revision.map({ $0 - 1 }) {
                    let found = try await one.load(home, unlessAt: before)
                    #expect(found != .unchanged)
                }
            }
            let last = try #require(revision)
            try await one.write(.removeScreen, to: home)
            #expect(try await one.load(home, unlessAt: last) == .absent)
        }
    }

    @Test("No revision is assigned again after a removal, whichever store recreates the screen")
    func floor() async throws {
        try await withTwoRedisStores { one, two, _ in
            let (home, other) = try (name("home"), name("other"))
            for page in 0..<7 { try await one.put(page, to: home) }
            try await two.write(.removeScreen, to: home)
            let recreated = try await two.put(0, to: home)
            #expect(recreated == 8)
            let beside = try await one.put(0, to: other)
            #expect(beside == 8)
        }
    }
}

extension ScreenStore {
    /// Commits a change by compare-and-set, with retries after conflicts.
    func commitWithRetries(_ change: ScreenCommit, to screen: ScreenName) async throws {
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
