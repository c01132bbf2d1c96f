internal import Foundation

/// A folder for a benchmark's files, which goes when it is no longer held.
///
/// It is made beside this program, which is on a disk wherever a clone is; a temporary folder may be
/// in memory, where nothing is durable and everything is quick.
final class ScratchFolder {
    private let folder: URL

    /// Makes an empty one.
    init(_ surroundings: Surroundings) throws {
        folder = surroundings.products.appending(path: "bench-\(UUID())")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
    }

    deinit { try? FileManager.default.removeItem(at: folder) }

    /// Its own path.
    var path: String { folder.path }

    /// The path of something in it, which need not be there.
    func path(_ name: String) -> String { folder.appending(path: name).path }

    /// Puts a file into it, and answers its path.
    func add(_ name: String, _ bytes: [UInt8]) throws -> String {
        try Data(bytes).write(to: folder.appending(path: name))
        return path(name)
    }

    /// How many bytes a file in it has.
    func size(of name: String) throws -> Int {
        try FileManager.default.attributesOfItem(atPath: path(name))[.size] as? Int ?? 0
    }

    /// The kind of file system that it is on, such as `ext4`.
    ///
    /// - Throws: When that is in memory.
    func disk() throws -> String {
        let mounts = try String(contentsOfFile: "/proc/self/mounts", encoding: .utf8)
        let here = folder.resolvingSymlinksInPath().path + "/"
        var found: (place: String, kind: String) = ("", "an unknown file system")
        for mount in mounts.split(separator: "\n") {
            let words = mount.split(separator: " ").map { String($0) }
            guard words.count > 2 else { continue }
            let place = words[1].hasSuffix("/") ? words[1] : words[1] + "/"
            if here.hasPrefix(place), place.count > found.place.count { found = (place, words[2]) }
        }
        guard found.kind != "tmpfs", found.kind != "ramfs" else {
            throw BenchmarkError("\(path) is in memory (\(found.kind)), where no write is durable")
        }
        return found.kind
    }
}
