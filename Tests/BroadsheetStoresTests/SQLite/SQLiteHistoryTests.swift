import BroadsheetTesting
import Foundation
import TestSupport
import Testing

@testable import BroadsheetStores

@Suite("The history of the SQLite store", .serialized)
struct SQLiteHistoryTests {
    @Test(
        "The SQLite store conforms to every requirement of stores with a history",
        arguments: StoreConformance.historyRequirements)
    func conforms(to requirement: StoreConformance.Requirement) async throws {
        let clock = ManualClock()
        let options = SQLiteStoreOptions(clock: clock.time, history: HistoryBounds())
        try await DatabaseFile().withStore(options) { store in
            try await requirement.check(store, letPass: { clock.advance(seconds: $0) })
        }
    }

    @Test(
        "The SQLite store with a history conforms to every other requirement",
        arguments: StoreConformance.requirements)
    func conformsBesides(to requirement: StoreConformance.Requirement) async throws {
        let clock = ManualClock()
        let options = SQLiteStoreOptions(clock: clock.time, history: HistoryBounds())
        try await DatabaseFile().withStore(options) { store in
            try await requirement.check(store, letPass: { clock.advance(seconds: $0) })
        }
    }

    /// Options with a history.
    private static func kept(_ bounds: HistoryBounds = HistoryBounds()) -> SQLiteStoreOptions {
        SQLiteStoreOptions(history: bounds)
    }

    @Test("Earlier revisions are there after the store is opened again")
    func survivesReopening() async throws {
        let file = try DatabaseFile()
        let home = try name("home")
        let states = try await file.withStore(Self.kept()) { store in
            var states: [StoredScreen] = []
            for text in ["a", "b", "c"] {
                try await store.put(0, text, to: home)
                states.append(try await store.stored(home))
            }
            return states
        }
        try await file.withStore(Self.kept()) { store in
            for state in states {
                let found = try await store.load(
                    home, at: state.revision, .all, within: .unlimited)
                #expect(found == .screen(state))
            }
            #expect(try await store.historyByteCount() > 0)
        }
    }

    @Test("A screen of a store without a history begins with its current revision")
    func olderStore() async throws {
        let file = try DatabaseFile()
        let home = try name("home")
        let before = try await file.withStore { store in
            for text in ["a", "b"] { try await store.put(0, text, to: home) }
            try await store.put(1, "c", to: home)
            return try await store.stored(home)
        }
        try await file.withStore(Self.kept()) { store in
            try await store.put(0, "d", to: home)
            try await store.write(.removePage(1), to: home)
            let list = try #require(try await store.revisions(of: home, before: nil, limit: 9))
            #expect(list.entries.map(\.revision) == [5, 4, 3])
            #expect(list.entries.last == RevisionEntry(revision: 3, pageCount: 2))
            let found = try await store.load(home, at: 3, .all, within: .unlimited)
            #expect(found == .screen(before))
        }
    }

    @Test("Without a history the earlier one of a screen is forgotten at its next write")
    func switchedOff() async throws {
        let file = try DatabaseFile()
        let home = try name("home")
        try await file.withStore(Self.kept()) { store in
            for text in ["a", "b"] { try await store.put(0, text, to: home) }
        }
        try await file.withStore { store in
            #expect(
                try await store.load(home, at: 1, .all, within: .unlimited) == .absent)
            try await store.put(0, "c", to: home)
            #expect(try await store.stored(home).pages.map(\.bytes) == [Array("c".utf8)])
            #expect(try await store.historyByteCount() == 0)
        }
        #expect(try count("contents", in: file) == 0)
    }

    @Test("A page that no kept revision has is deleted")
    func deletes() async throws {
        let file = try DatabaseFile()
        let home = try name("home")
        try await file.withStore(Self.kept(HistoryBounds(maxRevisions: 2))) { store in
            for text in ["a", "b", "c", "d", "e"] { try await store.put(0, text, to: home) }
            try await store.put(1, "f", to: home)
        }
        // The pages 0 and 1, and two earlier ones.
        #expect(try count("contents", in: file) <= 4)
        #expect(try count("revisions", in: file) == 3)
        #expect(try count("released", in: file) == 0)
    }

    @Test("The history of a removed screen, and its pages, are deleted")
    func removedScreen() async throws {
        let file = try DatabaseFile()
        let home = try name("home")
        let options = Self.kept()
        try await file.withStore(options) { store in
            // More records than one step deletes.
            for _ in 0...SQLiteHistory.recordsPerStep { try await store.put(0, "a", to: home) }
            try await store.write(.removeAllPages, to: home)
            try await store.put(0, "d", to: home)
            try await store.write(.removeScreen, to: home)
        }
        let connection = try SQLiteConnection(path: file.path, mode: .readWrite)
        let writer = try SQLiteRowWriter(on: connection, bounds: HistoryBounds())
        let sweeper = try SQLiteSweeper(on: connection)
        while try sweeper.hasWork(at: 0) {
            try step(sweeper, writer, connection, at: 0)
        }
        for table in ["contents", "revisions", "pages", "released", "discarded"] {
            #expect(try count(table, in: file) == 0, "\(table)")
        }
    }

    @Test("A transaction deletes at most 1 MiB of earlier pages, and the others later")
    func boundedDeletion() async throws {
        let file = try DatabaseFile()
        let home = try name("home")
        let page = String(repeating: "a", count: 300_000)
        try await file.withStore(Self.kept(HistoryBounds(maxBytes: 10 << 20))) { store in
            // One page stays, so that the earlier ones have fewer bytes than the current ones.
            let pages = (0..<9).map { PutPage(number: $0, bytes: Array(page.utf8)) }
            try await store.write(.putPages(pages, totals: nil), to: home)
            try await store.write(.putPages(pages.dropLast(), totals: nil), to: home)
        }
        let connection = try SQLiteConnection(path: file.path, mode: .readWrite)
        let writer = try SQLiteRowWriter(
            on: connection, bounds: HistoryBounds(maxBytes: 10 << 20))
        try transaction(of: writer, on: connection) { () throws(SQLiteFailure) in
            _ = try writer.removeRevisions(of: home, at: 0)
        }
        #expect(try count("released", in: file) == 4)
        #expect(try count("contents", in: file) == 13)
        while try writer.history.contents.hasReleased() {
            try transaction(of: writer, on: connection)
        }
        #expect(try count("contents", in: file) == 9)
    }

    @Test("A transaction that is rolled back deletes no earlier pages, and neither does the next")
    func rolledBack() async throws {
        let file = try DatabaseFile()
        let home = try name("home")
        try await file.withStore(Self.kept()) { store in
            for text in ["a", "b", "c"] { try await store.put(0, text, to: home) }
        }
        let connection = try SQLiteConnection(path: file.path, mode: .readWrite)
        let writer = try SQLiteRowWriter(on: connection, bounds: HistoryBounds())
        let failure = SQLiteFailure.damaged("a page")
        #expect(throws: failure) {
            try transaction(of: writer, on: connection) { () throws(SQLiteFailure) in
                _ = try writer.removeRevisions(of: home, at: 0)
                throw failure
            }
        }
        try transaction(of: writer, on: connection)
        #expect(try count("contents", in: file) == 3)
    }

    @Test("A folder of pages whose revisions were dropped is not discarded again with the screen")
    func discardedFolder() async throws {
        let file = try DatabaseFile()
        let home = try name("home")
        let folder = try await file.withStore(Self.kept(HistoryBounds(maxRevisions: 1))) { store in
            try await store.put(0, "a", to: home)
            let folder = try SQLiteConnection(path: file.path, mode: .readOnly)
                .integer("SELECT folder FROM screens")
            try await store.write(.removeAllPages, to: home)
            for text in ["b", "c"] { try await store.put(0, text, to: home) }
            return folder
        }
        let connection = try SQLiteConnection(path: file.path, mode: .readWrite)
        let writer = try SQLiteRowWriter(on: connection, bounds: HistoryBounds(maxRevisions: 1))
        let sweeper = try SQLiteSweeper(on: connection)
        while try sweeper.hasWork(at: 0) { try step(sweeper, writer, connection, at: 0) }
        try await file.withStore(Self.kept()) { store in
            try await store.write(.removeScreen, to: home)
        }
        let find = try connection.prepare("SELECT 1 FROM discarded WHERE folder = ?1")
        let discarded = try #require(folder)
        while try sweeper.hasWork(at: 0) {
            try step(sweeper, writer, connection, at: 0)
            let isThere = try find.run { row throws(SQLiteFailure) in try row.step(discarded) }
            #expect(!isThere)
        }
        for table in ["contents", "revisions", "pages", "released"] {
            #expect(try count(table, in: file) == 0, "\(table)")
        }
    }

    @Test("A damaged page of an earlier revision makes those up to it unknown, never the screen")
    func damagedPage() async throws {
        let file = try DatabaseFile()
        let home = try name("home")
        try await file.withStore(Self.kept()) { store in
            for text in ["a", "b", "c", "d"] { try await store.put(0, text, to: home) }
        }
        let connection = try SQLiteConnection(path: file.path, mode: .readWrite)
        let ids = try connection.integer("SELECT min(id) FROM contents") ?? 0
        // The second page that was stored.
        try connection.execute("UPDATE contents SET bytes = 'x' WHERE id = \(ids + 1)")
        let log = EventLog()
        var options = Self.kept()
        options.onEvent = log.handler
        try await file.withStore(options) { store in
            #expect(try await store.load(home, at: 3, .all, within: .unlimited) != .absent)
            #expect(try await store.load(home, at: 2, .all, within: .unlimited) == .absent)
            #expect(try await store.load(home, at: 1, .all, within: .unlimited) == .absent)
            #expect(try await store.stored(home).revision == 4)
            let list = try #require(try await store.revisions(of: home, before: nil, limit: 9))
            #expect(list.first == 3)
            try await store.put(0, "e", to: home)
        }
        let damages = log.events.filter { if case .damaged = $0 { true } else { false } }
        #expect(damages.count == 1)
    }

    @Test("A damaged record makes the revisions before it unknown, never the screen")
    func damagedRecord() async throws {
        let file = try DatabaseFile()
        let home = try name("home")
        try await file.withStore(Self.kept()) { store in
            for text in ["a", "b", "c", "d"] { try await store.put(0, text, to: home) }
        }
        try SQLiteConnection(path: file.path, mode: .readWrite).execute(
            "UPDATE revisions SET record = replace(record, 'h ', 'i ') WHERE revision = 3")
        try await file.withStore(Self.kept()) { store in
            #expect(try await store.load(home, at: 3, .all, within: .unlimited) != .absent)
            #expect(try await store.load(home, at: 2, .all, within: .unlimited) == .absent)
            #expect(try await store.stored(home).revision == 4)
            for _ in 0..<3 { try await store.put(0, "e", to: home) }
        }
    }

    @Test("A backup has the history, and a restored store begins a new one")
    func backup() async throws {
        let file = try DatabaseFile()
        let home = try name("home")
        try await file.withStore(Self.kept()) { store in
            for text in ["a", "b"] { try await store.put(0, text, to: home) }
        }
        let copy = try DatabaseFile()
        _ = try SQLiteBackup.copy(from: file.path, to: copy.path)
        let found = try await copy.withStore(Self.kept()) { store in
            try await store.load(home, at: 1, .all, within: .unlimited)
        }
        #expect(found != .absent)
        let restored = try DatabaseFile()
        _ = try SQLiteBackup.restore(from: copy.path, to: restored.path)
        try await restored.withStore(Self.kept()) { store in
            #expect(try await store.load(home, at: 1, .all, within: .unlimited) == .absent)
            #expect(try await store.stored(home).revision == 2)
            let revision = try await store.put(0, "c", to: home)
            let list = try #require(try await store.revisions(of: home, before: nil, limit: 9))
            #expect(list.entries.map(\.revision) == [revision])
        }
    }

    @Test("On a full disk earlier revisions are deleted before a write is refused")
    func fullDisk() async throws {
        let file = try DatabaseFile()
        let home = try name("home")
        var options = Self.kept(HistoryBounds(maxBytes: 100 << 20))
        options.maxPages = 600
        try await file.withStore(options) { store in
            let page = String(repeating: "a", count: 200_000)
            // Twenty pages with their history would be twice as large as the file may be.
            for _ in 0..<20 {
                try await store.put(0, page, to: home)
                try await store.put(0, page, to: name("other"))
            }
            #expect(try await store.stored(home).revision == 20)
        }
    }

    @Test("Old revisions are deleted within a minute, also of screens that are not written")
    func aged() async throws {
        let file = try DatabaseFile()
        let home = try name("home")
        try await file.withStore(Self.kept()) { store in
            for text in ["a", "b", "c"] { try await store.put(0, text, to: home) }
        }
        let connection = try SQLiteConnection(path: file.path, mode: .readWrite)
        let writer = try SQLiteRowWriter(on: connection, bounds: HistoryBounds())
        let sweeper = try SQLiteSweeper(on: connection, prunesHistories: true)
        let later = Int64(Date.now.timeIntervalSince1970 + 90_000) * 1000
        #expect(try sweeper.hasWork(at: later))
        try step(sweeper, writer, connection, at: later)
        #expect(try count("contents", in: file) == 1)
        #expect(try !sweeper.hasWork(at: later))
        #expect(try sweeper.hasWork(at: later + SQLiteSweeper.searchInterval))
    }

    @Test("The search for old revisions goes on from screen to screen, some in a step")
    func agedScreens() async throws {
        let file = try DatabaseFile()
        let screens = SQLiteSweeper.historiesPerStep + 2
        try await file.withStore(Self.kept()) { store in
            for number in 0..<screens {
                for text in ["a", "b"] { try await store.put(0, text, to: name("s\(number)")) }
            }
        }
        let connection = try SQLiteConnection(path: file.path, mode: .readWrite)
        let writer = try SQLiteRowWriter(on: connection, bounds: HistoryBounds())
        let sweeper = try SQLiteSweeper(on: connection, prunesHistories: true)
        let later = Int64(Date.now.timeIntervalSince1970 + 90_000) * 1000
        var left: [Int64] = []
        while try sweeper.hasWork(at: later) {
            try step(sweeper, writer, connection, at: later)
            left.append(try count("contents", in: file))
        }
        #expect(left == [Int64(screens) + 2, Int64(screens)])
    }

    @Test("With too much damage all histories are read again")
    func damagedHistories() {
        let damages = DamagedHistories()
        for creation in 0..<Int64(DamagedHistories.maxHistories) {
            damages.record(5, of: creation)
        }
        #expect(!damages.record(4, of: 0))
        #expect(damages.last(of: 0) == 5)
        #expect(damages.record(1, of: -1))
        #expect(damages.last(of: 0) == 0)
    }

    /// Performs one step of a sweep, as the writer of a store does.
    private func step(
        _ sweeper: SQLiteSweeper, _ writer: SQLiteRowWriter, _ connection: SQLiteConnection,
        at now: Int64
    ) throws {
        try transaction(of: writer, on: connection) { () throws(SQLiteFailure) in
            _ = try sweeper.sweep(by: writer, at: now)
        }
    }

    /// Performs a transaction as the thread of a store does, which deletes what it may at its end.
    private func transaction(
        of writer: SQLiteRowWriter, on connection: SQLiteConnection,
        _ body: () throws(SQLiteFailure) -> Void = {}
    ) throws(SQLiteFailure) {
        writer.history.begin()
        try connection.transaction { () throws(SQLiteFailure) in
            try body()
            try writer.history.contents.deleteSome()
        }
    }

    private func count(_ table: String, in file: DatabaseFile) throws -> Int64 {
        try SQLiteConnection(path: file.path, mode: .readWrite)
            .integer("SELECT count(*) FROM \(table)") ?? -1
    }
}
