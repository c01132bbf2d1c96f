import Glibc

/// A redis-server in a folder of its own, which writes every write to its file before it answers.
final class RedisServer {
    let port: UInt16
    private let folder: String
    private var program: Program

    /// Starts one on a free port and waits until it serves.
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

    /// What `--store` calls it.
    var address: String { "redis://127.0.0.1:\(port)/0" }

    /// Ends it as a crash would.
    func kill() { program.end() }

    /// Starts it again, on the same port and with what its folder holds.
    func restart() throws {
        kill()
        let deadline = Deadline.within()
        repeat {
            program = try Self.start(in: folder, port)
            if Self.isReady(program) { return }
        } while !deadline.hasPassed
        throw HarnessError("redis-server does not come back: \(program.output.text)")
    }

    private static func start(in folder: String, _ port: UInt16) throws -> Program {
        try Program([
            "redis-server", "--port", "\(port)", "--bind", "127.0.0.1", "--dir", folder,
            "--save", "", "--appendonly", "yes", "--appendfsync", "always", "--daemonize", "no",
        ])
    }

    /// Waits until it serves what its folder holds; false when it ends instead, as it does when
    /// somebody else has its port.
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
