import Foundation
import Synchronization

@testable import BroadsheetStores

/// A proxy before a Redis server that repeats, delays, and drops replies.
final class ReplyProxy: Sendable {
    /// The treatment of a reply.
    enum Disturbance: CaseIterable {
        /// The reply is sent twice.
        case duplicated
        /// The reply is sent after the next one.
        case delayed
        /// The reply is not sent.
        case dropped
    }

    /// A function that returns the disturbance of the next reply, or `nil` for none.
    typealias Disturb = @Sendable () -> Disturbance?

    /// The number of replies at the beginning of a connection that are forwarded as they are: those
    /// of the handshake.
    private static let handshake = 8

    let port: UInt16
    private let socket: TestSocket
    private let upstream: UInt16
    private let disturb: Disturb
    private let connections = Mutex<[TestSocket]>([])

    /// Starts a proxy before the server at `upstream`.
    init(upstream: UInt16, _ disturb: @escaping Disturb) throws {
        (socket, port) = try TestSocket.listening()
        self.upstream = upstream
        self.disturb = disturb
        Thread.detachNewThread { [self] in
            while let connection = socket.accept() { forward(connection) }
        }
    }

    /// The address of the proxy.
    var endpoint: RedisEndpoint {
        get throws { try RedisEndpoint(url: "redis://127.0.0.1:\(port)") }
    }

    /// Stops the proxy and closes all connections.
    func stop() {
        socket.shutDown()
        for connection in connections.withLock({ $0 }) { connection.shutDown() }
    }

    private func forward(_ client: TestSocket) {
        guard let server = try? TestSocket.connected(to: upstream) else { return client.shutDown() }
        connections.withLock { $0 += [client, server] }
        Thread.detachNewThread {
            while case let bytes = client.receive(), !bytes.isEmpty { server.send(bytes) }
            server.shutDown()
        }
        Thread.detachNewThread { [self] in
            forwardReplies(from: server, to: client)
            client.shutDown()
        }
    }

    private func forwardReplies(from server: TestSocket, to client: TestSocket) {
        var bytes: [UInt8] = []
        var delayed: [UInt8] = []
        var count = 0
        while case let received = server.receive(), !received.isEmpty {
            bytes += received
            while let length = RESPFrame.length(of: bytes[...]) {
                let reply = Array(bytes[..<length])
                bytes.removeFirst(length)
                count += 1
                // Messages are not replies.
                let isReply = reply.first != UInt8(ascii: ">") && count > Self.handshake
                let disturbance = isReply ? disturb() : nil
                let held = delayed
                delayed = disturbance == .delayed ? reply : []
                switch disturbance {
                case nil: client.send(reply + held)
                case .duplicated: client.send(reply + reply + held)
                case .delayed, .dropped: client.send(held)
                }
            }
        }
    }
}

/// The extent of values in the bytes of a Redis server.
enum RESPFrame {
    /// Returns the length of the first value, or `nil` if it is incomplete.
    static func length(of bytes: ArraySlice<UInt8>) -> Int? {
        end(of: bytes, at: bytes.startIndex).map { $0 - bytes.startIndex }
    }

    private static func end(of bytes: ArraySlice<UInt8>, at start: Int) -> Int? {
        guard start < bytes.endIndex, let line = bytes[start...].firstIndex(of: UInt8(ascii: "\n"))
        else { return nil }
        var end = line + 1
        let number = Int(String(decoding: bytes[(start + 1)..<(line - 1)], as: UTF8.self)) ?? -1
        switch bytes[start] {
        case UInt8(ascii: "$"), UInt8(ascii: "!"), UInt8(ascii: "="):
            if number >= 0 { end += number + 2 }
            return end <= bytes.endIndex ? end : nil
        case UInt8(ascii: "*"), UInt8(ascii: "~"), UInt8(ascii: ">"), UInt8(ascii: "%"):
            let count = bytes[start] == UInt8(ascii: "%") ? 2 * number : number
            for _ in 0..<max(0, count) {
                guard let next = Self.end(of: bytes, at: end) else { return nil }
                end = next
            }
            return end
        default: return end
        }
    }
}
