import BroadsheetStores
import BroadsheetTesting
import Foundation
import TestSupport
import Testing

/// The data on the disk when a machine stops.
@Suite("A SQLite store after a crash", .timeLimit(.minutes(hangMinutes)))
struct SQLiteCrashTests {
    /// Options with a history and without checkpoints, so that the log holds all transactions.
    private let options = SQLiteStoreOptions(
        autocheckpointPages: 1_000_000, history: HistoryBounds())

    @Test(
        "Every acknowledged write and no partial one exists, at whatever moment the store stopped",
        arguments: 0..<5)
    func midFlight(round: Int) async throws {
        let file = try DatabaseFile()
        let store = try ScreenStore(path: file.path, options: options)
        let writers = Task { await Self.write(to: store, writers: 8) }
        #expect(
            try await eventually {
                try await store.screens(after: nil, limit: 99).contains { $0.revision >= 10 }
            })
        // Writes acknowledged here must be in the copy; later writes may be.
        let before = try await store.screens(after: nil, limit: 99)
        let copy = try file.snapshot()
        writers.cancel()
        await writers.value
        await store.close()
        try await copy.withStore(options) { recovered in
            for entry in before {
                let stored = try await recovered.stored(entry.name)
                #expect(stored.revision >= entry.revision)
                try Self.expectWhole(stored, of: entry.name)
                try await Self.expectHistory(of: entry.name, in: recovered)
            }
        }
    }

    /// Expects the latest revisions of a screen that a writer created page by page.
    private static func expectHistory(of screen: ScreenName, in store: ScreenStore) async throws {
        let list = try #require(try await store.revisions(of: screen, before: nil, limit: 5))
        #expect(list.entries.count == min(5, Int(list.revision)))
        for entry in list.entries {
            let found = try await store.load(
                screen, at: entry.revision, .all, within: .unlimited)
            guard case .screen(let stored) = found else {
                Issue.record("revision \(entry.revision) of \(screen) is \(found)")
                continue
            }
            #expect(stored.revision == entry.revision)
            try expectWhole(stored, of: screen)
        }
    }

    @Test("The store has a prefix of its history, wherever its log is cut", arguments: 0..<4)
    func cutLog(group: UInt64) async throws {
        let copy = try await Self.history()
        let log = try copy.log()
        for seed in group * 15..<(group + 1) * 15 {
            var generator = SeededGenerator(seed: seed)
            // At random, at the end of a frame, and within zeros that a disk may have written.
            var cut = log.prefix(Int.random(in: 0..<log.count, using: &generator))
            if seed % 3 == 1 { cut = cut.prefix(32 + (cut.count - 32) / 4120 * 4120) }
            if seed % 3 == 2 { cut += [UInt8](repeating: 0, count: 9000) }
            let torn = try copy.snapshot()
            try torn.replaceLog(with: Array(cut))
            try await Self.expectBeginning(of: torn, "seed \(seed)")
        }
    }

    @Test(
        "The store is refused if a bit of its log was flipped before acknowledged writes",
        arguments: 0..<4)
    func flippedLog(group: UInt64) async throws {
        let copy = try await Self.history()
        let log = try copy.log()
        // Damage to the last writes cannot be distinguished from a crash during them.
        let provable = log.count - 10 * 4120
        for seed in group * 25..<(group + 1) * 25 {
            var generator = SeededGenerator(seed: seed)
            let offset = Int.random(in: 0..<log.count, using: &generator)
            var flipped = log
            flipped[offset] ^= 1 << UInt8.random(in: 0..<8, using: &generator)
            let damaged = try copy.snapshot()
            try damaged.replaceLog(with: flipped)
            do throws(StoreOpenError) {
                let store = try ScreenStore(path: damaged.path)
                await store.close()
                #expect(offset >= provable, "seed \(seed), byte \(offset) of \(log.count)")
                await #expect(throws: Never.self) {
                    try await Self.expectBeginning(of: damaged, "seed \(seed)")
                }
            } catch {
                #expect("\(error)".contains("write-ahead log is damaged at byte"))
                #expect(try damaged.log() == flipped, "what is left is not touched")
            }
        }
    }

    /// Returns the database and its log after sixty writes of one writer to three screens
    /// alternately, without checkpoints.
    private static func history() async throws -> DatabaseFile {
        let file = try DatabaseFile()
        let store = try ScreenStore(
            path: file.path, options: SQLiteStoreOptions(autocheckpointPages: 1_000_000))
        for page in 0..<20 {
            for screen in ["a", "b", "c"] {
                let screen = try name(screen)
                try await store.put(page, text(screen, page), to: screen)
            }
        }
        let copy = try file.snapshot()
        await store.close()
        return copy
    }

    /// Expects a prefix of those writes, and that further writes succeed.
    private static func expectBeginning(of file: DatabaseFile, _ comment: Comment) async throws {
        try await file.withStore { recovered in
            let screens = try await recovered.screens(after: nil, limit: 9)
            for entry in screens {
                try expectWhole(try await recovered.stored(entry.name), of: entry.name)
            }
            let revisions = screens.map(\.revision)
            #expect(revisions == revisions.sorted(by: >), comment)
            #expect((revisions.first ?? 0) - (revisions.last ?? 0) <= 1, comment)
            let next = try await recovered.put(99, to: name("a"))
            #expect(next == (revisions.first ?? 0) + 1, comment)
        }
    }

    /// Returns the text that a writer puts on a page.
    private static func text(_ screen: ScreenName, _ page: Int) -> String {
        String(repeating: "\(screen)/\(page);", count: 100 + page)
    }

    /// Expects a screen that a writer created page by page, up to some revision.
    private static func expectWhole(_ stored: StoredScreen, of screen: ScreenName) throws {
        #expect(stored.pages.count == Int(stored.revision))
        for page in stored.pages {
            #expect(UInt64(page.number) + 1 == page.revision)
            #expect(String(decoding: page.bytes, as: UTF8.self) == text(screen, page.number))
        }
    }

    /// Runs several writers that write page by page, each to its own screen, until the task is
    /// cancelled.
    private static func write(to store: ScreenStore, writers: Int) async {
        await withTaskGroup(of: Void.self) { group in
            for writer in 0..<writers {
                group.addTask {
                    guard let screen = ScreenName("screen-\(writer)") else { return }
                    var revision: UInt64?
                    while !Task.isCancelled {
                        let page = Int(revision ?? 0)
                        let change = ScreenCommit.put(
                            page: page, bytes: Array(text(screen, page).utf8))
                        let next = try? await store.commit(change, to: screen, expecting: revision)
                        guard let next else { return }
                        revision = next
                    }
                }
            }
        }
    }
}
