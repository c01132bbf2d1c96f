import Foundation
import TestSupport
import Testing

@testable import BroadsheetStores

/// Damage is reported, never served: whatever happens to the file, a screen that is answered is the
/// screen that was stored, and one that is said to be absent is not in the file.
@Suite("A damaged SQLite file", .timeLimit(.minutes(5)))
struct SQLiteDamageTests {
    /// A file with 30 screens of up to 3 pages, and what is in it.
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

    /// What came of asking for everything.
    private struct Answers {
        var wrong: [String] = []
        var reported = 0
    }

    /// Opens the file and asks for everything that was in it, for some things that were not, and for
    /// the list.
    private func answers(
        of file: DatabaseFile, _ truth: [ScreenName: StoredScreen]
    ) async throws -> Answers {
        var answers = Answers()
        guard let store = try? SQLiteStore(path: file.path) else {
            answers.reported = truth.count
            return answers
        }
        for (screen, expected) in truth {
            do {
                let found = try await store.load(screen, unlessAt: nil)
                if found != .screen(expected) { answers.wrong.append("\(screen) is \(found)") }
            } catch { answers.reported += 1 }
        }
        for text in ["a", "screen-", "screen-15x", "zzz"] {
            let found = try? await store.load(name(text), unlessAt: nil)
            if let found, found != .absent { answers.wrong.append("\(text) is there") }
        }
        let revisions = truth.mapValues(\.revision)
        if let list = try? await store.screens(after: nil, limit: 1000) {
            let listed = Dictionary(uniqueKeysWithValues: list.map { ($0.name, $0.revision) })
            if listed != revisions { answers.wrong.append("the list is \(list)") }
        }
        await store.close()
        return answers
    }

    @Test("with one bit flipped anywhere is reported where it matters", arguments: 0..<6)
    func bitFlips(group: UInt64) async throws {
        let (file, truth) = try await Self.filled()
        let sound = try file.contents()
        for seed in group * 25..<(group + 1) * 25 {
            var bytes = sound
            var generator = SeededGenerator(seed: seed)
            let offset = Int.random(in: 0..<bytes.count, using: &generator)
            let bit = UInt8(1) << UInt8.random(in: 0..<8, using: &generator)
            bytes[offset] ^= bit
            try file.replaceContents(with: bytes)
            let answers = try await answers(of: file, truth)
            #expect(answers.wrong.isEmpty, "seed \(seed): bit \(bit) of byte \(offset)")
        }
    }

    @Test("with a block of another place, or of nothing, is reported", arguments: 0..<4)
    func misplacedBlocks(group: UInt64) async throws {
        let (file, truth) = try await Self.filled()
        let sound = try file.contents()
        for seed in group * 20..<(group + 1) * 20 {
            var bytes = sound
            var generator = SeededGenerator(seed: seed)
            let blocks = bytes.count / 4096
            let from = Int.random(in: 0..<blocks, using: &generator) * 4096
            let to = Int.random(in: 0..<blocks, using: &generator) * 4096
            let block =
                seed.isMultiple(of: 3)
                ? [UInt8](repeating: 0, count: 4096) : Array(bytes[from..<from + 4096])
            bytes.replaceSubrange(to..<to + 4096, with: block)
            try file.replaceContents(with: bytes)
            let answers = try await answers(of: file, truth)
            #expect(
                answers.wrong.isEmpty, "seed \(seed): block \(from / 4096) over \(to / 4096)")
        }
    }

    @Test("with a name that is another by one bit reports that screen, instead of having none")
    func damagedNames() async throws {
        let (file, _) = try await Self.filled()
        let sound = try file.contents()
        let screen = try name("screen-14")
        for place in 0..<screen.text.utf8.count {
            for bit in 0..<8 {
                var bytes = sound
                var from = 0
                // Old copies of the row lie about in the file; all are changed.
                while let found = bytes[from...].firstRange(of: Array(screen.text.utf8)) {
                    bytes[found.lowerBound + place] ^= 1 << bit
                    from = found.upperBound
                }
                try file.replaceContents(with: bytes)
                guard let store = try? SQLiteStore(path: file.path) else { continue }
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

    @Test("cut short is refused or its screens are reported", arguments: [1, 2, 3, 5, 8, 13])
    func truncation(part: Int) async throws {
        let (file, truth) = try await Self.filled()
        let bytes = try file.contents()
        try file.replaceContents(with: Array(bytes.prefix(bytes.count * part / 14)))
        let answers = try await answers(of: file, truth)
        #expect(answers.wrong.isEmpty)
        #expect(answers.reported > 0)
    }

    @Test("is found out by the inspection before anybody asks")
    func inspection() async throws {
        let (file, truth) = try await Self.filled()
        var bytes = try file.contents()
        // In the middle of a page's text, which only its checksum covers.
        let text = Array("14/2;14/2;14/2;".utf8)
        let place = try #require(bytes.firstRange(of: text)?.lowerBound)
        bytes[place + 7] ^= 1
        try file.replaceContents(with: bytes)
        let log = EventLog()
        let options = SQLiteStoreOptions(inspectionPauseFactor: 0, onEvent: log.sink)
        try await file.withStore(options) { store in
            await log.wait { $0 == .inspected(screens: truth.count, damaged: 1) }
            #expect(log.events.contains { "\($0)".contains("screen-14") })
            await expectCorrupt { _ = try await store.stored(name("screen-14")) }
            // One damaged page is that screen's matter; the store goes on.
            try await store.checkReadiness()
            try await store.put(0, to: name("new"))
            try await store.put(0, to: name("screen-13"))
        }
    }

    @Test("with a broken structure answers only what is intact, and writes nothing more")
    func brokenStructure() async throws {
        let (file, truth) = try await Self.filled()
        let log = EventLog()
        let options = SQLiteStoreOptions(inspectionPauseFactor: 1_000_000, onEvent: log.sink)
        let store = try SQLiteStore(path: file.path, options: options)
        let health = SQLiteHealth(onEvent: log.sink)
        health.record(.damaged("a page"))
        #expect(throws: Never.self) { try health.check() }
        health.record(.broken("a tree"))
        #expect(throws: SQLiteFailure.self) { try health.check() }
        await store.close()
        // Every block of pages' rows is ruined while the store is open and has read nothing.
        var bytes = try file.contents()
        let pages = try await Self.rootBlock(of: "pages", in: file)
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

    @Test("without its identity is refused, or every token would be worthless")
    func lostIdentity() async throws {
        let (file, _) = try await Self.filled()
        let connection = try SQLiteConnection(path: file.path, mode: .readWrite)
        try connection.execute("DELETE FROM meta WHERE key = 'sealingKey'")
        #expect {
            try SQLiteStore(path: file.path)
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
