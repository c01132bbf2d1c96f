import Foundation
import Glibc

/// Storage of a few megabytes for a daemon's database, in which space can be freed later.
///
/// Usually this is a small file system with a file on it that can be deleted. If none can be
/// mounted, because neither root nor user namespaces are available, the kernel's limit of a file's
/// size has the same effect on a daemon: writes beyond it fail.
enum LimitedStorage {
    case disk(SmallFileSystem)
    case limit(FileSizeLimit)

    /// The space that is free at first, and the space that `freeSpace` adds.
    static let megabytes = (free: 3, ballast: 2)

    /// Creates the storage; prints the reason if it is not a file system.
    init() throws {
        do {
            let disk = try SmallFileSystem.mount(
                megabytes: Self.megabytes.free + Self.megabytes.ballast)
            let ballast = [UInt8](repeating: 1, count: Self.megabytes.ballast << 20)
            try Data(ballast).write(to: URL(filePath: disk.outside("ballast")))
            self = .disk(disk)
        } catch {
            print("cannot mount a file system, using a file size limit instead: \(error)")
            self = .limit(try FileSizeLimit(megabytes: Self.megabytes.free))
        }
    }

    /// A Boolean value that indicates whether the storage is a file system, not a file size limit.
    var isFileSystem: Bool { if case .disk = self { true } else { false } }

    /// Starts a daemon whose database is in this storage.
    func start(_ options: [String] = []) throws -> TestDaemon {
        switch self {
        case .disk(let disk):
            try disk.start(["--store", "sqlite:" + disk.path("screens.db")] + options)
        case .limit(let limit): try limit.start(options)
        }
    }

    /// Frees space for a running daemon and for daemons that start later.
    func freeSpace(for daemon: TestDaemon) throws {
        switch self {
        case .disk(let disk):
            guard unlink(disk.outside("ballast")) == 0 else {
                throw HarnessError("cannot free space: errno \(errno)")
            }
        case .limit(let limit): try limit.lift(for: daemon)
        }
    }
}

/// A folder in which daemons cannot create files beyond a maximum size.
final class FileSizeLimit {
    private let folder = FileManager.default.temporaryDirectory
        .appending(path: "broadsheet-\(UUID())")
    private var bytes: Int?

    init(megabytes: Int) throws {
        bytes = megabytes << 20
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(at: folder) }

    /// Starts a daemon, with the limit unless it was removed.
    func start(_ options: [String]) throws -> TestDaemon {
        // Only the soft limit: the hard limit could not be raised again.
        let words = bytes.map { ["prlimit", "--fsize=\($0):unlimited", "--"] } ?? []
        let path = folder.appending(path: "screens.db").path
        return try TestDaemon(["--store", "sqlite:" + path] + options, prefixedBy: words)
    }

    /// Removes the limit for a running daemon and for daemons that start later.
    func lift(for daemon: TestDaemon) throws {
        bytes = nil
        let lifted = try Shell.run([
            "prlimit", "--pid", "\(daemon.program.processIdentifier)",
            "--fsize=unlimited:unlimited",
        ])
        guard lifted.status == 0 else { throw HarnessError("prlimit: \(lifted.errors)") }
    }
}

/// A file system of a few megabytes for one test.
///
/// It is mounted in a mount namespace that a waiting program holds and that daemons enter. Other
/// processes do not see it, and it disappears with the last process in the namespace, so that
/// killed tests leave no mount behind. The namespace requires root, or permission to create user
/// namespaces.
final class SmallFileSystem {
    private let folder: URL
    private let holder: Program
    private let isOfUser: Bool

    /// Mounts a file system; throws if the kernel does not permit it.
    static func mount(megabytes: Int) throws -> SmallFileSystem {
        do {
            return try SmallFileSystem(megabytes, asUser: false)
        } catch {
            return try SmallFileSystem(megabytes, asUser: true)
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
        (self.folder, isOfUser) = (folder, asUser)  // `deinit` needs them if the rest throws.
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

    /// Returns the path of a file for the daemons in the namespace.
    func path(_ name: String) -> String { folder.appending(path: name).path }

    /// Returns the path of a file for the tests, which are outside of the namespace.
    func outside(_ name: String) -> String {
        "/proc/\(holder.processIdentifier)/root\(path(name))"
    }

    /// A command prefix that runs a command in the namespace of the file system.
    var commandPrefix: [String] {
        let user = isOfUser ? ["--user", "--preserve-credentials"] : []
        return ["nsenter", "--target", "\(holder.processIdentifier)", "--mount"] + user + ["--"]
            + Program.endingWithTheTests()
    }

    /// Starts a daemon in the namespace.
    func start(_ options: [String]) throws -> TestDaemon {
        try TestDaemon(options, prefixedBy: commandPrefix)
    }

    /// Fills the free space with a file.
    func fill() throws {
        let descriptor = open(outside("ballast"), O_WRONLY | O_CREAT | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw HarnessError("cannot create a file: errno \(errno)") }
        defer { close(descriptor) }
        let block = [UInt8](repeating: 1, count: 4_096)
        while write(descriptor, block, block.count) == block.count {}
    }

    /// Runs a command in the namespace, and throws if it fails.
    func run(_ words: String...) throws {
        let outcome = try Shell.run(commandPrefix + words)
        guard outcome.status == 0 else { throw HarnessError("\(words): \(outcome.errors)") }
    }
}
