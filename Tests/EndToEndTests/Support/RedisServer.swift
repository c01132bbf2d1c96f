import Glibc
import TestSupport

/// A redis-server that syncs every write to its append-only file before it replies.
final class RedisServer {
    let port: UInt16
    private let folder: String
    private var program: Program

    /// Starts a server on a free port and waits until it accepts connections.
    init(folder: String) throws {
        var words = ""
        for _ in 0..<FreePort.attempts {
            let port = try FreePort.any()
            let program = try Self.start(in: folder, port)
            if Self.isReady(program) {
                (self.port, self.folder, self.program) = (port, folder, program)
                return
            }
            words = program.output.text + program.errors.text
        }
        throw HarnessError("redis-server does not start: \(words)")
    }

    deinit { kill() }

    /// The value of `--store` for this server.
    var address: String { "redis://127.0.0.1:\(port)/0" }

    /// Ends the server with SIGKILL, as a crash would.
    func kill() { program.end() }

    /// Starts the server again on the same port, with the data in its folder.
    func restart() throws {
        kill()
        let deadline = Deadline.within()
        repeat {
            program = try Self.start(in: folder, port)
            if Self.isReady(program) { return }
        } while !deadline.hasPassed
        throw HarnessError("redis-server does not start again: \(program.output.text)")
    }

    /// Changes a setting of the running server.
    func configure(_ name: String, _ value: String) throws {
        try send("CONFIG", "SET", name, value)
    }

    /// Sends a command to the running server, which replies `OK`.
    func send(_ words: String...) throws {
        let outcome = try Shell.run(["redis-cli", "-h", "127.0.0.1", "-p", "\(port)"] + words)
        guard outcome.output.hasPrefix("OK") else {
            throw HarnessError("\(words): \(outcome.output)\(outcome.errors)")
        }
    }

    private static func start(in folder: String, _ port: UInt16) throws -> Program {
        try Program([
            "redis-server", "--port", "\(port)", "--bind", "127.0.0.1", "--dir", folder,
            "--save", "", "--appendonly", "yes", "--appendfsync", "always", "--daemonize", "no",
        ])
    }

    /// Waits until the server has loaded its data and accepts connections; returns `false` if it
    /// ends instead, for example because its port is taken.
    private static func isReady(_ program: Program) -> Bool {
        do {
            _ = try program.output.line { $0.contains("Ready to accept connections") }
            return true
        } catch {
            program.end()
            return false
        }
    }
}
