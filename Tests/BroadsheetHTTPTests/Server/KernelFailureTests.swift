import Glibc
import Testing
import TestSupport

@testable import BroadsheetHTTP
@testable import BroadsheetIO

@Suite("Failing system calls", .timeLimit(.minutes(hangMinutes)))
struct KernelFailureTests {
    @Test("Sends that take a byte at a time still send everything, in order")
    func shortWrites() async throws {
        try await withServer(syscalls: .sending(atMost: 1)) { bench in
            let client = try bench.connect()
            try client.send(get("/hello") + get("/yield?second"))
            #expect(try await client.response().text == "hello")
            #expect(try await client.response().text == "second")
        }
    }

    @Test("Calls that signals interrupt (EINTR) are repeated")
    func interrupted() async throws {
        let calls = Recorder<Bool>()
        @Sendable func isInterrupted() -> Bool {
            calls.record(true)
            return !calls.count.isMultiple(of: 3)
        }
        var syscalls = Syscalls.system
        syscalls.send = { socket, first, second in
            isInterrupted()
                ? Syscalls.interrupted : Syscalls.system.send(socket, first, second)
        }
        syscalls.receive = { socket, buffer in
            isInterrupted() ? Syscalls.interrupted : Syscalls.system.receive(socket, buffer)
        }
        try await withServer(syscalls: syscalls) { bench in
            let client = try bench.connect()
            for _ in 0..<20 {
                try client.send(get("/hello"))
                #expect(try await client.response().text == "hello")
            }
            client.close()
            try await bench.settle()
        }
    }

    @Test(
        "A send that fails ends that connection and no other",
        arguments: [
            EPIPE, ECONNRESET, ENOBUFS, ETIMEDOUT,
        ])
    func failedSend(code: Int32) async throws {
        let isFailing = Flag()
        var syscalls = Syscalls.system
        syscalls.send = { socket, first, second in
            isFailing.isRaised ? -Int(code) : Syscalls.system.send(socket, first, second)
        }
        try await withServer(syscalls: syscalls) { bench in
            let other = try bench.connect()
            try await bench.settle(.idle)
            isFailing.isRaised = true
            let client = try bench.connect()
            try client.send(get("/hello"))
            #expect(try await client.end() == .reset)
            try await bench.settle(.idle)
            #expect(bench.handler.exchanges.values.map(\.isComplete) == [false])
            isFailing.isRaised = false
            try other.send(get("/hello"))
            #expect(try await other.response().status == 200)
        }
    }

    @Test("A receive that fails ends that connection", arguments: [ECONNRESET, ETIMEDOUT, ENOMEM])
    func failedReceive(code: Int32) async throws {
        var syscalls = Syscalls.system
        syscalls.receive = { _, _ in -Int(code) }
        try await withServer(syscalls: syscalls) { bench in
            let client = try bench.connect()
            try client.send(get("/hello"))
            #expect(try await client.end() == .reset)
            try await bench.settle()
        }
    }
}

@Suite("The outbox")
struct OutboxTests {
    @Test(
        "The same bytes are sent in any pieces that the kernel accepts",
        arguments: [1, 2, 3, 4] as [UInt64])
    func cuts(seed: UInt64) {
        let head = [UInt8](0..<50)
        let body = [UInt8](50..<200)
        let script = KernelScript(seed: seed)
        var outbox = Outbox(head: head, body: body)
        var moved = 0
        for _ in 0..<10_000 {
            switch outbox.flush(to: 0, script.syscalls) {
            case .blocked(let count), .paused(let count): moved += count
            case .finished(let count):
                #expect(moved + count == 200, "seed \(seed)")
                #expect(script.sent.values == head + body, "seed \(seed)")
                return
            case .failed: Issue.record("seed \(seed)")
            }
        }
        Issue.record("seed \(seed): never finished")
    }

    @Test("A huge response pauses after its fair share, though the socket is writable")
    func fairShare() {
        var syscalls = Syscalls.system
        syscalls.send = { _, first, second in min(1_000_000, first.count + second.count) }
        let body = [UInt8](repeating: 0, count: 10_000_000)
        var outbox = Outbox(head: [1], body: body)
        var attempts: [Outbox.Progress] = []
        for _ in 0..<3 { attempts.append(outbox.flush(to: 0, syscalls)) }
        #expect(attempts.count == 3)
        #expect(attempts.last == .finished(10_000_001 - 2 * 5_000_000))
    }

    @Test("A send of 0 bytes without an error is a failure, not a loop")
    func nothingTaken() {
        var syscalls = Syscalls.system
        syscalls.send = { _, _, _ in 0 }
        var outbox = Outbox(head: [1], body: [])
        #expect(outbox.flush(to: 0, syscalls) == .failed)
    }
}

/// A kernel that accepts a few bytes, none, or is interrupted, depending on a seed.
private final class KernelScript: Sendable {
    let sent = Recorder<UInt8>()
    private let draws: Recorder<UInt64>

    init(seed: UInt64) {
        draws = Recorder()
        draws.record(seed)
    }

    var syscalls: Syscalls {
        var syscalls = Syscalls.system
        syscalls.send = { [self] _, first, second in
            switch draw(below: 10) {
            case 0...1: return Syscalls.wouldBlock
            case 2: return Syscalls.interrupted
            default:
                let all = Array(first) + Array(second)
                let count = min(all.count, 1 + Int(draw(below: 30)))
                for byte in all.prefix(count) { sent.record(byte) }
                return count
            }
        }
        return syscalls
    }

    private func draw(below bound: UInt64) -> UInt64 {
        let last = draws.values.last ?? 0
        let next = last &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        draws.record(next)
        return (next >> 33) % bound
    }
}
