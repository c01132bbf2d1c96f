import BroadsheetStores
import BroadsheetTesting
import Foundation
import TestSupport
import Testing

@Suite("The SQLite store", .serialized)
struct SQLiteStoreTests {
    @Test(
        "The SQLite store conforms to every requirement of stores",
        arguments: StoreConformance.requirements, [true, false])
    func conforms(
        to requirement: StoreConformance.Requirement, keepsHistory: Bool
    ) async throws {
        let clock = ManualClock()
        let options = SQLiteStoreOptions(
            clock: clock.time, history: keepsHistory ? HistoryBounds() : .none)
        try await DatabaseFile().withStore(options) { store in
            try await requirement.check(store, letPass: { clock.advance(seconds: $0) })
        }
    }

    @Test(
        "The SQLite store conforms to every requirement of stores with a history and with feeds",
        arguments: StoreConformance.historyRequirements + StoreConformance.feedRequirements)
    func conformsWithHistory(to requirement: StoreConformance.Requirement) async throws {
        let clock = ManualClock()
        let options = SQLiteStoreOptions(
            clock: clock.time, history: HistoryBounds(), feeds: FeedBounds())
        try await DatabaseFile().withStore(options) { store in
            try await requirement.check(store, letPass: { clock.advance(seconds: $0) })
        }
    }

    @Test("Screens, identity and the floor of revisions are kept when the store is opened again")
    func survivesReopening() async throws {
        let file = try DatabaseFile()
        let home = try name("home")
        let gone = try name("gone")
        let before = try await file.withStore { store in
            try await store.put(0, "{\"a\":1}", to: home)
            try await store.put(7, "{\"b\":2}", to: home)
            for page in 0..<5 { try await store.put(page, to: gone) }
            try await store.write(.removeScreen, to: gone)
            return (try await store.stored(home), try await store.identity())
        }
        let after = try await file.withStore { store in
            (try await store.stored(home), try await store.identity())
        }
        #expect(after == before)
        #expect(try await file.withStore { try await $0.put(0, to: gone) } == 6)
    }

    @Test("The SQLite store creates the folder of its file")
    func makesFolder() async throws {
        let file = try DatabaseFile()
        let path = file.folder.appendingPathComponent("a/b/c.db").path
        let store = try ScreenStore(path: path)
        try await store.put(0, to: name("home"))
        await store.close()
        #expect(FileManager.default.fileExists(atPath: path))
    }

    @Test("The SQLite store has an identity for each file")
    func identitiesDiffer() async throws {
        let first = try await DatabaseFile().withStore { try await $0.identity() }
        let second = try await DatabaseFile().withStore { try await $0.identity() }
        #expect(first != second)
    }

    @Test("A single write is one transaction, and concurrent writes at most one each")
    func transactions() async throws {
        try await DatabaseFile().withStore { store in
            #expect(store.transactionCount == 0)
            try await store.put(0, to: name("home"))
            #expect(store.transactionCount == 1)
            try await withThrowingTaskGroup(of: Void.self) { group in
                for writer in 0..<200 {
                    group.addTask { try await store.put(0, to: name("s\(writer)")) }
                }
                try await group.waitForAll()
            }
            // The number of writes in a transaction depends on the disk.
            #expect((2...201).contains(try #require(store.transactionCount)))
        }
    }

    @Test("The SQLite store knows a revision that it has written or read without waiting")
    func knownRevision() async throws {
        let file = try DatabaseFile()
        let home = try name("home")
        try await file.withStore { store in
            try await store.put(0, to: home)
            #expect(store.isKnown(home, toBeAt: 1))
        }
        try await file.withStore { store in
            #expect(!store.isKnown(home, toBeAt: 1))
            _ = try await store.load(home, unlessAt: nil)
            #expect(store.isKnown(home, toBeAt: 1))
        }
    }

    @Test("The SQLite store is unavailable once it is closed")
    func closed() async throws {
        let store = try ScreenStore(path: DatabaseFile().path)
        let home = try name("home")
        try await store.put(0, to: home)
        await store.close()
        await #expect(throws: StoreError.self) { try await store.load(home, unlessAt: nil) }
        await #expect(throws: StoreError.self) { try await store.write(.removeScreen, to: home) }
        await #expect(throws: StoreError.self) { try await store.checkReadiness() }
    }
}
