import BroadsheetIO
import Foundation
import Synchronization
import TestSupport
import Testing

@testable import BroadsheetStores

@Suite("A connection to a Redis server", .timeLimit(.minutes(hangMinutes)))
struct RedisConnectionTests {
    /// Holds a connection for its loop.
    private final class Holder: @unchecked Sendable {
        // Unchecked: used on the loop's thread only.
        var connection: RedisConnection?
    }

    /// Makes a connection on a loop, passes it to `use` there, and returns the reason for its end.
    private func end(
        of port: UInt16, maxUnsent: Int = RedisConnection.Limits().unsent,
        memory: MemoryBudget? = nil,
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
                    to: address, on: loop, limits: RedisConnection.Limits(unsent: maxUnsent),
                    events: events)
                if let memory { made?.transfer(to: events, chargingTo: memory) }
                holder.connection = made
                if let made { use(made) } else { done.resume(returning: "not made") }
            }
        }
        group.stop()
        await group.waitForEnd()
        return reason
    }

    @Test("A connection ends if more bytes wait for a server than its limit")
    func unsentLimit() async throws {
        let (socket, port) = try TestSocket.listening()
        let reason = try await end(of: port, maxUnsent: 1 << 20) { connection in
            for _ in 0..<17 { connection.send([UInt8](repeating: 1, count: 1 << 16)) }
        }
        #expect(reason == "the server accepts no data")
        socket.shutDown()
    }

    @Test("A connection sends all bytes in order to a slow server")
    func backpressure() async throws {
        let (socket, port) = try TestSocket.listening()
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
        "A connection receives all values before its end, any number and after any time",
        arguments: [0, 1, 65_536, 65_537, 3_000_000])
    func end(length: Int) async throws {
        let (socket, port) = try TestSocket.listening()
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

    @Test("A large reply is charged to the budget while it arrives, and a request until it is sent")
    func memory() async throws {
        let (socket, port) = try TestSocket.listening()
        let budget = MemoryBudget(limit: 1 << 20)
        let length = 4 << 20
        Thread.detachNewThread {
            let peer = socket.accept()
            var count = 0
            while count < length, let bytes = peer?.receive(), !bytes.isEmpty {
                count += bytes.count
            }
            peer?.send(Array("*2\r\n$\(length)\r\n".utf8))
            peer?.send([UInt8](repeating: 1, count: length))
            peer?.send(Array("\r\n:2\r\n".utf8))
            peer?.shutDown()
        }
        let charged = Mutex<[Int]>([])
        let note: @Sendable () -> Void = {
            charged.withLock { $0.append(budget.statistics.used(by: .store)) }
        }
        let reason = try await end(of: port, memory: budget, received: { _ in note() }) {
            $0.send([UInt8](repeating: 1, count: length))
            note()
        }
        #expect(reason == "the server has closed the connection")
        #expect(charged.withLock { $0.count == 2 && $0.allSatisfy { $0 >= length } })
        #expect(budget.statistics.total == 0)
    }

    @Test("A connection to a port without a listener ends with the reason")
    func refused() async throws {
        let reason = try await end(of: FreePort.any()) { _ in }
        #expect(reason.contains("refused"))
    }
}

@Suite("The delays between connection attempts")
struct RedisReconnectDelayTests {
    @Test(
        "Delays double up to two seconds, each between half and all of the value", arguments: 0..<50
    )
    func bounds(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        var delay = RedisReconnectDelay()
        var whole = RedisReconnectDelay.first
        for attempt in 0..<100 {
            let pause = delay.next(using: &generator)
            #expect(pause >= whole / 2 && pause <= whole, "seed \(seed), attempt \(attempt)")
            whole = min(whole * 2, RedisReconnectDelay.longest)
        }
        delay.reset()
        #expect(delay.next(using: &generator) <= RedisReconnectDelay.first, "seed \(seed)")
    }

    @Test("Sentinels are asked again after 0.1 to 1 s", arguments: 0..<50)
    func betweenSentinels(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        var delay = RedisReconnectDelay.betweenSentinels
        let pauses = (0..<20).map { _ in delay.next(using: &generator) }
        #expect(pauses.allSatisfy { (.milliseconds(100) ... .seconds(1)).contains($0) })
        #expect(pauses[0] <= .milliseconds(200) && pauses[10] >= .milliseconds(500))
    }

    @Test("Delays differ between two daemons")
    func jitter() {
        var (one, two) = (SeededGenerator(seed: 1), SeededGenerator(seed: 2))
        var (first, second) = (RedisReconnectDelay(), RedisReconnectDelay())
        let pauses = (0..<10).map { _ in first.next(using: &one) != second.next(using: &two) }
        #expect(pauses.contains(true))
    }
}
