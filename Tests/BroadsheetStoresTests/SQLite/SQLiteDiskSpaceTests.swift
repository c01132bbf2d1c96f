import BroadsheetStores
import BroadsheetTesting
import Foundation
import Glibc
import TestSupport
import Testing

@Suite("A SQLite store without disk space", .timeLimit(.minutes(hangMinutes)))
struct SQLiteDiskSpaceTests {
    private let text = String(repeating: "x", count: 85_000)

    private func isFull(_ error: any Error) -> Bool {
        if case StoreError.full = error { true } else { false }
    }

    @Test(
        "A full disk is reported and changes nothing, and the store continues once there is space")
    func fullDisk() async throws {
        // Without permission to mount there is no disk to fill; the next test replaces this one.
        guard let disk = SmallDisk(megabytes: 16) else { return try await limitedFile() }
        let store = try ScreenStore(path: disk.path + "/screens.db")
        let (home, other) = (try name("home"), try name("other"))
        try await store.put(0, text, to: home)
        // More than the space that the database and its log have already.
        let text = String(repeating: "x", count: 3_000_000)
        let ballast = try disk.fill()
        let before = try await store.stored(home)
        for _ in 0..<3 {
            await #expect {
                try await store.commit(
                    .put(page: 1, bytes: Array(text.utf8)), to: home, expecting: 1)
            } throws: {
                isFull($0)
            }
            await #expect {
                try await store.commit(
                    .put(page: 0, bytes: Array(text.utf8)), to: other, expecting: nil)
            } throws: {
                isFull($0)
            }
        }
        #expect(try await store.stored(home) == before)
        #expect(try await store.load(other, unlessAt: nil) == .absent)
        try await store.checkReadiness()
        #expect(unlink(ballast) == 0)
        #expect(try await store.put(1, text, to: home) == 2)
        #expect(try await store.put(0, text, to: other) == 1)
        await store.close()
        let again = try ScreenStore(path: disk.path + "/screens.db")
        #expect(try await again.stored(home).pages.count == 2)
        await again.close()
    }

    @Test("On a full disk the store checkpoints the log if possible, and permits small writes")
    func checkpointsWhenFull() async throws {
        guard let disk = SmallDisk(megabytes: 8) else { return try await limitedFile() }
        let path = disk.path + "/screens.db"
        var expected: UInt64 = 0
        func rewrite(_ count: Int, in store: ScreenStore) async throws {
            for _ in 0..<count {
                expected += 1
                let revision = try await store.put(Int(expected % 3), text, to: name("home"))
                #expect(revision == expected)
            }
        }
        let store = try ScreenStore(path: path)
        try await rewrite(10, in: store)
        await store.close()
        let again = try ScreenStore(path: path)
        try await rewrite(10, in: again)
        _ = try disk.fill()
        // Twice as large as the space for the log.
        try await rewrite(100, in: again)
        await again.close()
    }

    @Test("The store closes on a full disk without losing acknowledged writes")
    func closesFull() async throws {
        guard let disk = SmallDisk(megabytes: 8) else { return try await limitedFile() }
        let path = disk.path + "/screens.db"
        let log = EventLog()
        let store = try ScreenStore(path: path, options: SQLiteStoreOptions(onEvent: log.handler))
        var pages = 0
        let home = try name("home")
        while (try? await store.put(pages, text, to: home)) != nil { pages += 1 }
        #expect(pages > 10)
        let ballast = try disk.fill()
        await store.close()
        #expect(log.events.last == .closed)
        #expect(unlink(ballast) == 0)
        let again = try ScreenStore(path: path)
        #expect(try await again.stored(home).pages.count == pages)
        await again.close()
    }

    @Test("A file at its limit is reported and changes nothing, and the store permits removals")
    func limitedFile() async throws {
        let file = try DatabaseFile()
        var options = SQLiteStoreOptions()
        options.maxPages = 200
        try await file.withStore(options) { store in
            let home = try name("home")
            var pages = 0
            while (try? await store.put(pages, text, to: home)) != nil { pages += 1 }
            #expect(pages > 3)
            let before = try await store.stored(home)
            await #expect {
                try await store.put(pages, text, to: home)
            } throws: {
                isFull($0)
            }
            #expect(try await store.stored(home) == before)
            // A small write succeeds although a large one in the same transaction failed.
            try await withThrowingTaskGroup(of: Void.self) { group in
                for index in 0..<8 {
                    group.addTask {
                        _ = try? await store.put(0, text, to: name("large-\(index)"))
                    }
                    group.addTask { try await store.put(0, "{}", to: name("small-\(index)")) }
                }
                try await group.waitForAll()
            }
            try await store.write(.removeAllPages, to: home)
            #expect(
                await eventually { (try? await store.put(0, text, to: name("again"))) != nil })
        }
    }

    @Test("A store in a folder that is not writable is refused with the reason")
    func readOnlyFolder() async throws {
        #expect {
            try ScreenStore(path: "/proc/broadsheet/screens.db")
        } throws: {
            $0 is StoreOpenError
        }
        guard let disk = SmallDisk(megabytes: 4) else { return }
        let path = disk.path + "/screens.db"
        let store = try ScreenStore(path: path)
        await store.close()
        #expect(disk.makeReadOnly())
        #expect {
            try ScreenStore(path: path)
        } throws: {
            guard case StoreOpenError.readOnly = $0 else { return false }
            return true
        }
        #expect {
            try ScreenStore(path: disk.path + "/new.db")
        } throws: {
            guard case StoreOpenError.readOnly = $0 else { return false }
            return true
        }
    }
}
