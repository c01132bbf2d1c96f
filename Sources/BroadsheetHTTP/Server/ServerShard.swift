import BroadsheetIO

/// The part of a server that lives on one loop: its connections, and what they share.
///
/// Shared per loop instead of per connection are the buffers, which only ever hold what is being
/// read or rendered at this instant; a connection at rest costs no buffer.
final class ServerShard: @unchecked Sendable {
    // Unchecked: after `init` everything is touched on `loop`'s thread only.

    /// How many bytes one `receive` can take.
    static let readBufferSize = 64 * 1024

    let loop: EventLoop
    let configuration: HTTPServerConfiguration
    let handler: any HTTPHandler
    let gate: ConnectionGate
    let syscalls: Syscalls
    /// Where every connection of the loop receives; good only until the next one does.
    let readBuffer: UnsafeMutableRawBufferPointer
    /// Where every connection of the loop renders its heads; likewise.
    var headBuffer: [UInt8] = []
    var serializer = HTTPResponseSerializer()
    /// Whether only what is in flight is still served.
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

    /// Takes over a connection that was admitted, from any thread.
    func adopt(_ socket: consuming FileDescriptor, _ verdict: ConnectionGate.Verdict) {
        let connection = Connection(socket: socket, shard: self, verdict: verdict)
        let isQueued = loop.submit { connection.begin() }
        if !isQueued { gate.leave(verdict) }
    }

    /// Keeps `connection` until it ends.
    func add(_ connection: Connection) {
        connection.place = connections.count
        connections.append(connection)
    }

    /// Lets go of `connection`.
    ///
    /// O(1).
    func remove(_ connection: Connection) {
        let last = connections.removeLast()
        if last !== connection {
            connections[connection.place] = last
            last.place = connection.place
        }
        if connections.isEmpty { finishDraining() }
    }

    /// Closes idle connections and waits for the others.
    ///
    /// - Parameters:
    ///   - limit: After this long the rest is reset, too.
    ///   - onEmpty: Called once, when the last connection has ended.
    func drain(atMost limit: Duration, onEmpty: @escaping () -> Void) {
        isDraining = true
        self.onEmpty = onEmpty
        guard !connections.isEmpty else { return finishDraining() }
        loop.setDeadline(loop.now.advanced(by: limit), of: drainTimer)
        for connection in connections { connection.drain() }
    }

    /// The same from any thread, waiting for the end; returns at once when the loop has stopped.
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
