import Foundation
import Glibc
import Synchronization
import TestSupport

@testable import BroadsheetStores

/// A redis-server with a free port and a folder of its own.
///
/// It ends with the object, and with the process that runs the tests, in any case.
final class RedisServer: Sendable {
    let port: UInt16
    private let folder: URL
    private let options: [String]
    private let tls: ServerTLS?
    private let run: Mutex<RedisRun?>

    /// Starts a server, on another port if the first one was taken by another program.
    init(_ options: [String] = [], tls: ServerTLS? = nil) throws {
        self.tls = tls
        folder = FileManager.default.temporaryDirectory
            .appendingPathComponent("broadsheet-redis-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        self.options = options
        let (port, run) = try FreePort.attempt { [folder] in
            let port = try FreePort.any()
            return (port, try Self.run(port, folder, options, tls))
        }
        self.port = port
        self.run = Mutex(run)
    }

    deinit {
        kill()
        try? FileManager.default.removeItem(at: folder)
    }

    private static func run(
        _ port: UInt16, _ folder: URL, _ options: [String], _ tls: ServerTLS?
    ) throws -> RedisRun {
        let own = [
            "--port", "\(port)", "--bind", "127.0.0.1", "--dir", folder.path, "--save", "",
        ]
        return try RedisRun(own + (tls?.options(port: port) ?? []) + options)
    }

    /// Returns the address of the server; with TLS, the authority of its certificate is trusted.
    func endpoint(
        user: String? = nil, password: String? = nil, database: Int = 0
    ) throws -> RedisEndpoint {
        let scheme = tls == nil ? "redis" : "rediss"
        var endpoint = try RedisEndpoint(url: "\(scheme)://127.0.0.1:\(port)/\(database)")
        if tls != nil { endpoint.tls?.ca = try Certificates.shared.path("ca.pem") }
        endpoint.user = user
        endpoint.password = password
        return endpoint
    }

    /// Ends the server as a crash does.
    func kill() {
        run.withLock { run in
            run?.end()
            run = nil
        }
    }

    /// Starts it again on the same port, with its data on the disk.
    func restart() throws {
        kill()
        // Another program that looks for a free port may hold this one for a moment.
        let next = try FreePort.attempt(100) { try Self.run(port, folder, options, tls) }
        run.withLock { $0 = next }
    }

    /// Cuts the end of the append-only file of a server that does not run, as after a write that
    /// was interrupted.
    ///
    /// - Parameter choose: Returns the new size, within the range of possible ones.
    /// - Returns: The new size, in bytes.
    func cutAppendOnlyFile(to choose: (ClosedRange<Int>) -> Int) throws -> Int {
        struct NoFile: Error {}
        let names = FileManager.default.enumerator(atPath: folder.path)
        while let name = names?.nextObject() as? String {
            // Since version 7 a folder has the file in parts, and the last writes are in this one.
            guard name.hasSuffix(".incr.aof") || name == "appendonly.aof" else { continue }
            let file = try FileHandle(forUpdating: folder.appendingPathComponent(name))
            let size = choose(0...Int(clamping: try file.seekToEnd()))
            try file.truncate(atOffset: UInt64(size))
            try file.close()
            return size
        }
        throw NoFile()
    }
}

/// A run of a server, from its start to its end.
struct RedisRun: Sendable {
    /// A server or a Sentinel did not become ready.
    ///
    /// Is redis-server installed? `make deps` installs it.
    struct NotStarted: Error {
        /// The output, or what was waited for.
        let output: String
    }

    private let process: Int32
    private let lifeline: Lifeline

    /// Starts a server or a Sentinel with these arguments, and waits until it is ready.
    ///
    /// - Throws: ``NotStarted`` if it ends instead, as it does if the port is in use.
    init(_ arguments: [String]) throws {
        // The shell waits for the server only at the end, so that the process ID remains valid.
        lifeline = try Lifeline(
            """
            redis-server "$@" & echo "pid $!"; exec >/dev/null 2>&1; read _; kill -9 $!; wait $!
            """, arguments)
        process = try Self.waitUntilReady(lifeline.output)
        // A server does not wait for a reader of what it prints later.
        try? lifeline.output.close()
    }

    /// Ends the server at once, and waits until it has ended, so that its port is free: a write
    /// to a busy disk delays the end.
    func end() {
        Glibc.kill(process, SIGKILL)
        lifeline.end("end")
        lifeline.waitForEnd()
    }

    /// Reads the output of the shell and the server until both have printed what is needed: a
    /// server that is ready before the shell has printed its process ID would otherwise go on
    /// without them, and keep the port.
    ///
    /// Later output is ignored.
    private static func waitUntilReady(_ output: FileHandle) throws -> Int32 {
        var text = ""
        while case let bytes = output.availableData, !bytes.isEmpty {
            text += String(decoding: bytes, as: UTF8.self)
            let line = text.split(separator: "\n").first { $0.hasPrefix("pid ") }
            // The second is the last line of a Sentinel's start.
            guard let process = line.flatMap({ Int32($0.dropFirst(4)) }),
                text.contains("Ready to accept connections") || text.contains("+monitor master")
            else { continue }
            return process
        }
        throw NotStarted(output: text)
    }
}
