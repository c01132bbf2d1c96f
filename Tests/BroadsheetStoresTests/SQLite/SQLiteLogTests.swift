import Foundation
import Testing

@testable import BroadsheetStores

@Suite("A SQLite store's write-ahead log", .timeLimit(.minutes(1)))
struct SQLiteLogTests {
    /// The log's length in pages, as its file has it.
    private func pages(_ file: DatabaseFile) throws -> Int {
        let attributes = try FileManager.default.attributesOfItem(atPath: file.path + "-wal")
        // Each page has a header of 24 bytes in front of it.
        return (attributes[.size] as? Int ?? 0) / (4096 + 24)
    }

    @Test("is folded again and again while eight writers are at work, and gone at the end")
    func bounded() async throws {
        let file = try DatabaseFile()
        let limit = 100
        let text = String(repeating: "x", count: 20_000)
        try await file.withStore(SQLiteStoreOptions(autocheckpointPages: limit)) { store in
            var longest = 0
            for page in 0..<60 {
                try await withThrowingTaskGroup(of: Void.self) { group in
                    for writer in 0..<8 {
                        group.addTask { try await store.put(page, text, to: name("s\(writer)")) }
                    }
                    try await group.waitForAll()
                }
                longest = max(longest, try pages(file))
            }
            // 480 writes of at least 5 pages each would be 24 times the limit, and each reads its
            // screen first. A reader that a busy machine has put to sleep may still be in the way now
            // and then; ``CheckpointPlan`` is held to its numbers by tests of its own.
            #expect(longest < 12 * limit, "\(longest) pages")
        }
        #expect(try file.fileNames() == ["screens.db", "screens.db.lock"])
    }

    @Test("that a reader keeps from being folded grows, and is short again when it is gone")
    func longReading() async throws {
        let file = try DatabaseFile()
        let limit = 50
        let text = String(repeating: "x", count: 20_000)
        try await file.withStore(SQLiteStoreOptions(autocheckpointPages: limit)) { store in
            try await store.put(0, to: name("home"))
            let reader = try SQLiteConnection(path: file.path, mode: .readOnly)
            try reader.execute("BEGIN")
            _ = try reader.integer("SELECT count(*) FROM screens")
            for page in 0..<80 { try await store.put(page, text, to: name("home")) }
            #expect(try pages(file) > 4 * limit)
            try reader.execute("COMMIT")
            let isShort = try await eventually {
                try await store.put(99, text, to: name("home"))
                return try pages(file) <= 3 * limit
            }
            #expect(isShort)
            #expect(try await store.stored(name("home")).pages.count == 81)
        }
    }
}
