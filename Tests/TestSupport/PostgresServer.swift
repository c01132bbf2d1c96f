package import Foundation
import Glibc
import Synchronization

/// A PostgreSQL server with a free port and a folder of its own.
///
/// It ends with the object, and with the process that runs the tests, in any case.
package final class PostgresServer: Sendable {
    /// The port on the loopback address.
    package let port: UInt16
    private let folder: PostgresFolder
    private let options: [String]
    private let run = Mutex<PostgresRun?>(nil)

    /// A server that the tests share which need nothing but a database.
    package static func shared() throws -> PostgresServer { try sharedResult.get() }

    private static let sharedResult = Result {
        try PostgresServer(["fsync=off", "max_connections=1000"])
    }

    /// Starts a server with an empty database.
    ///
    /// - Parameters:
    ///   - options: Settings, such as `fsync=off`.
    ///   - parent: The folder in which the data are, which every user can reach.
    package convenience init(
        _ options: [String] = [], in parent: URL = FileManager.default.temporaryDirectory
    ) throws {
        try self.init(PostgresFolder(in: parent), options)
    }

    private init(_ folder: PostgresFolder, _ options: [String]) throws {
        self.folder = folder
        self.options = options
        let (port, run) = try FreePort.attempt {
            let port = try FreePort.any()
            return (port, try PostgresRun(port: port, folder, options))
        }
        self.port = port
        self.run.withLock { $0 = run }
    }

    deinit { stop() }

    /// Starts a server with an empty database, whose identifier no other server has: the others are
    /// copies of one.
    package static func withOwnIdentifier(_ options: [String] = []) throws -> PostgresServer {
        try PostgresServer(PostgresFolder.initialised(named: "own"), options)
    }

    /// Starts a replica of this server, which the server knows by a name.
    package func replica(_ name: String, _ options: [String] = []) throws -> PostgresServer {
        let folder = try PostgresFolder(copyOf: port, name: name)
        return try PostgresServer(folder, self.options + options)
    }

    /// Starts a server with a base backup of this one, which is not a replica.
    ///
    /// - Parameter isRecovered: A Boolean value that indicates whether it starts with
    ///   `recovery.signal`, and has a timeline of its own from the end of the backup on.
    package func backup(isRecovered: Bool = false) throws -> PostgresServer {
        let folder = try PostgresFolder(copyOf: port, name: "backup")
        let signals = ["standby", "recovery"].map { "\(folder.data)/\($0).signal" }
        guard isRecovered else {
            try PostgresProgram.run("/bin/rm", signals[0])
            return try PostgresServer(folder, options)
        }
        try PostgresProgram.run("/bin/mv", signals[0], signals[1])
        // There is no archive of what followed the backup.
        let recovery = [
            "restore_command=/bin/false", "recovery_target=immediate",
            "recovery_target_action=promote",
        ]
        let server = try PostgresServer(folder, options + recovery)
        while try server.execute("SELECT pg_is_in_recovery()") != ["f"] {}
        return server
    }

    /// Dumps the store, and restores it in a database without one, of this server or another one.
    package func dump(
        _ database: String = "postgres", to server: PostgresServer, _ target: String = "postgres"
    ) throws {
        let script = """
            "$0/pg_dump" --schema=broadsheet -f "$1" "$2" &&
            "$0/psql" -qX -v ON_ERROR_STOP=1 -f "$1" "$3"
            """
        try PostgresProgram.run(
            "/bin/sh", "-c", script, PostgresProgram.folder, "\(server.folder.path)/\(target).sql",
            url(database), server.url(target))
    }

    /// Returns the URL of a database.
    ///
    /// - Parameters:
    ///   - user: The user, with a password after a colon if there is one.
    ///   - port: The port; `nil` for that of the server.
    ///   - query: The query, which says whether the connection is encrypted.
    package func url(
        _ database: String = "postgres", user: String = "broadsheet", host: String = "127.0.0.1",
        port: UInt16? = nil, _ query: String = "sslmode=disable"
    ) -> String {
        "postgres://\(user)@\(host):\(port ?? self.port)/\(database)?\(query)"
    }

    /// Creates a database with a name of its own, and returns its name.
    package func newDatabase() throws -> String {
        let name = "d" + UUID().uuidString.replacing("-", with: "").lowercased()
        try execute("CREATE DATABASE \(name)")
        return name
    }

    /// Performs statements, and returns the first column of the rows as text.
    @discardableResult
    package func execute(_ sql: String, in database: String = "postgres") throws -> [String] {
        try PostgresProgram.run(
            "psql", "-qAtX", "-v", "ON_ERROR_STOP=1", "-h", "127.0.0.1", "-p", "\(port)", "-U",
            "broadsheet", "-c", sql, database
        ).split(separator: "\n").map { String($0) }
    }

    /// Ends the server as a crash does.
    package func kill() { stop() }

    /// Starts it again on the same port, with its data on the disk.
    package func restart() throws {
        stop()
        // Another program that looks for a free port may hold this one for a moment.
        let next = try FreePort.attempt { try PostgresRun(port: port, folder, options) }
        run.withLock { $0 = next }
    }

    /// Stops all processes of the server until ``resume()``, as a machine that hangs does.
    package func pause() throws { try run.withLock { $0 }?.pause() }

    /// Lets the processes of the server go on.
    package func resume() throws { try run.withLock { $0 }?.resume() }

    /// Runs a script of a shell in the folder of the data, as the user of the server.
    package func run(script: String) throws {
        try PostgresProgram.run("/bin/sh", "-c", "cd \"$0\" && \(script)", folder.data)
    }

    /// Makes a setting that needs no restart, and waits until new connections have it.
    package func configure(_ name: String, _ value: String) throws {
        try execute("ALTER SYSTEM SET \(name) = '\(value)'")
        try execute("SELECT pg_reload_conf()")
        while try execute("SHOW \(name)") != [value] {}
    }

    /// Makes a replica the primary.
    package func promote() throws {
        try PostgresProgram.run(
            "pg_ctl", "-D", folder.data, "-w", "-t", PostgresProgram.waitSeconds, "promote")
    }

    private func stop() {
        run.withLock { run in
            run?.end(folder)
            run = nil
        }
    }

    /// The server did not become ready.
    ///
    /// Is PostgreSQL installed? `make test-deps` installs it.
    package struct NotStarted: Error {
        /// The end of the log.
        let log: String
    }
}

/// A program of PostgreSQL.
package enum PostgresProgram {
    /// A program has failed.
    package struct Failure: Error, CustomStringConvertible {
        package let description: String
    }

    /// The newest installed version's folder of programs.
    package static let folder: String = {
        let base = "/usr/lib/postgresql"
        let versions = (try? FileManager.default.contentsOfDirectory(atPath: base)) ?? []
        let newest = versions.compactMap { Int($0) }.max() ?? 0
        return "\(base)/\(newest)/bin"
    }()

    /// The time for which `pg_ctl` waits on a busy machine, in seconds.
    static let waitSeconds = "600"

    /// The words before a command: the server refuses to run as root.
    package static let prefix =
        geteuid() == 0
        ? ["setpriv", "--reuid=postgres", "--regid=postgres", "--clear-groups"] : ["env"]

    /// Runs a program to its end and returns its output.
    @discardableResult
    package static func run(_ words: String...) throws -> String {
        let program = words[0].hasPrefix("/") ? words[0] : "\(folder)/\(words[0])"
        let (output, status) = try ChildProgram.run(prefix + [program] + words.dropFirst())
        guard status == 0 else { throw Failure(description: "\(words): \(output)") }
        return output
    }

    /// Makes the user of servers the owner of a file, which it can reach.
    package static func handOver(_ path: String) {
        guard geteuid() == 0, let user = getpwnam("postgres") else { return }
        chown(path, user.pointee.pw_uid, user.pointee.pw_gid)
    }
}

/// A folder with the data of a server, which is removed with the object.
package final class PostgresFolder: Sendable {
    /// The folder.
    package let path: String
    /// The folder of the data.
    var data: String { "\(path)/data" }

    /// A folder with the data of an empty server, from which others are copied.
    private static let template: Result<PostgresFolder, any Error> = Result {
        let folder = try PostgresFolder.initialised(named: "template")
        // A constant of a type is never released.
        atexit { if let folder = try? PostgresFolder.template.get() { folder.remove() } }
        return folder
    }

    /// Creates a folder with the data of an empty server, and with an identifier of its own.
    static func initialised(named name: String) throws -> PostgresFolder {
        let folder = try PostgresFolder(named: name)
        try PostgresProgram.run(
            "initdb", "-D", folder.data, "-U", "broadsheet", "-A", "trust", "-E", "UTF8",
            "--no-locale", "--no-sync")
        return folder
    }

    /// Creates an empty folder that a server may write to.
    package init(
        named name: String, in parent: URL = FileManager.default.temporaryDirectory
    ) throws {
        let url = parent.appendingPathComponent(
            "broadsheet-postgres-\(name)-\(UUID().uuidString)")
        path = url.path
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
        PostgresProgram.handOver(path)
    }

    /// Creates a folder with the data of an empty server.
    convenience init(in parent: URL) throws {
        let template = try Self.template.get()
        try self.init(named: "server", in: parent)
        try PostgresProgram.run("/bin/cp", "-a", template.data, data)
    }

    /// Creates a folder with the data of a replica.
    convenience init(copyOf port: UInt16, name: String) throws {
        try self.init(named: name)
        try PostgresProgram.run(
            "pg_basebackup", "-d",
            "host=127.0.0.1 port=\(port) user=broadsheet application_name=\(name)", "-D", data,
            "-R", "--no-sync", "-c", "fast", "-X", "stream")
    }

    deinit { remove() }

    private func remove() { try? FileManager.default.removeItem(atPath: path) }
}

/// A run of a server, from its start to its end.
struct PostgresRun: Sendable {
    /// The script starts a server, and removes the folder of one that this process did not end; one
    /// that is paused ends when it goes on.
    private static let script = """
        "$1/pg_ctl" -D "$2/data" -w -t "$4" -l "$2/log" -o "$3" start >/dev/null 2>&1 &&
        process=$(head -n 1 "$2/data/postmaster.pid") && echo "$process" &&
        exec >/dev/null 2>&1 && read line
        [ -n "$process" ] && [ "$line" != ended ] || exit
        kill -QUIT "$process"; kill -CONT "$process"
        while kill -0 "$process"; do sleep 0.1; done
        rm -r "$2"
        """

    private let lifeline: Lifeline
    private let process: Int32

    /// Starts a server and waits until it is ready.
    init(port: UInt16, _ folder: PostgresFolder, _ options: [String]) throws {
        // The path of a socket in the folder may be too long.
        let own = [
            "port=\(port)", "listen_addresses=127.0.0.1", "unix_socket_directories=",
            "shared_buffers=16MB",
        ]
        let settings = (own + options).map { "-c \($0)" }.joined(separator: " ")
        lifeline = try Lifeline(
            Self.script,
            [PostgresProgram.folder, folder.path, settings, PostgresProgram.waitSeconds],
            after: PostgresProgram.prefix)
        let text = String(decoding: lifeline.output.readDataToEndOfFile(), as: UTF8.self)
        guard let process = Int32(text.trimmingCharacters(in: .whitespacesAndNewlines)) else {
            let log = try? String(contentsOfFile: "\(folder.path)/log", encoding: .utf8)
            throw PostgresServer.NotStarted(log: String((log ?? text).suffix(1_000)))
        }
        self.process = process
    }

    /// Ends the server at once, without a checkpoint.
    func end(_ folder: PostgresFolder) {
        // One that is paused would not end.
        try? resume()
        _ = try? PostgresProgram.run(
            "pg_ctl", "-D", folder.data, "-m", "immediate", "-w", "-t", PostgresProgram.waitSeconds,
            "stop")
        lifeline.end("ended")
    }

    /// Stops the processes of the server.
    func pause() throws {
        var stopped: Set<Int32> = []
        // The first process starts the others.
        var next: Set = [process]
        while !next.isEmpty {
            for process in next { kill(process, SIGSTOP) }
            stopped.formUnion(next)
            next = try children().subtracting(stopped)
        }
    }

    /// Lets the processes of the server go on.
    func resume() throws {
        for process in try children().union([process]) { kill(process, SIGCONT) }
    }

    private func children() throws -> Set<Int32> {
        let path = "/proc/\(process)/task/\(process)/children"
        let text = try String(contentsOfFile: path, encoding: .utf8)
        return Set(text.split(separator: " ").compactMap { Int32($0) })
    }
}
