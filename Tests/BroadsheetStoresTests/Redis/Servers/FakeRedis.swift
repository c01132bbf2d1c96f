import Foundation
import Synchronization

@testable import BroadsheetStores

/// A server that replies commands as a test says, and keeps what it was asked.
final class FakeRedis: Sendable {
    /// What is done about a command.
    enum Reaction {
        /// These bytes are sent.
        case reply(String)
        /// Nothing is.
        case silence
        /// The connection is ended.
        case hangUp
        /// The real server behind this one replies.
        case pass
    }

    typealias Script = @Sendable ([String]) -> Reaction

    let port: UInt16
    private let socket: TestSocket
    private let script: Mutex<Script>
    private let upstream: UInt16?
    private let heard = Mutex<[[String]]>([])
    private let connections = Mutex<[TestSocket]>([])

    /// Starts a server; `upstream` is the port of the real one behind it, if any.
    init(upstream: UInt16? = nil, _ script: @escaping Script) throws {
        (socket, port) = try TestSocket.observer()
        self.script = Mutex(script)
        self.upstream = upstream
        Thread.detachNewThread { [self] in
            while let connection = socket.accept() {
                connections.withLock { $0.append(connection) }
                Thread.detachNewThread { self.serve(connection) }
            }
        }
    }

    /// Replies otherwise from now on.
    func change(_ script: @escaping Script) { self.script.withLock { $0 = script } }

    /// All commands so far.
    var commands: [[String]] { heard.withLock { $0 } }

    /// Where the server is.
    var endpoint: RedisEndpoint {
        get throws { try RedisEndpoint(url: "redis://127.0.0.1:\(port)") }
    }

    /// Ends it and all its connections.
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
        heard.withLock { $0.append(words) }
        switch script.withLock({ $0 })(words) {
        case .reply(let text): connection.send(Array(text.utf8))
        case .silence: break
        case .hangUp: return false
        case .pass: behind?.send(RESPCommand(command).bytes)
        }
        return true
    }
}

extension FakeRedis {
    /// Replies what a connection is opened with as a real server does, and leaves the rest to `rest`;
    /// `instead` goes first where it has something to say.
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
            default: rest(command)
            }
        }
    }
}
