import BroadsheetStores
import Foundation
import Testing

/// What is on the disk when a machine stops.
@Suite("A SQLite store after a crash", .timeLimit(.minutes(5)))
struct SQLiteCrashTests {
    /// Nothing is folded, so that the log holds all there is.
    private let options = SQLiteStoreOptions(logPages: 1_000_000)

    @Test(
        "has every acknowledged write, and nothing half of one, wherever it stopped",
        arguments: 0..<5)
    func midFlight(round: Int) async throws {
        let file = try DatabaseFile()
        let store = try SQLiteStore(path: file.path, options: options)
        let writers = Task { await Self.write(to: store, writers: 8) }
        #expect(
            try await eventually {
                try await store.screens(after: nil, limit: 99).contains { $0.revision >= 10 }
            })
        // What is acknowledged by now must be in the copy; what comes meanwhile may be.
        let before = try await store.screens(after: nil, limit: 99)
        let copy = try file.snapshot()
        writers.cancel()
        await writers.value
        await store.close()
        try await copy.withStore { recovered in
            for entry in before {
                let stored = try await recovered.stored(entry.name)
                #expect(stored.revision >= entry.revision)
                try Self.expectWhole(stored, of: entry.name)
            }
        }
    }

    @Test("has a beginning of its history, wherever its log is torn", arguments: 0..<4)
    func tornLog(group: UInt64) async throws {
        let file = try DatabaseFile()
        let store = try SQLiteStore(path: file.path, options: options)
        for page in 0..<20 {
            for screen in ["a", "b", "c"] {
                let screen = try name(screen)
                try await store.put(page, Self.text(screen, page), to: screen)
            }
        }
        let copy = try file.snapshot()
        await store.close()
        let log = URL(fileURLWithPath: copy.path + "-wal")
        let (sound, whole) = try (copy.contents(), [UInt8](Data(contentsOf: log)))
        for seed in group * 15..<(group + 1) * 15 {
            var generator = SeededGenerator(seed: seed)
            let offset = Int.random(in: 0..<whole.count, using: &generator)
            var torn = whole
            if seed.isMultiple(of: 2) {
                torn[offset] ^= 0x10
            } else {
                torn.removeLast(torn.count - offset)
            }
            try copy.replaceContents(with: sound)
            try Data(torn).write(to: log)
            try await copy.withStore { recovered in
                let screens = try await recovered.screens(after: nil, limit: 9)
                for entry in screens {
                    let stored = try await recovered.stored(entry.name)
                    try Self.expectWhole(stored, of: entry.name)
                }
                // One writer wrote them in turn, so no screen may be ahead of the one before it.
                let revisions = screens.map(\.revision)
                #expect(revisions == revisions.sorted(by: >), "seed \(seed)")
                #expect((revisions.first ?? 0) - (revisions.last ?? 0) <= 1, "seed \(seed)")
                let next = try await recovered.put(99, to: name("a"))
                #expect(next == (revisions.first ?? 0) + 1, "seed \(seed)")
            }
        }
    }

    /// What a writer puts on a page.
    private static func text(_ screen: ScreenName, _ page: Int) -> String {
        String(repeating: "\(screen)/\(page);", count: 100 + page)
    }

    /// Expects a screen that a writer made, page after page, up to some revision.
    private static func expectWhole(_ stored: StoredScreen, of screen: ScreenName) throws {
        #expect(stored.pages.count == Int(stored.revision))
        for page in stored.pages {
            #expect(UInt64(page.number) + 1 == page.revision)
            #expect(String(decoding: page.bytes, as: UTF8.self) == text(screen, page.number))
        }
    }

    /// Has several writers write page after page, each to a screen of its own, until the task is
    /// cancelled.
    private static func write(to store: SQLiteStore, writers: Int) async {
        await withTaskGroup(of: Void.self) { group in
            for writer in 0..<writers {
                group.addTask {
                    guard let screen = ScreenName("screen-\(writer)") else { return }
                    var revision: UInt64?
                    while !Task.isCancelled {
                        let page = Int(revision ?? 0)
                        let change = ScreenChange.put(
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
