import BroadsheetIO

/// A connection to a server that sends bytes and receives values on one loop.
///
/// It does not assign replies to requests; its owner does. With TLS, bytes are encrypted when they
/// are sent, and decrypted when they are received. Used on the thread of its loop only.
final class RedisConnection: ReadinessHandler {
    /// The functions that an owner receives events with.
    struct Events {
        /// The connection is established, and the server verified; no command was sent yet.
        var connected: () -> Void
        var received: (RESPValue) -> Void
        /// The connection has ended, for the given reason; the last event.
        var ended: (String) -> Void
    }

    /// The limits of a connection.
    struct Limits {
        /// The maximum number of bytes that wait for the kernel; a connection that would exceed it
        /// is closed.
        var unsent = 256 * 1024 * 1024
        var replies = RESPLimits()
    }

    /// The number of bytes of requests and replies for which nothing is charged.
    static let unchargedBytes = 256 * 1024
    private static let readSize = 64 * 1024
    private static let readsPerTurn = 16

    /// A Boolean value that indicates whether the server has accepted the connection.
    private(set) var isConnected = false

    private let loop: EventLoop
    private let syscalls = Syscalls.system
    private let socket: OutgoingSocket
    private let tls: TLSSession?
    private let maxUnsent: Int
    /// The functions of the owner, which they retain; `nil` once the connection has ended.
    private var events: Events?
    private var registration: Registration?
    private var parser: RESPParser
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
        to address: SocketAddress, on loop: EventLoop, tls: TLSSession? = nil,
        limits: Limits = Limits(), events: Events
    ) throws(IOError) {
        self.loop = loop
        self.tls = tls
        maxUnsent = limits.unsent
        parser = RESPParser(limits: limits.replies)
        self.events = events
        socket = try OutgoingSocket(connectingTo: address)
        registration = try loop.register(
            socket.descriptor.number, for: [.readable, .writable, .peerEnded], trigger: .edge,
            handler: self)
    }

    /// Sends bytes as soon as the kernel has space for them.
    func send(_ bytes: [UInt8]) {
        guard events != nil else { return }
        guard bytes.count <= maxUnsent - (unsent.count - sentCount) else {
            return end("the server accepts no data")
        }
        dropSent()
        guard encrypt(bytes) else { return }
        if isConnected { flush() }
        chargeMemory()
    }

    /// Appends bytes to those that wait for the kernel.
    ///
    /// - Returns: `false` if the connection has ended instead.
    private func encrypt(_ bytes: [UInt8]) -> Bool {
        guard let tls else {
            unsent += bytes
            return true
        }
        do throws(TLSFailure) {
            try tls.send(bytes, &unsent)
            return true
        } catch {
            fail(error)
            return false
        }
    }

    /// Transfers the connection to another owner, which receives the events from now on.
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

    func becameReady(_ readiness: Readiness) {
        guard events != nil else { return }
        if !isConnected {
            do throws(IOError) {
                try socket.checkConnected()
            } catch {
                return end(error.description)
            }
            isConnected = true
            begin()
        }
        flush()
        chargeMemory()
        if !readiness.isDisjoint(with: [.peerEnded, .gone]) { hasPeerEnded = true }
        receive()
    }

    /// Begins the handshake of TLS, without which the connection is established.
    private func begin() {
        guard let tls else {
            events?.connected()
            return
        }
        do throws(TLSFailure) {
            try tls.begin(&unsent)
        } catch {
            fail(error)
        }
    }

    /// Ends the connection because of a failure of TLS, which the server learns if its socket has
    /// space for that.
    private func fail(_ failure: TLSFailure) {
        _ = unsent[sentCount...].withUnsafeBytes { bytes in
            syscalls.send(
                socket.descriptor.number, bytes, UnsafeRawBufferPointer(start: nil, count: 0))
        }
        end(failure.reason)
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
            default:
                // The server may have sent its reason before it closed: a client's certificate.
                if tls != nil { receive() }
                return end("the connection to the server was lost")
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
        let isOpen = feedParser(count)
        defer { chargeMemory() }
        do throws(RESPError) {
            while let events, let value = try parser.next() { events.received(value) }
        } catch {
            end("the server violates the Redis protocol (\(error))")
        }
        if !isOpen { end("the server has closed the connection") }
    }

    /// Passes received bytes to the parser, decrypted.
    ///
    /// - Returns: `false` if they are the last ones.
    private func feedParser(_ count: Int) -> Bool {
        guard let tls else {
            readBuffer.withUnsafeBytes {
                parser.feed(UnsafeRawBufferPointer(rebasing: $0[..<count]))
            }
            return true
        }
        let wasEstablished = tls.isEstablished
        do throws(TLSFailure) {
            let isOpen = try tls.receive(readBuffer[..<count], &unsent) { parser.feed($0) }
            if tls.isEstablished, !wasEstablished { events?.connected() }
            flush()
            return isOpen
        } catch {
            fail(error)
            return false
        }
    }
}
