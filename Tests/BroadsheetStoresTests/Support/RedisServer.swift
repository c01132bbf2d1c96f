import Foundation
import Glibc
import Synchronization

@testable import BroadsheetStores

/// A redis-server with a free port and a folder of its own.
///
/// It ends with the object, and with the process that runs the tests, in any case.
final class RedisServer: Sendable {
    let port: UInt16
    private let folder: URL
    private let options: [String]
    private let run: Mutex<RedisRun>

    /// Starts a server, on another port if the first one was taken by another program.
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

    /// Returns the address of the server.
    func endpoint(
        user: String? = nil, password: String? = nil, database: Int = 0
    ) throws -> RedisEndpoint {
        var endpoint = try RedisEndpoint(url: "redis://127.0.0.1:\(port)/\(database)")
        endpoint.user = user
        endpoint.password = password
        return endpoint
    }

    /// Ends the server as a crash does.
    func kill() { run.withLock { $0.end() } }

    /// Starts it again on the same port, with its data on the disk.
    func restart() throws {
        kill()
        // Another program that looks for a free port may hold this one for a moment.
        for _ in 0..<100 {
            guard let next = try RedisRun(port: port, folder: folder, options) else { continue }
            return run.withLock { $0 = next }
        }
        throw NotStarted()
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

    /// The server did not become ready.
    ///
    /// Is redis-server installed? `make deps` installs it.
    struct NotStarted: Error {}
}

/// A run of a server, from its start to its end.
struct RedisRun: Sendable {
    private static let launching = Mutex(())
    private let process: Int32
    /// A pipe whose closing, explicit or at the end of this process, ends the server.
    private let lifeline: Pipe

    /// Starts a server and waits until it is ready; `nil` if it ends instead, as it does if the
    /// port is in use.
    init?(port: UInt16, folder: URL, _ options: [String]) throws {
        let own = [
            "--port", "\(port)", "--bind", "127.0.0.1", "--dir", folder.path, "--save", "",
        ]
        // One at a time: a copy of the pipe in another child would keep it open.
        let (output, lifeline) = try Self.launching.withLock { _ in try Self.launch(own + options) }
        guard let process = Self.waitUntilReady(output.fileHandleForReading) else { return nil }
        self.process = process
        self.lifeline = lifeline
    }

    private static func launch(_ options: [String]) throws -> (output: Pipe, lifeline: Pipe) {
        let (output, lifeline) = (Pipe(), Pipe())
        for pipe in [output, lifeline] { pipe.closeOnLaunch() }
        // The shell waits for the server only at the end, so that the process ID remains valid.
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

    /// Reads the output of the server until it is ready.
    ///
    /// Later output is ignored.
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
    /// Prevents programs that this process starts from inheriting the pipe, except as their
    /// standard input or output.
    fileprivate func closeOnLaunch() {
        for handle in [fileHandleForReading, fileHandleForWriting] {
            _ = fcntl(handle.fileDescriptor, F_SETFD, FD_CLOEXEC)
        }
    }
}

/// Returns a port that no program listens on at this moment.
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
