import BroadsheetIO
import Synchronization
import TestSupport
import Testing

import BroadsheetTesting
@testable import BroadsheetStores

@Suite("The feeds of the PostgreSQL store", .serialized, .timeLimit(.minutes(hangMinutes)))
struct PostgresFeedsTests {
    @Test("Events of two daemons have consecutive numbers, and both daemons read all of them")
    func sharing() async throws {
        try await withHistoryStore { one, clock, database async throws in
            let two = try database.open(clock)
            let home = try name("home")
            try await one.put(0, to: home)
            try await withThrowingTaskGroup(of: Void.self) { group in
                for (letter, store) in [("a", one), ("b", two)] {
                    group.addTask { () async throws in
                        for index in 0..<20 {
                            let events = [Array("\(letter)\(index)".utf8)]
                            let isStored = try await store.append(events, to: home)
                            #expect(isStored)
                        }
                    }
                }
                try await group.waitForAll()
            }
            let parts = [
                try await one.feed(of: home, after: 0, byteCount: 9999),
                try await two.feed(of: home, after: 0, byteCount: 9999),
            ]
            #expect(parts[0] == parts[1])
            #expect(parts[0]?.events.map(\.number) == Array(1...40))
            await two.close()
        }
    }

    @Test("A write of events alone is a notification to other daemons")
    func notification() async throws {
        try await withHistoryStore { one, clock, database in
            let two = try database.open(clock)
            let home = try name("home")
            let received = Mutex<[StoreInvalidation]>([])
            two.observeInvalidations { event in received.withLock { $0.append(event) } }
            func count(of revision: UInt64) -> Int {
                received.withLock { $0.count { $0 == .written(home, lowest: revision) } }
            }
            // A notification that is sent before the subscription is complete may be lost.
            var revision: UInt64 = 0
            let isSubscribed = try await eventually {
                // A subscription that could not be made is tried again after a second.
                clock.advance(by: .milliseconds(100))
                try await one.put(Int(revision), to: home)
                revision += 1
                return received.withLock { !$0.allSatisfy { $0 == .missed } }
            }
            #expect(isSubscribed)
            // The last notification of these writes has come: the next one is of the events.
            #expect(await eventually { count(of: revision) > 0 })
            let before = count(of: revision)
            #expect(try await one.append([[1]], to: home))
            #expect(await eventually { count(of: revision) > before })
            await two.close()
        }
    }

    @Test("A revision and its events are stored once, wherever the connection is cut")
    func cuts() async throws {
        let seed = SeededGenerator.seed(of: "PostgresFeedsTests")
        let server = try PostgresServer.shared()
        let database = HistoryDatabase(server: server, name: try server.newDatabase())
        let cuts = Mutex((areOn: false, generator: SeededGenerator(seed: seed)))
        let proxy = try CommitCuttingProxy(upstream: server.port) {
            cuts.withLock { cuts in
                cuts.areOn && Int.random(in: 0..<3, using: &cuts.generator) == 0
                    ? CommitCuttingProxy.Cut.allCases.randomElement(using: &cuts.generator) : nil
            }
        }
        defer { proxy.stop() }
        let store = try database.open(ManualClock(), port: proxy.port)
        cuts.withLock { $0.areOn = true }
        let home = try name("home")
        for revision in 1...20 as ClosedRange<UInt64> {
            var note = RevisionNote(request: "\(revision)")
            note.forwarded = [Array("commit \(revision)".utf8)]
            _ = try await store.commit(
                .put(page: 0, bytes: Array("\(revision)".utf8)), to: home,
                expecting: revision == 1 ? nil : revision - 1, lifetime: .unchanged, as: note)
            #expect(try await store.append([Array("append \(revision)".utf8)], to: home))
        }
        let list = try #require(try await store.revisions(of: home, before: nil, limit: 99))
        #expect(
            list.entries.map(\.note.request) == (1...20).reversed().map { "\($0)" },
            "seed \(seed)")
        let feed = try #require(try await store.feed(of: home, after: 0, byteCount: 99_999))
        let expected = (1...20).flatMap { ["commit \($0)", "append \($0)"] }
        #expect(
            feed.events.map { String(decoding: $0.data, as: UTF8.self) } == expected,
            "seed \(seed)")
        await store.close()
        try server.execute("DROP DATABASE \(database.name) WITH (FORCE)")
    }
}
