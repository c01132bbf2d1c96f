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
    private let listeners = Mutex<[(Listener, EventLoop)]>([])

    /// The group must outlive the server, which does not shut it down.
    package init(
        group: EventLoopGroup, configuration: HTTPServerConfiguration, handler: any HTTPHandler,
        memory: MemoryBudget = .unlimited, syscalls: Syscalls = .system
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
                memory: memory, syscalls: syscalls)
        }
    }

    package var statistics: ServerStatistics { gate.statistics }

    /// Begins to listen; called once.
    ///
    /// - Parameter onExhaustion: Called with each `errno` value, such as `EMFILE`, for which
    ///   accepting pauses; on a loop's thread.
    /// - Returns: The address, with the port that the kernel chose if the configured one is 0; of
    ///   inherited sockets that of the first.
    /// - Throws: ``IOError`` when the host is unknown or the address cannot be bound.
    @discardableResult
    package func start(
        onExhaustion: @escaping @Sendable (Int32) -> Void = { _ in }
    ) async throws(IOError) -> SocketAddress {
        guard let inherited = configuration.sockets?.descriptors, let first = inherited.first else {
            let address = try SocketAddress(host: configuration.host, port: configuration.port)
            return try await accept(on: ListeningSocket(binding: address), onExhaustion)
        }
        let address = try await accept(on: ListeningSocket(inheriting: first), onExhaustion)
        for number in inherited.dropFirst() {
            _ = try await accept(on: ListeningSocket(inheriting: number), onExhaustion)
        }
        return address
    }

    /// Begins to accept on a socket, on the next loop, and returns its address.
    private func accept(
        on socket: consuming ListeningSocket, _ onExhaustion: @escaping @Sendable (Int32) -> Void
    ) async throws(IOError) -> SocketAddress {
        let loop = group.next()
        let listener = Listener(
            socket: socket, loop: loop, syscalls: syscalls, onExhaustion: onExhaustion
        ) { [self] in admit($0) }
        let outcome = try await loop.perform {
            Result { () throws(IOError) in try listener.start() }
        }
        try outcome.get()
        listeners.withLock { $0.append((listener, loop)) }
        return listener.address
    }

    /// Ends each connection with its next response, so that clients open others, to this server or
    /// to another one; accepts connections and serves requests as before.
    ///
    /// A client never loses a request to the close of an idle connection that it was about to use,
    /// if it used all of its connections before ``shutdown(drain:)``.
    ///
    /// - Parameter limit: The time within which all streams end, one after the other.
    package func beginEnding(within limit: Duration) {
        for shard in shards { shard.loop.submit { shard.beginEnding(within: limit) } }
    }

    /// Stops accepting, closes idle connections at once, finishes every request whose head has
    /// arrived, and returns when all connections have ended.
    ///
    /// - Parameter drain: The time after which requests that are still in flight are cancelled and
    ///   their connections reset.
    package func shutdown(drain: Duration) async {
        let listeners = self.listeners.withLock { listeners in
            defer { listeners = [] }
            return listeners
        }
        for (listener, loop) in listeners { try? await loop.perform { listener.stop() } }
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

/// The part of a server on one loop: its connections, and the state that they share.
///
/// The buffers are shared by the connections of a loop, since they are in use only while bytes are
/// read or rendered; an idle connection has no buffer.
final class ServerShard: @unchecked Sendable {
    // Unchecked: after `init` all state is used on `loop`'s thread only.

    /// The maximum number of bytes of one `receive`: the head and the body of most requests that
    /// are handled on their loop.
    static let readBufferSize = 128 * 1024

    let loop: EventLoop
    let configuration: HTTPServerConfiguration
    let handler: any HTTPHandler
    let gate: ConnectionGate
    let memory: MemoryBudget
    let syscalls: Syscalls
    /// The buffer into which every connection of the loop receives; valid until the next one does.
    let readBuffer: UnsafeMutableRawBufferPointer
    /// The buffer in which every connection of the loop renders its heads; valid until the next
    /// one does.
    var headBuffer: [UInt8] = []
    var serializer = HTTPResponseSerializer()
    private var repeats = RepeatTable()
    /// A Boolean value that indicates whether only requests in flight are still served.
    private(set) var isDraining = false
    /// A Boolean value that indicates whether each response ends its connection.
    private(set) var isEnding = false

    private(set) var connections: [Connection] = []
    private var onEmpty: (() -> Void)?
    private lazy var drainTimer = DeadlineTimer { [unowned self] in abortAll() }
    private lazy var endTimer = DeadlineTimer { [unowned self] in endNextStream() }
    private var endInterval = Duration.zero

    init(
        loop: EventLoop, configuration: HTTPServerConfiguration, handler: any HTTPHandler,
        gate: ConnectionGate, memory: MemoryBudget, syscalls: Syscalls
    ) {
        self.memory = memory
        self.loop = loop
        self.configuration = configuration
        self.handler = handler
        self.gate = gate
        self.syscalls = syscalls
        readBuffer = .allocate(byteCount: Self.readBufferSize, alignment: 64)
    }

    deinit {
        readBuffer.deallocate()
    }

    /// Takes ownership of an admitted connection; callable from any thread.
    func adopt(_ socket: consuming FileDescriptor, _ verdict: ConnectionGate.Verdict) {
        let connection = Connection(socket: socket, shard: self, verdict: verdict)
        let isQueued = loop.submit { connection.begin() }
        if !isQueued { gate.leave(verdict) }
    }

    /// Returns ``headBuffer``, empty; its user puts it back.
    func takeHeadBuffer() -> [UInt8] {
        var head: [UInt8] = []
        swap(&head, &headBuffer)
        head.removeAll(keepingCapacity: true)
        return head
    }

    var date: [UInt8] { serializer.dateField(at: loop.clock.unixSeconds) }

    /// Returns the response that may be repeated to a request of exactly these bytes; none while
    /// the server shuts down.
    ///
    /// - Returns: The response, and the range of the credentials if those may be others.
    func repeatEntry(
        for bytes: UnsafeRawBufferPointer
    ) -> (entry: RepeatEntry, credentials: Range<Int>?)? {
        guard !isEnding else { return nil }
        if let entry = repeats.entry(for: bytes) { return (entry, nil) }
        return repeats.openEntry(for: bytes).map { ($0.entry, $0.credentials) }
    }

    /// Keeps a response with its head as it was sent, if it can be repeated and there is memory
    /// for it.
    func keep(_ response: HTTPResponse, to request: HTTPRequestHead?, head: [UInt8]) {
        guard response.repeatable != nil, let request,
            let entry = RepeatEntry(response, to: request, head: head),
            entry.reserve(in: memory)
        else { return }
        repeats.insert(entry)
    }

    func forget(_ entry: RepeatEntry) { repeats.remove(entry) }

    func add(_ connection: Connection) {
        connection.index = connections.count
        connections.append(connection)
    }

    func remove(_ connection: Connection) {
        let last = connections.removeLast()
        if last !== connection {
            connections[connection.index] = last
            last.index = connection.index
        }
        if connections.isEmpty { finishDraining() }
    }

    /// Ends each connection with its next response, and the streams one after the other.
    func beginEnding(within limit: Duration) {
        isEnding = true
        let streams = connections.count { $0.stream != nil }
        endInterval = limit / (streams + 1)
        loop.setDeadline(loop.now.advanced(by: endInterval), of: endTimer)
    }

    private func endNextStream() {
        guard !isDraining else { return }
        // A stream that was asked to end stays until its client has read the rest of it.
        connections.first { $0.stream?.isEnding == false }?.drainStream()
        loop.setDeadline(loop.now.advanced(by: endInterval), of: endTimer)
    }

    /// Closes idle connections, resets the others after `limit`; `onEmpty` is called once.
    func drain(atMost limit: Duration, onEmpty: @escaping () -> Void) {
        isEnding = true
        isDraining = true
        self.onEmpty = onEmpty
        guard !connections.isEmpty else { return finishDraining() }
        loop.setDeadline(loop.now.advanced(by: limit), of: drainTimer)
        for connection in connections { connection.drain() }
    }

    /// Drains, from any thread, and returns at the end; at once when the loop has stopped.
    func drain(atMost limit: Duration) async {
        await Waiter.wait { waiter in
            loop.submit { [self] in drain(atMost: limit) { waiter.resume(()) } }
        }
    }

    private func finishDraining() {
        guard let onEmpty else { return }
        self.onEmpty = nil
        loop.remove(drainTimer)
        loop.remove(endTimer)
        onEmpty()
    }

    private func abortAll() {
        for connection in connections { connection.cutOff() }
    }
}

/// A count of connections over all loops, which decides on the admission of new ones.
///
/// It is used when a connection begins and ends, never for a request.
final class ConnectionGate: Sendable {
    enum Verdict: Hashable {
        case serve
        case refuse
        /// Closes the connection at once, because too many connections are receiving 503 already.
        case drop
    }

    private let maxConnections: Int
    private let maxRefusals: Int
    private let open = Atomic(0)
    private let refusals = Atomic(0)
    private let accepted = Atomic(0)
    private let refused = Atomic(0)

    init(maxConnections: Int, maxRefusals: Int) {
        self.maxConnections = maxConnections
        self.maxRefusals = maxRefusals
    }

    func admit() -> Verdict {
        accepted.wrappingAdd(1, ordering: .relaxed)
        if Self.enter(open, below: maxConnections) { return .serve }
        refused.wrappingAdd(1, ordering: .relaxed)
        return Self.enter(refusals, below: maxRefusals) ? .refuse : .drop
    }

    func leave(_ verdict: Verdict) {
        switch verdict {
        case .serve: open.wrappingSubtract(1, ordering: .relaxed)
        case .refuse: refusals.wrappingSubtract(1, ordering: .relaxed)
        case .drop: break
        }
    }

    var statistics: ServerStatistics {
        ServerStatistics(
            openConnections: open.load(ordering: .relaxed),
            acceptedConnections: accepted.load(ordering: .relaxed),
            refusedConnections: refused.load(ordering: .relaxed))
    }

    private static func enter(_ counter: borrowing Atomic<Int>, below limit: Int) -> Bool {
        guard counter.wrappingAdd(1, ordering: .relaxed).oldValue >= limit else { return true }
        counter.wrappingSubtract(1, ordering: .relaxed)
        return false
    }
}

package struct ServerStatistics: Sendable, Hashable {
    package var openConnections: Int
    /// The number of connections since the start, including refused ones.
    package var acceptedConnections: Int
    package var refusedConnections: Int
}
