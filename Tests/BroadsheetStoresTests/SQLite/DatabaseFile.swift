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
    @discardableResult
    func withStore<Value>(
        _ options: SQLiteStoreOptions = SQLiteStoreOptions(),
        _ body: (SQLiteStore) async throws -> Value
    ) async throws -> Value {
        let store = try SQLiteStore(path: path, options: options)
        do {
            let value = try await body(store)
            await store.close()
            return value
        } catch {
            await store.close()
            throw error
        }
    }

    /// The bytes of the file, without what its log holds.
    func contents() throws -> [UInt8] { try [UInt8](Data(contentsOf: URL(fileURLWithPath: path))) }

    /// Replaces what the file holds.
    func replaceContents(with bytes: [UInt8]) throws {
        try Data(bytes).write(to: URL(fileURLWithPath: path))
    }

    /// The bytes of the write-ahead log.
    func log() throws -> [UInt8] {
        try [UInt8](Data(contentsOf: URL(fileURLWithPath: path + "-wal")))
    }

    /// Replaces what the write-ahead log holds.
    func replaceLog(with bytes: [UInt8]) throws {
        try Data(bytes).write(to: URL(fileURLWithPath: path + "-wal"))
    }

    /// The names of the files in the folder, sorted.
    func fileNames() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
    }

    /// A copy of the database and its log as they are on the disk at this moment: what a machine that
    /// stops now would find at its next start.
    func snapshot() throws -> DatabaseFile {
        let copy = try DatabaseFile()
        for suffix in ["", "-wal"] {
            let source = URL(fileURLWithPath: path + suffix)
            guard FileManager.default.fileExists(atPath: source.path) else { continue }
            try FileManager.default.copyItem(
                at: source, to: URL(fileURLWithPath: copy.path + suffix))
        }
        return copy
    }
}
