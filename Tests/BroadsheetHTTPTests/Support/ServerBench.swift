import Testing
import TestSupport

@testable import BroadsheetHTTP
@testable import BroadsheetIO

/// A server on a free port of 127.0.0.1, with a clock that the test advances.
struct ServerBench {
    let server: HTTPServer
    let address: SocketAddress
    let handler: ScriptedHandler
    let clock: ManualClock
    let group: EventLoopGroup
    /// The `errno` values that made accepting pause.
    let exhaustions: Recorder<Int32>

    /// Connects one more client.
    func connect(receiveBuffer: Int32? = nil) throws -> TestClient {
        try TestClient(address, receiveBuffer: receiveBuffer)
    }

    /// Advances the clock, and makes all loops read it.
    func advance(by duration: Duration) {
        clock.advance(by: duration)
        for loop in group.loops { loop.wake() }
    }

    /// Returns the activity of each connection and the phase of its parser.
    func states() async throws -> [State] {
        var states: [State] = []
        for shard in server.shards {
            // A turn may have begun before the clock was advanced; the next one knows the time.
            try await shard.loop.perform {}
            states += try await shard.loop.perform {
                shard.connections.map { State($0.activity, $0.parser.phase) }
            }
        }
        return states
    }

    /// Waits until the connections are in exactly these states, in any order.
    func settle(_ expected: State...) async throws {
        try await eventually("connections in \(expected)") {
            let states = try await states()
            return states.count == expected.count
                && Set(states) == Set(expected)
        }
    }

    /// Waits until there are `count` connections, and all of them have received a head.
    func settle(allInBody count: Int) async throws {
        try await eventually("\(count) connections in a body") {
            let states = try await states()
            return states.count == count && states.allSatisfy { $0 == .inBody }
        }
    }

    /// One connection's state.
    struct State: Hashable, Sendable {
        let activity: Connection.Activity
        let phase: HTTPRequestParser.Phase

        init(_ activity: Connection.Activity, _ phase: HTTPRequestParser.Phase) {
            self.activity = activity
            self.phase = phase
        }

        static let idle = State(.receiving, .idle)
        static let inHead = State(.receiving, .head)
        static let inBody = State(.receiving, .body)
        static let responding = State(.responding, .handedOut)
        static let sending = State(.sending(.nextRequest), .handedOut)
        static let streaming = State(.streaming, .handedOut)
        static let stalled = State(.sending(.stream), .handedOut)
        static let lingering = State(.lingering, .closed)
    }
}

/// Runs `body` with a server that is shut down at the end.
func withServer(
    loops: Int = 1, memory: MemoryBudget = .unlimited, syscalls: Syscalls = .system,
    handler: ScriptedHandler = ScriptedHandler(),
    configure: (inout HTTPServerConfiguration) -> Void = { _ in },
    _ body: (ServerBench) async throws -> Void
) async throws {
    let clock = ManualClock(unixMilliseconds: 784_111_777_000)
    let group = try EventLoopGroup(count: loops, clock: clock.time)
    defer { group.shutdown() }
    var configuration = HTTPServerConfiguration()
    configuration.port = 0
    configure(&configuration)
    var calls = syscalls
    // The kernel has a clock of its own, which a test that waits for its turn must not reach.
    calls.limitUnsent = { syscalls.limitUnsent($0, $1, max($2, .seconds(3600))) }
    let server = HTTPServer(
        group: group, configuration: configuration, handler: handler, memory: memory,
        syscalls: calls)
    let exhaustions = Recorder<Int32>()
    let address = try await server.start { exhaustions.record($0) }
    let bench = ServerBench(
        server: server, address: address, handler: handler, clock: clock, group: group,
        exhaustions: exhaustions)
    let outcome: Result<Void, any Error>
    do { outcome = .success(try await body(bench)) } catch { outcome = .failure(error) }
    await server.shutdown(drain: .zero)
    #expect(server.statistics.openConnections == 0)
    try outcome.get()
}

/// Returns the bytes of a GET of `path`.
func get(_ path: String, _ fields: String...) -> String {
    "GET \(path) HTTP/1.1\r\nHost: test\r\n" + fields.map { $0 + "\r\n" }.joined() + "\r\n"
}

extension Syscalls {
    /// Returns the system calls of the kernel, except that each send accepts so few bytes.
    static func sending(atMost count: Int) -> Syscalls {
        var syscalls = Syscalls.system
        syscalls.send = { socket, first, second in
            let piece = UnsafeRawBufferPointer(
                rebasing: (first.isEmpty ? second : first).prefix(count))
            return Syscalls.system.send(socket, piece, UnsafeRawBufferPointer(start: nil, count: 0))
        }
        return syscalls
    }
}
