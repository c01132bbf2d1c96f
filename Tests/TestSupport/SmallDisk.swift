import Foundation
import Glibc

/// A file system of a few megabytes, which is removed after the test, and with the process that
/// runs the tests.
///
/// Mounting requires root and a kernel that permits it; otherwise ``init(megabytes:)`` returns
/// `nil`, and a test limits the database itself.
package final class SmallDisk: Sendable {
    /// The folder of the file system.
    package let path: String
    private let lifeline: Lifeline

    /// Mounts a file system.
    package init?(megabytes: Int) {
        path =
            FileManager.default.temporaryDirectory
            .appendingPathComponent("broadsheet-disk-\(UUID().uuidString)").path
        let script = """
            exec 2>/dev/null
            mkdir -m 700 "$1" && mount -t tmpfs -o size=\(megabytes)m tmpfs "$1" && echo mounted
            exec >/dev/null; read _; umount -l "$1"; rmdir "$1"
            """
        guard geteuid() == 0, let lifeline = try? Lifeline(script, [path]),
            !lifeline.output.availableData.isEmpty
        else { return nil }
        self.lifeline = lifeline
    }

    deinit {
        lifeline.end()
        lifeline.waitForEnd()
    }

    /// Makes the file system read-only; returns `false` if a file is open for writing.
    package func makeReadOnly() -> Bool {
        (try? ChildProgram.run(["mount", "-o", "remount,ro", path]).status) == 0
    }

    /// Writes a file until there is no space left, and returns its path.
    package func fill() throws -> String {
        let ballast = path + "/ballast"
        let descriptor = open(ballast, O_WRONLY | O_CREAT | O_CLOEXEC, 0o600)
        defer { close(descriptor) }
        let block = [UInt8](repeating: 1, count: 4096)
        while write(descriptor, block, block.count) == block.count {}
        return ballast
    }
}
