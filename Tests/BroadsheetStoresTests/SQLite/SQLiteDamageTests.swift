import BroadsheetStores
import Foundation
import Testing

/// Damage is reported, never served: whatever happens to the file, a screen that is answered is the
/// screen that was stored.
@Suite("A damaged SQLite file")
struct SQLiteDamageTests {
    /// A file with 12 screens of 3 pages, checkpointed, and what is in it.
    private func filled() async throws -> (DatabaseFile, [ScreenName: StoredScreen]) {
        let file = try DatabaseFile()
        let stored = try await file.withStore { store in
            var stored: [ScreenName: StoredScreen] = [:]
            for index in 0..<12 {
                let screen = try name("screen-\(index)")
                for page in 0..<3 {
                    let text = String(repeating: "\(index)/\(page);", count: 200 + 150 * page)
                    try await store.put(page, text, to: screen)
                }
                stored[screen] = try await store.stored(screen)
            }
            return stored
        }
        return (file, stored)
    }

    /// Opens the file and reads all; counts what was told to be damaged, and fails on any answer
    /// that is wrong.
    private func wrongAnswers(
        _ file: DatabaseFile, _ truth: [ScreenName: StoredScreen]
    ) async throws -> (wrong: Int, reported: Int) {
        guard let store = try? SQLiteStore(path: file.path) else { return (0, truth.count) }
        var wrong = 0
        var reported = 0
        for (screen, expected) in truth {
            do {
                switch try await store.load(screen, unlessAt: nil) {
                case .screen(let found): if found != expected { wrong += 1 }
                case .absent, .unchanged: wrong += 1
                }
            } catch { reported += 1 }
        }
        await store.close()
        return (wrong, reported)
    }

    @Test("a bit flipped anywhere in a page's or a screen's row is reported", arguments: 0..<60)
    func bitFlips(round: Int) async throws {
        let (file, truth) = try await filled()
        var bytes = try file.contents()
        var generator = SystemRandomNumberGenerator()
        // Beyond the first pages, which hold the schema: those are refused at opening, or harmless.
        let offset = Int.random(in: 4096..<bytes.count, using: &generator)
        let bit = UInt8(1) << UInt8.random(in: 0..<8, using: &generator)
        bytes[offset] ^= bit
        try file.replaceContents(with: bytes)
        let (wrong, _) = try await wrongAnswers(file, truth)
        #expect(wrong == 0, "round \(round): bit \(bit) of byte \(offset)")
    }

    @Test(
        "a file cut short is refused or its screens are reported", arguments: [1, 2, 3, 5, 8, 13])
    func truncation(part: Int) async throws {
        let (file, truth) = try await filled()
        let bytes = try file.contents()
        try file.replaceContents(with: Array(bytes.prefix(bytes.count * part / 14)))
        let (wrong, reported) = try await wrongAnswers(file, truth)
        #expect(wrong == 0)
        #expect(reported > 0)
    }
}
