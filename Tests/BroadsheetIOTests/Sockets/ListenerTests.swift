import Glibc
import Synchronization
import Testing
import TestSupport

@testable import BroadsheetIO

/// The options of an accepted connection.
private struct Accepted: Sendable, Equatable {
    var isNonBlocking: Bool
    var isClosedOnExec: Bool
    var sendsAtOnce: Bool

    init(_ socket: borrowing FileDescriptor) {
        isNonBlocking = fcntl(socket.number, F_GETFL) & O_NONBLOCK != 0
        isClosedOnExec = fcntl(socket.number, F_GETFD) & FD_CLOEXEC != 0
        var value: Int32 = 0
        var size = socklen_t(MemoryLayout<Int32>.size)
        getsockopt(socket.number, Int32(IPPROTO_TCP), TCP_NODELAY, &value, &size)
        sendsAtOnce = value != 0
    }
}

/// A listener on a free port of 127.0.0.1, with its accepted connections and its failures.
private struct Bench {
    let listener: Listener
    let accepted = Recorder<Accepted>()
    let exhaustions = Recorder<Int32>()

    init(on loop: EventLoop, syscalls: Syscalls = .system) async throws {
        let socket = try ListeningSocket(binding: SocketAddress(host: "127.0.0.1", port: 0))
        let (accepted, exhaustions) = (accepted, exhaustions)
        let listener = Listener(
            socket: socket, loop: loop, syscalls: syscalls,
            onExhaustion: { exhaustions.record($0) },
            onAccept: { accepted.record(Accepted($0)) })
        self.listener = listener
        try await loop.perform { Result { () throws(IOError) in try listener.start() } }.get()
    }
}

@Suite("Listeners", .timeLimit(.minutes(hangMinutes)))
struct ListenerTests {
    @Test("Accepted sockets are non-blocking, closed on exec, and send at once (TCP_NODELAY)")
    func options() async throws {
        try await withLoop { loop, _ in
            let bench = try await Bench(on: loop)
            let client = try dial(bench.listener.address)
            let accepted = try #require(await bench.accepted.first(1).first)
            #expect(accepted.isNonBlocking)
            #expect(accepted.isClosedOnExec)
            #expect(accepted.sendsAtOnce)
            _ = consume client
        }
    }

    @Test(
        "Repeated EMFILE pauses accepting, one accept a pause, until descriptors are free",
        arguments: [EMFILE, ENFILE, ENOBUFS, ENOMEM])
    func exhaustion(code: Int32) async throws {
        try await withLoop { loop, clock in
            let isExhausted = Atomic(true)
            let attempts = Atomic(0)
            var syscalls = Syscalls.system
            syscalls.accept = { listener in
                attempts.wrappingAdd(1, ordering: .relaxed)
                if isExhausted.load(ordering: .relaxed) { return -Int(code) }
                return Syscalls.system.accept(listener)
            }
            let bench = try await Bench(on: loop, syscalls: syscalls)
            let client = try dial(bench.listener.address)
            #expect(await bench.exhaustions.first(1) == [code])
            // The pending connection keeps the socket readable: turns must not cause accepts.
            for _ in 0..<50 {
                loop.wake()
                try await loop.perform {}
            }
            #expect(attempts.load(ordering: .relaxed) == 1)
            clock.advance(by: Listener.pauseDuration, waking: loop)
            #expect(await bench.exhaustions.first(1) == [code])
            #expect(attempts.load(ordering: .relaxed) == 2)
            isExhausted.store(false, ordering: .relaxed)
            clock.advance(by: Listener.pauseDuration, waking: loop)
            #expect(await bench.accepted.first(1).count == 1)
            _ = consume client
        }
    }

    @Test(
        "A connection that was lost before it was accepted is skipped",
        arguments: [
            ECONNABORTED, EINTR, EPROTO, ENETUNREACH,
        ])
    func skipped(code: Int32) async throws {
        try await withLoop { loop, _ in
            let failures = Atomic(200)
            var syscalls = Syscalls.system
            syscalls.accept = { listener in
                let left = failures.wrappingSubtract(1, ordering: .relaxed).oldValue
                return left > 0 ? -Int(code) : Syscalls.system.accept(listener)
            }
            let bench = try await Bench(on: loop, syscalls: syscalls)
            let client = try dial(bench.listener.address)
            #expect(await bench.accepted.first(1).count == 1)
            #expect(bench.exhaustions.values.isEmpty)
            _ = consume client
        }
    }

    @Test("Stopping accepts what the kernel had completed, closes, and frees the port")
    func stop() async throws {
        try await withLoop { loop, _ in
            let isReleased = Counter()
            var syscalls = Syscalls.system
            syscalls.accept = { listener in
                isReleased.value == 0
                    ? Syscalls.wouldBlock : Syscalls.system.accept(listener)
            }
            let bench = try await Bench(on: loop, syscalls: syscalls)
            let listener = bench.listener
            let first = try dial(listener.address)
            let second = try dial(listener.address)
            try await loop.perform {
                isReleased.increment()
                listener.stop()
                listener.stop()
            }
            #expect(bench.accepted.values.count == 2)
            #expect(throws: IOError.system(call: "connect", code: ECONNREFUSED)) {
                _ = try dial(listener.address)
            }
            _ = try ListeningSocket(binding: listener.address)
            _ = consume first
            _ = consume second
        }
    }

    @Test("Stopping a listener of an inherited socket leaves what waits to the next process")
    func stopShared() async throws {
        try await withLoop { loop, _ in
            // 1 while the loop finds nothing to accept.
            let phase = Counter()
            var syscalls = Syscalls.system
            syscalls.accept = { listener in
                phase.value == 1 ? Syscalls.wouldBlock : Syscalls.system.accept(listener)
            }
            let own = try ListeningSocket(binding: SocketAddress(host: "127.0.0.1", port: 0))
            let address = own.address
            let descriptor = own.takeDescriptor()
            let inherited = fcntl(descriptor.number, F_DUPFD, 3)
            #expect(fcntl(descriptor.number, F_SETFL, 0) == 0)
            let accepted = Recorder<Accepted>()
            let listener = Listener(
                socket: try ListeningSocket(inheriting: inherited), loop: loop, syscalls: syscalls,
                onAccept: { accepted.record(Accepted($0)) })
            #expect(listener.address.port == address.port)
            #expect(fcntl(inherited, F_GETFD) & FD_CLOEXEC != 0)
            try await loop.perform { Result { () throws(IOError) in try listener.start() } }.get()
            let first = try dial(address)
            let connection = try #require(await accepted.first(1).first)
            #expect(connection.isNonBlocking && connection.isClosedOnExec)
            #expect(connection.sendsAtOnce)
            phase.increment()
            let second = try dial(address)
            let third = try dial(address)
            try await loop.perform {
                phase.increment()
                listener.stop()
            }
            #expect(accepted.values.count == 1)
            let fourth = try dial(address)
            for _ in 0..<3 {
                let next = Syscalls.system.accept(descriptor.number)
                #expect(next >= 0)
                _ = FileDescriptor(owning: Int32(next))
            }
            _ = consume first
            _ = consume second
            _ = consume third
            _ = consume fourth
        }
    }

    @Test("A listener that is stopped while it pauses does not resume")
    func stoppedWhilePausing() async throws {
        try await withLoop { loop, clock in
            var syscalls = Syscalls.system
            syscalls.accept = { _ in -Int(EMFILE) }
            let bench = try await Bench(on: loop, syscalls: syscalls)
            let listener = bench.listener
            let client = try dial(listener.address)
            _ = await bench.exhaustions.first(1)
            try await loop.perform { listener.stop() }
            let before = bench.exhaustions.values.count
            clock.advance(by: .seconds(10), waking: loop)
            for _ in 0..<3 { try await loop.perform {} }
            #expect(bench.exhaustions.values.count == before)
            _ = consume client
        }
    }
}

@Suite("Failures of accept")
struct AcceptFailureTests {
    @Test(
        "Each failure has its consequence (accept(2))",
        arguments: [
            (EAGAIN, AcceptFailure.drained),
            (EWOULDBLOCK, .drained),
            (EINTR, .skipped),
            (ECONNABORTED, .skipped),
            (EPROTO, .skipped),
            (ENETDOWN, .skipped),
            (EHOSTUNREACH, .skipped),
            (EPERM, .skipped),
            (EMFILE, .exhausted),
            (ENFILE, .exhausted),
            (ENOBUFS, .exhausted),
            (ENOMEM, .exhausted),
            (EBADF, .exhausted),
            (EINVAL, .exhausted),
        ])
    func classification(code: Int32, expected: AcceptFailure) {
        #expect(AcceptFailure(code: code) == expected)
    }
}
