import Broadsheet
import Foundation

/// The repository's `Fixtures` folder.
enum Fixtures {
    static let folder = URL(filePath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent()
        .appending(path: "Fixtures").resolvingSymlinksInPath()

    /// Returns the bytes of a file in the folder.
    static func bytes(_ path: String) throws -> [UInt8] {
        [UInt8](try Data(contentsOf: folder.appending(path: path)))
    }

    /// Returns the folders, at any depth, that contain a file of that name, in the order of their
    /// paths.
    static func folders(holding name: String) -> [String] {
        let paths = FileManager.default.enumerator(atPath: folder.path)?.compactMap {
            $0 as? String
        }
        return (paths ?? []).filter { $0.hasSuffix("/" + name) }
            .map { String($0.dropLast(name.count + 1)) }.sorted()
    }
}
