import Foundation
import TestSupport
import Testing

import BroadsheetTesting
@testable import BroadsheetStores

/// A page that cannot be found because of a damaged key is never missing in silence.
@Suite("A SQLite file with damaged keys of pages", .timeLimit(.minutes(hangMinutes)))
struct SQLiteDamagedKeyTests {
    private static let numbers = [0, 1, 2, 5, 6, 9]
    private static let parts = [
        ScreenPart(upTo: .lowest), ScreenPart(upTo: .after(0)), ScreenPart(upTo: .after(1)),
        ScreenPart(upTo: .after(5)), ScreenPart(from: 1, upTo: .after(1)),
        ScreenPart(from: 1, upTo: .lowest), ScreenPart(from: 3, upTo: .highest),
    ]

    /// Returns a file with pages that are on several nodes of the tree, and the parts of their
    /// screen.
    private static func filled() async throws -> (DatabaseFile, [ScreenLoad]) {
        let file = try DatabaseFile()
        let screen = try name("home")
        let loads = try await file.withStore { store in
            for number in numbers {
                try await store.put(
                    number, String(repeating: "\(number);", count: 1500), to: screen)
            }
            var loads: [ScreenLoad] = []
            for part in parts {
                loads.append(try await store.load(screen, unlessAt: nil, part, within: .unlimited))
            }
            return loads
        }
        return (file, loads)
    }

    /// Returns the bytes of a key in the file: a variable-length integer of SQLite's file format,
    /// of 7 bits a byte, of which all but the last have the highest bit; a ninth byte has 8 bits.
    private static func bytes(ofKey key: Int64) -> [UInt8] {
        let isLong = key >= 1 << 56
        var bytes = [UInt8(key & (isLong ? 0xFF : 0x7F))]
        var rest = key >> (isLong ? 8 : 7)
        while rest > 0 {
            bytes.insert(UInt8(rest & 0x7F) | 0x80, at: 0)
            rest >>= 7
        }
        return bytes
    }

    @Test("A flipped bit in any key is reported, or the part is exact", arguments: numbers)
    func flippedBits(number: Int) async throws {
        let (file, truth) = try await Self.filled()
        let intact = try file.contents()
        let lowest = try #require(
            try SQLiteConnection(path: file.path, mode: .readOnly)
                .integer("SELECT min(key) FROM pages"))
        let key = Self.bytes(ofKey: lowest + Int64(number))
        var places: [Int] = []
        while let found = intact[(places.last.map { $0 + 1 } ?? 0)...].firstRange(of: key) {
            places.append(found.lowerBound)
        }
        #expect(!places.isEmpty)
        var (reported, turn) = (0, number)
        for place in places.flatMap({ $0..<$0 + key.count }) {
            for bit in [0, 1, 2, 5, 6] {
                var bytes = intact
                bytes[place] ^= 1 << bit
                try file.replaceContents(with: bytes)
                turn += 1
                reported += try await readPart(turn, of: file, truth) ? 0 : 1
            }
        }
        #expect(reported > places.count, "most damage of a page's own key is reported")
    }

    /// The pages of a part, their history, and whether there is a higher one: all that a tree
    /// depends on.
    ///
    /// The number of a higher page may be wrong, until that page is read.
    private struct Content: Hashable {
        let pages: [StoredPage]
        let history: TreeHistory
        let hasHigher: Bool

        init?(_ load: ScreenLoad) {
            guard case .screen(let stored) = load else { return nil }
            (pages, history) = (stored.pages, stored.history)
            hasHigher = stored.head.highestPage != stored.pages.last?.number
        }
    }

    /// Reads a part as the first one of a store, and returns whether there was no error.
    private func readPart(
        _ turn: Int, of file: DatabaseFile, _ truth: [ScreenLoad]
    ) async throws -> Bool {
        let index = turn % Self.parts.count
        guard let store = try? SQLiteStore(path: file.path) else { return false }
        let part = Self.parts[index]
        let found = try? await store.load(name("home"), unlessAt: nil, part, within: .unlimited)
        // A comment instead of the values, which are long.
        let isExact = found.map { Content($0) == Content(truth[index]) } ?? true
        #expect(isExact, "\(part)")
        await store.close()
        return found != nil
    }

    @Test("The keys of a screen are checked once; writes of the store keep that valid")
    func once() throws {
        let screen = try name("home")
        let health = SQLiteHealth { _ in }
        func written(_ expected: UInt64?, _ outcome: SQLiteRowWriter.Outcome) {
            let write = SQLiteRowWriter.Write(
                commit: .removeAllPages, screen: screen, expected: expected, lifetime: .unchanged)
            health.recordCommit([(write, outcome)])
        }
        written(6, .written(7, expiry: nil))
        #expect(!health.hasVerifiedKeys(of: screen, at: 7))
        health.recordKeys(of: screen, at: 7)
        written(7, .written(8, expiry: nil))
        written(7, .conflict(8))
        #expect(health.hasVerifiedKeys(of: screen, at: 8))
        // A read of an older revision may end after a later write.
        health.recordKeys(of: screen, at: 7)
        written(8, .written(9, expiry: nil))
        #expect(!health.hasVerifiedKeys(of: screen, at: 9))
        health.recordKeys(of: screen, at: 9)
        written(9, .removed(9))
        #expect(!health.hasVerifiedKeys(of: screen, at: 9))
        for index in 0...SQLiteHealth.maxVerified {
            health.recordKeys(of: try name("s\(index)"), at: 1)
        }
        #expect(!health.hasVerifiedKeys(of: try name("s0"), at: 1))
    }
}
