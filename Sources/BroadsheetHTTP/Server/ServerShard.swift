import BroadsheetIO

/// The part of a server on one loop: its connections, and the state that they share.
///
/// The buffers are shared by the connections of a loop, since they are in use only while bytes are
/// read or rendered; an idle connection has no buffer.
final class ServerShard: @unchecked Sendable {
    // Unchecked: after `init` all state is used on `loop`'s thread only.

    /// The maximum number of bytes of one `receive`.
    static let readBufferSize = 64 * 1024

    let loop: EventLoop
    let configuration: HTTPServerConfiguration
    let handler: any HTTPHandler
    let gate: ConnectionGate
    let syscalls: Syscalls
    /// The buffer into which every connection of the loop receives; valid until the next one does.
    let readBuffer: UnsafeMutableRawBufferPointer
    /// The buffer in which every connection of the loop renders its heads; valid until the next
    /// one does.
    var headBuffer: [UInt8] = []
    var serializer = HTTPResponseSerializer()
    /// A Boolean value that indicates whether only requests in flight are still served.
    private(set) var isDraining = false

    private(set) var connections: [Connection] = []
    private var onEmpty: (() -> Void)?
    private lazy var drainTimer = DeadlineTimer { [unowned self] in abortAll() }

    init(
        loop: EventLoop, configuration: HTTPServerConfiguration, handler: any HTTPHandler,
        gate: ConnectionGate, syscalls: Syscalls
    ) {
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

    /// Adds `connection`, until it ends.
    func add(_ connection: Connection) {
        connection.index = connections.count
        connections.append(connection)
    }

    /// Removes `connection`.
    ///
    /// - Complexity: O(1).
    func remove(_ connection: Connection) {
        let last = connections.removeLast()
        if last !== connection {
            connections[connection.index] = last
            last.index = connection.index
        }
        if connections.isEmpty { finishDraining() }
    }

    /// Closes idle connections and lets the others finish.
    ///
    /// - Parameters:
    ///   - limit: The time after which the remaining connections are reset.
    ///   - onEmpty: Called once, when the last connection has ended.
    func drain(atMost limit: Duration, onEmpty: @escaping () -> Void) {
        isDraining = true
        self.onEmpty = onEmpty
        guard !connections.isEmpty else { return finishDraining() }
        loop.setDeadline(loop.now.advanced(by: limit), of: drainTimer)
        for connection in connections { connection.drain() }
    }

    /// Drains, from any thread, and returns at the end; at once when the loop has stopped.
    func drain(atMost limit: Duration) async {
        await withCheckedContinuation { continuation in
            let isQueued = loop.submit { [self] in
                drain(atMost: limit) { continuation.resume() }
            }
            if !isQueued { continuation.resume() }
        }
    }

    private func finishDraining() {
        guard let onEmpty else { return }
        self.onEmpty = nil
        loop.remove(drainTimer)
        onEmpty()
    }

    private func abortAll() {
        for connection in connections { connection.abort() }
    }
}
