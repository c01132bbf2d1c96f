import Foundation
import Glibc
import TestSupport
import Testing

import BroadsheetTesting
@testable import BroadsheetStores

@Suite("Backups of a SQLite store", .timeLimit(.minutes(hangMinutes)))
struct SQLiteBackupTests {
    private func target(in file: DatabaseFile) -> String {
        file.folder.appendingPathComponent("backup.db").path
    }

    @Test("A backup holds the data of one moment, while eight writers are active")
    func online() async throws {
        let file = try DatabaseFile()
        let store = try ScreenStore(path: file.path)
        let identity = try await store.identity()
        let writers = Task {
            await withTaskGroup(of: Void.self) { group in
                for writer in 0..<8 {
                    group.addTask {
                        var page = 0
                        while !Task.isCancelled {
                            _ = try? await store.put(page, "\(page)", to: name("s\(writer)"))
                            page += 1
                        }
                    }
                }
            }
        }
        let haveBegun = try await eventually {
            let screens = try await store.screens(after: nil, limit: 99)
            return screens.count == 8 && screens.allSatisfy { $0.revision > 3 }
        }
        #expect(haveBegun)
        let before = try await store.screens(after: nil, limit: 99)
        let path = target(in: file)
        let summary = try SQLiteBackup.copy(from: file.path, to: path)
        writers.cancel()
        await writers.value
        await store.close()
        #expect(summary.screens == 8)
        #expect(try file.fileNames().filter { $0.contains("copy") } == [])
        let copy = try ScreenStore(path: path)
        #expect(try await copy.identity() == identity)
        for entry in before {
            let stored = try await copy.stored(entry.name)
            #expect(stored.revision >= entry.revision)
            #expect(stored.pages.map(\.number) == Array(0..<stored.pages.count))
            #expect(stored.pages.count == Int(stored.revision))
        }
        await copy.close()
    }

    @Test("A restored backup has the identity, and revisions continue far above")
    func restore() async throws {
        let (file, other) = (try DatabaseFile(), try DatabaseFile())
        let backup = target(in: file)
        let home = try name("home")
        let identity = try await file.withStore { store in
            for page in 0..<3 { try await store.put(page, to: home) }
            return try await store.identity()
        }
        #expect(try SQLiteBackup.copy(from: file.path, to: backup).pages == 3)
        // A restore discards what was written after the backup, but those revisions remain used.
        try await file.withStore { store in
            for page in 3..<9 { try await store.put(page, to: home) }
            try await store.put(0, to: name("later"))
        }
        for path in [file.path, other.path] {
            #expect(try SQLiteBackup.restore(from: backup, to: path).screens == 1)
            let store = try ScreenStore(path: path)
            #expect(try await store.identity() == identity)
            #expect(try await store.stored(home).revision == 3)
            #expect(try await store.load(name("later"), unlessAt: nil) == .absent)
            #expect(try await store.put(3, to: home) == 3 + PlanContext.ServerState.lineGap + 1)
            #expect(try await store.put(4, to: home) == 3 + PlanContext.ServerState.lineGap + 2)
            #expect(try await store.put(0, to: name("later")) > PlanContext.ServerState.lineGap)
            await store.close()
        }
        #expect(try file.fileNames() == ["backup.db", "screens.db", "screens.db.lock"])
    }

    @Test("A backup has the history and the events, and a restored store goes on with them")
    func history() async throws {
        let (file, copy, restored) = (try DatabaseFile(), try DatabaseFile(), try DatabaseFile())
        let options = SQLiteStoreOptions(history: HistoryBounds(), feeds: FeedBounds())
        let home = try name("home")
        let instance = try await file.withStore(options) { store in
            for text in ["a", "b"] { try await store.put(0, text, to: home) }
            _ = try await store.append([[1], [2]], to: home)
            return try await store.feed(of: home, after: 0, byteCount: 99)?.instance
        }
        _ = try SQLiteBackup.copy(from: file.path, to: copy.path)
        _ = try SQLiteBackup.restore(from: copy.path, to: restored.path)
        for (file, revision) in [(copy, 3), (restored, 3 + PlanContext.ServerState.lineGap)] {
            try await file.withStore(options) { store in
                let earlier = try await store.load(home, at: 1, .all, within: .unlimited)
                guard case .screen(let screen) = earlier else { return #expect(Bool(false)) }
                #expect(screen.pages.map(\.bytes) == [Array("a".utf8)])
                #expect(try await store.put(0, "c", to: home) == revision)
                let list = try await store.revisions(of: home, before: nil, limit: 9)
                #expect(list?.entries.map(\.revision) == [revision, 2, 1])
                let feed = try await store.feed(of: home, after: 0, byteCount: 99)
                #expect(feed?.events.map(\.data) == [[1], [2]])
                // Those who have read later events than these notice it.
                #expect((feed?.instance == instance) == (revision == 3))
            }
        }
    }

    @Test("Each restore begins a new line and a new epoch, which a backup does not")
    func epochs() async throws {
        let (file, copy) = (try DatabaseFile(), try DatabaseFile())
        func found(_ path: String) async throws -> (line: UInt64, epoch: UInt64) {
            let backend = try SQLiteBackend(path: path)
            let found = (try await backend.records([]).line, try await backend.epoch())
            await backend.close()
            return found
        }
        #expect(try await found(file.path) == (1, 0))
        let backup = target(in: file)
        _ = try SQLiteBackup.copy(from: file.path, to: backup)
        #expect(try await found(backup) == (1, 0))
        _ = try SQLiteBackup.restore(from: backup, to: copy.path)
        #expect(try await found(copy.path) == (2, 1))
        _ = try SQLiteBackup.restore(from: copy.path, to: file.path)
        #expect(try await found(file.path) == (3, 2))
    }

    @Test("A restored database that is emptied or removed is refused", arguments: [true, false])
    func marked(isEmptied: Bool) async throws {
        let (file, other) = (try DatabaseFile(), try DatabaseFile())
        try await file.withStore { _ = try await $0.put(0, to: name("home")) }
        _ = try SQLiteBackup.restore(from: file.path, to: other.path)
        if isEmptied {
            try other.replaceContents(with: [])
        } else {
            try FileManager.default.removeItem(atPath: other.path)
        }
        #expect(throws: StoreOpenError.self) { try ScreenStore(path: other.path) }
    }

    @Test("A restore keeps the owner, group and mode of the file, or those of the folder")
    func ownership() async throws {
        let (file, other) = (try DatabaseFile(), try DatabaseFile())
        try await file.withStore { _ = try await $0.put(0, to: name("home")) }
        let (user, group): (uid_t, gid_t) = (65_534, 65_533)
        // Only the superuser can give files away; others restore as the user that they are.
        let mayGive = geteuid() == 0
        if mayGive {
            #expect(chown(other.folder.path, user, group) == 0)
        } else {
            print("not the superuser: owners are not changed")
        }
        for mode in [mode_t(0o600), 0o640] {
            _ = try SQLiteBackup.restore(from: file.path, to: other.path)
            for path in [other.path, other.path + ".lock"] {
                var status = stat()
                #expect(stat(path, &status) == 0)
                if mayGive { #expect(status.st_uid == user && status.st_gid == group) }
                if path == other.path { #expect(status.st_mode & 0o777 == mode) }
            }
            let text = FileOwnership(ofFileAt: other.path).map { "\($0)" } ?? ""
            #expect(text.hasSuffix(", mode \(String(mode, radix: 8))"), "\(text)")
            // The second restore replaces a file that its group may read.
            #expect(chmod(other.path, 0o640) == 0)
        }
    }

    @Test("A backup is not restored while a daemon uses the database, which is not changed")
    func inUse() async throws {
        let file = try DatabaseFile()
        let backup = target(in: file)
        let home = try name("home")
        try await file.withStore { store in
            try await store.put(0, to: home)
            _ = try SQLiteBackup.copy(from: file.path, to: backup)
            try await store.put(1, to: home)
            #expect(throws: SQLiteBackupError.inUse(path: file.path)) {
                try SQLiteBackup.restore(from: backup, to: file.path)
            }
            #expect(try await store.put(2, to: home) == 3)
        }
        #expect(try await file.withStore { try await $0.stored(home).revision } == 3)
    }

    @Test("A backup never replaces an existing file")
    func overwriting() async throws {
        let file = try DatabaseFile()
        try await file.withStore { try await $0.put(0, to: name("home")) }
        let backup = target(in: file)
        try Data([1, 2, 3]).write(to: URL(fileURLWithPath: backup))
        #expect(throws: SQLiteBackupError.exists(path: backup)) {
            try SQLiteBackup.copy(from: file.path, to: backup)
        }
        #expect(throws: SQLiteBackupError.exists(path: file.path)) {
            try SQLiteBackup.copy(from: file.path, to: file.path)
        }
        #expect(throws: SQLiteBackupError.sameFile(path: file.path)) {
            try SQLiteBackup.restore(from: file.path, to: file.path)
        }
        #expect(try [UInt8](Data(contentsOf: URL(fileURLWithPath: backup))) == [1, 2, 3])
    }

    @Test("A backup of another file or of a damaged database is refused, and leaves no file")
    func refusals() async throws {
        let file = try DatabaseFile()
        let backup = target(in: file)
        func isRefused(_ path: String) -> Bool {
            let copied = (try? SQLiteBackup.copy(from: path, to: backup)) != nil
            let other = file.folder.appendingPathComponent("other.db").path
            let restored = (try? SQLiteBackup.restore(from: path, to: other)) != nil
            return !copied && !restored && !FileManager.default.fileExists(atPath: other)
        }
        #expect(isRefused(file.path))
        try file.replaceContents(with: Array("a letter to my landlord".utf8))
        #expect(isRefused(file.path))
        try file.replaceContents(with: [])
        #expect(isRefused(file.path))
        try FileManager.default.removeItem(atPath: file.path)
        try await file.withStore { store in
            for page in 0..<20 {
                try await store.put(page, String(repeating: "x", count: 3000), to: name("home"))
            }
        }
        #expect(isRefused("/nowhere/screens.db"))
        var bytes = try file.contents()
        for offset in stride(from: 4096 * 6 + 2000, to: bytes.count, by: 4096) {
            bytes[offset] ^= 1
        }
        try file.replaceContents(with: bytes)
        #expect {
            try SQLiteBackup.copy(from: file.path, to: backup)
        } throws: {
            guard case SQLiteBackupError.damaged = $0 else { return false }
            return true
        }
        #expect(isRefused(file.path))
        let left = try file.fileNames().filter { $0.contains("copy") || $0 == "backup.db" }
        #expect(left.isEmpty)
    }

    @Test("A restored backup replaces a damaged database together with its log")
    func overDamaged() async throws {
        let (file, damaged) = (try DatabaseFile(), try DatabaseFile())
        let home = try name("home")
        try await file.withStore { try await $0.put(0, "right", to: home) }
        // A damaged database, and a log that contains other writes.
        let store = try ScreenStore(path: damaged.path)
        try await store.put(0, "wrong", to: home)
        let left = try damaged.snapshot()
        await store.close()
        try left.replaceContents(with: [UInt8](repeating: 7, count: 8192))
        #expect(try left.fileNames().contains("screens.db-wal"))
        _ = try SQLiteBackup.restore(from: file.path, to: left.path)
        #expect(try left.fileNames() == ["screens.db", "screens.db.lock"])
        let found = try await left.withStore { try await $0.stored(home).pages.map(\.bytes) }
        #expect(found == [Array("right".utf8)])
    }

    @Test("A backup contains expired screens that are not swept, which remain expired")
    func expired() async throws {
        let file = try DatabaseFile()
        let clock = ManualClock()
        let options = SQLiteStoreOptions(clock: clock.time)
        let backup = target(in: file)
        try await file.withStore(options) { store in
            try await store.put(0, to: name("brief"), lifetime: .seconds(5))
            clock.advance(seconds: 10)
            #expect(try SQLiteBackup.copy(from: file.path, to: backup).screens == 1)
        }
        let copy = try ScreenStore(path: backup, options: options)
        #expect(try await copy.load(name("brief"), unlessAt: nil) == .absent)
        await copy.close()
    }

    @Test("The errors of backups state the cause and the remedy")
    func words() {
        let errors: [SQLiteBackupError] = [
            .exists(path: "p"), .sameFile(path: "p"), .inUse(path: "p"),
            .unreadable(.notADatabase(path: "p", detail: "d")), .damaged(path: "p", detail: "d"),
            .cannotWrite(path: "p", detail: "d"),
        ]
        for error in errors { #expect(error.description.contains("p ")) }
    }
}
