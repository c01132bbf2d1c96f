import Foundation
import Glibc
import Synchronization

@testable import BroadsheetStores

/// A server that replies as a test specifies, and records the commands.
final class FakeRedis: Sendable {
    /// The reaction to a command.
    enum Reaction {
        /// Sends these bytes, with the last argument of the command, as a bulk string, in place of
        /// ``FakeRedis/marker``.
        case reply(String)
        /// Sends nothing.
        case silence
        /// Closes the connection.
        case hangUp
        /// Forwards the command to the real server behind this one.
        case pass
    }

    /// The place of the marker in a reply (``RedisMarker``).
    static let marker = "<marker>"

    typealias Script = @Sendable ([String]) -> Reaction

    let port: UInt16
    private let socket: TestSocket
    private let script: Mutex<Script>
    private let upstream: UInt16?
    private let received = Mutex<[[String]]>([])
    private let connections = Mutex<[TestSocket]>([])

    /// Starts a server; `upstream` is the port of the real one behind it, if any.
    init(upstream: UInt16? = nil, _ script: @escaping Script) throws {
        (socket, port) = try TestSocket.listening()
        self.script = Mutex(script)
        self.upstream = upstream
        Thread.detachNewThread { [self] in
            while let connection = socket.accept() {
                connections.withLock { $0.append(connection) }
                Thread.detachNewThread { self.serve(connection) }
            }
        }
    }

    /// Replaces the script.
    func change(_ script: @escaping Script) { self.script.withLock { $0 = script } }

    /// The commands so far.
    var commands: [[String]] { received.withLock { $0 } }

    /// The address of the server.
    var endpoint: RedisEndpoint {
        get throws { try RedisEndpoint(url: "redis://127.0.0.1:\(port)") }
    }

    /// Stops the server and closes all connections.
    func stop() {
        socket.shutDown()
        for connection in connections.withLock({ $0 }) { connection.shutDown() }
    }

    private func serve(_ connection: TestSocket) {
        let behind = upstream.flatMap { try? TestSocket.connected(to: $0) }
        if let behind {
            Thread.detachNewThread {
                while case let bytes = behind.receive(), !bytes.isEmpty { connection.send(bytes) }
            }
        }
        var parser = RESPParser()
        while case let bytes = connection.receive(), !bytes.isEmpty {
            bytes.withUnsafeBytes { parser.feed($0) }
            while let command = (try? parser.next())??.elements?.compactMap(\.bytes) {
                guard react(to: command, connection, behind) else { return connection.shutDown() }
            }
        }
        behind?.shutDown()
    }

    private func react(
        to command: [[UInt8]], _ connection: TestSocket, _ behind: TestSocket?
    ) -> Bool {
        let words = command.map { String(decoding: $0, as: UTF8.self) }
        received.withLock { $0.append(words) }
        switch script.withLock({ $0 })(words) {
        case .reply(let text):
            let last = words.last ?? ""
            let bulk = "$\(last.utf8.count)\r\n\(last)"
            connection.send(Array(text.replacing(Self.marker, with: bulk).utf8))
        case .silence: break
        case .hangUp: return false
        case .pass: behind?.send(RESPCommand(command).bytes)
        }
        return true
    }
}

extension FakeRedis {
    /// Returns a script that performs the handshake as a real server does and passes other commands
    /// to `rest`; `instead` precedes it if it returns a reaction.
    static func greeting(
        instead: @escaping @Sendable ([String]) -> Reaction? = { _ in nil },
        _ rest: @escaping Script
    ) -> Script {
        { command in
            if let reaction = instead(command) { return reaction }
            return switch command.first {
            case "HELLO": .reply("%1\r\n+role\r\n+master\r\n")
            case "SELECT": .reply("+OK\r\n")
            case "INFO": .reply("+run_id:1\r\n")
            case "EXISTS" where command.last == RedisKeys.identity: .reply(":1\r\n")
            case "SUBSCRIBE": .reply(">3\r\n+subscribe\r\n+channel\r\n:1\r\n")
            case "EVAL" where command[1...2] == [RedisMarker.script, "0"]:
                .reply("\(marker)\r\n")
            default: rest(command)
            }
        }
    }
}

/// A blocking TCP socket on this machine, for fake servers.
final class TestSocket: Sendable {
    struct Failed: Error {}

    private let descriptor: Int32

    init(owning descriptor: Int32) { self.descriptor = descriptor }

    deinit { close(descriptor) }

    /// Returns a socket that listens on a free port.
    static func listening() throws -> (socket: TestSocket, port: UInt16) {
        let socket = TestSocket(
            owning: Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0))
        var address = loopback(port: 0)
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let result = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(socket.descriptor, $0, size) | listen(socket.descriptor, 64)
                    | getsockname(socket.descriptor, $0, &size)
            }
        }
        guard result == 0 else { throw Failed() }
        return (socket, UInt16(bigEndian: address.sin_port))
    }

    /// Connects to a port.
    static func connected(to port: UInt16) throws -> TestSocket {
        let socket = TestSocket(
            owning: Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0))
        var address = loopback(port: port)
        let result = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(socket.descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard result == 0 else { throw Failed() }
        return socket
    }

    /// Waits for the next connection; `nil` after the socket was shut down.
    func accept() -> TestSocket? {
        let accepted = Glibc.accept(descriptor, nil, nil)
        return accepted < 0 ? nil : TestSocket(owning: accepted)
    }

    /// Waits for bytes; returns none at the end.
    func receive() -> [UInt8] {
        var buffer = [UInt8](repeating: 0, count: 64 * 1024)
        let count = recv(descriptor, &buffer, buffer.count, 0)
        return count > 0 ? Array(buffer[..<count]) : []
    }

    /// Sends all bytes, unless the connection is closed.
    func send(_ bytes: [UInt8]) {
        var sent = 0
        while sent < bytes.count {
            let count = bytes[sent...].withUnsafeBytes {
                Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
            }
            guard count > 0 else { return }
            sent += count
        }
    }

    /// Ends the connection in both directions and wakes any waiting thread.
    func shutDown() { _ = shutdown(descriptor, Int32(SHUT_RDWR)) }

    private static func loopback(port: UInt16) -> sockaddr_in {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        return address
    }
}
