import BroadsheetIO

/// A connection to a server that sends bytes and receives values on one loop.
///
/// It does not assign replies to requests; its owner does. Used on the thread of its loop only.
final class RedisConnection: ReadinessHandler {
    /// The functions that an owner receives events with.
    struct Events {
        /// The connection is established; nothing has been sent yet.
        var connected: () -> Void
        /// A value was received.
        var received: (RESPValue) -> Void
        /// The connection has ended, for the given reason; the last event.
        var ended: (String) -> Void
    }

    /// The maximum number of bytes that wait for the kernel; a connection that would exceed it is
    /// closed.
    static let maxUnsent = 256 * 1024 * 1024
    /// The number of bytes of requests and replies for which nothing is charged.
    static let unchargedBytes = 256 * 1024
    private static let readSize = 64 * 1024
    private static let readsPerTurn = 16

    /// A Boolean value that indicates whether the server has accepted the connection.
    private(set) var isConnected = false

    private let loop: EventLoop
    private let syscalls: Syscalls
    private let socket: OutgoingSocket
    private let maxUnsent: Int
    /// The functions of the owner, which they retain; `nil` once the connection has ended.
    private var events: Events?
    private var registration: Registration?
    private var parser = RESPParser()
    private var unsent: [UInt8] = []
    private var sentCount = 0
    private var readBuffer: [UInt8] = []
    /// The memory of large requests that the server has not accepted, and of large replies while
    /// they arrive; `nil` for a connection without any.
    ///
    /// It is charged and not reserved: what was requested arrives, and requests are in memory.
    private var memory: MemoryReservation?
    /// A Boolean value that indicates whether the end of the input was reported, though possibly
    /// not read.
    private var hasPeerEnded = false

    /// Begins to connect; called on the thread of the loop.
    init(
        to address: SocketAddress, on loop: EventLoop, syscalls: Syscalls = .system,
        maxUnsent: Int = maxUnsent, events: Events
    ) throws(IOError) {
        self.loop = loop
        self.syscalls = syscalls
        self.maxUnsent = maxUnsent
        self.events = events
        socket = try OutgoingSocket(connectingTo: address)
        registration = try loop.register(
            socket.descriptor.number, for: [.readable, .writable, .peerEnded], .edge, self)
    }

    /// Sends bytes as soon as the kernel has space for them.
    func send(_ bytes: [UInt8]) {
        guard events != nil else { return }
        guard bytes.count <= maxUnsent - (unsent.count - sentCount) else {
            return end("the server accepts no data")
        }
        dropSent()
        unsent += bytes
        if isConnected { flush() }
        chargeMemory()
    }

    /// Transfers the connection to another owner, which receives the events from now on.
    ///
    /// - Parameter memory: The budget that large requests and replies are charged to.
    func transfer(to events: Events, chargingTo memory: MemoryBudget) {
        guard self.events != nil else { return }
        self.events = events
        self.memory = MemoryReservation(in: memory, for: .store)
    }

    /// Charges the memory of the connection, unless it is small.
    private func chargeMemory() {
        guard let memory else { return }
        let count = parser.byteCount + unsent.capacity
        if count > Self.unchargedBytes {
            memory.charge(to: count)
        } else if memory.count > 0 {
            memory.shrink(to: 0)
        }
    }

    /// Closes the connection without an event.
    func close() {
        events = nil
        memory = nil
        if let registration { loop.deregister(registration) }
        registration = nil
    }

    /// Handles the readiness that the kernel reports.
    func becameReady(_ readiness: Readiness) {
        guard let events else { return }
        if !isConnected {
            do throws(IOError) {
                try socket.checkConnected()
            } catch {
                return end(error.description)
            }
            isConnected = true
            events.connected()
        }
        flush()
        chargeMemory()
        if !readiness.isDisjoint(with: [.peerEnded, .gone]) { hasPeerEnded = true }
        receive()
    }

    private func end(_ reason: String) {
        guard let events else { return }
        close()
        events.ended(reason)
    }

    private func flush() {
        while events != nil, sentCount < unsent.count {
            let result = unsent.withUnsafeBytes { bytes in
                syscalls.send(
                    socket.descriptor.number,
                    UnsafeRawBufferPointer(rebasing: bytes.dropFirst(sentCount)),
                    UnsafeRawBufferPointer(start: nil, count: 0))
            }
            switch result {
            case let count where count > 0: sentCount += count
            case Syscalls.interrupted: continue
            case Syscalls.wouldBlock: return
            default: return end("the connection to the server was lost")
            }
        }
        unsent.removeAll(keepingCapacity: unsent.capacity <= Self.readSize)
        sentCount = 0
    }

    /// Removes the sent bytes once they are more than half of the buffer, so each byte is moved at
    /// most once.
    private func dropSent() {
        guard sentCount > unsent.count / 2 else { return }
        unsent.removeFirst(sentCount)
        sentCount = 0
    }

    /// Reads the available bytes.
    ///
    /// A read that does not fill the buffer has emptied the socket, and later bytes cause a new
    /// edge. The exception is the end of input: once its edge was reported, it is found by reading
    /// on.
    private func receive() {
        if readBuffer.isEmpty { readBuffer = [UInt8](repeating: 0, count: Self.readSize) }
        for _ in 0..<Self.readsPerTurn where events != nil {
            let number = socket.descriptor.number
            let count = readBuffer.withUnsafeMutableBytes { syscalls.receive(number, $0) }
            switch count {
            case let count where count > 0:
                take(count)
                guard count == readBuffer.count || hasPeerEnded else { return }
            case 0: return end("the server has closed the connection")
            case Syscalls.interrupted: continue
            case Syscalls.wouldBlock: return
            default: return end("the connection to the server was lost")
            }
        }
        // More bytes may be available, and the kernel does not repeat an edge.
        if let registration { loop.redeliver(.readable, to: registration) }
    }

    private func take(_ count: Int) {
        readBuffer.withUnsafeBytes { parser.feed(UnsafeRawBufferPointer(rebasing: $0[..<count])) }
        defer { chargeMemory() }
        do throws(RESPError) {
            while let events, let value = try parser.next() { events.received(value) }
        } catch {
            end("the server violates the Redis protocol (\(error))")
        }
    }
}
