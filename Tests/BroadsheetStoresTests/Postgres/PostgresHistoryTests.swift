import BroadsheetIO
import Foundation
import Glibc
import Synchronization
import TestSupport
import Testing

import BroadsheetTesting
@testable import BroadsheetStores

@Suite("The history of the PostgreSQL store", .serialized, .timeLimit(.minutes(hangMinutes)))
struct PostgresHistoryTests {
    @Test("A revision that one daemon wrote is read, listed and forgotten at another one")
    func sharing() async throws {
        try await withHistoryStore { one, clock, database in
            let two = try database.open(clock)
            let home = try name("home")
            try await one.put(0, "first", to: home)
            let before = try await two.stored(home)
            try await two.put(0, "second", to: home)
            for store in [one, two] {
                let found = try await store.load(home, at: 1, .all, within: .unlimited)
                #expect(found == .screen(before))
                let list = try await store.revisions(of: home, before: nil, limit: 9)
                #expect(list?.entries.map(\.revision) == [2, 1])
            }
            #expect(try await two.removeRevisions(of: home))
            #expect(try await one.load(home, at: 1, .all, within: .unlimited) == .absent)
            await two.close()
        }
    }

    @Test("The history and the feed are the same after a restart of daemon and server")
    func restart() async throws {
        let server = try PostgresServer()
        let database = HistoryDatabase(server: server, name: "postgres")
        let (clock, home) = (ManualClock(), try name("home"))
        var states: [StoredScreen] = []
        var store = try database.open(clock)
        for text in ["a", "b", "c"] {
            try await store.put(0, text, to: home)
            states.append(try await store.stored(home))
            _ = try await store.append([Array(text.utf8)], to: home)
        }
        let feed = try await store.feed(of: home, after: 0, byteCount: 99)
        await store.close()
        try server.restart()
        store = try database.open(clock)
        for state in states {
            let found = try await store.load(home, at: state.revision, .all, within: .unlimited)
            #expect(found == .screen(state))
        }
        #expect(try await store.feed(of: home, after: 0, byteCount: 99) == feed)
        #expect(feed?.events.count == 3)
        await store.close()
    }

    @Test("After a killed server each kept revision is the screen as it was, or gone")
    func killed() async throws {
        let server = try PostgresServer()
        let database = HistoryDatabase(server: server, name: "postgres")
        let store = try database.open(.system)
        let writers = try (0..<3).map {
            CommitWriter(
                screen: try name("screen-\($0)"), pageBytes: 2000,
                replacesAll: !$0.isMultiple(of: 2))
        }
        let finished = Mutex(0)
        let count = { @Sendable (revision: UInt64) in
            guard revision == 20 else { return }
            let isLast = finished.withLock { finished in
                finished += 1
                return finished == writers.count
            }
            if isLast { server.kill() }
        }
        await withTaskGroup(of: Void.self) { group in
            for writer in writers {
                group.addTask { _ = await writer.write(to: store, onAcknowledgment: count) }
            }
        }
        await store.close()
        try server.restart()
        let next = try database.open(.system)
        for writer in writers {
            let list = try #require(
                try await next.revisions(of: writer.screen, before: nil, limit: 1000))
            #expect(list.entries.map(\.revision) == (list.first...list.revision).reversed())
            var state = StoredScreen(revision: 0)
            for revision in 1...list.revision {
                state.apply(writer.change(to: revision), revision: revision)
                let found = try await next.load(
                    writer.screen, at: revision, .all, within: .unlimited)
                #expect(found == (revision < list.first ? .absent : .screen(state)))
            }
        }
        await next.close()
    }

    @Test("After `store advance` the history goes on over a gap, and feeds have another instance")
    func advance() async throws {
        try await withHistoryStore { store, _, database in
            let home = try name("home")
            for text in ["a", "b"] { try await store.put(0, text, to: home) }
            _ = try await store.append([[1]], to: home)
            let feed = try #require(try await store.feed(of: home, after: 0, byteCount: 9))
            try PostgresBackend.advance(database.server.address(database.name))
            #expect(try await store.put(0, "c", to: home) == 1_000_003)
            let list = try #require(try await store.revisions(of: home, before: nil, limit: 9))
            #expect(list.entries.map(\.revision) == [1_000_003, 2, 1])
            let later = try #require(try await store.feed(of: home, after: 0, byteCount: 9))
            #expect(later.events == feed.events)
            #expect(later.instance != feed.instance)
        }
    }

    @Test("On a full disk earlier revisions are removed before a write is refused")
    func full() async throws {
        guard let disk = SmallDisk(megabytes: 8) else {
            return print("not tested: a full disk of PostgreSQL, which needs a mount")
        }
        try await withHistoryStore { store, _, database in
            let space = disk.path + "/space"
            try FileManager.default.createDirectory(
                atPath: space, withIntermediateDirectories: true)
            chmod(disk.path, 0o755)
            let user = try #require(getpwnam("postgres"))
            chown(space, user.pointee.pw_uid, user.pointee.pw_gid)
            try database.server.execute(
                "CREATE TABLESPACE t\(database.name) LOCATION '\(space)'")
            try database.execute(
                """
                ALTER TABLE broadsheet.objects SET TABLESPACE t\(database.name);
                ALTER TABLE broadsheet.objects SET (autovacuum_enabled = off,
                    toast.autovacuum_enabled = off)
                """)
            var generator = SeededGenerator(
                seed: SeededGenerator.seed(of: "PostgresHistoryTests"))
            let page = (0..<600_000).map { _ in UInt8.random(in: 0...255, using: &generator) }
            let home = try name("home")
            // The disk has no space for 20 replaced pages.
            for revision in 0..<20 as Range<UInt64> {
                let next = try await store.commit(
                    .put(page: 0, bytes: page), to: home,
                    expecting: revision == 0 ? nil : revision)
                #expect(next == revision + 1)
                // VACUUM needs a page of its own for each map of a table that has none yet. The
                // server's own autovacuum makes them while there is space, but is off here.
                if revision == 8 { try database.execute("VACUUM broadsheet.objects") }
            }
            #expect(try await store.stored(home).pages.map(\.bytes) == [page])
            try database.execute(
                "ALTER TABLE broadsheet.objects SET TABLESPACE pg_default")
            try database.server.execute("DROP TABLESPACE t\(database.name)")
        }
    }
}

/// A database of a store with a history.
struct HistoryDatabase {
    let server: PostgresServer
    let name: String

    /// Opens a store by a clock of its own.
    func open(
        _ clock: ManualClock, _ bounds: HistoryBounds = HistoryBounds(), port: UInt16? = nil
    ) throws -> ScreenStore {
        try open(clock.time, bounds, port: port)
    }

    /// Opens a store by a clock, by which requests also wait for replies.
    func open(
        _ clock: TimeSource, _ bounds: HistoryBounds = HistoryBounds(), port: UInt16? = nil
    ) throws -> ScreenStore {
        try ScreenStore(
            server.address(name, port: port),
            options: PostgresStoreOptions(
                connections: 4, timeout: .seconds(20), clock: clock, history: bounds,
                feeds: FeedBounds()))
    }

    /// Performs statements in the database.
    @discardableResult
    func execute(_ sql: String) throws -> [String] { try server.execute(sql, in: name) }
}

/// Runs a store with a history and feeds in a database of its own on a shared server.
func withHistoryStore(
    _ bounds: HistoryBounds = HistoryBounds(),
    _ body: (ScreenStore, ManualClock, HistoryDatabase) async throws -> Void
) async throws {
    let server = try PostgresServer.shared()
    let database = HistoryDatabase(server: server, name: try server.newDatabase())
    let clock = ManualClock()
    let store = try database.open(clock, bounds)
    do {
        try await body(store, clock, database)
    } catch {
        await store.close()
        throw error
    }
    await store.close()
    try server.execute("DROP DATABASE \(database.name) WITH (FORCE)")
}
