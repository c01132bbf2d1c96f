import Foundation
import Testing

extension EndToEnd.Deployment {
    @Test("The Dockerfile's first stage runs `make package`, whose .deb the second one installs")
    func imageStages() throws {
        let stages = try Dockerfile.shipped().stages
        try #require(stages.count == 2)
        #expect(stages[0].arguments("WORKDIR") == ["/source"])
        #expect(stages[0].arguments("COPY") == [". ."])
        #expect(stages[0].arguments("RUN").last?.hasSuffix(" && make package") == true)
        #expect(
            stages[1].arguments("COPY") == [
                "--from=build /source/.build-static/packages/*.deb /packages/"
            ])
        #expect(!stages[1].arguments("FROM")[0].contains("swift"))
    }

    @Test(
        "The Dockerfile's second stage makes a root in which its user runs the daemon with a store",
        .enabled(if: Packages.folder != nil, "`make package` has not been run on these sources"))
    func imageAtWork() throws {
        let stage = try #require(try Dockerfile.shipped().stages.last)
        let image: ImageRoot
        do {
            image = try ImageRoot()
        } catch {
            return print("cannot mount a root, so the Dockerfile was only parsed: \(error)")
        }
        try image.copy([try Packages.Format.deb.file()], into: "/packages")
        for step in stage.arguments("RUN") {
            // The packages that the .deb depends on are on this machine, so no index is needed.
            let offline = step.replacing("apt-get update", with: "true")
            let outcome = try image.run(["/bin/sh", "-c", offline])
            #expect(outcome.status == 0, "\(step): \(outcome.output) \(outcome.errors)")
        }
        #expect(try image.run(["ls", "/packages"]).status != 0, "no package is left in the image")

        let user = try #require(stage.arguments("USER").last)
        let page = try Storefront.page(0)
        let path = "/v1/screens/home/pages/0"
        let words = stage.words("ENTRYPOINT") + stage.words("CMD")
        // A test listens on the loopback interface only.
        let variables = stage.arguments("ENV") + ["BROADSHEET_HOST=127.0.0.1", "BROADSHEET_PORT=0"]
        let keyless = try image.start(words, as: user, variables: variables)
        #expect(try keyless.wait() != .status(0), "the image has no keys of its own")
        let key = try TestKey("test", "--scopes", "read,write")
        let folder = try ScratchFolder()
        try image.copy([try folder.write(key.line, to: "keys")], into: "/etc/broadsheet")
        let daemon = try TestDaemon(image.start(words, as: user, variables: variables))
        #expect(try daemon.request("PUT", path, body: page).status == 401)
        let put = try daemon.request("PUT", path, headers: [key.field], body: page)
        #expect(put.status == 201)
        #expect(try daemon.stop() == .status(0))
        let again = try TestDaemon(image.start(words, as: user, variables: variables))
        #expect(try again.request("GET", path, headers: [key.field]).body == page)

        let volume = try #require(stage.arguments("VOLUME").last)
        let owner = try image.run(["stat", "-c", "%u:%g %a", volume]).output
        #expect(owner == "\(user) 700\n")
        let files = try image.run(["ls", volume]).output
        #expect(files.contains("screens.db\n"))
    }
}

extension Dockerfile {
    /// Parses docs/deploy/Dockerfile.
    fileprivate static func shipped() throws -> Dockerfile {
        try Dockerfile(
            String(decoding: Repository.contents("docs/deploy/Dockerfile"), as: UTF8.self))
    }
}

/// A root in which the steps of an image run: this machine's files, with changes kept in memory.
///
/// It is mounted in a mount namespace that a waiting program holds, and disappears with it.
private final class ImageRoot {
    private let folder: String
    private let holder: Program

    /// The script that mounts the root at `$0/root` and waits.
    private static let script = """
        set -e
        mount -t tmpfs tmpfs "$0"
        mkdir "$0/upper" "$0/work" "$0/root"
        mount -t overlay -o "lowerdir=/,upperdir=$0/upper,workdir=$0/work" overlay "$0/root"
        mount --bind /dev "$0/root/dev"
        mount -t tmpfs -o mode=1777 tmpfs "$0/root/tmp"
        mount -t proc proc "$0/root/proc"
        # As in a container: no systemd, of which maintainer scripts might reload units.
        mount -t tmpfs tmpfs "$0/root/run"
        echo mounted
        exec sleep infinity
        """

    /// Mounts the root; throws if the machine does not permit it.
    init() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "broadsheet-\(UUID())")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        self.folder = folder.path
        holder = try Program(
            ["unshare", "--mount", "--propagation", "private"] + Program.endingWithTheTests()
                + ["sh", "-c", Self.script, folder.path])
        do {
            _ = try holder.output.line { $0 == "mounted" }
        } catch {
            throw HarnessError(holder.errors.text.trimmingCharacters(in: .newlines))
        }
    }

    deinit {
        holder.end()
        rmdir(folder)
    }

    /// Runs a command in the root, with the variables that Docker sets.
    func run(_ words: [String]) throws -> Shell.Outcome {
        try Shell.run(inside() + ["env", "-i", Self.searchPath] + words, within: .seconds(120))
    }

    /// Copies files of this machine into a new folder of the root.
    func copy(_ files: [String], into folder: String) throws {
        let target = "\(self.folder)/root\(folder)"
        let copying = ["sh", "-c", "mkdir -p \"$0\" && cp \"$@\" \"$0\"", target] + files
        let outcome = try Shell.run(namespace + copying)
        guard outcome.status == 0 else { throw HarnessError(outcome.errors) }
    }

    /// Starts a program in the root.
    func start(_ words: [String], as user: String, variables: [String]) throws -> Program {
        try Program(
            inside(["--userspec=\(user)"]) + Program.endingWithTheTests()
                + ["env", "-i", Self.searchPath] + variables + words)
    }

    private static let searchPath =
        "PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"

    private var namespace: [String] {
        ["nsenter", "--target", "\(holder.processIdentifier)", "--mount", "--"]
    }

    private func inside(_ options: [String] = []) -> [String] {
        namespace + ["chroot"] + options + ["\(folder)/root"]
    }
}
