import Foundation
import Glibc

/// A file system of a few megabytes, which is removed after the test, and with the process that
/// runs the tests.
///
/// Mounting requires root and a kernel that permits it; otherwise ``init(megabytes:)`` returns
/// `nil`, and a test limits the database itself.
final class SmallDisk: Sendable {
    let path: String
    private let keeper: Process
    /// A pipe whose closing, explicit or at the end of this process, unmounts the file system.
    private let lifeline = Pipe()

    init?(megabytes: Int) {
        path =
            FileManager.default.temporaryDirectory
            .appendingPathComponent("broadsheet-disk-\(UUID().uuidString)").path
        let output = Pipe()
        _ = fcntl(lifeline.fileHandleForWriting.fileDescriptor, F_SETFD, FD_CLOEXEC)
        keeper = Process()
        keeper.executableURL = URL(fileURLWithPath: "/bin/sh")
        let script = """
            mkdir -m 700 "$0" && mount -t tmpfs -o size=\(megabytes)m tmpfs "$0" && echo mounted
            exec >/dev/null; read _; umount -l "$0"; rmdir "$0"
            """
        keeper.arguments = ["-c", script, path]
        keeper.standardInput = lifeline
        keeper.standardOutput = output
        keeper.standardError = FileHandle.nullDevice
        guard geteuid() == 0, (try? keeper.run()) != nil,
            !output.fileHandleForReading.availableData.isEmpty
        else { return nil }
    }

    deinit {
        try? lifeline.fileHandleForWriting.close()
        if keeper.isRunning { keeper.waitUntilExit() }
    }

    /// Makes the file system read-only; returns `false` if a file is open for writing.
    func makeReadOnly() -> Bool { Self.run(["mount", "-o", "remount,ro", path]) }

    /// Writes a file until there is no space left, and returns its path.
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
