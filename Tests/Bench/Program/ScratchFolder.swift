import Foundation

/// A folder for a benchmark's files; deinitialising removes it.
///
/// It is created beside this program, which usually is on a disk. The system's temporary folder may
/// be in memory, where writes are fast and not durable.
final class ScratchFolder {
    private let folder: URL

    /// Creates an empty folder.
    init(_ context: BenchmarkContext) throws {
        folder = context.products.appending(path: "bench-\(UUID())")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
    }

    deinit { try? FileManager.default.removeItem(at: folder) }

    /// The folder's path.
    var path: String { folder.path }

    /// Returns the path of a file in the folder, which need not exist.
    func path(_ name: String) -> String { folder.appending(path: name).path }

    /// Writes a file, and returns its path.
    func add(_ name: String, _ bytes: [UInt8]) throws -> String {
        try Data(bytes).write(to: folder.appending(path: name))
        return path(name)
    }

    /// Returns the size of a file, in bytes.
    func size(of name: String) throws -> Int {
        try FileManager.default.attributesOfItem(atPath: path(name))[.size] as? Int ?? 0
    }

    /// Returns the type of the folder's file system, such as `ext4`.
    ///
    /// - Throws: `BenchmarkError` when the file system is in memory.
    func disk() throws -> String {
        let mounts = try String(contentsOfFile: "/proc/self/mounts", encoding: .utf8)
        let here = folder.resolvingSymlinksInPath().path + "/"
        var found: (path: String, type: String) = ("", "an unknown file system")
        for mount in mounts.split(separator: "\n") {
            let words = mount.split(separator: " ").map { String($0) }
            guard words.count > 2 else { continue }
            let path = words[1].hasSuffix("/") ? words[1] : words[1] + "/"
            if here.hasPrefix(path), path.count > found.path.count { found = (path, words[2]) }
        }
        guard found.type != "tmpfs", found.type != "ramfs" else {
            throw BenchmarkError("\(path) is in memory (\(found.type)), where no write is durable")
        }
        return found.type
    }
}
