import BroadsheetIO
import Foundation
import Synchronization
import Testing

@testable import BroadsheetStores

@Suite("A connection to a Redis server", .timeLimit(.minutes(1)))
struct RedisConnectionTests {
    /// Keeps a connection for its loop.
    private final class Holder: @unchecked Sendable {
        // Unchecked: touched on the loop's thread only.
        var connection: RedisConnection?
    }

    /// Makes a connection on a loop of its own, has `use` use it there, and replies why it ended.
    private func end(
        of port: UInt16, maxUnsent: Int = RedisConnection.maxUnsent,
        received: @escaping @Sendable (RESPValue) -> Void = { _ in },
        _ use: @escaping @Sendable (RedisConnection) -> Void
    ) async throws -> String {
        let group = try EventLoopGroup(count: 1)
        let loop = group.loops[0]
        let address = try SocketAddress(host: "127.0.0.1", port: port)
        let holder = Holder()
        let reason: String = await withCheckedContinuation { done in
            loop.submit {
                let events = RedisConnection.Events(
                    connected: {}, received: received,
                    ended: { reason in
                        holder.connection = nil
                        done.resume(returning: reason)
                    })
                let made = try? RedisConnection(
                    to: address, on: loop, maxUnsent: maxUnsent, events: events)
                holder.connection = made
                if let made { use(made) } else { done.resume(returning: "not made") }
            }
        }
        group.stop()
        await group.waitForEnd()
        return reason
    }

    @Test("is ended when more waits for a server that takes nothing than its limit")
    func unsentLimit() async throws {
        let (socket, port) = try TestSocket.observer()
        let reason = try await end(of: port, maxUnsent: 1 << 20) { connection in
            for _ in 0..<17 { connection.send([UInt8](repeating: 1, count: 1 << 16)) }
        }
        #expect(reason == "the server takes nothing")
        socket.shutDown()
    }

    @Test("sends all in order, however slowly the server takes it")
    func backpressure() async throws {
        let (socket, port) = try TestSocket.observer()
        let pieces = (0..<200).map { [UInt8](repeating: UInt8($0), count: 1 + $0 * 997) }
        let expected = Array(pieces.joined())
        async let received: [UInt8] = withCheckedContinuation { done in
            Thread.detachNewThread {
                var bytes: [UInt8] = []
                let peer = socket.accept()
                while let peer, bytes.count < expected.count { bytes += peer.receive() }
                peer?.shutDown()
                done.resume(returning: bytes)
            }
        }
        let reason = try await end(of: port) { connection in
            for piece in pieces { connection.send(piece) }
        }
        #expect(await received == expected)
        #expect(reason == "the server has closed the connection")
    }

    @Test(
        "takes all that came before its end, however much and however long ago",
        arguments: [0, 1, 65_536, 65_537, 3_000_000])
    func end(length: Int) async throws {
        let (socket, port) = try TestSocket.observer()
        Thread.detachNewThread {
            let peer = socket.accept()
            peer?.send(
                Array("$\(length)\r\n".utf8) + [UInt8](repeating: 1, count: length) + [13, 10])
            peer?.shutDown()
        }
        let received = Mutex(0)
        let reason = try await end(
            of: port,
            received: { value in
                received.withLock { $0 += value.bytes?.count ?? -1 }
            }
        ) { _ in }
        #expect(reason == "the server has closed the connection")
        #expect(received.withLock { $0 } == length)
    }

    @Test("to a port that nobody listens on ends with the reason")
    func refused() async throws {
        let reason = try await end(of: freePort()) { _ in }
        #expect(reason.contains("refused"))
    }
}
