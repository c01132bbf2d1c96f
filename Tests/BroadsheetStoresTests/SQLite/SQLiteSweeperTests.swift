import BroadsheetIO
import TestSupport
import Testing

import BroadsheetTesting
@testable import BroadsheetStores

@Suite("Sweeping a SQLite file")
struct SQLiteSweeperTests {
    private func count(_ table: String, in file: DatabaseFile) throws -> Int64 {
        let connection = try SQLiteConnection(path: file.path, mode: .readOnly)
        return try connection.integer("SELECT count(*) FROM \(table)") ?? -1
    }

    @Test("The sweeper deletes removed and expired data while the store is in use")
    func goes() async throws {
        let file = try DatabaseFile()
        let clock = ManualClock()
        try await file.withStore(SQLiteStoreOptions(clock: clock.time)) { store in
            for page in 0..<100 {
                try await store.put(page, to: name("removed"))
                try await store.put(page, to: name("emptied"))
                try await store.put(page, to: name("expiring"), lifetime: .seconds(10))
                try await store.put(page, to: name("remade"), lifetime: .seconds(10))
            }
            try await store.write(.removeScreen, to: name("removed"))
            try await store.write(.removeAllPages, to: name("emptied"))
            clock.advance(seconds: 11)
            try await store.put(0, to: name("remade"))
            try await store.put(0, to: name("other"))
            #expect(try await eventually { try count("pages", in: file) == 2 })
            #expect(try await eventually { try count("discarded", in: file) == 0 })
            #expect(try count("screens", in: file) == 3)
            #expect(try await store.stored(name("remade")).pages.count == 1)
        }
    }

    @Test("The writer searches for expired screens once a second while pages are stored")
    func schedule() {
        var schedule = SweepSchedule()
        #expect(schedule.isDue(storesPagesOnly: true, at: 5_000))
        schedule.recordSearch(at: 5_000, mayHaveMore: false)
        for time in [5_000, 5_001, 5_999] as [Int64] {
            #expect(!schedule.isDue(storesPagesOnly: true, at: time))
            #expect(schedule.isDue(storesPagesOnly: false, at: time))
        }
        // After a second, and after the clock was set back.
        for time in [6_000, 4_999, 0] as [Int64] {
            #expect(schedule.isDue(storesPagesOnly: true, at: time))
        }
        schedule.recordSearch(at: 6_000, mayHaveMore: true)
        #expect(schedule.isDue(storesPagesOnly: true, at: 6_000))
    }

    @Test("The sweeper deletes a limited number of screens and pages at once, only expired ones")
    func bounded() async throws {
        let file = try DatabaseFile()
        let clock = ManualClock()
        try await file.withStore(SQLiteStoreOptions(clock: clock.time)) { store in
            for index in 0..<70 {
                try await store.put(0, to: name("s\(index)"), lifetime: .seconds(10))
            }
            for page in 0..<70 {
                try await store.put(page, to: name("large"), lifetime: .seconds(5))
            }
            try await store.put(0, to: name("alive"), lifetime: .seconds(1000))
            try await store.put(0, to: name("immortal"))
        }
        clock.advance(seconds: 100)
        let now = clock.time.unixMilliseconds
        let connection = try SQLiteConnection(path: file.path, mode: .readWrite)
        let sweeper = try SQLiteSweeper(on: connection)
        let writer = try SQLiteRowWriter(on: connection)
        var sweeps = 0
        var swept = 0
        while try sweeper.hasWork(at: now) {
            let before = try count("pages", in: file)
            let gone = try connection.transaction { () throws(SQLiteFailure) in
                try sweeper.sweep(by: writer, at: now)
            }
            #expect(gone <= SQLiteSweeper.screensPerSweep)
            #expect(try before - count("pages", in: file) <= Int64(SQLiteSweeper.pagesPerSweep))
            sweeps += 1
            swept += gone
        }
        #expect(swept == 71)
        #expect(sweeps > 71 / SQLiteSweeper.screensPerSweep)
        #expect(try count("pages", in: file) == 2)
        #expect(try count("screens", in: file) == 2)
    }

    @Test("The sweeper verifies that a screen in the index of expired ones has expired")
    func brokenIndex() async throws {
        let file = try DatabaseFile()
        try await file.withStore { try await $0.put(0, to: name("home")) }
        let connection = try SQLiteConnection(path: file.path, mode: .readWrite)
        // The expiry in the row and in the index differs from the one that was written.
        try connection.execute("UPDATE screens SET expires_at = 1")
        let sweeper = try SQLiteSweeper(on: connection)
        let writer = try SQLiteRowWriter(on: connection)
        #expect(throws: SQLiteFailure.self) { try sweeper.sweep(by: writer, at: 2) }
        #expect(try count("screens", in: file) == 1)
    }

    @Test("A folder is assigned to one screen at a time, even before its pages are deleted")
    func folders() async throws {
        let file = try DatabaseFile()
        try await file.withStore { try await $0.put(0, to: name("home")) }
        let connection = try SQLiteConnection(path: file.path, mode: .readWrite)
        let pages = try SQLitePages(
            on: connection, reader: SQLitePageReader(on: connection),
            contents: SQLiteContents(on: connection))
        var numbers = FolderAllocator(next: PageKey.folders.upperBound)
        let taken = try #require(try connection.integer("SELECT folder FROM screens"))
        let last = try numbers.allocate(in: pages)
        #expect(last == PageKey.folders.upperBound)
        let first = try numbers.allocate(in: pages)
        #expect(first == PageKey.folders.lowerBound)
        var around = FolderAllocator(next: taken)
        let next = try around.allocate(in: pages)
        #expect(next != taken)
    }
}
