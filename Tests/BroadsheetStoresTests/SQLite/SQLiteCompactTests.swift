import Foundation
import TestSupport
import Testing

import BroadsheetTesting
@testable import BroadsheetStores

@Suite("The compaction of a SQLite file", .timeLimit(.minutes(hangMinutes)))
struct SQLiteCompactTests {
    /// A text of the person whose data is removed, in pages of several sizes.
    private static let person = "Ada-Lovelace-1815"

    private static func page(_ count: Int) -> String {
        "{\"x\":\"\(String(repeating: person + " ", count: count))\"}"
    }

    private func contains(_ file: DatabaseFile) throws -> Bool {
        let folder = file.folder
        return try file.fileNames().contains { name in
            let data = try Data(contentsOf: folder.appendingPathComponent(name))
            return data.range(of: Data(Self.person.utf8)) != nil
        }
    }

    @Test("No byte of pages, revisions and events that were removed stays in any file of the store")
    func erased() async throws {
        let file = try DatabaseFile()
        let options = SQLiteStoreOptions(history: HistoryBounds(), feeds: FeedBounds())
        let (home, gone, kept) = (try name("home"), try name("gone"), try name("kept"))
        let identity = try await file.withStore(options) { store in
            for count in [1, 40, 9_000] {
                try await store.put(0, Self.page(count), to: home)
                try await store.put(count, Self.page(count), to: gone)
            }
            _ = try await store.append([Array(Self.page(3).utf8)], to: gone)
            try await store.put(0, "{}", to: home)
            try await store.put(0, "{\"kept\":1}", to: kept)
            #expect(try await store.removeRevisions(of: home))
            try await store.write(.removeScreen, to: gone)
            return try await store.identity()
        }
        #expect(try contains(file), "nothing to erase")
        let before = try file.contents().count
        let sizes = try SQLiteBackup.compact(file.path)
        #expect(try !contains(file))
        let after = try file.contents().count
        #expect(sizes.before >= before && sizes.after == after)
        #expect(sizes.after < sizes.before)
        #expect(try file.fileNames() == ["screens.db", "screens.db.lock"])
        try await file.withStore(options) { store in
            let listed = try await store.screens(after: nil, limit: 9)
            #expect(listed.map(\.name) == [home, kept])
            #expect(try await store.identity() == identity)
            #expect(try await store.stored(kept).pages.map(\.bytes) == [Array("{\"kept\":1}".utf8)])
            #expect(try await store.put(0, "{}", to: kept) == 2)
        }
    }

    @Test("What is kept stays: pages, earlier revisions, and events")
    func kept() async throws {
        let file = try DatabaseFile()
        let options = SQLiteStoreOptions(history: HistoryBounds(), feeds: FeedBounds())
        let home = try name("home")
        try await file.withStore(options) { store in
            try await store.put(0, "{\"a\":1}", to: home)
            try await store.put(0, "{\"a\":2}", to: home)
            _ = try await store.append([[49], [50]], to: home)
        }
        _ = try SQLiteBackup.compact(file.path)
        try await file.withStore(options) { store in
            #expect(try await store.stored(home).revision == 2)
            let earlier = try await store.load(home, at: 1, .all, within: .unlimited)
            guard case .screen(let screen) = earlier else { return #expect(Bool(false)) }
            #expect(screen.pages.map(\.bytes) == [Array("{\"a\":1}".utf8)])
            #expect(try await store.feed(of: home, after: 0, byteCount: 99)?.last == 2)
        }
    }

    @Test("A file that a daemon uses, that is missing or another program's is refused, unchanged")
    func refused() async throws {
        let file = try DatabaseFile()
        let path = SQLiteDatabase.realPath(of: file.path)
        #expect(throws: SQLiteBackupError.missing(path: path)) {
            try SQLiteBackup.compact(file.path)
        }
        #expect(try file.fileNames() == [])
        try await file.withStore { store in
            try await store.put(0, "{}", to: name("home"))
            #expect(throws: SQLiteBackupError.inUse(path: path)) {
                try SQLiteBackup.compact(file.path)
            }
        }
        let other = try DatabaseFile()
        try other.replaceContents(with: Array("not a database, but a text".utf8))
        #expect(throws: SQLiteBackupError.self) { try SQLiteBackup.compact(other.path) }
        #expect(try other.contents() == Array("not a database, but a text".utf8))
        #expect(try !other.fileNames().contains("screens.db.lock"))
    }
}
