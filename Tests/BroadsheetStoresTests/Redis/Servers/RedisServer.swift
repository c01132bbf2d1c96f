import Foundation
import Glibc
import Synchronization

@testable import BroadsheetStores

/// A redis-server of a test's own, on a free port of this machine, in a folder of its own.
///
/// It ends with the object, and with the process that runs the tests, however that ends.
final class RedisServer: Sendable {
    let port: UInt16
    private let folder: URL
    private let options: [String]
    private let run: Mutex<RedisRun>

    /// Starts a server; takes another port when somebody else is quicker to take the first.
    init(_ options: [String] = []) throws {
        folder = FileManager.default.temporaryDirectory
            .appendingPathComponent("broadsheet-redis-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        self.options = options
        for _ in 0..<5 {
            let port = try freePort()
            guard let run = try RedisRun(port: port, folder: folder, options) else { continue }
            self.port = port
            self.run = Mutex(run)
            return
        }
        throw NotStarted()
    }

    deinit {
        run.withLock { $0.end() }
        try? FileManager.default.removeItem(at: folder)
    }

    /// Where the server is.
    func endpoint(
        user: String? = nil, password: String? = nil, database: Int = 0
    ) throws -> RedisEndpoint {
        var endpoint = try RedisEndpoint(url: "redis://127.0.0.1:\(port)/\(database)")
        endpoint.user = user
        endpoint.password = password
        return endpoint
    }

    /// Ends the server as a crash would.
    func kill() { run.withLock { $0.end() } }

    /// Starts it again on the same port, with what it has on the disk.
    func restart() throws {
        kill()
        // Another program may hold the port for a moment, as whoever looks for a free one does.
        for _ in 0..<100 {
            guard let next = try RedisRun(port: port, folder: folder, options) else { continue }
            return run.withLock { $0 = next }
        }
        throw NotStarted()
    }

    /// The server did not get ready.
    ///
    /// Is redis-server installed? `make deps` does that.
    struct NotStarted: Error {}
}

/// One run of a server, from its start to its end.
struct RedisRun: Sendable {
    private static let launching = Mutex(())
    private let process: Int32
    /// Closing it, as the end of this process does, ends the server.
    private let lifeline: Pipe

    /// Waits until the server says that it is ready; nil when it ends instead, as it does when the
    /// port is taken.
    init?(port: UInt16, folder: URL, _ options: [String]) throws {
        let own = [
            "--port", "\(port)", "--bind", "127.0.0.1", "--dir", folder.path, "--save", "",
        ]
        // One at a time: a copy of a pipe's end in another child would keep the pipe open.
        let (output, lifeline) = try Self.launching.withLock { _ in try Self.launch(own + options) }
        guard let process = Self.waitUntilReady(output.fileHandleForReading) else { return nil }
        self.process = process
        self.lifeline = lifeline
    }

    private static func launch(_ options: [String]) throws -> (output: Pipe, lifeline: Pipe) {
        let (output, lifeline) = (Pipe(), Pipe())
        for pipe in [output, lifeline] { pipe.closeOnLaunch() }
        // The shell does not wait for the server before the end, so that its process id stays its own.
        let script = """
            redis-server "$@" & echo "pid $!"; exec >/dev/null 2>&1; read _; kill -9 $!
            """
        let launcher = Process()
        launcher.executableURL = URL(fileURLWithPath: "/bin/sh")
        launcher.arguments = ["-c", script, "sh"] + options
        launcher.standardInput = lifeline
        launcher.standardOutput = output
        launcher.standardError = output
        try launcher.run()
        return (output, lifeline)
    }

    /// Ends the server at once.
    func end() {
        Glibc.kill(process, SIGKILL)
        try? lifeline.fileHandleForWriting.close()
    }

    /// Reads what the server prints until it is ready; what it says later nobody hears, which a
    /// server puts up with.
    private static func waitUntilReady(_ output: FileHandle) -> Int32? {
        var text = ""
        while case let bytes = output.availableData, !bytes.isEmpty {
            text += String(decoding: bytes, as: UTF8.self)
            guard text.contains("Ready to accept connections") else { continue }
            let line = text.split(separator: "\n").first { $0.hasPrefix("pid ") }
            return line.flatMap { Int32($0.dropFirst(4)) }
        }
        return nil
    }
}

extension Pipe {
    /// Keeps both ends from being handed down to the programs that this one starts, but as their
    /// standard input or output.
    fileprivate func closeOnLaunch() {
        for handle in [fileHandleForReading, fileHandleForWriting] {
            _ = fcntl(handle.fileDescriptor, F_SETFD, FD_CLOEXEC)
        }
    }
}

/// A port that nobody listens on at this moment.
func freePort() throws -> UInt16 {
    struct NoPort: Error {}
    let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    defer { close(descriptor) }
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    let result = withUnsafeMutablePointer(to: &address) { pointer in
        pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
            bind(descriptor, $0, size) | getsockname(descriptor, $0, &size)
        }
    }
    guard descriptor >= 0, result == 0 else { throw NoPort() }
    return UInt16(bigEndian: address.sin_port)
}
