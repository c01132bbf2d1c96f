import Glibc
import Synchronization
import TestSupport
import Testing

@testable import BroadsheetHTTP
@testable import BroadsheetIO

@Suite("More connections than the limit", .timeLimit(.minutes(hangMinutes)))
struct OverloadTests {
    @Test("A connection beyond --max-connections receives 503; a closed connection frees capacity")
    func refused() async throws {
        try await withServer(configure: { $0.maxConnections = 2 }) { bench in
            let first = try bench.connect()
            let second = try bench.connect()
            try await bench.settle(.idle, .idle)
            let third = try bench.connect()
            let response = try await third.response()
            #expect(response.status == 503)
            #expect(response.closes)
            #expect(try await third.end() == .closed)
            third.close()
            try await bench.settle(.idle, .idle)
            first.close()
            try await bench.settle(.idle)
            let fourth = try bench.connect()
            try fourth.send(get("/hello"))
            #expect(try await fourth.response().status == 200)
            let statistics = bench.server.statistics
            #expect(statistics.openConnections == 2)
            #expect(statistics.acceptedConnections == 4)
            #expect(statistics.refusedConnections == 1)
            second.close()
        }
    }

    @Test("Beyond the maximum of refusals a connection is closed without a response")
    func dropped() async throws {
        try await withServer(configure: {
            $0.maxConnections = 0
            $0.maxRefusals = 1
        }) { bench in
            let first = try bench.connect()
            #expect(try await first.response().status == 503)
            try await bench.settle(.init(.lingering, .idle))
            let second = try bench.connect()
            _ = try await second.end()
            #expect(second.unread.isEmpty)
            #expect(bench.server.statistics.refusedConnections == 2)
        }
    }

    @Test("Out of descriptors (EMFILE), accepting pauses, and open connections are still served")
    func outOfDescriptors() async throws {
        let isExhausted = Flag()
        var syscalls = Syscalls.system
        syscalls.accept = { listener in
            isExhausted.isRaised ? -Int(EMFILE) : Syscalls.system.accept(listener)
        }
        try await withServer(syscalls: syscalls) { bench in
            let first = try bench.connect()
            try await bench.settle(.idle)
            isExhausted.isRaised = true
            let second = try bench.connect()
            try await eventually("the pause") { bench.exhaustions.count == 1 }
            try first.send(get("/hello"))
            #expect(try await first.response().status == 200)
            #expect(bench.exhaustions.values == [EMFILE])
            isExhausted.isRaised = false
            bench.advance(by: Listener.pauseDuration)
            try second.send(get("/hello"))
            #expect(try await second.response().status == 200)
        }
    }
}

@Suite("The connection gate")
struct ConnectionGateTests {
    @Test("The gate admits, refuses, drops, and counts")
    func verdicts() {
        let gate = ConnectionGate(maxConnections: 2, maxRefusals: 1)
        #expect((0..<4).map { _ in gate.admit() } == [.serve, .serve, .refuse, .drop])
        gate.leave(.drop)
        #expect(gate.admit() == .drop)
        gate.leave(.refuse)
        #expect(gate.admit() == .refuse)
        gate.leave(.serve)
        #expect(gate.admit() == .serve)
        #expect(gate.statistics.openConnections == 2)
        #expect(gate.statistics.acceptedConnections == 7)
        #expect(gate.statistics.refusedConnections == 4)
    }
}
