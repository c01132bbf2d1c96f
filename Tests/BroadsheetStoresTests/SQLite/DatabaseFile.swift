import BroadsheetStores
import Foundation

/// A database file in a folder of its own, which goes when the test is over.
final class DatabaseFile: Sendable {
    let folder: URL
    var path: String { folder.appendingPathComponent("screens.db").path }

    init() throws {
        folder = FileManager.default.temporaryDirectory
            .appendingPathComponent("broadsheet-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(at: folder) }

    /// Opens a store on the file, lends it to `body`, and closes it whatever comes of that.
    func withStore<Answer>(_ body: (SQLiteStore) async throws -> Answer) async throws -> Answer {
        let store = try SQLiteStore(path: path)
        do {
            let answer = try await body(store)
            await store.close()
            return answer
        } catch {
            await store.close()
            throw error
        }
    }

    /// Runs SQL on the file with the sqlite library's own rules, beside any store.
    func contents() throws -> [UInt8] { try [UInt8](Data(contentsOf: URL(fileURLWithPath: path))) }

    /// Replaces what the file holds.
    func replaceContents(with bytes: [UInt8]) throws {
        try Data(bytes).write(to: URL(fileURLWithPath: path))
    }
}
