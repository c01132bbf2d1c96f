import Foundation
import Testing

/// The files that `make package` has made.
enum Packages {
    /// The folder of the packages, or `nil` if they do not exist or are older than the sources.
    ///
    /// `make test` sets the variable. It does not build the packages, because that takes minutes.
    static let folder: String? = {
        let named = ProcessInfo.processInfo.environment["BROADSHEET_PACKAGES"]
        return named.flatMap { $0.isEmpty ? nil : $0 }
    }()

    /// The formats, with the command that unpacks a file into a folder.
    enum Format: String, CaseIterable, CustomTestStringConvertible {
        case deb = ".deb"
        case archive = ".tar.gz"

        var testDescription: String { rawValue }

        /// The path of the package.
        func file() throws -> String {
            let folder = Packages.folder ?? ""
            let names = try FileManager.default.contentsOfDirectory(atPath: folder)
            guard let name = names.first(where: { $0.hasSuffix(rawValue) }) else {
                throw HarnessError("no \(rawValue) in \(folder)")
            }
            return "\(folder)/\(name)"
        }

        /// Unpacks the package as docs/operations.md describes it, with a folder in place of `/`.
        func unpack(into root: String) throws {
            let file = try file()
            let prefix = root + "/usr/local"
            let words =
                switch self {
                case .deb: ["dpkg-deb", "-x", file, root]
                case .archive: ["tar", "-xzf", file, "-C", prefix, "--strip-components=1"]
                }
            try FileManager.default.createDirectory(
                atPath: prefix, withIntermediateDirectories: true)
            let outcome = try Shell.run(words)
            guard outcome.status == 0 else { throw HarnessError(outcome.errors) }
        }

        /// The path of the daemon on a machine where the package is installed.
        var binary: String {
            switch self {
            case .deb: "/usr/bin/broadsheet"
            case .archive: "/usr/local/bin/broadsheet"
            }
        }

        /// The path of the unit on a machine where the package is installed.
        var unit: String { "\(unitFolder)/broadsheet.service" }

        /// The path of the optional unit of the socket.
        var socketUnit: String { "\(unitFolder)/broadsheet.socket" }

        private var unitFolder: String {
            switch self {
            case .deb: "/usr/lib/systemd/system"
            case .archive: "/usr/local/lib/systemd/system"
            }
        }
    }

    /// Returns the absolute paths of the libraries that a program loads, with the loader's own.
    static func libraries(of program: String) throws -> [String] {
        let outcome = try Shell.run(["ldd", program])
        guard outcome.status == 0, !outcome.output.contains("not found") else {
            throw HarnessError(outcome.output + outcome.errors)
        }
        return outcome.output.split(separator: "\n").compactMap { line in
            line.split(separator: " ").first { $0.contains("/") }.map {
                $0.trimmingCharacters(in: .whitespaces)
            }
        }
    }
}

/// A root folder with a package, the libraries that its binary loads, and nothing else: no Swift,
/// no shell.
struct BareRoot: ~Copyable {
    private let folder: ScratchFolder
    private let format: Packages.Format

    /// Unpacks a package and copies the libraries.
    init(_ format: Packages.Format) throws {
        let folder = try ScratchFolder()
        try format.unpack(into: folder.path)
        for library in try Packages.libraries(of: folder.path + format.binary) {
            let copy = folder.path + library
            let place = URL(filePath: copy).deletingLastPathComponent()
            try FileManager.default.createDirectory(at: place, withIntermediateDirectories: true)
            // The file, not the symbolic link to it.
            try Data(contentsOf: URL(filePath: library)).write(to: URL(filePath: copy))
            try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: copy)
        }
        self.folder = folder
        self.format = format
    }

    /// The path of the root.
    var path: String { folder.path }

    /// Starts the daemon in the root, with a store in `/var/lib/broadsheet`.
    ///
    /// On a machine that does not permit entering the root, this prints that, and the daemon runs
    /// outside of it.
    func start() throws -> TestDaemon {
        let stored = "/var/lib/broadsheet/screens.db"
        let serve = ["serve", "--port", "0", "--store"]
        guard Self.namespace != nil else {
            print("cannot change the root, so the package was tried in this machine's own")
            return try TestDaemon(
                Program([path + format.binary] + serve + ["sqlite:\(path)\(stored)"]))
        }
        return try TestDaemon(Program(command(serve + ["sqlite:\(stored)"], withProc: true)))
    }

    /// Returns the command that runs `broadsheet` in the root, with or without `/proc`.
    ///
    /// The root must be permitted (``namespace``).
    func command(_ words: [String], withProc: Bool) -> [String] {
        let mount = withProc ? "mkdir -p \"$0/proc\" && mount --rbind /proc \"$0/proc\" && " : ""
        let script = mount + "exec env -i \"$(command -v chroot)\" \"$0\" \"$@\""
        return (Self.namespace ?? []) + Program.endingWithTheTests()
            + ["sh", "-c", script, path, format.binary] + words
    }

    /// A command prefix with which a command may change its root and mount, or `nil` if the machine
    /// permits neither user namespaces nor that.
    static let namespace: [String]? = {
        let mount = ["unshare", "--mount", "--propagation", "private"]
        return [mount + ["--user", "--map-root-user", "--"], mount + ["--"]].first { prefix in
            let script = "mount --rbind /proc /mnt && chroot / true"
            return (try? Shell.run(prefix + ["sh", "-c", script]))?.status == 0
        }
    }()
}
