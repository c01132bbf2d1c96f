import Foundation
import Synchronization

@testable import BroadsheetStores

/// A proxy before a Redis server that repeats, delays, and drops replies.
struct ReplyProxy: KindOfProxy {
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
    fileprivate static let handshake = 8

    let proxy: TestProxy

    /// Starts a proxy before the server at `upstream`.
    init(upstream: UInt16, _ disturb: @escaping Disturb) throws {
        proxy = try TestProxy(upstream: upstream) { client, server in
            let replies = Mutex(Replies(disturb: disturb))
            TestProxy.pass(from: client, to: server)
            TestProxy.pass(from: server, to: client) { bytes in
                replies.withLock { bytes = $0.disturbed(bytes) }
                return true
            }
        }
    }

    /// The address of the proxy.
    var endpoint: RedisEndpoint {
        get throws { try RedisEndpoint(url: "redis://127.0.0.1:\(port)") }
    }

    /// The replies of a connection.
    private struct Replies {
        let disturb: Disturb
        private var received: [UInt8] = []
        private var delayed: [UInt8] = []
        private var count = 0

        init(disturb: @escaping Disturb) { self.disturb = disturb }

        /// Returns what is to be sent after further bytes of the server.
        mutating func disturbed(_ bytes: [UInt8]) -> [UInt8] {
            received += bytes
            var sent: [UInt8] = []
            while let length = RESPFrame.length(of: received[...]) {
                let reply = Array(received[..<length])
                received.removeFirst(length)
                count += 1
                // Messages are not replies.
                let isReply = reply.first != UInt8(ascii: ">") && count > ReplyProxy.handshake
                let disturbance = isReply ? disturb() : nil
                let held = delayed
                delayed = disturbance == .delayed ? reply : []
                switch disturbance {
                case nil: sent += reply + held
                case .duplicated: sent += reply + reply + held
                case .delayed, .dropped: sent += held
                }
            }
            return sent
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
