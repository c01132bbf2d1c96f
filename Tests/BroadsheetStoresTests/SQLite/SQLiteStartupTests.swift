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
        #expect { try ScreenStore(path: file.path) } throws: {
            guard case StoreOpenError.notADatabase = $0 else { return false }
            return "\($0)".contains(file.path)
        }
        #expect(try file.contents() == letter)
    }

    @Test("A folder that cannot be created is reported with the system's message")
    func folderMissing() throws {
        let file = try DatabaseFile()
        try file.replaceContents(with: [1])
        #expect { try ScreenStore(path: file.path + "/folder/screens.db") } throws: {
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
        #expect { try ScreenStore(path: file.path) } throws: {
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
        #expect { try ScreenStore(path: file.path) } throws: {
            guard case StoreOpenError.newerSchema(_, let detail) = $0 else { return false }
            return detail.contains("99")
        }
        #expect(try file.contents() == bytes)
    }

    @Test("A file of a format before version 1 is refused and not changed", arguments: [1, 2, 6])
    func formerFormat(version: Int) throws {
        let file = try DatabaseFile()
        do {
            let connection = try SQLiteConnection(path: file.path, mode: .readWrite)
            try connection.execute(
                """
                CREATE TABLE screens (name TEXT PRIMARY KEY, revision INTEGER) WITHOUT ROWID;
                PRAGMA application_id = \(SQLiteFormat.applicationID);
                PRAGMA user_version = \(version);
                """)
        }
        let bytes = try file.contents()
        #expect { try ScreenStore(path: file.path) } throws: {
            guard case StoreOpenError.formerFormat = $0 else { return false }
            return "\($0)".contains("earlier Broadsheet") && !"\($0)".contains("\n")
        }
        #expect(try file.contents() == bytes)
        let backup = file.folder.appendingPathComponent("backup.db").path
        #expect(throws: SQLiteBackupError.self) {
            try SQLiteBackup.copy(from: file.path, to: backup)
        }
        #expect(throws: SQLiteBackupError.self) { try SQLiteBackup.compact(file.path) }
    }

    @Test("A file that was emptied or removed is refused, until its lock file is removed as well")
    func emptied() async throws {
        let file = try DatabaseFile()
        try file.replaceContents(with: [])
        let home = try name("home")
        try await file.withStore { _ = try await $0.put(0, to: home) }
        try file.replaceContents(with: [])
        #expect { try ScreenStore(path: file.path) } throws: {
            guard case StoreOpenError.corrupt(_, let detail) = $0 else { return false }
            return detail.contains("empty")
        }
        #expect(try file.contents().isEmpty)
        try FileManager.default.removeItem(atPath: file.path)
        #expect { try ScreenStore(path: file.path) } throws: {
            guard case StoreOpenError.corrupt(_, let detail) = $0 else { return false }
            return detail.contains("missing") && detail.contains("restore a backup")
        }
        #expect(!FileManager.default.fileExists(atPath: file.path))
        try FileManager.default.removeItem(atPath: file.path + ".lock")
        #expect(try await file.withStore { try await $0.load(home, unlessAt: nil) } == .absent)
        try file.replaceContents(with: [])
        #expect(throws: StoreOpenError.self) { try ScreenStore(path: file.path) }
    }

    @Test("A file is refused while another store has it open, and opened after that one is closed")
    func oneAtATime() async throws {
        let file = try DatabaseFile()
        let store = try ScreenStore(path: file.path)
        #expect { try ScreenStore(path: file.path) } throws: {
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
        #expect(throws: StoreOpenError.self) { try ScreenStore(path: file.path + "/below/a.db") }
        #expect(throws: StoreOpenError.self) { try ScreenStore(path: file.folder.path) }
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
            let screens = try (0..<60).map { try name("screen-\($0)") }
            let start = ContinuousClock.now
            await withTaskGroup(of: Void.self) { group in
                for screen in screens {
                    group.addTask {
                        await #expect {
                            try await store.commit(
                                .put(page: 0, bytes: [1]), to: screen, expecting: nil)
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
                try ScreenStore(path: alias.path)
            } throws: {
                guard case StoreOpenError.locked = $0 else { return false }
                return true
            }
        }
        let store = try ScreenStore(path: alias.path)
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
