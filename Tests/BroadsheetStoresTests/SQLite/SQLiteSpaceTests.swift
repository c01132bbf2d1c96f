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
    private func fill(_ disk: SmallDisk, by store: ScreenStore) async throws -> [ScreenName] {
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
        let store = try ScreenStore(path: disk.path + "/screens.db")
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
        let store = try ScreenStore(path: path)
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
        let again = try ScreenStore(path: other.path + "/screens.db")
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
        let store = try ScreenStore(path: disk.path + "/screens.db")
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
        let store = try ScreenStore(path: disk.path + "/screens.db")
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
            let connection = try SQLiteConnection(path: file.path, mode: .readOnly)
            #expect(
                try await eventually {
                    let pages = try connection.integer("PRAGMA page_count") ?? .max
                    return pages < 6 * Int64(Self.megabyte) / 4096
                })
            #expect(try await store.screens(after: nil, limit: 99).count == 4)
            for number in [0, 10, 20, 30] {
                #expect(try await store.stored(name("kept-\(number)")).pages.count == 1)
            }
        }
        #expect(try size() < 6 * Self.megabyte)
        try SQLiteFormat.checkAll(
            try SQLiteConnection(path: file.path, mode: .readOnly))
    }

    @Test("On a full disk earlier revisions are deleted before a write is refused")
    func history() async throws {
        let file = try DatabaseFile()
        let home = try name("home")
        var options = SQLiteStoreOptions(history: HistoryBounds(maxBytes: 100 << 20))
        options.maxPages = 600
        try await file.withStore(options) { store in
            let page = String(repeating: "a", count: 200_000)
            // Twenty pages with their history would be twice as large as the file may be.
            for _ in 0..<20 {
                try await store.put(0, page, to: home)
                try await store.put(0, page, to: name("other"))
            }
            #expect(try await store.stored(home).revision == 20)
        }
    }
}
