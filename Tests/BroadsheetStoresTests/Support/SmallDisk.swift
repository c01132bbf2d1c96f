import Foundation
import Glibc

/// A file system of a few megabytes of a test's own, which goes when the test is over.
///
/// Mounting takes root and a kernel that lets it; ``init(megabytes:)`` answers nil where that is not
/// to be had, and a test then limits the database itself.
final class SmallDisk: Sendable {
    let path: String

    init?(megabytes: Int) {
        path =
            FileManager.default.temporaryDirectory
            .appendingPathComponent("broadsheet-disk-\(UUID().uuidString)").path
        guard geteuid() == 0, mkdir(path, 0o700) == 0 else { return nil }
        guard Self.run(["mount", "-t", "tmpfs", "-o", "size=\(megabytes)m", "tmpfs", path]) else {
            rmdir(path)
            return nil
        }
    }

    deinit {
        _ = Self.run(["umount", "-l", path])
        rmdir(path)
    }

    /// Makes it read-only; false when something has a file open for writing.
    func makeReadOnly() -> Bool { Self.run(["mount", "-o", "remount,ro", path]) }

    /// Writes a file until there is no room left, and answers its path.
    func fill() throws -> String {
        let ballast = path + "/ballast"
        let descriptor = open(ballast, O_WRONLY | O_CREAT | O_CLOEXEC, 0o600)
        defer { close(descriptor) }
        let block = [UInt8](repeating: 1, count: 4096)
        while write(descriptor, block, block.count) == block.count {}
        return ballast
    }

    private static func run(_ words: [String]) -> Bool {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = words
        process.standardError = FileHandle.nullDevice
        guard (try? process.run()) != nil else { return false }
        process.waitUntilExit()
        return process.terminationStatus == 0
    }
}
