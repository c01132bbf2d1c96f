import Foundation

/// A systemd of a test's own, in namespaces of its own, with the shipped unit and nothing else.
///
/// It is the first process there, and sees none of this machine's processes and network; what it
/// writes goes to memory. All of it ends with the program that made the namespaces.
final class Systemd {
    private let program: Program
    private let identifier: Int32

    /// Readies the namespaces and becomes systemd; `$0` is the binary and `$1` the unit.
    ///
    /// What it writes to is mounted, the binary copied to where the unit expects it, with libraries
    /// that the sandbox might not show it. Of the unit only its place among other units is left out,
    /// and where it logs.
    private static let script = """
        set -e
        mount -t proc proc /proc
        for place in /run /var/lib /var/log /var/tmp /usr/local/bin /etc/systemd/system; do
            mount -t tmpfs -o mode=0755 tmpfs "$place"
        done
        mkdir -p /run/lock /run/systemd /run/libraries
        cp "$0" /usr/local/bin/broadsheet
        cp "$1" /etc/systemd/system/
        ldd "$0" | awk '$3 ~ "^/" && $3 !~ "^/(usr/)?lib" { print $3 }' |
            xargs -r cp -t /run/libraries
        mount -t tmpfs -o mode=1777 tmpfs /tmp
        printf '[Unit]\\nDefaultDependencies=no\\n' >/etc/systemd/system/trial.target
        mkdir /etc/systemd/system/broadsheet.service.d
        cat >/etc/systemd/system/broadsheet.service.d/trial.conf <<'END'
        [Unit]
        DefaultDependencies=no
        After=
        Wants=
        [Service]
        Environment=LD_LIBRARY_PATH=/run/libraries
        StandardError=file:/run/broadsheet.log
        END
        exec env -i container=other PATH=/usr/sbin:/usr/bin:/sbin:/bin \\
            /lib/systemd/systemd --system --unit=trial.target --log-target=console
        """

    /// Boots it; throws where that is not allowed.
    init() throws {
        program = try Program(
            [
                "unshare", "--pid", "--mount", "--uts", "--ipc", "--net", "--cgroup", "--fork",
                "--kill-child", "--propagation", "private", "bash", "-c", Self.script,
                Repository.binary, Repository.path("docs/deploy/broadsheet.service"),
            ])
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
                throw HarnessError((try? program.errors.all()) ?? "no reason was given")
            }
        }
    }

    deinit { program.end() }

    /// What the daemon logged.
    var log: String { (try? run("cat", "/run/broadsheet.log").output) ?? "" }

    /// Runs a command beside the daemon.
    func run(_ words: String...) throws -> Shell.Outcome {
        try Self.run(words, inside: identifier)
    }

    /// The daemon's process, as it is numbered there.
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
