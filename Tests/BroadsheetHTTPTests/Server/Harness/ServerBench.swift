import Testing

@testable import BroadsheetHTTP
@testable import BroadsheetIO

/// A server on a free port of 127.0.0.1, going by a clock that the test moves.
struct ServerBench {
    let server: HTTPServer
    let address: SocketAddress
    let handler: ScriptedHandler
    let clock: ManualClock
    let group: EventLoopGroup
    /// What made accepting pause.
    let exhaustions: Log<Int32>

    /// Connects one more client.
    func connect(receiveBuffer: Int32? = nil) throws -> TestClient {
        try TestClient(address, receiveBuffer: receiveBuffer)
    }

    /// Moves the time on, and has all loops notice.
    func advance(by duration: Duration) {
        clock.advance(by: duration)
        for loop in group.loops { loop.wake() }
    }

    /// What the connections are doing, and where their parsers are.
    func states() async throws -> [State] {
        var states: [State] = []
        for shard in server.shards {
            states += try await shard.loop.perform {
                shard.connections.map { State($0.activity, $0.parser.phase) }
            }
        }
        return states
    }

    /// Waits until exactly these states are found, in any order.
    func settle(_ expected: State...) async throws {
        try await eventually("connections in \(expected)") {
            let states = try await states()
            return states.count == expected.count
                && Set(states) == Set(expected)
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
        static let lingering = State(.lingering, .closed)
    }
}

/// Runs `body` against a server that is gone when it returns.
func withServer(
    loops: Int = 1, syscalls: Syscalls = .system,
    configure: (inout HTTPServerConfiguration) -> Void = { _ in },
    _ body: (ServerBench) async throws -> Void
) async throws {
    let clock = ManualClock()
    let group = try EventLoopGroup(count: loops, clock: clock.clock)
    defer { group.shutdown() }
    var configuration = HTTPServerConfiguration()
    configuration.port = 0
    configure(&configuration)
    let handler = ScriptedHandler()
    let server = HTTPServer(
        group: group, configuration: configuration, handler: handler, syscalls: syscalls)
    let exhaustions = Log<Int32>()
    let address = try await server.start { exhaustions.append($0) }
    let bench = ServerBench(
        server: server, address: address, handler: handler, clock: clock, group: group,
        exhaustions: exhaustions)
    let outcome: Result<Void, any Error>
    do { outcome = .success(try await body(bench)) } catch { outcome = .failure(error) }
    await server.shutdown(drain: .zero)
    #expect(server.statistics.openConnections == 0)
    try outcome.get()
}

/// A GET of `path`, ready to be sent.
func get(_ path: String, _ fields: String...) -> String {
    "GET \(path) HTTP/1.1\r\nHost: test\r\n" + fields.map { $0 + "\r\n" }.joined() + "\r\n"
}
