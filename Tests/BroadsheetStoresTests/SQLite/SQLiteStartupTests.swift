import Foundation
import TestSupport
import Testing

import BroadsheetTesting
@testable import BroadsheetStores

@Suite("Opening a SQLite store")
struct SQLiteStartupTests {
    @Test("A file that is not a database is refused and not changed")
    func notADatabase() throws {
        let file = try DatabaseFile()
        let text = [UInt8]("This is a plain text file, and not an SQLite database at all.".utf8)
        let letter = Array(repeatElement(text, count: 40).joined())
        try file.replaceContents(with: letter)
        #expect { try SQLiteStore(path: file.path) } throws: {
            guard case StoreOpenError.notADatabase = $0 else { return false }
            return "\($0)".contains(file.path)
        }
        #expect(try file.contents() == letter)
    }

    @Test("A folder that cannot be created is reported with the system's message")
    func folderMissing() throws {
        let file = try DatabaseFile()
        try file.replaceContents(with: [1])
        #expect { try SQLiteStore(path: file.path + "/folder/screens.db") } throws: {
            guard case StoreOpenError.cannotOpen(_, let detail) = $0 else { return false }
            return detail == "Not a directory"
        }
    }

    @Test("A database of another program is refused and not changed")
    func anotherProgram() async throws {
        let file = try DatabaseFile()
        try await file.withStore { try await $0.checkReadiness() }
        // Offset 68 is the application ID, big-endian (https://sqlite.org/fileformat.html).
        var bytes = try file.contents()
        bytes.replaceSubrange(68..<72, with: [0, 0, 0, 7])
        try file.replaceContents(with: bytes)
        #expect { try SQLiteStore(path: file.path) } throws: {
            guard case StoreOpenError.notADatabase = $0 else { return false }
            return true
        }
        #expect(try file.contents() == bytes)
    }

    @Test("A database with a newer schema is refused and not changed")
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

    @Test("A file that was emptied or removed is refused, until its lock file is removed as well")
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
        #expect { try SQLiteStore(path: file.path) } throws: {
            guard case StoreOpenError.corrupt(_, let detail) = $0 else { return false }
            return detail.contains("missing") && detail.contains("restore a backup")
        }
        #expect(!FileManager.default.fileExists(atPath: file.path))
        try FileManager.default.removeItem(atPath: file.path + ".lock")
        #expect(try await file.withStore { try await $0.load(home, unlessAt: nil) } == .absent)
        try file.replaceContents(with: [])
        #expect(throws: StoreOpenError.self) { try SQLiteStore(path: file.path) }
    }

    @Test("A file is refused while another store has it open, and opened after that one is closed")
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

    @Test("A path whose folder cannot be created is refused")
    func badFolder() throws {
        let file = try DatabaseFile()
        try file.replaceContents(with: [1])
        #expect(throws: StoreOpenError.self) { try SQLiteStore(path: file.path + "/below/a.db") }
        #expect(throws: StoreOpenError.self) { try SQLiteStore(path: file.folder.path) }
    }
}

@Suite("Migrating a SQLite store")
struct SQLiteMigrationTests {
    /// Returns a copy of a file in `Fixtures/stores`, which a daemon of an earlier schema wrote.
    fileprivate func formerFile(version: Int) throws -> DatabaseFile {
        let root = URL(filePath: #filePath)
            .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        let former = root.appending(path: "Fixtures/stores/version-\(version).db")
        let file = try DatabaseFile()
        try file.replaceContents(with: [UInt8](Data(contentsOf: former)))
        return file
    }

    @Test("Migration from schema 1 keeps every screen, page, revision and the identity")
    func fromVersion1() async throws {
        // A name and the identity are long enough for four sums since version 2.
        let file = try formerFile(version: 1)
        let log = EventLog()
        let long = try name("a-name-that-is-longer-than-thirty-two-bytes")
        var identity: StoreIdentity?
        try await file.withStore(SQLiteStoreOptions(onEvent: log.handler)) { store in
            identity = try await store.identity()
            let names = try await store.screens(after: nil, limit: 10)
            #expect(names.map(\.name.text) == [long.text, "cafe"])
            #expect(names.map(\.revision) == [1, 3])
            let pages = try await store.stored(long).pages
            #expect(pages.map(\.number) == [7])
            #expect(pages[0].bytes.count == 451)
            let cafe = try await store.stored(try name("cafe"))
            #expect(cafe.pages.map(\.number) == [1])
            #expect(try await store.put(8, "{}", to: long) == 2)
        }
        #expect(!log.events.contains { if case .damaged = $0 { true } else { false } })
        let again = try await file.withStore { store in
            (identity: try await store.identity(), screen: try await store.stored(long))
        }
        #expect(again.identity == identity)
        #expect(again.screen.pages.map(\.number) == [7, 8], "rows of both forms, side by side")
        // Offset 60 is the user version, big-endian (https://sqlite.org/fileformat.html).
        #expect(try file.contents()[60..<64].elementsEqual([0, 0, 0, 6]))
    }

    @Test("Migration from schema 2, which had no histories, keeps the revisions that trees had")
    func fromVersion2() async throws {
        let file = try formerFile(version: 2)
        let home = try name("home")
        // A row without a history is read like one, and checked.
        for _ in 0..<2 {
            try await file.withStore { store in
                #expect(try await store.stored(home).pages.map(\.revision) == [1, 3, 4])
                #expect(try await store.treeRevisions(of: home) == [0: 5, 2: 5, 3: 5])
                let empty = try await store.stored(try name("empty"))
                #expect(empty.history.treeRevision(upTo: nil, declaresNext: false) == 2)
            }
        }
        try await file.withStore { store in
            let written = (try await store.put(3, to: home), try await store.put(4, to: home))
            #expect(written == (6, 7))
        }
        let revisions = try await file.withStore { try await $0.treeRevisions(of: home) }
        #expect(revisions == [0: 5, 2: 5, 3: 7, 4: 7])
    }
}

extension SQLiteMigrationTests {
    @Test("Migration from schema 3, which had no sizes, counts a screen until it is written")
    func fromVersion3() async throws {
        let file = try formerFile(version: 3)
        let shop = try name("shop")
        let counted = ScreenSize(pageCount: 3, byteCount: 18 + 79 + 15, counts: nil)
        for _ in 0..<2 {
            try await file.withStore { store in
                let stored = try await store.stored(shop)
                #expect(stored.pages.map(\.number) == [0, 1, 3])
                #expect(stored.head.size == counted)
                #expect(stored.head.highestPage == 3)
                #expect(try await store.treeRevisions(of: shop) == [0: 2, 1: 3, 3: 5])
                #expect(try await store.page(1, of: shop, atMost: 79)?.bytes?.count == 79)
            }
        }
        try await file.withStore { store in
            let page = PutPage(number: 1, bytes: [1, 2], counts: .init(sections: 1, items: 1))
            try await store.write(.putPages([page], totals: nil), to: shop)
            #expect(
                try await store.stored(shop).head.size
                    == ScreenSize(pageCount: 3, byteCount: 18 + 2 + 15, counts: nil))
            try await store.write(
                .putPages([page], totals: .init(sections: 3, items: 5)), to: shop)
            try await store.write(.removePage(3), to: shop)
        }
        let size = try await file.withStore { try await $0.stored(shop).head.size }
        #expect(
            size
                == ScreenSize(
                    pageCount: 2, byteCount: 20, counts: .init(sections: 3, items: 5)))
    }
}

@Suite("A locked SQLite file", .timeLimit(.minutes(hangMinutes)))
struct SQLiteLockTests {
    @Test("A locked file is readable, and writable again after the lock is released")
    func otherProgram() async throws {
        let file = try DatabaseFile()
        let options = SQLiteStoreOptions(busyTimeout: .seconds(10))
        try await file.withStore(options) { store in
            let home = try name("home")
            try await store.put(0, to: home)
            let other = try SQLiteConnection(path: file.path, mode: .readWrite)
            try other.execute("BEGIN EXCLUSIVE")
            // All waiting writes fail together, not one timeout after the other.
            let start = ContinuousClock.now
            await withTaskGroup(of: Void.self) { group in
                for page in 1...60 {
                    group.addTask {
                        await #expect {
                            try await store.commit(
                                .put(page: page, bytes: [1]), to: home, expecting: 1)
                        } throws: {
                            guard case StoreError.unavailable = $0 else { return false }
                            return true
                        }
                    }
                }
            }
            // One after the other they would take ten minutes.
            #expect(ContinuousClock.now - start < .seconds(300))
            #expect(try await store.stored(home).revision == 1)
            try other.execute("ROLLBACK")
            #expect(try await store.put(1, to: home) == 2)
        }
    }

    @Test("A file is marked as initialised in its lock file, also if it could not be examined")
    func initialisedMark() throws {
        let file = try DatabaseFile()
        let lock = try DatabaseLock(database: file.path)
        lock.markInitialised()
        // A link to itself cannot be followed, which does not mean that there is no file.
        try FileManager.default.createSymbolicLink(
            atPath: file.path, withDestinationPath: file.path)
        try lock.checkNotEmptied(of: file.path)
        try FileManager.default.removeItem(atPath: file.path)
        try file.replaceContents(with: [])
        #expect(throws: StoreOpenError.self) { try lock.checkNotEmptied(of: file.path) }
    }

    @Test("A file is not opened twice, under any of its names")
    func aliases() async throws {
        let file = try DatabaseFile()
        let alias = file.folder.appendingPathComponent("alias.db")
        try FileManager.default.createSymbolicLink(
            atPath: alias.path, withDestinationPath: file.path)
        try await file.withStore { store in
            try await store.put(0, to: name("home"))
            #expect {
                try SQLiteStore(path: alias.path)
            } throws: {
                guard case StoreOpenError.locked = $0 else { return false }
                return true
            }
        }
        let store = try SQLiteStore(path: alias.path)
        #expect(try await store.revision(name("home")) == 1)
        await store.close()
    }

    @Test("The file and those beside it are readable by their owner only")
    func mode() async throws {
        let file = try DatabaseFile()
        try await file.withStore { store in
            try await store.put(0, to: name("home"))
            for name in try file.fileNames() {
                let path = file.folder.appendingPathComponent(name).path
                let attributes = try FileManager.default.attributesOfItem(atPath: path)
                #expect((attributes[.posixPermissions] as? Int).map { $0 & 0o077 } == 0, "\(name)")
            }
        }
        #expect(try file.fileNames() == ["screens.db", "screens.db.lock"])
    }
}
