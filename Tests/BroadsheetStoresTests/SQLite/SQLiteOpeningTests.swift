import BroadsheetStores
import Foundation
import Testing

@Suite("Opening a SQLite store")
struct SQLiteOpeningTests {
    @Test("refuses a file that is no database, and leaves it as it was")
    func notADatabase() throws {
        let file = try DatabaseFile()
        let text = [UInt8]("This is a letter to my landlord, and a long one at that.".utf8)
        let letter = Array(repeatElement(text, count: 40).joined())
        try file.replaceContents(with: letter)
        #expect { try SQLiteStore(path: file.path) } throws: {
            guard case StoreOpenError.notADatabase = $0 else { return false }
            return "\($0)".contains(file.path)
        }
        #expect(try file.contents() == letter)
    }

    @Test("refuses a database of another program, and leaves it as it was")
    func anotherProgram() async throws {
        let file = try DatabaseFile()
        try await file.withStore { try await $0.checkReadiness() }
        // Offset 68 is the application id, big-endian (https://sqlite.org/fileformat.html).
        var bytes = try file.contents()
        bytes.replaceSubrange(68..<72, with: [0, 0, 0, 7])
        try file.replaceContents(with: bytes)
        #expect { try SQLiteStore(path: file.path) } throws: {
            guard case StoreOpenError.notADatabase = $0 else { return false }
            return true
        }
        #expect(try file.contents() == bytes)
    }

    @Test("refuses a newer schema, and leaves the file as it was")
    func newerSchema() async throws {
        let file = try DatabaseFile()
        try await file.withStore { try await $0.checkReadiness() }
        // Offset 60 is the user version, big-endian.
        var bytes = try file.contents()
        bytes.replaceSubrange(60..<64, with: [0, 0, 0, 99])
        try file.replaceContents(with: bytes)
        #expect { try SQLiteStore(path: file.path) } throws: {
            guard case StoreOpenError.newerSchema(_, let detail) = $0 else { return false }
            return detail.contains("99")
        }
        #expect(try file.contents() == bytes)
    }

    @Test("refuses a file that has become empty, and makes one anew that was removed")
    func emptied() async throws {
        let file = try DatabaseFile()
        try file.replaceContents(with: [])
        let home = try name("home")
        try await file.withStore { _ = try await $0.put(0, to: home) }
        try file.replaceContents(with: [])
        #expect { try SQLiteStore(path: file.path) } throws: {
            guard case StoreOpenError.corrupt(_, let detail) = $0 else { return false }
            return detail.contains("empty")
        }
        #expect(try file.contents().isEmpty)
        try FileManager.default.removeItem(atPath: file.path)
        #expect(try await file.withStore { try await $0.load(home, unlessAt: nil) } == .absent)
        try file.replaceContents(with: [])
        #expect(throws: StoreOpenError.self) { try SQLiteStore(path: file.path) }
    }

    @Test("refuses a file that another store has open, and opens it once that one is closed")
    func oneAtATime() async throws {
        let file = try DatabaseFile()
        let store = try SQLiteStore(path: file.path)
        #expect { try SQLiteStore(path: file.path) } throws: {
            guard case StoreOpenError.locked = $0 else { return false }
            return true
        }
        await store.close()
        let home = try name("home")
        _ = try await file.withStore { try await $0.put(0, to: home) }
    }

    @Test("refuses a path whose folder cannot be made")
    func badFolder() throws {
        let file = try DatabaseFile()
        try file.replaceContents(with: [1])
        #expect(throws: StoreOpenError.self) { try SQLiteStore(path: file.path + "/below/a.db") }
        #expect(throws: StoreOpenError.self) { try SQLiteStore(path: file.folder.path) }
    }
}
