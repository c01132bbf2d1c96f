import BroadsheetTesting
import Foundation
import TestSupport
import Testing

@testable import BroadsheetStores

@Suite("The feeds of the SQLite store", .serialized)
struct SQLiteFeedsTests {
    private static let kept = SQLiteStoreOptions(feeds: FeedBounds())

    @Test(
        "The SQLite store conforms to every requirement of stores with feeds",
        arguments: StoreConformance.feedRequirements)
    func conforms(to requirement: StoreConformance.Requirement) async throws {
        let clock = ManualClock()
        let options = SQLiteStoreOptions(
            clock: clock.time, history: HistoryBounds(), feeds: FeedBounds())
        try await DatabaseFile().withStore(options) { store in
            try await requirement.check(store, letPass: { clock.advance(seconds: $0) })
        }
    }

    private func data(_ number: Int) -> [UInt8] { Array("{\"n\":\(number)}".utf8) }

    @Test("Events and their instance are there after the store is opened again")
    func survivesReopening() async throws {
        let file = try DatabaseFile()
        let home = try name("home")
        let before = try await file.withStore(Self.kept) { store in
            try await store.put(0, "a", to: home)
            for number in 0..<5 { _ = try await store.append([data(number)], to: home) }
            return try await store.feed(of: home, after: 0, byteCount: .max)
        }
        #expect(before?.events.map(\.data) == (0..<5).map(data))
        try await file.withStore(Self.kept) { store in
            #expect(try await store.feed(of: home, after: 0, byteCount: .max) == before)
            _ = try await store.append([data(5)], to: home)
            let after = try await store.feed(of: home, after: 5, byteCount: .max)
            #expect(after?.events == [FeedEvent(number: 6, data: data(5))])
            #expect(after?.instance == before?.instance)
        }
    }

    @Test("Concurrent events of many screens are stored whole, in an order of their own")
    func concurrent() async throws {
        try await DatabaseFile().withStore(Self.kept) { store in
            let names = try (0..<4).map { try name("s\($0)") }
            for name in names { try await store.put(0, "a", to: name) }
            try await withThrowingTaskGroup(of: Void.self) { group in
                for number in 0..<80 {
                    let name = names[number % names.count]
                    let pair = [data(number), data(number)]
                    group.addTask { _ = try await store.append(pair, to: name) }
                }
                try await group.waitForAll()
            }
            for name in names {
                let part = try #require(
                    try await store.feed(of: name, after: 0, byteCount: .max))
                #expect(part.events.map(\.number) == (1...40).map { UInt64($0) })
                for index in stride(from: 0, to: 40, by: 2) {
                    #expect(part.events[index].data == part.events[index + 1].data)
                }
            }
        }
    }

    @Test("A damaged event is reported after those before it, and never returned")
    func damage() async throws {
        let file = try DatabaseFile()
        let home = try name("home")
        try await file.withStore(Self.kept) { store in
            try await store.put(0, "a", to: home)
            _ = try await store.append([data(1), data(2), data(3)], to: home)
        }
        let connection = try SQLiteConnection(path: file.path, mode: .readWrite)
        try connection.execute("UPDATE feed_events SET data = '{}' WHERE number = 2")
        try await file.withStore(Self.kept) { store in
            let before = try await store.feed(of: home, after: 0, byteCount: .max)
            #expect(before?.events.map(\.number) == [1])
            await #expect(throws: StoreError.self) {
                try await store.feed(of: home, after: 1, byteCount: .max)
            }
            let after = try await store.feed(of: home, after: 2, byteCount: .max)
            #expect(after?.events.map(\.number) == [3])
        }
    }

    @Test("A backup of a damaged feed is refused, and the inspection after the start reports it")
    func inspection() async throws {
        let file = try DatabaseFile()
        let home = try name("home")
        try await file.withStore(Self.kept) { store in
            try await store.put(0, "a", to: home)
            for number in 0..<9 { _ = try await store.append([data(number)], to: home) }
        }
        let connection = try SQLiteConnection(path: file.path, mode: .readWrite)
        try connection.execute("DELETE FROM feed_events WHERE number = 5")
        let copy = file.path + ".backup"
        #expect(throws: SQLiteBackupError.self) {
            try SQLiteBackup.copy(from: file.path, to: copy)
        }
        #expect(!FileManager.default.fileExists(atPath: copy))
        let log = EventLog()
        let options = SQLiteStoreOptions(feeds: FeedBounds(), onEvent: log.handler)
        try await file.withStore(options) { store in
            await log.wait { $0 == .inspected(screens: 1, damaged: 1) }
            let stored = try await store.stored(home)
            #expect(stored.pages.count == 1)
        }
    }

    @Test("A restored backup has the events, under another instance")
    func restored() async throws {
        let file = try DatabaseFile()
        let home = try name("home")
        let before = try await file.withStore(Self.kept) { store in
            try await store.put(0, "a", to: home)
            _ = try await store.append([data(1), data(2)], to: home)
            return try await store.feed(of: home, after: 0, byteCount: .max)
        }
        let copy = file.path + ".backup"
        let other = file.path + ".restored"
        defer { for path in [copy, other] { try? FileManager.default.removeItem(atPath: path) } }
        _ = try SQLiteBackup.copy(from: file.path, to: copy)
        _ = try SQLiteBackup.restore(from: copy, to: other)
        let store = try SQLiteStore(path: other, options: Self.kept)
        let after = try await store.feed(of: home, after: 0, byteCount: .max)
        await store.close()
        #expect(after?.events == before?.events)
        #expect(after?.instance != nil && after?.instance != before?.instance)
    }
}
