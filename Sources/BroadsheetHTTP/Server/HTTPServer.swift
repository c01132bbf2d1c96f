package import BroadsheetIO
import Synchronization

/// An HTTP/1.1 server on the loops of a group.
///
/// A connection stays on one loop from its first byte to its last; loops share only two counters,
/// and those only when a connection begins or ends.
package final class HTTPServer: Sendable {
    private let group: EventLoopGroup
    private let configuration: HTTPServerConfiguration
    private let syscalls: Syscalls
    private let gate: ConnectionGate
    let shards: [ServerShard]
    private let turn = Atomic(0)
    private let listener = Mutex<(Listener, EventLoop)?>(nil)

    /// Creates a server that does not listen yet.
    ///
    /// - Parameters:
    ///   - group: The loops; it must outlive the server, which does not shut it down.
    ///   - configuration: The address to listen on, and the limits.
    ///   - handler: The producer of all responses.
    ///   - syscalls: The system calls of its connections.
    package init(
        group: EventLoopGroup, configuration: HTTPServerConfiguration, handler: any HTTPHandler,
        syscalls: Syscalls = .system
    ) {
        let gate = ConnectionGate(
            maxConnections: configuration.maxConnections, maxRefusals: configuration.maxRefusals)
        self.group = group
        self.configuration = configuration
        self.syscalls = syscalls
        self.gate = gate
        shards = group.loops.map { loop in
            ServerShard(
                loop: loop, configuration: configuration, handler: handler, gate: gate,
                syscalls: syscalls)
        }
    }

    /// The numbers of connections; readable from any thread.
    package var statistics: ServerStatistics { gate.statistics }

    /// Begins to listen; called once.
    ///
    /// - Parameter onExhaustion: Called with each `errno` value, such as `EMFILE`, for which
    ///   accepting pauses; on a loop's thread.
    /// - Returns: The address, with the port that the kernel chose if the configured one is 0.
    /// - Throws: ``IOError`` when the host is unknown or the address cannot be bound.
    @discardableResult
    package func start(
        onExhaustion: @escaping @Sendable (Int32) -> Void = { _ in }
    ) async throws(IOError) -> SocketAddress {
        let address = try SocketAddress(host: configuration.host, port: configuration.port)
        let socket = try ListeningSocket(binding: address)
        let loop = group.next()
        let listener = Listener(
            socket: socket, loop: loop, syscalls: syscalls, onExhaustion: onExhaustion
        ) { [self] in admit($0) }
        let outcome = try await loop.perform {
            Result { () throws(IOError) in try listener.start() }
        }
        try outcome.get()
        self.listener.withLock { $0 = (listener, loop) }
        return listener.address
    }

    /// Stops accepting, closes idle connections at once, finishes every request whose head has
    /// arrived, and returns when all connections have ended.
    ///
    /// - Parameter drain: The time after which requests that are still in flight are cancelled and
    ///   their connections reset.
    package func shutdown(drain: Duration) async {
        let listener = self.listener.withLock { $0.take() }
        if let (listener, loop) = listener {
            try? await loop.perform { listener.stop() }
        }
        await withTaskGroup(of: Void.self) { group in
            for shard in shards {
                group.addTask { await shard.drain(atMost: drain) }
            }
        }
    }

    /// Assigns a new connection to a loop, which serves it or refuses it with 503.
    private func admit(_ socket: consuming FileDescriptor) {
        let verdict = gate.admit()
        guard verdict != .drop else { return }
        let ticket = turn.wrappingAdd(1, ordering: .relaxed).oldValue
        shards[Int(UInt(bitPattern: ticket) % UInt(shards.count))].adopt(socket, verdict)
    }
}
