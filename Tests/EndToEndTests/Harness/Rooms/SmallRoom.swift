import Foundation
import Glibc

/// A place for a daemon's database that is soon full, and that room can be made in.
///
/// Mostly a file system of a few megabytes with a file on it that can be deleted. Where nobody may
/// mount one (neither root nor user namespaces may), the kernel's limit of a file's size does the
/// same to a daemon: what it writes beyond is refused.
enum SmallRoom {
    case disk(SmallDisk)
    case limit(FileSizeLimit)

    /// What is free at first, and what is made free.
    static let megabytes = (free: 3, ballast: 2)

    /// Makes one; prints when it is not a file system, and why.
    init() throws {
        do {
            let disk = try SmallDisk.mount(
                megabytes: Self.megabytes.free + Self.megabytes.ballast)
            let ballast = [UInt8](repeating: 1, count: Self.megabytes.ballast << 20)
            try Data(ballast).write(to: URL(filePath: disk.outside("ballast")))
            self = .disk(disk)
        } catch {
            print("no file system can be mounted, so files are limited instead: \(error)")
            self = .limit(try FileSizeLimit(megabytes: Self.megabytes.free))
        }
    }

    /// Whether it is what is meant, and not what stands in for it.
    var isFileSystem: Bool { if case .disk = self { true } else { false } }

    /// Starts a daemon on the database in it, with as much room as there is now.
    func start() throws -> Daemon {
        switch self {
        case .disk(let disk): try disk.start(["--store", "sqlite:" + disk.path("screens.db")])
        case .limit(let limit): try limit.start()
        }
    }

    /// Makes room for a daemon that is running, and for those that come later.
    func makeRoom(for daemon: Daemon) throws {
        switch self {
        case .disk(let disk):
            guard unlink(disk.outside("ballast")) == 0 else {
                throw HarnessError("cannot make room: errno \(errno)")
            }
        case .limit(let limit): try limit.lift(for: daemon)
        }
    }
}

/// A folder in which the daemons that are started here can make no file longer than some megabytes.
final class FileSizeLimit {
    private let folder = FileManager.default.temporaryDirectory
        .appending(path: "broadsheet-\(UUID())")
    private var bytes: Int?

    init(megabytes: Int) throws {
        bytes = megabytes << 20
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(at: folder) }

    /// Starts a daemon, limited unless the limit was lifted.
    func start() throws -> Daemon {
        // Only the soft limit: the hard one could not be raised again.
        let words = bytes.map { ["prlimit", "--fsize=\($0):unlimited", "--"] } ?? []
        let path = folder.appending(path: "screens.db").path
        return try Daemon(["--store", "sqlite:" + path], in: words)
    }

    /// Lifts the limit for good.
    func lift(for daemon: Daemon) throws {
        bytes = nil
        let lifted = try Shell.run([
            "prlimit", "--pid", "\(daemon.program.processIdentifier)",
            "--fsize=unlimited:unlimited",
        ])
        guard lifted.status == 0 else { throw HarnessError("prlimit: \(lifted.errors)") }
    }
}
