import Foundation
import Testing

extension EndToEnd.Deployment {
    @Test("The shipped units are valid, and the exposure as rated by systemd is low")
    func unitFile() throws {
        let folder = try ScratchFolder()
        let shipped = String(
            decoding: try Repository.contents("docs/deploy/broadsheet.service"), as: UTF8.self)
        // The binary is not installed on this machine.
        let unit = shipped.replacing("/usr/local/bin/broadsheet", with: Repository.binary)
        let path = try folder.write(unit, to: "broadsheet.service")
        let socket = try folder.write(
            String(
                decoding: try Repository.contents("docs/deploy/broadsheet.socket"), as: UTF8.self),
            to: "broadsheet.socket")
        let check = try Shell.run(["systemd-analyze", "verify", "--man=no", path, socket])
        #expect(check.status == 0, "\(check.errors)")
        #expect(!check.errors.contains("broadsheet."), "\(check.errors)")
        // The threshold is in tenths, from 0 (no exposure) to 100.
        let exposure = try Shell.run([
            "systemd-analyze", "security", "--offline=true", "--threshold=15", path,
        ])
        #expect(exposure.status == 0, "\(exposure.output.suffix(200))")
    }

    @Test(
        "Under a real systemd the shipped unit serves, reloads, restarts after SIGKILL, and stops")
    func unitAtWork() throws {
        let systemd: Systemd
        do {
            systemd = try Systemd()
        } catch {
            return print("cannot run systemd, so the unit was only analysed: \(error)")
        }
        let start = try systemd.run("systemctl", "start", "broadsheet")
        #expect(start.status == 0, "\(start.errors) \(systemd.log)")
        let page = "http://127.0.0.1:8080/v1/screens/home/pages/0"
        let key = "Authorization: Bearer \(try systemd.run("cat", "/run/secret").output.dropLast())"
        let put = try systemd.run(
            "curl", "-sS", "-X", "PUT", "-H", "Content-Type: application/json", "-H",
            "Prefer: return=minimal", "-H", key, "-w", "%{http_code}", "--retry-connrefused",
            "--retry", "9", "-d", #"{"sections":[]}"#, page)
        #expect(put.output.hasSuffix("201"), "\(put.output) \(put.errors) \(systemd.log)")

        let before = try systemd.mainProcess()
        let status = try systemd.run("cat", "/proc/\(before)/status").output
        for line in ["Seccomp:\t2", "NoNewPrivs:\t1", "CapBnd:\t0000000000000000"] {
            #expect(status.contains(line), "\(status)")
        }
        #expect(!status.contains("Uid:\t0"))
        try checkMemory(of: systemd, key)
        #expect(try systemd.run("systemctl", "reload", "broadsheet").status == 0)
        #expect(try systemd.mainProcess() == before)

        try #require(systemd.run("sh", "-c", "kill -9 \(before)").status == 0)
        let get = try systemd.run(
            "curl", "-sS", "-H", key, "--retry-all-errors", "--retry", "60", "--retry-delay", "1",
            page)
        #expect(get.output == #"{"sections":[]}"#, "\(get.errors) \(systemd.log)")
        #expect(try systemd.mainProcess() != before)

        #expect(try systemd.run("systemctl", "stop", "broadsheet").status == 0)
        let result = try systemd.run("systemctl", "show", "-p", "Result", "broadsheet")
        #expect(result.output == "Result=success\n")
        let files = try systemd.run("ls", "/var/lib/private/broadsheet").output
        #expect(files == "screens.db\nscreens.db.lock\n", "the log is checkpointed")
        #expect(!systemd.log.contains(#""level":"error""#), "\(systemd.log)")
    }

    /// Checks that the daemon's memory budget is half of the `MemoryMax` of the unit.
    private func checkMemory(of systemd: Systemd, _ key: String) throws {
        let memory = try systemd.run(
            "systemctl", "show", "-p", "MemoryMax", "--value", "broadsheet")
        #expect(memory.output == "\(2 << 30)\n")
        guard systemd.seesMemoryLimits else {
            return print("cannot mount control groups here, so the budget was not compared")
        }
        let current = try systemd.run(
            "systemctl", "show", "-p", "MemoryCurrent", "--value", "broadsheet")
        guard Int(current.output.split(separator: "\n").first ?? "") != nil else {
            return print("cannot limit memory here, so the budget was not compared with MemoryMax")
        }
        let metrics = try systemd.run(
            "curl", "-sS", "-H", key, "http://127.0.0.1:8080/metrics")
        let line = metrics.output.split(separator: "\n").first {
            $0.hasPrefix("broadsheet_memory_budget_bytes ")
        }
        #expect(line?.split(separator: " ").last.flatMap { Double($0) } == Double(1 << 30))
    }
}

/// A systemd in its own namespaces, with shipped units as its only ones.
///
/// It has process id 1 there, and no access to this machine's processes and network. Its writes
/// go to memory. It ends with the program that created the namespaces.
final class Systemd {
    private let program: Program
    private let identifier: Int32

    /// The script that prepares the namespaces, for the binary `$0` and units.
    ///
    /// It mounts memory on the folders that systemd writes to, and copies the binary to the path in
    /// the unit, with libraries that the sandbox might hide. It makes a key, whose secret is in
    /// `/run/secret`. Drop-ins replace the dependencies on other units, and the log.
    private static let script = """
        for folder in /run /var/lib /var/log /var/tmp /usr/local/bin; do
            mount -t tmpfs -o mode=0755 tmpfs "$folder"
        done
        mkdir -p /run/lock /run/systemd /run/libraries /run/etc/upper /run/etc/work
        mount -t overlay overlay /etc -o lowerdir=/etc,upperdir=/run/etc/upper,workdir=/run/etc/work
        mount -t tmpfs -o mode=0755 tmpfs /etc/systemd/system
        mkdir -p /etc/broadsheet
        "$0" key new test --scopes read,write,admin >/run/key
        sed -n 's/^secret: //p' /run/key >/run/secret
        sed -n 's/^line: //p' /run/key >/etc/broadsheet/keys
        cp "$0" /usr/local/bin/broadsheet
        cp "$@" /etc/systemd/system/
        ldd "$0" | awk '$3 ~ "^/" && $3 !~ "^/(usr/)?lib" { print $3 }' |
            xargs -r cp -t /run/libraries
        mount -t tmpfs -o mode=1777 tmpfs /tmp
        printf '[Unit]\\nDefaultDependencies=no\\n' >/etc/systemd/system/trial.target
        mkdir /etc/systemd/system/broadsheet.service.d /etc/systemd/system/broadsheet.socket.d
        cp /etc/systemd/system/trial.target /etc/systemd/system/broadsheet.socket.d/trial.conf
        cat >/etc/systemd/system/broadsheet.service.d/trial.conf <<'END'
        [Unit]
        DefaultDependencies=no
        After=
        Wants=
        [Service]
        Environment=LD_LIBRARY_PATH=/run/libraries
        StandardError=append:/run/broadsheet.log
        END
        """

    /// Returns a script that does what every systemd needs, and another script, and becomes
    /// systemd.
    private static func starting(after script: String) -> String {
        """
        set -e
        mount -t proc proc /proc
        # systemd mounts control groups of version 1 with the paths of the new namespace, and makes
        # their folder read-only: without a file system of its own, that would be the machine's.
        if [ -d /sys/fs/cgroup/memory ]; then
            mount -t tmpfs -o mode=0755 tmpfs /sys/fs/cgroup
        fi
        \(script)
        exec env -i container=other PATH=/usr/sbin:/usr/bin:/sbin:/bin \\
            /lib/systemd/systemd --system --unit=trial.target --log-target=console
        """
    }

    /// Starts systemd with files of `docs/deploy`; throws if the kernel does not permit it.
    convenience init(units: [String] = ["broadsheet.service"]) throws {
        try self.init(
            preparedBy: Self.script,
            [Repository.binary] + units.map { Repository.path("docs/deploy/\($0)") })
    }

    /// Starts systemd; throws if the kernel does not permit it.
    ///
    /// - Parameters:
    ///   - script: The script that prepares the namespaces.
    ///   - arguments: The arguments of the script, from `$0` on.
    init(preparedBy script: String, _ arguments: [String]) throws {
        program = try Program(
            [
                "unshare", "--pid", "--mount", "--uts", "--ipc", "--net", "--cgroup", "--fork",
                "--kill-child", "--propagation", "private", "bash", "-c",
                Self.starting(after: script),
            ] + arguments)
        let deadline = Deadline.within()
        let children =
            "/proc/\(program.processIdentifier)/task/\(program.processIdentifier)/children"
        while true {
            let child = try? String(contentsOfFile: children, encoding: .utf8)
            if let child = child?.split(separator: " ").first.flatMap({ Int32($0) }),
                try Self.run(["systemctl", "show", "-p", "Version"], inside: child).status == 0
            {
                identifier = child
                return
            }
            let isOver = (try? program.wait(until: .within(.milliseconds(1)))) != nil
            guard !isOver, !deadline.hasPassed else {
                program.end()
                throw HarnessError((try? program.errors.all()) ?? "no message on standard error")
            }
        }
    }

    deinit { program.end() }

    /// The daemon's log so far.
    var log: String { (try? run("cat", "/run/broadsheet.log").output) ?? "" }

    /// The file of the network namespace.
    var network: String { "/proc/\(identifier)/ns/net" }

    /// A Boolean value that indicates whether the daemon sees the limit of its memory, with control
    /// groups of version 1 or 2.
    var seesMemoryLimits: Bool {
        ["memory/memory.limit_in_bytes", "cgroup.controllers"].contains { file in
            (try? run("test", "-e", "/sys/fs/cgroup/\(file)").status) == 0
        }
    }

    /// Runs a command in the namespaces.
    func run(_ words: String...) throws -> Shell.Outcome {
        try Self.run(words, inside: identifier)
    }

    /// Returns the daemon's process id in the namespaces.
    func mainProcess() throws -> Int32 {
        let shown = try run("systemctl", "show", "-p", "MainPID", "--value", "broadsheet").output
        guard let process = Int32(shown.dropLast()) else { throw HarnessError(shown) }
        return process
    }

    private static func run(_ words: [String], inside process: Int32) throws -> Shell.Outcome {
        try Shell.run(
            ["nsenter", "-t", "\(process)", "-p", "-m", "-u", "-i", "-n", "-C", "--"] + words)
    }
}
