import Foundation
import TestSupport
import Testing

import BroadsheetTesting
@testable import BroadsheetStores

/// Damage is reported, never returned: a screen that is returned is the one that was stored, and a
/// screen that is absent is not in the file.
@Suite("A damaged SQLite file", .timeLimit(.minutes(hangMinutes)))
struct SQLiteDamageTests {
    /// Returns a file with 30 screens of up to 3 pages, and their contents.
    private static func filled() async throws -> (DatabaseFile, [ScreenName: StoredScreen]) {
        let file = try DatabaseFile()
        let stored = try await file.withStore { store in
            var stored: [ScreenName: StoredScreen] = [:]
            for index in 0..<30 {
                let screen = try name("screen-\(index)")
                for page in 0...(index % 3) {
                    let text = String(repeating: "\(index)/\(page);", count: 50 + 150 * page)
                    try await store.put(page, text, to: screen)
                }
                stored[screen] = try await store.stored(screen)
            }
            return stored
        }
        return (file, stored)
    }

    /// The results of reading everything.
    private struct Outcome {
        var wrong: [String] = []
        var reported = 0
    }

    /// Opens the file and reads everything that was in it, some screens that were not, and the
    /// list.
    private func readAll(
        of file: DatabaseFile, _ truth: [ScreenName: StoredScreen]
    ) async throws -> Outcome {
        var outcome = Outcome()
        guard let store = try? ScreenStore(path: file.path) else {
            outcome.reported = truth.count
            return outcome
        }
        for (screen, expected) in truth {
            for page in expected.pages {
                guard let found = try? await store.page(page.number, of: screen, atMost: .max)
                else { continue }
                if found.bytes != page.bytes { outcome.wrong.append("\(screen): \(page.number)") }
            }
            do {
                let found = try await store.load(screen, unlessAt: nil)
                if found != .screen(expected) { outcome.wrong.append("\(screen) is \(found)") }
            } catch { outcome.reported += 1 }
        }
        for text in ["a", "screen-", "screen-15x", "zzz"] {
            let found = try? await store.load(name(text), unlessAt: nil)
            if let found, found != .absent { outcome.wrong.append("\(text) is there") }
        }
        let revisions = truth.mapValues(\.revision)
        if let list = try? await store.screens(after: nil, limit: 1000) {
            let listed = Dictionary(uniqueKeysWithValues: list.map { ($0.name, $0.revision) })
            if listed != revisions { outcome.wrong.append("the list is \(list)") }
        }
        await store.close()
        return outcome
    }

    @Test("One flipped bit anywhere is reported with the data that is affected", arguments: 0..<6)
    func bitFlips(group: UInt64) async throws {
        let (file, truth) = try await Self.filled()
        let intact = try file.contents()
        for seed in group * 25..<(group + 1) * 25 {
            var bytes = intact
            var generator = SeededGenerator(seed: seed)
            let offset = Int.random(in: 0..<bytes.count, using: &generator)
            let bit = UInt8(1) << UInt8.random(in: 0..<8, using: &generator)
            bytes[offset] ^= bit
            try file.replaceContents(with: bytes)
            let outcome = try await readAll(of: file, truth)
            #expect(outcome.wrong.isEmpty, "seed \(seed): bit \(bit) of byte \(offset)")
        }
    }

    @Test("A block of zeros, or of another location, is reported", arguments: 0..<4)
    func misplacedBlocks(group: UInt64) async throws {
        let (file, truth) = try await Self.filled()
        let intact = try file.contents()
        for seed in group * 20..<(group + 1) * 20 {
            var bytes = intact
            var generator = SeededGenerator(seed: seed)
            let blocks = bytes.count / 4096
            let from = Int.random(in: 0..<blocks, using: &generator) * 4096
            let to = Int.random(in: 0..<blocks, using: &generator) * 4096
            let block =
                seed.isMultiple(of: 3)
                ? [UInt8](repeating: 0, count: 4096) : Array(bytes[from..<from + 4096])
            bytes.replaceSubrange(to..<to + 4096, with: block)
            try file.replaceContents(with: bytes)
            let outcome = try await readAll(of: file, truth)
            #expect(
                outcome.wrong.isEmpty, "seed \(seed): block \(from / 4096) over \(to / 4096)")
        }
    }

    @Test("A flipped bit in a name is reported, instead of the absence of the screen")
    func damagedNames() async throws {
        let (file, _) = try await Self.filled()
        let intact = try file.contents()
        let screen = try name("screen-14")
        for place in 0..<screen.text.utf8.count {
            for bit in 0..<8 {
                var bytes = intact
                var from = 0
                // The file contains old copies of the row; all are changed.
                while let found = bytes[from...].firstRange(of: Array(screen.text.utf8)) {
                    bytes[found.lowerBound + place] ^= 1 << bit
                    from = found.upperBound
                }
                try file.replaceContents(with: bytes)
                guard let store = try? ScreenStore(path: file.path) else { continue }
                await expectCorrupt("bit \(bit) of character \(place)") {
                    _ = try await store.load(screen, unlessAt: nil)
                }
                await expectCorrupt("bit \(bit) of character \(place)") {
                    _ = try await store.commit(
                        .put(page: 0, bytes: []), to: screen, expecting: nil)
                }
                await store.close()
            }
        }
    }

    @Test(
        "A file that was truncated is refused, or its screens are reported",
        arguments: [1, 2, 3, 5, 8, 13])
    func truncation(part: Int) async throws {
        let (file, truth) = try await Self.filled()
        let bytes = try file.contents()
        try file.replaceContents(with: Array(bytes.prefix(bytes.count * part / 14)))
        let outcome = try await readAll(of: file, truth)
        #expect(outcome.wrong.isEmpty)
        #expect(outcome.reported > 0)
    }

    @Test("The inspection detects a damaged file before a request does")
    func inspection() async throws {
        let (file, truth) = try await Self.filled()
        var bytes = try file.contents()
        // In the text of a page, which only its checksum covers.
        let text = Array("14/2;14/2;14/2;".utf8)
        let place = try #require(bytes.firstRange(of: text)?.lowerBound)
        bytes[place + 7] ^= 1
        try file.replaceContents(with: bytes)
        let log = EventLog()
        let options = SQLiteStoreOptions(inspectionPauseFactor: 0, onEvent: log.handler)
        try await file.withStore(options) { store in
            await log.wait { $0 == .inspected(screens: truth.count, damaged: 1) }
            #expect(log.events.contains { "\($0)".contains("screen-14") })
            await expectCorrupt { _ = try await store.stored(name("screen-14")) }
            // A damaged page does not affect what is beside it.
            try await store.checkReadiness()
            #expect(try await store.page(1, of: name("screen-14"), atMost: .max)?.bytes != nil)
            try await store.put(0, to: name("new"))
            try await store.put(0, to: name("screen-13"))
        }
    }

    @Test("A file with a damaged structure returns only intact screens, and accepts no writes")
    func brokenStructure() async throws {
        let (file, truth) = try await Self.filled()
        let log = EventLog()
        let options = SQLiteStoreOptions(inspectionPauseFactor: 1_000_000, onEvent: log.handler)
        let store = try ScreenStore(path: file.path, options: options)
        let health = SQLiteHealth(onEvent: log.handler)
        health.record(.damaged("a page"))
        #expect(throws: Never.self) { try health.check() }
        health.record(.broken("a tree"))
        #expect(throws: SQLiteFailure.self) { try health.check() }
        await store.close()
        // The root of the table of contents is destroyed while the store is open and has read
        // nothing.
        var bytes = try file.contents()
        let pages = try await Self.rootBlock(of: "contents", in: file)
        bytes.replaceSubrange(
            (pages - 1) * 4096..<pages * 4096, with: [UInt8](repeating: 0xAB, count: 4096))
        try file.replaceContents(with: bytes)
        try await file.withStore(options) { store in
            let screen = try #require(truth.keys.first)
            await expectCorrupt { _ = try await store.stored(screen) }
            await expectCorrupt { _ = try await store.load(name("absent"), unlessAt: nil) }
            await expectCorrupt { _ = try await store.screens(after: nil, limit: 9) }
            await expectCorrupt { try await store.checkReadiness() }
            await expectCorrupt {
                _ = try await store.commit(
                    .put(page: 0, bytes: []), to: name("new"), expecting: nil)
            }
        }
    }

    @Test("A damaged key of an object is deleted without the bytes that it leads to")
    func damagedObjectKey() async throws {
        let file = try DatabaseFile()
        let (one, other) = (try name("one"), try name("other"))
        try await file.withStore { store in
            try await store.put(0, "{\"a\":1}", to: one)
            try await store.put(0, "{\"b\":1}", to: other)
        }
        do {
            let connection = try SQLiteConnection(path: file.path, mode: .readWrite)
            try connection.execute("UPDATE objects SET content = (SELECT max(id) FROM contents)")
        }
        let log = EventLog()
        try await file.withStore(SQLiteStoreOptions(onEvent: log.handler)) { store in
            await expectCorrupt { _ = try await store.stored(one) }
            _ = try await store.commit(.removeScreen, to: one, expecting: 1)
            #expect(try await store.stored(other).pages.map(\.bytes) == [Array("{\"b\":1}".utf8)])
            await log.wait { if case .damaged = $0 { true } else { false } }
            #expect(try await store.stored(other).pages.map(\.bytes) == [Array("{\"b\":1}".utf8)])
        }
    }

    @Test("A screen whose row is damaged is neither read nor written, and others are")
    func damagedRow() async throws {
        let changes = [
            "revision = revision + 1", "edit = 7", "feed_version = 9", "expiry = 1", "due = 30000",
            "weight = 1", "listed_bytes = 1", "bytes = X'00'", "feed = X'00'",
        ]
        for change in changes {
            let file = try DatabaseFile()
            try await file.withStore { store in
                for screen in ["screen-1", "screen-2"] { try await store.put(0, to: name(screen)) }
            }
            do {
                let connection = try SQLiteConnection(path: file.path, mode: .readWrite)
                try connection.execute("UPDATE records SET \(change) WHERE name = 'screen-1'")
            }
            try await file.withStore { store in
                let damaged = try name("screen-1")
                await expectCorrupt { _ = try await store.load(damaged, unlessAt: nil) }
                await expectCorrupt {
                    _ = try await store.commit(
                        .put(page: 0, bytes: []), to: damaged, expecting: 1)
                }
                try await store.put(1, to: name("screen-2"))
            }
        }
    }

    @Test("A file without its identity is refused, since a new one would invalidate every token")
    func lostIdentity() async throws {
        let (file, _) = try await Self.filled()
        let connection = try SQLiteConnection(path: file.path, mode: .readWrite)
        try connection.execute("DELETE FROM store WHERE key = 'sealingKey'")
        #expect {
            try ScreenStore(path: file.path)
        } throws: {
            guard case StoreOpenError.corrupt = $0 else { return false }
            return true
        }
    }

    private static func rootBlock(of table: String, in file: DatabaseFile) async throws -> Int {
        let connection = try SQLiteConnection(path: file.path, mode: .readOnly)
        let sql = "SELECT rootpage FROM sqlite_schema WHERE name = '\(table)'"
        return Int(try #require(try connection.integer(sql)))
    }
}
