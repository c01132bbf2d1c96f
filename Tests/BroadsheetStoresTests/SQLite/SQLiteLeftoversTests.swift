import BroadsheetIO
import BroadsheetTesting
import TestSupport
import Testing

@testable import BroadsheetStores

@Suite("What removals leave in a SQLite file", .timeLimit(.minutes(hangMinutes)))
struct SQLiteLeftoversTests {
    private func count(_ table: String, in file: DatabaseFile) throws -> Int64 {
        let connection = try SQLiteConnection(path: file.path, mode: .readOnly)
        return try connection.integer("SELECT count(*) FROM \(table)") ?? -1
    }

    @Test("The objects of removed and expired screens are deleted while the store is in use")
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
            #expect(try await store.sweep() == 1)
            #expect(try await eventually { try count("leftovers", in: file) == 0 })
            #expect(try count("contents", in: file) == 1)
            #expect(try count("objects", in: file) == 1)
            #expect(try count("names", in: file) == 2)
            #expect(try count("records", in: file) == 2)
            #expect(try await store.stored(name("remade")).pages.count == 1)
        }
    }

    @Test("What a store has left when it is closed is deleted after the next start")
    func afterStart() async throws {
        let file = try DatabaseFile()
        try await file.withStore { store in
            for page in 0..<20 { try await store.put(page, to: name("home")) }
        }
        do {
            let connection = try SQLiteConnection(path: file.path, mode: .readWrite)
            let writer = try RecordWriter(on: connection)
            let row = try #require(try RecordTable(on: connection).row(of: name("home")))
            try connection.transaction { () throws(SQLiteFailure) in
                var objects = try ObjectWriter(on: connection)
                try objects.leave(row.id)
                try writer.remove(row, ScreenName.any)
                try connection.execute("DELETE FROM names; DELETE FROM store WHERE key = 'names'")
            }
        }
        #expect(try count("contents", in: file) > 0)
        try await file.withStore { store in
            try await store.put(0, to: name("other"))
            #expect(try await eventually { try count("leftovers", in: file) == 0 })
            #expect(try count("contents", in: file) == 1)
        }
    }

    @Test(
        "A transaction deletes at most 1 MiB, or one object, and the others go later",
        arguments: [(10_000, 1_000), (400_000, 20), (3_000_000, 4), (1, 5_000)])
    func bounded(byteCount: Int, objects: UInt64) throws {
        let connection = try SQLiteConnection(path: ":memory:", mode: .readWrite)
        try SQLiteFormat.prepare(connection)
        var writer = try ObjectWriter(on: connection)
        let keys = (0..<objects).map { ObjectKey(kind: 0, number: $0, revision: 1) }
        for key in keys {
            try writer.put(
                StoreBatch.Put(key: key, bytes: [UInt8](repeating: 7, count: byteCount)), of: 1)
        }
        let reader = try ObjectTable(on: connection)
        func left() throws -> Int64 {
            try connection.integer("SELECT count(*) FROM contents") ?? -1
        }
        func expectStep(_ before: Int64) throws {
            let deleted = Int(before - (try left()))
            #expect(deleted > 0)
            #expect(deleted == 1 || deleted * byteCount <= ObjectWriter.deletedBytes)
        }
        var nextID: Int64 = 2
        try writer.delete(keys, of: 1, nextID: &nextID)
        #expect(try reader.objects(keys, of: 1, within: .max).allSatisfy { $0 == .absent })
        #expect(nextID == 3)
        #expect(writer.hasLeftovers)
        try expectStep(Int64(objects))
        while writer.hasLeftovers {
            let before = try left()
            guard before > 0 else { return try writer.deleteLeftovers() }
            writer.begin()
            try writer.deleteLeftovers()
            try expectStep(before)
        }
        #expect(try left() == 0)
    }

    @Test("Leftovers of a transaction that is rolled back are not deleted")
    func rolledBack() async throws {
        let file = try DatabaseFile()
        var options = SQLiteStoreOptions()
        options.maxPages = 600
        try await file.withStore(options) { store in
            let home = try name("home")
            let large = [UInt8](repeating: 120, count: 1_000_000)
            try await store.write(.put(page: 0, bytes: large), to: home)
            // Removes the page and stores one that does not fit.
            let tooMuch = [UInt8](repeating: 120, count: 4_000_000)
            for _ in 0..<3 {
                await #expect(throws: StoreError.self) {
                    try await store.commit(
                        .replacePages(
                            [PutPage(number: 1, bytes: tooMuch, counts: nil)], keeping: [],
                            totals: nil), to: home, expecting: 1)
                }
            }
            #expect(try await store.stored(home).pages.map(\.bytes) == [large])
        }
    }
}
