import Foundation
import Glibc
import TestSupport
import Testing

import BroadsheetTesting
@testable import BroadsheetStores

/// Files that another program removes or replaces while a store uses them.
@Suite("Lost files of a SQLite store", .timeLimit(.minutes(hangMinutes)))
struct SQLiteLostFilesTests {
    /// A change to the files of an open store.
    enum Loss: String, CaseIterable {
        case databaseRemoved, databaseReplaced, databaseEmptied, logRemoved, logReplaced
        case indexRemoved, everythingRemoved

        /// Performs the change.
        func perform(on file: DatabaseFile) throws {
            let manager = FileManager.default
            switch self {
            case .databaseRemoved: try manager.removeItem(atPath: file.path)
            case .databaseReplaced: try Self.replace(file.path)
            case .databaseEmptied: truncate(file.path, 0)
            case .logRemoved: try manager.removeItem(atPath: file.path + "-wal")
            case .logReplaced: try Self.replace(file.path + "-wal")
            case .indexRemoved: try manager.removeItem(atPath: file.path + "-shm")
            case .everythingRemoved:
                for name in try file.fileNames() {
                    try manager.removeItem(at: file.folder.appendingPathComponent(name))
                }
            }
        }

        /// Replaces a file with a copy of it, as a restored backup does.
        private static func replace(_ path: String) throws {
            try FileManager.default.copyItem(atPath: path, toPath: path + ".copy")
            guard rename(path + ".copy", path) == 0 else { throw POSIXError(.EIO) }
        }
    }

    private func isUnavailable(_ error: any Error) -> Bool {
        if case StoreError.unavailable = error { true } else { false }
    }

    @Test(
        "The next write and readiness fail, one error is reported, and reads continue",
        arguments: Loss.allCases)
    func noticed(loss: Loss) async throws {
        let file = try DatabaseFile()
        let log = EventLog()
        try await file.withStore(SQLiteStoreOptions(onEvent: log.handler)) { store in
            let home = try name("home")
            try await store.put(0, to: home)
            try await store.checkReadiness()
            try loss.perform(on: file)
            for _ in 0..<3 {
                await #expect {
                    try await store.commit(.put(page: 1, bytes: [1]), to: home, expecting: 1)
                } throws: {
                    isUnavailable($0)
                }
                await #expect { try await store.checkWrites(ofBytes: 1) } throws: {
                    isUnavailable($0)
                }
                await #expect { try await store.checkReadiness() } throws: { isUnavailable($0) }
            }
            if loss != .databaseEmptied {
                #expect(try await store.stored(home).pages.map(\.number) == [0])
            }
        }
        #expect(log.events.count { if case .filesLost = $0 { true } else { false } } == 1)
    }

    @Test("Readiness alone notices the loss", arguments: Loss.allCases)
    func noticedByReadiness(loss: Loss) async throws {
        let file = try DatabaseFile()
        let log = EventLog()
        try await file.withStore(SQLiteStoreOptions(onEvent: log.handler)) { store in
            try await store.put(0, to: name("home"))
            try loss.perform(on: file)
            await #expect { try await store.checkReadiness() } throws: { isUnavailable($0) }
            #expect(log.events.contains { if case .filesLost = $0 { true } else { false } })
        }
    }

    @Test("A file that returns to its path is used again only by the next start")
    func returned() async throws {
        let file = try DatabaseFile()
        let home = try name("home")
        try await file.withStore { store in
            try await store.put(0, to: home)
            let aside = file.path + ".aside"
            #expect(rename(file.path, aside) == 0)
            await #expect(throws: StoreError.self) { try await store.checkReadiness() }
            #expect(rename(aside, file.path) == 0)
            await #expect(throws: StoreError.self) { try await store.put(1, to: home) }
        }
        try await file.withStore { store in
            let stored = try await store.stored(home)
            #expect(stored.pages.map(\.number) == [0])
            try await store.put(1, to: home)
        }
    }

    @Test("Acknowledged writes in a log that is removed are saved in the database at once")
    func savedLog() async throws {
        let file = try DatabaseFile()
        let home = try name("home")
        try await file.withStore { store in
            for page in 0..<5 { try await store.put(page, to: home) }
            try FileManager.default.removeItem(atPath: file.path + "-wal")
            await #expect(throws: StoreError.self) { try await store.put(5, to: home) }
            // The files as they would be after a power failure at this moment.
            let copy = try file.snapshot()
            let saved = try await copy.withStore { try await $0.stored(home) }
            #expect(saved.pages.count == 5)
        }
    }

    @Test(
        "A store is not opened while another one uses the path, whatever was removed",
        arguments: [Loss.databaseRemoved, .databaseReplaced, .everythingRemoved])
    func oneAtAPath(loss: Loss) async throws {
        let file = try DatabaseFile()
        try await file.withStore { store in
            try await store.put(0, to: name("home"))
            try loss.perform(on: file)
            #expect {
                try ScreenStore(path: file.path)
            } throws: {
                guard case StoreOpenError.locked = $0 else { return false }
                return true
            }
        }
    }

    @Test("A lock file that is removed does not let another store open the database")
    func lockFileRemoved() async throws {
        let file = try DatabaseFile()
        try await file.withStore { store in
            try await store.put(0, to: name("home"))
            try FileManager.default.removeItem(atPath: file.path + ".lock")
            #expect(throws: StoreOpenError.self) { try ScreenStore(path: file.path) }
            #expect(throws: SQLiteBackupError.self) {
                try SQLiteBackup.restore(from: file.path + ".copy", to: file.path)
            }
            #expect(try await store.put(1, to: name("home")) == 2)
        }
    }

    @Test("A loss between a commit and its acknowledgement is not acknowledged")
    func lostDuringCommit() throws {
        let file = try DatabaseFile()
        let log = EventLog()
        let files = DatabaseFiles(ofDatabase: file.path, onEvent: log.handler)
        try files.check()
        try file.replaceContents(with: [1])
        files.record()
        try files.check()
        try file.replaceContents(with: [])
        #expect(throws: SQLiteFailure.self) { try files.check() }
        try file.replaceContents(with: [1])
        #expect(throws: SQLiteFailure.self) { try files.check() }
        #expect(log.events.count == 1)
    }
}

@Suite("Checks of writes to a SQLite store", .timeLimit(.minutes(hangMinutes)))
struct SQLiteWriteCheckTests {
    @Test("A check writes as many bytes as asked, and leaves nothing behind")
    func undone() async throws {
        let file = try DatabaseFile()
        try await file.withStore { store in
            let home = try name("home")
            try await store.put(0, to: home)
            for bytes in [0, 1, 4096, 1_000_000] { try await store.checkWrites(ofBytes: bytes) }
            #expect(try await store.screens(after: nil, limit: 10).map(\.name) == [home])
            #expect(try await store.put(1, to: home) == 2)
        }
        try await file.withStore { store in try await store.checkWrites(ofBytes: 7) }
    }

    @Test("A check fails with a file at its limit, reads work, and the check succeeds afterwards")
    func full() async throws {
        let file = try DatabaseFile()
        var options = SQLiteStoreOptions()
        options.maxPages = 200
        try await file.withStore(options) { store in
            let home = try name("home")
            let text = String(repeating: "x", count: 85_000)
            var pages = 0
            while (try? await store.put(pages, text, to: home)) != nil { pages += 1 }
            await #expect { try await store.checkWrites(ofBytes: 85_000) } throws: {
                if case StoreError.full = $0 { true } else { false }
            }
            try await store.checkReadiness()
            #expect(try await store.stored(home).pages.count == pages)
            try await store.write(.removeAllPages, to: home)
            #expect(
                await eventually { (try? await store.checkWrites(ofBytes: 85_000)) != nil })
        }
    }

    @Test("A check succeeds in every store that can be written to")
    func memory() async throws {
        try await ScreenStore.inMemory().checkWrites(ofBytes: 1)
    }
}
