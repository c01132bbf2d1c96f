import BroadsheetStores
import BroadsheetTesting
import Foundation

/// A database file in a temporary folder, which is removed after the test.
final class DatabaseFile: Sendable {
    let folder: URL
    var path: String { folder.appendingPathComponent("screens.db").path }

    init() throws {
        folder = FileManager.default.temporaryDirectory
            .appendingPathComponent("broadsheet-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(at: folder) }

    /// Opens a store on the file, passes it to `body`, and closes it in any case.
    @discardableResult
    func withStore<Value>(
        _ options: SQLiteStoreOptions = SQLiteStoreOptions(),
        _ body: (ScreenStore) async throws -> Value
    ) async throws -> Value {
        let store = try ScreenStore(path: path, options: options)
        do {
            let value = try await body(store)
            await store.close()
            return value
        } catch {
            await store.close()
            throw error
        }
    }

    /// Returns the bytes of the file, without its log.
    func contents() throws -> [UInt8] { try [UInt8](Data(contentsOf: URL(fileURLWithPath: path))) }

    /// Replaces the bytes of the file.
    func replaceContents(with bytes: [UInt8]) throws {
        try Data(bytes).write(to: URL(fileURLWithPath: path))
    }

    /// Returns the bytes of the write-ahead log.
    func log() throws -> [UInt8] {
        try [UInt8](Data(contentsOf: URL(fileURLWithPath: path + "-wal")))
    }

    /// Replaces the bytes of the write-ahead log.
    func replaceLog(with bytes: [UInt8]) throws {
        try Data(bytes).write(to: URL(fileURLWithPath: path + "-wal"))
    }

    /// Returns the names of the files in the folder, sorted.
    func fileNames() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
    }

    /// Returns a copy of the database and its log as they are on the disk, as after a machine that
    /// stops now.
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
