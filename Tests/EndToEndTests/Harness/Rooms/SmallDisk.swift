import Foundation
import Glibc

/// A file system of a few megabytes of a test's own.
///
/// It is mounted in a namespace that a program waits in and daemons enter: nobody else sees it, and
/// it goes with the last of them, so that tests that are killed leave no mount behind. Root makes
/// such a namespace, and whoever may make user namespaces.
final class SmallDisk {
    private let folder: URL
    private let holder: Program
    private let isOfUser: Bool

    /// Mounts one; throws where the kernel allows that to nobody like us.
    static func mount(megabytes: Int) throws -> SmallDisk {
        do {
            return try SmallDisk(megabytes, asUser: false)
        } catch {
            return try SmallDisk(megabytes, asUser: true)
        }
    }

    private init(_ megabytes: Int, asUser: Bool) throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "broadsheet-\(UUID())")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let script = """
            mount -t tmpfs -o size=\(megabytes)m tmpfs "$0" && echo mounted && exec sleep infinity
            """
        let user = asUser ? ["--user", "--map-root-user"] : []
        holder = try Program(
            ["unshare", "--mount", "--propagation", "private"] + user
                + Program.endingWithTheTests() + ["sh", "-c", script, folder.path])
        (self.folder, isOfUser) = (folder, asUser)  // what the end of this object takes away
        do {
            _ = try holder.output.line { $0 == "mounted" }
        } catch {
            throw HarnessError(holder.errors.text.trimmingCharacters(in: .newlines))
        }
    }

    deinit {
        holder.end()
        rmdir(folder.path)
    }

    /// Where a file of it is for the daemons on it.
    func path(_ name: String) -> String { folder.appending(path: name).path }

    /// Where a file of it is for the tests.
    func outside(_ name: String) -> String {
        "/proc/\(holder.processIdentifier)/root\(path(name))"
    }

    /// Words before a command that runs it where the file system is.
    var surroundings: [String] {
        let user = isOfUser ? ["--user", "--preserve-credentials"] : []
        return ["nsenter", "--target", "\(holder.processIdentifier)", "--mount"] + user + ["--"]
            + Program.endingWithTheTests()
    }

    /// Starts a daemon on it.
    func start(_ options: [String]) throws -> Daemon { try Daemon(options, in: surroundings) }

    /// Writes a file until nothing is free.
    func fill() throws {
        let descriptor = open(outside("ballast"), O_WRONLY | O_CREAT | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw HarnessError("no ballast: errno \(errno)") }
        defer { close(descriptor) }
        let block = [UInt8](repeating: 1, count: 4_096)
        while write(descriptor, block, block.count) == block.count {}
    }

    /// Runs a command there, and throws when it fails.
    func run(_ words: String...) throws {
        let outcome = try Shell.run(surroundings + words)
        guard outcome.status == 0 else { throw HarnessError("\(words): \(outcome.errors)") }
    }
}
