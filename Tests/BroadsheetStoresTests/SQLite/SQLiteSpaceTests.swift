import BroadsheetIO
import BroadsheetStores
import BroadsheetTesting
import Foundation
import Glibc
import TestSupport
import Testing

@testable import BroadsheetStores

@Suite("The disk space of a SQLite store", .timeLimit(.minutes(hangMinutes)))
struct SQLiteSpaceTests {
    private static let megabyte = 1_048_576
    private let text = String(repeating: "x", count: 85_000)

    private func bytes(_ count: Int) -> [UInt8] { [UInt8](repeating: 120, count: count) }

    /// Stores screens until the disk is full, fills the rest of it, and returns the screens.
    private func fill(_ disk: SmallDisk, by store: SQLiteStore) async throws -> [ScreenName] {
        var screens: [ScreenName] = []
        while true {
            let screen = try name("screen-\(screens.count)")
            guard (try? await store.put(0, text, to: screen)) != nil else { break }
            screens.append(screen)
        }
        _ = try disk.fill()
        return screens
    }

    @Test("On a full disk every screen can be removed, and pages are then stored in their space")
    func removals() async throws {
        // Without permission to mount there is no disk to fill.
        guard let disk = SmallDisk(megabytes: 8) else { return }
        let store = try SQLiteStore(path: disk.path + "/screens.db")
        let screens = try await fill(disk, by: store)
        #expect(screens.count > 10)
        let other = try name("other")
        await #expect(throws: StoreError.self) { try await store.put(0, text, to: other) }
        for screen in screens.dropLast() { try await store.write(.removeScreen, to: screen) }
        #expect(
            await eventually { (try? await store.put(0, text, to: other)) != nil })
        let last = try #require(screens.last)
        #expect(try await store.stored(last).pages.map(\.bytes) == [Array(text.utf8)])
        await store.close()
    }

    @Test("On a full disk a page can be removed, and a screen after the daemon was killed")
    func removalsAfterCrash() async throws {
        guard let disk = SmallDisk(megabytes: 8) else { return }
        let path = disk.path + "/screens.db"
        let store = try SQLiteStore(path: path)
        let screens = try await fill(disk, by: store)
        try await store.write(.removePage(0), to: screens[0])
        try await store.write(.removeAllPages, to: screens[1])
        // A second database with the same files, as a crash leaves them.
        let other = try #require(SmallDisk(megabytes: 8))
        for suffix in ["", "-wal"] {
            try FileManager.default.copyItem(
                atPath: path + suffix, toPath: other.path + "/screens.db" + suffix)
        }
        await store.close()
        let again = try SQLiteStore(path: other.path + "/screens.db")
        _ = try other.fill()
        for screen in screens.dropFirst(2) { try await again.write(.removeScreen, to: screen) }
        #expect(try await again.screens(after: nil, limit: 99).count == 2)
        await again.close()
    }

    @Test("A write that does not fit leaves the space that was freed to writes that do")
    func freedSpace() async throws {
        guard let disk = SmallDisk(megabytes: 8) else { return }
        let reserve = disk.path + "/reserve"
        try Data(bytes(Self.megabyte)).write(to: URL(filePath: reserve))
        let store = try SQLiteStore(path: disk.path + "/screens.db")
        _ = try await fill(disk, by: store)
        let other = try name("other")
        #expect(unlink(reserve) == 0)
        // Its checkpoint used to fill the disk again, without an end.
        await #expect(throws: StoreError.self) {
            try await store.commit(
                .put(page: 0, bytes: bytes(3 * Self.megabyte)), to: other, expecting: nil)
        }
        try await store.put(0, text, to: other)
        try await store.checkWrites(ofBytes: 85_000)
        await store.close()
    }

    @Test(
        "A check of a size succeeds only if a page of that size can be stored",
        arguments: [1, 4096, 20_000, 85_000, 300_000])
    func checks(size: Int) async throws {
        guard let disk = SmallDisk(megabytes: 8) else { return }
        let store = try SQLiteStore(path: disk.path + "/screens.db")
        let home = try name("home")
        var page = 0
        while (try? await store.checkWrites(ofBytes: size)) != nil {
            _ = try await store.commit(
                .put(page: page, bytes: bytes(size)), to: home,
                expecting: try await store.revision(home))
            page += 1
            // Small pages alone would fill the disk slowly.
            if size < 20_000 { _ = try? await store.put(page + 1_000_000, text, to: home) }
        }
        #expect(page > 5)
        await store.close()
    }

    @Test("The file of a new store shrinks after removals, and keeps the other screens")
    func shrinks() async throws {
        let file = try DatabaseFile()
        let large = String(repeating: "y", count: 500_000)
        func size() throws -> Int { try #require(FileIdentity.found(at: file.path)).size }
        try await file.withStore { store in
            for number in 0..<40 {
                try await store.put(0, large, to: name("removed-\(number)"))
                if number.isMultiple(of: 10) { try await store.put(0, to: name("kept-\(number)")) }
            }
            for number in 0..<40 {
                try await store.write(.removeScreen, to: name("removed-\(number)"))
            }
            #expect(
                try await eventually {
                    let length = try size()
                    return length > 0 && length < 6 * Self.megabyte
                })
            #expect(try await store.screens(after: nil, limit: 99).count == 4)
            for number in [0, 10, 20, 30] {
                #expect(try await store.stored(name("kept-\(number)")).pages.count == 1)
            }
        }
        #expect(try size() < 6 * Self.megabyte)
        try SQLiteIntegrityCheck.checkAll(
            try SQLiteConnection(path: file.path, mode: .readOnly))
    }

    @Test("A file of an earlier version does not shrink until it is restored from its backup")
    func earlierVersion() async throws {
        let (file, restored) = (try DatabaseFile(), try DatabaseFile())
        try await file.withStore { _ = try await $0.put(0, to: name("home")) }
        do {
            let connection = try SQLiteConnection(path: file.path, mode: .readWrite)
            try connection.execute("PRAGMA journal_mode = DELETE")
            try connection.execute("PRAGMA auto_vacuum = NONE; VACUUM")
        }
        func isShrinkable(_ file: DatabaseFile) throws -> Bool {
            try SQLiteSchema.isShrinkable(SQLiteConnection(path: file.path, mode: .readOnly))
        }
        let revision = try await file.withStore { store in
            try await store.put(1, text, to: name("home"))
        }
        #expect(try !isShrinkable(file))
        let backup = file.folder.appendingPathComponent("backup.db").path
        #expect(try SQLiteBackup.copy(from: file.path, to: backup).pages == 2)
        #expect(try SQLiteBackup.restore(from: backup, to: restored.path).pages == 2)
        #expect(try isShrinkable(restored))
        try await restored.withStore { store in
            let stored = try await store.stored(name("home"))
            #expect(stored.revision == revision)
            #expect(stored.pages.last?.bytes == Array(text.utf8))
        }
    }
}
